"""Random training steps on random meshes, rewritten by several pipelines.

usage: random_programs.py COUNT SEED [RANKS]

All numbers are integers in f64, so sums are exact in any order, and each difference
is an error.
"""

import random
import sys
import warnings

import layers
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from torch.distributed.device_mesh import init_device_mesh
from torch.fx.experimental.proxy_tensor import make_fx

import moe_mlir.torch
from moe_mlir import Error

count, seed = int(sys.argv[1]), int(sys.argv[2])
ranks = int(sys.argv[3]) if len(sys.argv) > 3 else 4
PIPELINES = [
    "moe-decompose-all-to-all",
    "moe-pipeline{degree=2}",
    "moe-decompose-all-to-all moe-pipeline{degree=2} moe-schedule",
    "moe-decompose-all-to-all moe-make-collectives-contiguous",
    "",
    "moe-hierarchical-all-reduce moe-schedule",
    "moe-pipeline{degree=2 scope=layer} moe-schedule",
]
MESHES = {2: [(2, 1), (1, 2)], 4: [(2, 2), (4, 1), (1, 4)],
          8: [(4, 2), (2, 4)]}[ranks]


class Program:
    """A function of x and parameters; random numbers are drawn once."""

    def __init__(self, rng, mesh):
        self.mesh = mesh
        self.steps = []
        shape = [4, rng.choice([2, 4]), rng.choice([4, 8])]
        self.shape = tuple(shape)
        self.parameters = []
        for _ in range(rng.randint(3, 7)):
            kind = rng.choice(["exchange", "exchange", "exchange", "restack",
                               "gather", "scatter", "sum", "mean", "product",
                               "scale", "turn", "split", "pair", "view"])
            group = rng.choice(["ep", "tp"])
            size = mesh[group].size()
            dim = rng.randrange(3)
            other = rng.randrange(3)
            if kind == "exchange" and shape[0] % size:
                continue
            if kind == "restack":
                if shape[dim] % size or dim == other:
                    continue
                shape[dim] //= size
                shape[other] *= size
            if kind == "gather":
                if shape[dim] * size > 16:
                    continue
                shape[dim] *= size
            if kind == "scatter":
                if shape[dim] % size:
                    continue
                shape[dim] //= size
            if kind == "turn":
                shape[dim], shape[other] = shape[other], shape[dim]
            if kind == "split" and shape[dim] % 2:
                continue
            parameter = None
            if kind in ("product", "scale"):
                varies = rng.choice([(), ("ep",), ("tp",), ("ep", "tp")])
                if kind == "product":
                    to = rng.choice([2, 4])
                    size_of = (shape[2], to)
                    shape[2] = to
                else:
                    size_of = tuple(shape)
                parameter = len(self.parameters)
                self.parameters.append((size_of, varies))
            self.steps.append((kind, group, dim, other, parameter))
        self.x_varies = rng.choice([("ep",), ("ep", "tp"), (), ("tp",)])

    def get_inputs(self, rank_of):
        def draw(shape, varies, salt):
            place = tuple(rank_of[a] if a in varies else 0
                          for a in ("ep", "tp"))
            generator = torch.Generator().manual_seed(
                hash((salt, place)) % 2**31)
            return torch.randint(-2, 3, shape, generator=generator).double()
        return [draw(self.shape, self.x_varies, 0)] + [
            draw(shape, varies, i + 1)
            for i, (shape, varies) in enumerate(self.parameters)]

    def get_replicated(self, names):
        facts = {"ep": [], "tp": []}
        for name, varies in zip(names, [self.x_varies] + [
                v for _, v in self.parameters]):
            for axis in facts:
                if axis not in varies:
                    facts[axis].append(name)
        return facts

    def run(self, x, *parameters):
        for kind, axis, dim, other, parameter in self.steps:
            group = self.mesh.get_group(axis)
            size = group.size()
            if kind == "exchange":
                x = fc.all_to_all_single_autograd(x.contiguous(), None, None,
                                                  group)
            elif kind == "restack":
                rows = torch.cat(x.chunk(size, dim), 0).contiguous()
                rows = fc.all_to_all_single_autograd(rows, None, None, group)
                x = torch.cat(rows.chunk(size, 0), other)
            elif kind == "gather":
                x = fc.all_gather_tensor_autograd(x.contiguous(), dim, group)
            elif kind == "scatter":
                x = fc.reduce_scatter_tensor_autograd(x.contiguous(), "sum",
                                                      dim, group)
            elif kind in ("sum", "mean"):
                x = layers._SumParts.apply(x, group)
                x = x * 0.5 if kind == "mean" else x
            elif kind == "product":
                x = x @ parameters[parameter]
            elif kind == "scale":
                x = x * parameters[parameter]
            elif kind == "turn":
                x = x.transpose(dim, other)
            elif kind == "split":
                a, b = x.chunk(2, dim)
                x = torch.cat([b, a * 2], dim)
            elif kind == "pair":
                x = x + torch.relu(x)
            elif kind == "view":
                x = x.reshape(-1, x.shape[2]).reshape(x.shape) - 1
            # Keeps numbers small and exact.
            x = x - (x / 64).detach().round() * 64
        return x


def main(rank):
    warnings.simplefilter("ignore", FutureWarning)
    rng = random.Random(seed)
    meshes = [init_device_mesh("cpu", shape, mesh_dim_names=("ep", "tp"))
              for shape in MESHES]
    rewritten = changed = 0
    for number in range(count):
        mesh = rng.choice(meshes)
        program = Program(rng, mesh)
        pipeline = rng.choice(PIPELINES)
        coordinate = mesh.get_coordinate()
        inputs = program.get_inputs({"ep": coordinate[0],
                                     "tp": coordinate[1]})

        def step(*given):
            given = [g.detach().requires_grad_() for g in given]
            y = program.run(*given)
            gradients = torch.autograd.grad((y * y).sum(), given,
                                            allow_unused=True)
            return [y.detach(), *(g for g in gradients if g is not None)]

        gm = make_fx(step, tracing_mode="fake")(*inputs)
        names = [n.name for n in gm.graph.nodes if n.op == "placeholder"]
        try:
            new = moe_mlir.torch.rewrite(
                gm, moe_mlir.torch.Facts(mesh, program.get_replicated(names)),
                pipeline=pipeline, platform="dgx-h100")
        except Error as error:
            if rank == 0:
                print(f"{number}: {pipeline}: {error}", flush=True)
            continue
        with torch.no_grad():
            want, have = gm(*inputs), new(*inputs)
        same = layers.is_same(want, have)
        answers = [None] * ranks
        dist.all_gather_object(answers, same)
        rewritten += 1
        before = [str(n.target) for n in gm.graph.nodes if "c10d" in str(n.target)]
        after = [str(n.target) for n in new.graph.nodes if "c10d" in str(n.target)]
        changed += before != after
        if not all(answers):
            if rank == 0:
                print(f"{number}: {pipeline}: differs on ranks "
                      f"{[r for r in range(ranks) if not answers[r]]}: "
                      f"{mesh.shape} {program.steps} {program.x_varies}")
            sys.exit(1)
    if rank == 0:
        print(f"{rewritten} of {count} programs equal, {changed} of them with "
              "other collectives", flush=True)


layers.run_processes(main, ranks)
