"""Compares alpha and beta in a platform with what they should be:
PLATFORM LEVEL COLLECTIVE ALPHA BETA TOLERANCE."""

import json
import sys

path, level, collective = sys.argv[1:4]
alpha, beta, tolerance = map(float, sys.argv[4:])
with open(path) as file:
    platform = json.load(file)
[found] = [l for l in platform["levels"] if l["name"] == level]
fit = found["collectives"][collective]
for key, expected in ("alpha_us", alpha), ("beta_us_per_byte", beta):
    if abs(fit[key] / expected - 1) > tolerance:
        sys.exit(f"{key}: expected {expected} within {tolerance}, got {fit[key]}")
print(f"within {tolerance}: r_squared {fit['r_squared']}")
