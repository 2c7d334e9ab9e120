"""Checks properties of measured pairs that hold on any machine.

check_pairs.py PAIRS RANKS TOPOLOGY [PLAN]: matrices of all ranks, no beta of 0,
and a plan whose links are the means over pairs in both directions.
"""
import json
import sys

pairs = json.load(open(sys.argv[1]))
ranks = int(sys.argv[2])
assert list(pairs) == ["origin", "topology", "alpha_us", "beta_us_per_byte"]
assert pairs["topology"] == sys.argv[3], pairs["topology"]
assert pairs["origin"].startswith("measured on backend "), pairs["origin"]
for key, least in (("alpha_us", 0), ("beta_us_per_byte", 1e-12)):
    assert [len(row) for row in pairs[key]] == [ranks] * ranks
    assert all(least <= x < 1e9 for row in pairs[key] for x in row), key
if len(sys.argv) > 4:
    links = {link["name"]: link for link in json.load(open(sys.argv[4]))["links"]}
    across = [pairs["alpha_us"][i][j] for i in range(ranks)
              for j in range(ranks) if i != j]
    mean = sum(across) / len(across)
    got = links["level 1"]["alpha_us"]
    assert abs(got - mean) <= 1e-6 * max(mean, 1), (got, mean)
