"""Labelling past one machine: the same labels from many, by Ray Data, kept as Parquet files."""
