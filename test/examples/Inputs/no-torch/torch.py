"""Hides an installed PyTorch."""
raise ImportError("none here")
