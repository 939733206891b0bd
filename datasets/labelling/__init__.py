"""Labels for folders of photos: read in bulk, kept in a manifest, exported in the formats of other tools."""
