"""Exchanges whose split sizes are constants that differ between ranks of ep, on 2x2
processes: rewritten if the sizes of tensors agree, or a warning with the reason.
"""

import warnings

import layers
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc

import moe_mlir.torch
from moe_mlir import OptimizeWarning
from moe_mlir.torch.ranks import find_rank_numbers, make_agreement


def main(rank):
    job = layers.Job(2, 2)
    # By the ranks of ep: rows that are received from, and sent to, each of them.
    cases = {"equal sizes": ([[3, 1], [1, 3]], [[3, 1], [1, 3]]),
             "other sizes": ([[3, 3], [1, 1]], [[3, 1], [3, 1]]),
             "differ along tp": ([[1, 3], [3, 1]], [[1, 3], [3, 1]])}
    for name, (received, sent) in cases.items():
        x = torch.arange(16.0).reshape(4, 4) + 100 * job.ep_rank
        if name == "differ along tp" and job.tp_rank:
            received, sent = received[::-1], sent[::-1]
        mine, out = received[job.ep_rank], sent[job.ep_rank]

        def f(x):
            rows = fc.all_to_all_single(x, list(mine), list(out), job.ep)
            return fc.wait_tensor(rows) * 2

        torch._dynamo.reset()
        want = f(x)
        made = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fast = moe_mlir.optimize_torch(f, mesh=job.mesh,
                                           replicated={"tp": ["x"]})
            fast._options.on_rewritten = made.append
            have = fast(x)
        answers = [None] * 4
        dist.all_gather_object(answers, torch.equal(have, want))
        said = [str(w.message).split("\n")[0] for w in caught
                if issubclass(w.category, OptimizeWarning)]
        if rank == 0:
            gathers = [one.explain().collectives_after.get("all_gather", 0)
                       for one in made]
            print(f"{name}: equal: {all(answers)}, gathers {gathers}, {said}",
                  flush=True)
    # Lists of other lengths have no places to compare.
    try:
        find_rank_numbers(make_agreement(job.mesh, 60), [1, 2, 3][:2 + rank % 2])
        print("no error", flush=True)
    except moe_mlir.Error as error:
        if rank == 3:
            print("other lengths:", error, flush=True)


layers.run_processes(main, 4)
