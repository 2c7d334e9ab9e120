"""Checks examples/ta-moe/losses.py: values (SPEC TA-6, TA-10), gradients.

usage: ta_losses.py DIRECTORY OF THE EXAMPLE
"""

import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
from losses import balance_loss, penalties, topology_loss  # noqa: E402

rng = np.random.default_rng(1)
P, S, N = 4, 40, 8
for k in (1, 2, 5):
    even = np.full((P, N), k * S / N)
    scores = rng.random((P, S, N))
    scores /= scores.sum(axis=2, keepdims=True)
    assert np.allclose(balance_loss(scores, even)[0], k / N)
    for norm in ("sum", "softmax"):
        assert np.allclose(topology_loss(scores, even, even, norm)[0], k * P / N)
        # The unit of a target does not matter.
        target = rng.random((P, N)) + 0.1
        assert np.allclose(penalties(target, norm), penalties(9 * target, norm))
        assert np.allclose(penalties(target, norm).sum(axis=1), 1)
    counts = rng.integers(0, S, (P, N))
    # By the formula, one number at a time.
    p = penalties(target)
    by_hand = [N * P * sum(p[i, e] * scores[i, :, e].mean() * counts[i, e] / S
                           for e in range(N)) for i in range(P)]
    assert np.allclose(topology_loss(scores, counts, target)[0], by_hand)
    for loss in (balance_loss, lambda s, c: topology_loss(s, c, target)):
        value, gradient = loss(scores, counts)
        for i, s, e in ((0, 0, 0), (3, 39, 7), (2, 11, 5)):
            moved = scores.copy()
            moved[i, s, e] += 1e-3
            change = (loss(moved, counts)[0] - value)[i] / 1e-3
            assert abs(change - gradient[i, s, e]) < 1e-9, (i, s, e)
for bad in (np.zeros((P, N)), -even):
    try:
        penalties(bad)
        sys.exit("ta_losses.py: a target of 0 was taken")
    except ValueError as error:
        assert "greater than 0" in str(error)
print("losses are right")
