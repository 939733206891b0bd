"""Find likely label errors in somebody's data set: read it, read its pictures, compare."""
