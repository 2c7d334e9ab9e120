"""Stands in front of PyTorch where it is installed."""
raise ImportError("none here")
