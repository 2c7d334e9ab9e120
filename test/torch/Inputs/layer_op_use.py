"""A compiled layer under PyTorch's own checks, called many times, called wrongly, and
on the stand-ins for CUDA and NCCL.

usage: layer_op_use.py [CALLS]
       layer_op_use.py stand-ins FOLDER
"""

import ctypes
import gc
import pathlib
import re
import sys
import threading
import time

sys.argv, arguments = [sys.argv[0], "2x1"], sys.argv[1:]
import layer_op  # noqa: E402
import layers  # noqa: E402
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

import moe_mlir  # noqa: E402
import moe_mlir.torch  # noqa: E402

CALLS = int(arguments[0]) if arguments and arguments[0].isdecimal() else 1000


def get_kilobytes():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])


def refused(what, make):
    try:
        make()
        said = "taken"
    except (moe_mlir.Error, RuntimeError) as error:
        said = str(error).splitlines()[0]
    if not dist.is_initialized() or dist.get_rank() == 0:
        print(f"{what}: {said}", flush=True)


def check(op, given):
    torch.library.opcheck(op.forward_op._opoverload, given)
    saved = op.forward_op(*[g.detach() for g in given])
    # The backward pass has no derivative of its own.
    torch.library.opcheck(
        op.backward_op._opoverload,
        (*[g.detach() for g in given], *saved[1:], torch.ones_like(saved[0])),
        test_utils=("test_schema", "test_faketensor"))
    # Gradients that the user did not request, and strided arguments.
    y = op(given[0], *[g.detach() for g in given[1:]])
    only, = torch.autograd.grad(y.sum(), given[:1])
    strided = [g.detach().t().contiguous().t() if g.dim() == 2 else g.detach()
               for g in given]
    assert not strided[0].is_contiguous()
    assert torch.equal(op(*strided), y) and only.shape == given[0].shape


def refuse_ids(op, given):
    """Invalid ids fail before the ranks meet, so the valid ones after them run."""
    weights, chosen, _ = layer_op.biased_gate(*given[:2])
    ids, weights = chosen.int(), weights.detach().requires_grad_()
    x, *experts = given[0], *given[2:]

    def change(token, *experts):
        changed = ids.clone()
        changed[token] = torch.tensor(experts)
        return changed
    for what, bad in {
            "ids of another type": ids.long(),
            "ids of another shape": ids[:, :1],
            "no such expert": change(3, 2, 8), "negative": change(15, -1, 0),
            "twice": change(0, 5, 5)}.items():
        refused(what, lambda: op(x, bad, weights, *experts))
    torch.library.opcheck(op.forward_op._opoverload, (x, ids, weights, *experts))


def add_to_main_gradients(job):
    """The backward pass adds gradients in f32, also of two forward passes before
    their backward passes. They are what autograd returns without the option, before
    it is rounded to bf16."""
    for words in ("dropless-bf16", "dropless-bf16-softmax"):
        given = [a.bfloat16().requires_grad_() for a in layer_op.make_arguments(job)]
        if "softmax" in words:
            weights, chosen, _ = layer_op.softmax_gate(
                *(a.detach().float() for a in given[:2]))
            given[1:2] = [chosen.int(), weights.requires_grad_()]
        plain = layer_op.make_op(job, words)
        op = layer_op.make_op(job, words, main_gradients=True)
        counted = len(op.main_gradients)
        parameters, others = given[-counted:], [
            a for a in given[:-counted] if a.requires_grad]

        def run(f, others=others):
            f().float().square().sum().backward()
            made = [a.grad for a in others]
            for one in others:
                one.grad = None
            return made
        want = run(lambda: plain(*given))
        exact = [torch.zeros_like(p, dtype=torch.float32) for p in parameters]
        run(lambda: op(*given, main_gradients=exact))
        for one, p in zip(exact, parameters):
            # bf16 has 8 bits. A router's gradient is also rounded before its sum over
            # ranks.
            assert (one - p.grad.float()).abs().max() < one.abs().max() / 100, words
            is_rounded = one == one.bfloat16().float()
            assert is_rounded[one != 0].float().mean() < 0.1, words
            if p.dim() == 3:  # an expert's
                assert torch.allclose(one, p.grad.float(), rtol=2 ** -8), words
        for is_compiled in (False, True):
            mains = [torch.ones_like(p, dtype=torch.float32) for p in parameters]
            f = (torch.compile(op, backend="aot_eager", fullgraph=True)
                 if is_compiled else op)
            for _ in range(2):
                have = run(lambda: f(*given, main_gradients=mains))
                assert layers.is_same(have, want), words
            for main, one in zip(mains, exact):
                assert torch.equal(main, 1 + one + one), words
        results = [op(*given, main_gradients=mains) for _ in range(2)]
        for result in results:
            result.float().square().sum().backward()
        assert torch.equal(mains[-1], sum(4 * [exact[-1]], 1)), words
        refused("too few main gradients",
                lambda: op(*given, main_gradients=mains[:1]))
        refused("main gradients of another type", lambda: op(
            *given, main_gradients=[*mains[:-1], mains[-1].bfloat16()]))
        refused("main gradients without the option",
                lambda: plain(*given, main_gradients=mains))


def count(op, given):
    """Calls it many times; nothing may accumulate."""
    def call(times):
        started = time.perf_counter()
        for _ in range(times):
            op(*given).sum().backward()
            for one in given:
                one.grad = None
        return (time.perf_counter() - started) / times
    call(CALLS // 5)
    gc.collect()
    before, threads = get_kilobytes(), threading.active_count()
    made = op.get_counts()
    took = call(CALLS)
    gc.collect()
    after = op.get_counts()
    grown = get_kilobytes() - before
    same = all(made[key] == after[key] for key in made if key != "host_waits")
    assert threading.active_count() == threads
    return same, grown, took


def main(rank):
    job = layers.Job(2, 1)
    op = layer_op.make_op(job, "dropless")
    given = [a.requires_grad_() for a in layer_op.make_arguments(job)]
    check(op, given)
    same, grown, took = count(op, given)
    answers = [None, None]
    dist.all_gather_object(answers, (same, grown))
    if rank == 0:
        print("opcheck: passed")
        print(f"calls: {CALLS}, the runtime made",
              "nothing" if all(same for same, _ in answers) else "more",
              "and memory grew by",
              "less than 2 MB" if max(grown for _, grown in answers) < 2048
              else f"{answers} kB")
        print(f"{took * 1e6:.0f} us for a forward and a backward pass",
              file=sys.stderr)
    again = layer_op.make_op(job, "capacity-bf16")
    refused("another type", lambda: again(*given))
    refused("another shape", lambda: op(given[0][:4], *given[1:]))
    refused("too few", lambda: op(*given[:2]))
    refuse_ids(layer_op.make_op(job, "dropless-biased"), given)
    if rank == 0:
        print("opcheck with ids: passed")
    add_to_main_gradients(job)
    refused("no layer", lambda: moe_mlir.torch.layer_op(
        moe_mlir.import_config(layer_op.CONFIG, ep=2, tp=1, micro_batch=1,
                               seq_len=16)))
    text = str(moe_mlir.import_config(layer_op.CONFIG, ep=2, tp=1, micro_batch=1,
                                      seq_len=16, layer=True, dtype="f32"))
    refused("no names", lambda: moe_mlir.torch.layer_op(
        re.sub(r'moe.name = "[^"]*",? ?', "", text), mesh=job.mesh))
    refused("another mesh", lambda: moe_mlir.torch.layer_op(
        text, mesh={"ep": 1, "tp": 2}))
    refused("backend", lambda: moe_mlir.torch.layer_op(text, backend="mpi"))
    refused("adopt", lambda: moe_mlir.torch.layer_op(text, adopt=[job.ep]))
    refused("pipeline", lambda: moe_mlir.torch.layer_op(
        text, mesh=job.mesh, pipeline="no-such-pass"))
    refused("another layer on rank 1", lambda: moe_mlir.torch.layer_op(
        text.replace("top_k 2", f"top_k {2 - rank}"), mesh=job.mesh,
        deadline=60))
    # A rank that fails ends the wait of the other one.
    if rank == 1:
        op.close()
    refused("a rank has left", lambda: op(*given))


def on_stand_ins(folder):
    """One rank on the stand-ins: a stream and a communicator are adopted."""
    nccl = ctypes.CDLL(str(pathlib.Path(folder) / "libnccl.so.2"))
    cuda = ctypes.CDLL(str(pathlib.Path(folder) / "libcuda.so.1"))
    context, communicator = ctypes.c_void_p(), ctypes.c_void_p()
    assert cuda.cuInit(0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert cuda.cuCtxSetCurrent(context) == 0

    class UniqueId(ctypes.Structure):
        _fields_ = [("bytes", ctypes.c_char * 128)]
    name = UniqueId()
    assert nccl.ncclGetUniqueId(ctypes.byref(name)) == 0
    nccl.ncclCommInitRank.argtypes = [ctypes.c_void_p, ctypes.c_int, UniqueId,
                                      ctypes.c_int]
    assert nccl.ncclCommInitRank(ctypes.byref(communicator), 1, name, 0) == 0
    stream = ctypes.c_void_p()
    assert cuda.cuStreamCreate(ctypes.byref(stream), 1) == 0
    # State that PyTorch has on a device.
    of_op = moe_mlir.torch.layer_op.__globals__
    of_op["get_communicator"] = lambda group: ([0], communicator.value)
    of_op["Job"].run.__globals__["get_native_stream"] = (
        lambda device: stream.value)
    module = moe_mlir.import_config(
        layer_op.CONFIG, ep=1, tp=1, micro_batch=1, seq_len=16, layer=True,
        dropless=True, dtype="f32")
    layer_op.ep, layer_op.tp = 1, 1

    class Alone:
        ep_rank = tp_rank = 0
    given = layer_op.make_arguments(Alone)
    want = layers.run_with_gradients(
        moe_mlir.torch.layer_op(module), given)
    op = moe_mlir.torch.layer_op(module, backend="nccl-stand-ins",
                                 adopt=["the world"])
    have = layers.run_with_gradients(op, given)
    print("stand-ins:", "equal within rounding"
          if layer_op.compare(have, want) < 1e-5 else "differs")
    # Gradients of bf16 parameters in f32: sums of f32 on devices.
    narrow = moe_mlir.import_config(
        layer_op.CONFIG, ep=1, tp=1, micro_batch=1, seq_len=16, layer=True,
        dropless=True, dtype="bf16")
    given = [a.bfloat16() for a in given]
    made = []
    for backend in ("host", "nccl-stand-ins"):
        op = moe_mlir.torch.layer_op(narrow, backend=backend, main_gradients=True)
        mains = [torch.ones(one.shape) for one in op.main_gradients]
        x = given[0].clone().requires_grad_()
        op(x, *given[1:], main_gradients=mains).float().square().sum().backward()
        assert all((main == main.bfloat16().float()).float().mean() < 0.2
                   for main in mains)
        made.append(mains)
    # Values between products are rounded to bf16 from other sums.
    print("main gradients:", "equal within rounding"
          if layer_op.compare(*made) < 0.01 else "differ")
    print("communicators of its own:",
          cuda.moert_stand_in_count(b"ncclCommInitRankConfig"))


if __name__ == "__main__":
    if arguments[:1] == ["stand-ins"]:
        on_stand_ins(arguments[1])
    else:
        layers.run_processes(main, 2)
