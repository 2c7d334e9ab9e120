# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Auxiliary losses of gates, in NumPy, with their gradients.

P devices with S tokens each, N experts, k experts a token. `scores` [P, S, N]
is the softmax of a gate's logits, `counts` [P, N] the rows that each device
sends to each expert, of which the losses take no gradient.
"""

import numpy as np


def balance_loss(scores, counts):
    """l_aux of TA-MoE's eq. (1), a number a device [P], and its gradient with
    respect to the scores. Even dispatch gives k / N (SPEC TA-10)."""
    tokens = scores.shape[1]
    shares = counts / tokens
    loss = (scores.mean(axis=1) * shares).sum(axis=1)
    return loss, np.broadcast_to(shares[:, None, :] / tokens, scores.shape)


def penalties(target, norm="sum"):
    """p_i = Norm(1 / target_i) of eq. (8), SPEC TA-6, [P, N], for a target
    [P, N] that is greater than 0. `norm` is "sum" or "softmax"; the latter takes the inverses
    over their mean, so that the unit of the target does not matter."""
    if (target <= 0).any():
        raise ValueError("expected a target greater than 0 everywhere, got "
                         f"{target.min()}: plan it with --least-share")
    inverse = 1 / target
    if norm == "sum":
        return inverse / inverse.sum(axis=1, keepdims=True)
    if norm != "softmax":
        raise ValueError(f"expected norm sum or softmax, got '{norm}'")
    inverse = inverse / inverse.mean(axis=1, keepdims=True)
    grown = np.exp(inverse - inverse.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


def topology_loss(scores, counts, target, norm="sum"):
    """l_topo of eq. (8), a number a device [P], and its gradient with respect
    to the scores. Even dispatch and target give k P / N (SPEC TA-10)
    with either norm."""
    devices, tokens, experts = scores.shape
    weights = (experts * devices) * penalties(target, norm) * counts / tokens
    loss = (scores.mean(axis=1) * weights).sum(axis=1)
    return loss, np.broadcast_to(weights[:, None, :] / tokens, scores.shape)
