"""Photo in, tiles, groups and hand out."""
