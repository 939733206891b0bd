"""A player's own tile set, taught by one or two photos, and how it corrects the namer."""
