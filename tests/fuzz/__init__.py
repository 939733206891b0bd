"""Fuzzing: what strangers can send, damaged by a machine. See README.md here."""
