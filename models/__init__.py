"""Models: their registry, training and evaluation, and the `hupai` command that joins everything."""
