"""Replaces pyarrow: tables are files of JSON."""
