"""Errors on one rank or on all ranks: all ranks raise the error, or all run the
original graph.

usage: refuse.py FOLDER
"""

import os
import pathlib
import stat
import sys
import time
import warnings

import layers
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from torch.fx.experimental.proxy_tensor import make_fx

import moe_mlir.torch
from moe_mlir import Error, OptimizeWarning

folder = pathlib.Path(sys.argv[1])


def write_tool(name, text):
    path = folder / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def report(rank, name, answer):
    """Prints the answer of rank 0, and other answers."""
    answers = [None] * dist.get_world_size()
    dist.all_gather_object(answers, answer)
    if rank == 0:
        print(f"{name}: {answers[0]}")
        for other, theirs in enumerate(answers):
            if theirs != answers[0]:
                print(f"  rank {other}: {theirs}")
        sys.stdout.flush()


def main(rank):
    job = layers.Job(2, 1)
    x = torch.arange(8.0).reshape(4, 2) + rank

    def f(x):
        y = fc.wait_tensor(fc.all_to_all_single(x, None, None, job.ep))
        return y * 2

    want = f(x)

    def check(name, of=f, **options):
        """A strict run, and one that falls back."""
        torch._dynamo.reset()
        try:
            moe_mlir.optimize_torch(of, mesh=job.mesh, strict=True,
                                    **options)(x)
            answer = "rewritten"
        except Exception as error:
            answer = str(error).split("\n")[0]
        report(rank, name, answer)
        torch._dynamo.reset()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            have = moe_mlir.optimize_torch(of, mesh=job.mesh, **options)(x)
        texts = [str(w.message) for w in caught
                 if issubclass(w.category, OptimizeWarning)]
        assert of is not f or torch.equal(have, want)
        assert len(texts) == (answer != "rewritten"), texts
        assert all("runs unchanged: " in text for text in texts), texts

    check("nothing wrong")
    # Broken tools, on both ranks or on one.
    late = write_tool("late", "echo 'x: error: it is late' >&2; exit 1\n")
    check("tool fails", tool=late)
    check("tool fails on rank 1", tool=late if rank == 1 else None)
    check("no tool", tool=str(folder / "none"))
    check("nonsense", tool=write_tool("nonsense", "echo what\n"))
    real = os.environ["MOE_OPT"]
    for name, script in {
            "another type": "s/-> tensor<4x2xf32>/-> tensor<4x3xf32>/",
            "another element": "s/-> tensor<4x2xf32>/-> tensor<4x2xf64>/",
            "another op": "s/torch.aten.mul.Tensor/torch.aten.nothing/; "
                          "s/fx.node/fx.from/",
            "another result": '/"func.return"/s/(%[0-9]*)/()/',
            "another argument": "s/(%arg0: tensor<4x2xf32>)/()/",
            "no such group": r"s/\[\[0,1\]\]/[[0,7]]/",
            "another number of operands":
                r's/"torch.aten.mul.Tensor"(\(%[0-9]*\), %[0-9]*)/'
                r'"torch.aten.mul.Tensor"(\1)/',
            "an op of two lines": "s/fx.node/\\n/",
            "another node": 's/fx.node = "mul"/fx.node = "mull"/',
    }.items():
        check(name, tool=write_tool(
            name.replace(" ", "-"), f"{real} \"$@\" | sed '{script}'\n"))
    check("another text on rank 1", tool=write_tool(
        "rank-1", f"{real} \"$@\" | sed 's/{'fx.node' if rank else 'none'}/"
        "fx.from/'\n") if rank else None)

    # A compiler that fails after all ranks have the rewritten graph.
    compile_graph = moe_mlir.torch.backend.make_boxed_func

    def fail(graph):
        if rank == 1:
            raise RuntimeError("no code for this graph")
        return compile_graph(graph)

    moe_mlir.torch.backend.make_boxed_func = fail
    check("no code on rank 1")
    moe_mlir.torch.backend.make_boxed_func = compile_graph

    # Unknown names.
    check("no such input", replicated={"ep": ["y"]})
    check("no such axis", replicated={"pp": ["x"]})
    check("no such pass", pipeline="no-such-pass")
    check("platform", platform="no-such-platform")

    # An unknown group in a graph, on one rank.
    gm = make_fx(f, tracing_mode="fake")(x)
    node = next(n for n in gm.graph.nodes if "all_to_all" in str(n.target))
    if rank == 1:
        node.args = (*node.args[:-1], "none")
    try:
        moe_mlir.torch.rewrite(gm, moe_mlir.torch.Facts(mesh=job.mesh))
    except Error as error:
        report(rank, "missing group", str(error).split(" it: ")[0])

    # A rank that does not compile.
    start = time.time()
    if rank == 0:
        torch._dynamo.reset()
        try:
            moe_mlir.optimize_torch(f, mesh=job.mesh, deadline=2)(x)
            print("expected an error")
        except moe_mlir.torch.RanksError as error:
            print(f"alone: {str(error).split('.')[0]}", flush=True)
        assert time.time() - start < 30
    dist.barrier()


def differ(rank):
    """Graphs that differ on one or two of four ranks."""
    job = layers.Job(2, 2)
    x = torch.ones(4, 2)

    def make(change):
        def f(x):
            return change(fc.wait_tensor(
                fc.all_to_all_single(x, None, None, job.ep)))
        return f

    double, add, power = (make(change) for change in (
        lambda y: y * 2, lambda y: y + 1, lambda y: y**2))
    cases = {"another graph on rank 2": [double, double, add, double],
             "others on ranks 1 and 2": [double, add, power, double],
             "each another": [power, double, add, make(torch.relu)]}
    for name, functions in cases.items():
        torch._dynamo.reset()
        try:
            moe_mlir.optimize_torch(functions[rank], mesh=job.mesh,
                                    strict=True)(x)
            answer = "rewritten"
        except Error as error:
            answer = str(error)
        report(rank, name, answer)


folder.mkdir(parents=True, exist_ok=True)
layers.run_processes(main, 2)
layers.run_processes(differ, 4)
