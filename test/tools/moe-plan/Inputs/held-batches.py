"""Micro-batches that stages hold: held-batches.py JSON..."""
import json
import sys

stages = [json.load(open(name))["per_rank"]["stages"] for name in sys.argv[1:]]
# The last stage also holds logits, so the first is compared with the second to last,
# which holds two of all micro-batches.
ofOne = stages[0][2]["activation_bytes"] / 2
held = [round(of[0]["activation_bytes"] / ofOne, 6) for of in stages]
assert all(count == int(count) for count in held), held
assert len({of[3]["activation_bytes"] for of in stages}) == 1
print(f"stage 0 holds {int(held[0])}, {int(held[1])} and {int(held[2])} micro-batches; "
      "stage 3 holds 1 each")
