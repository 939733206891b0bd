"""Rendered tables: tiles as boxes under a pinhole camera, with the truth of every visible face.

`arrange` lays tiles on a table, `render` photographs it, `generate` writes training folders, `sample` draws
the picture that ships with the project.
"""
