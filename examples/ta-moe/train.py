#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a small MoE layer with l_aux and with l_topo and compares them.

usage: train.py DISPATCH.json [--steps=N] [--seed=N] [--norm=sum|softmax]

DISPATCH.json is what `moe-plan dispatch --json` printed. Tokens come from as
many clusters as a node has experts, each with a linear map of its own that the
layer has to learn. A device has a gate of its own: devices whose gates are one
and the same, and whose tokens are alike, cannot send differently. Experts take
every token that is sent to them.
"""

import argparse
import json
import sys

import numpy as np

from losses import balance_loss, topology_loss

HIDDEN = 16
TOKENS = 128
WEIGHT = 1.0  # of the auxiliary loss (TA-MoE, section 5)


def softmax(logits):
    grown = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return grown / grown.sum(axis=-1, keepdims=True)


class Adam:
    def __init__(self, value, rate):
        self.value, self.rate, self.step = value, rate, 0
        self.mean, self.square = np.zeros_like(value), np.zeros_like(value)

    def update(self, gradient):
        self.step += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.01 * (gradient * gradient - self.square)
        mean = self.mean / (1 - 0.9 ** self.step)
        square = self.square / (1 - 0.99 ** self.step)
        self.value -= self.rate * mean / (np.sqrt(square) + 1e-8)


class Layer:
    """One expert a token (Switch)."""

    def __init__(self, rng, devices, experts):
        self.gates = Adam(
            rng.normal(0, 0.1, (devices, HIDDEN, experts)), 0.01)
        self.experts = Adam(
            rng.normal(0, HIDDEN ** -0.5, (experts, HIDDEN, HIDDEN)), 0.01)

    def train(self, x, y, auxiliary):
        """One step; the mean squared error, the auxiliary loss, the counts."""
        devices, tokens, _ = x.shape
        experts = self.experts.value.shape[0]
        scores = softmax(np.einsum("psm,pmn->psn", x, self.gates.value))
        ids = scores.argmax(axis=2)
        counts = np.stack([np.bincount(row, minlength=experts) for row in ids])
        chosen = np.take_along_axis(scores, ids[..., None], 2)
        by_expert = np.zeros((devices, tokens, HIDDEN))
        for e in range(experts):
            by_expert[ids == e] = x[ids == e] @ self.experts.value[e]
        error = chosen * by_expert - y
        loss = (error ** 2).mean()
        extra, d_scores = auxiliary(scores, counts)
        d_scores = WEIGHT * d_scores / devices

        d_out = 2 * error / error.size
        d_experts = np.zeros_like(self.experts.value)
        for e in range(experts):
            at = ids == e
            d_experts[e] = x[at].T @ (chosen * d_out)[at]
        d_chosen = (d_out * by_expert).sum(axis=2, keepdims=True)
        d_scores = np.array(d_scores)
        np.put_along_axis(
            d_scores, ids[..., None],
            np.take_along_axis(d_scores, ids[..., None], 2) + d_chosen, 2)
        d_logits = scores * (
            d_scores - (d_scores * scores).sum(axis=2, keepdims=True))
        self.gates.update(np.einsum("psm,psn->pmn", x, d_logits))
        self.experts.update(d_experts)
        return loss, extra.mean(), counts


def train(target, steps, seed, clusters, auxiliary):
    """The losses of all steps and the dispatch over the last tenth, rows of a
    device summing to 1."""
    devices, experts = target.shape
    rng = np.random.default_rng(seed)
    centres = rng.normal(0, 2, (clusters, HIDDEN))
    maps = rng.normal(0, HIDDEN ** -0.5, (clusters, HIDDEN, HIDDEN))
    layer = Layer(rng, devices, experts)
    losses, last = [], np.zeros((devices, experts))
    for step in range(steps):
        kinds = rng.integers(clusters, size=(devices, TOKENS))
        x = centres[kinds] + 0.5 * rng.normal(size=(devices, TOKENS, HIDDEN))
        y = np.einsum("psm,psmo->pso", x, maps[kinds])
        loss, _, counts = layer.train(x, y, auxiliary)
        losses.append(loss)
        if step >= steps - max(steps // 10, 1):
            last += counts
    return losses, last / last.sum(axis=1, keepdims=True)


def group(matrix, devices):
    """Experts of one device together."""
    return matrix.reshape(devices, devices, -1).sum(axis=2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dispatch")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--norm", choices=["sum", "softmax"], default="sum")
    options = parser.parse_args()
    target = np.array(json.load(open(options.dispatch))["target"])
    devices, experts = target.shape
    shares = target / target.sum(axis=1, keepdims=True)
    # Places of one value in the target are of one level.
    levels = np.round(group(shares, devices), 6)
    clusters = max(
        int((levels[0] > levels[0].min()).sum()) * experts // devices, 1)

    runs = {
        "l_aux": train(target, options.steps, options.seed, clusters,
                       balance_loss),
        "l_topo": train(
            target, options.steps, options.seed, clusters,
            lambda scores, counts: topology_loss(scores, counts, target,
                                                 options.norm))}
    print("mean squared error")
    print("  step    " + "".join(f"{name:>9}" for name in runs))
    every = max(options.steps // 10, 1)
    for end in range(every, options.steps + 1, every):
        print(f"  {end:<8}" + "".join(
            f"{np.mean(losses[end - every:end]):9.4f}"
            for losses, _ in runs.values()))
    print("share of a device's rows for a device, mean over places of a level")
    print("  target  " + "".join(f"{name:>9}" for name in runs))
    for level in sorted(set(levels.flat), reverse=True):
        print(f"  {level:<8.4f}" + "".join(
            f"{group(last, devices)[levels == level].mean():9.4f}"
            for _, last in runs.values()))


if __name__ == "__main__":
    sys.exit(main())
