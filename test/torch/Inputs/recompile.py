"""Ranks that compile a function again when other ranks do not.

usage: recompile.py
"""

import os
import sys
import time
import warnings

import layers
import torch
import torch.distributed as dist

import moe_mlir.torch

CHUNKS = "moe-decompose-all-to-all moe-pipeline{degree=2 scope=layer}"


def report(name, answer):
    answers = [None] * dist.get_world_size()
    dist.all_gather_object(answers, answer)
    if dist.get_rank() == 0:
        print(f"{name}: {' | '.join(dict.fromkeys(answers))}", flush=True)


def run(job, f, fast, arguments, counts):
    """Runs both functions with other numbers of tokens per rank of ep, and returns
    whether loss, result and gradients are the same."""
    same = []
    for count in counts:
        generator = torch.Generator().manual_seed(count[job.ep_rank] + job.ep_rank)
        x = torch.randn(count[job.ep_rank], 16, generator=generator)
        given = [x, *arguments[1:]]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", moe_mlir.OptimizeWarning)
            have = layers.run_with_gradients(fast, given)
        want = layers.run_with_gradients(f, given)
        close = all(torch.allclose(a, b, rtol=1e-2, atol=1e-5)
                    for a, b in zip(have, want, strict=True))
        said = [str(one.message).split("runs unchanged: ")[1].split(",")[0][:60]
                for one in caught
                if issubclass(one.category, moe_mlir.OptimizeWarning)]
        same.append(" ".join([str(close), *said]))
    return ", ".join(same)


def rows(_):
    """Numbers of tokens that differ between ranks of ep: each graph has the collectives
    of the first one, so ranks compile alone."""
    job = layers.Job(2, 2)
    for name, pipeline in (("dropless", None), ("dropless", CHUNKS), ("runs", CHUNKS)):
        arguments = layers.make_arguments(job, name)

        def f(x, router, w1, w2):
            return layers.LAYERS[name](job, x, router, w1, w2)

        def optimize():
            torch._dynamo.reset()
            return moe_mlir.optimize_torch(
                f, mesh=job.mesh, replicated=layers.REPLICATED[name],
                pipeline=pipeline, deadline=20)

        answer = run(job, f, optimize(), arguments,
                     [(32, 32), (48, 32), (48, 40), (40, 32)])
        report(name, answer)
    # The first graphs differ, so all ranks run them unchanged, and later ones too.
    report("from the start", run(job, f, optimize(), arguments,
                                 [(48, 32), (32, 32), (32, 48)]))


def expect_error(rank, call):
    start = time.time()
    try:
        call()
        answer = "no error"
    except Exception as error:
        answer = f"{type(error).__name__} {str(error).split('. ')[0][:110]}"
    print(f"rank {rank}: {answer} (in time: {time.time() - start < 60})\n", end="",
          flush=True)


def alone(rank):
    """Rank 1 compiles another kind of graph, and ends with the error. The other rank
    waits for it in an exchange, which then fails."""
    job = layers.Job(2, 1)
    fast = moe_mlir.optimize_torch(lambda x: layers.exchange(x, job.ep) * 2,
                                   mesh=job.mesh, deadline=3)
    fast(torch.ones(4, 2))
    expect_error(rank, lambda: fast(torch.ones(4, 4 if rank else 2)).sum().item())
    os._exit(0)


def another(rank):
    """Rank 1 compiles a function again when the other compiles another one."""
    job = layers.Job(2, 1)

    def f(x):
        return layers.exchange(x, job.ep) * 2

    def g(x):
        return layers.exchange(x, job.ep) * 2

    f, g = (moe_mlir.optimize_torch(one, mesh=job.mesh) for one in (f, g))
    f(torch.ones(4, 2))
    expect_error(rank, lambda: (f(torch.ones(6, 2)) if rank else g(torch.ones(6, 2))))


for case, count in ((rows, 4), (alone, 2), (another, 2)):
    if not sys.argv[1:] or case.__name__ in sys.argv[1:]:
        layers.run_processes(case, count)
