"""Stands in for pyarrow: tables are files of JSON."""
