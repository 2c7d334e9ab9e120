"""Trains models of torchtitan on CPUs, unchanged and rewritten, and compares losses.

usage: titan.py MODEL TRAINER EPxTP RANKS STEPS PIPELINE...

MODEL is qwen3 or deepseek_v3: the first MoE layers of torchtitan's debug model.
TRAINER is `plain`, which compiles each block, or `graph`, which traces a training step.
PIPELINE is `default`, or passes of moe-opt. For each one, prints how far losses and
norms of gradients are from the ones of torchtitan's own backend (`aot_eager`, or the
graph as it is), and the collectives of each rewritten graph.
"""

import dataclasses
import importlib
import json
import logging
import os
import pathlib
import socket
import sys
import tempfile
import types
import warnings
from typing import Any

import torch
import torch._utils

model_name, trainer_name, mesh, ranks, steps = sys.argv[1:6]
ep, tp = map(int, mesh.split("x"))
ranks, steps = int(ranks), int(steps)


class CpuAsAccelerator:
    """The functions of an accelerator's module that torchtitan calls."""

    def __getattr__(self, name: str) -> Any:
        return getattr(torch.cpu, name)

    def device_count(self):
        return ranks

    def get_device_name(self, *_):
        return "cpu"

    def get_device_properties(self, *_):
        return types.SimpleNamespace(name="cpu", total_memory=2**33)

    def memory_stats(self, *_):
        return {}

    def current_device(self):
        return 0

    set_device = reset_peak_memory_stats = empty_cache = synchronize = (
        lambda self, *_: None)


def find_device():
    return "cpu"


cpu = CpuAsAccelerator()
torch._utils._get_available_device_type = find_device
torch._utils._get_device_module = lambda _: cpu

from torch.distributed.fsdp import FSDPModule  # noqa: E402
from torchtitan.components.checkpoint import CheckpointManager  # noqa: E402
from torchtitan.components.dataloader import BaseDataLoader  # noqa: E402
from torchtitan.components.loss import CrossEntropyLoss  # noqa: E402
from torchtitan.components.metrics import MetricsProcessor  # noqa: E402
from torchtitan.components.optimizer import (  # noqa: E402
    LRSchedulersContainer, default_adamw)
from torchtitan.components.tokenizer import BaseTokenizer  # noqa: E402
from torchtitan.config import (  # noqa: E402
    CompileConfig, ParallelismConfig, TrainingConfig)
from torchtitan.config.configs import DebugConfig  # noqa: E402
from torchtitan.experiments.graph_trainer import configs as graphs  # noqa: E402
from torchtitan.experiments.graph_trainer.registry import (  # noqa: E402
    register_pass_pipeline)
from torchtitan.models.common.attention import (  # noqa: E402
    ScaledDotProductAttention)
from torchtitan.trainer import Trainer  # noqa: E402

import moe_mlir.torch  # noqa: E402
import moe_mlir.torchtitan  # noqa: E402

TOKENS = 32


class Tokens(BaseDataLoader):
    """Random tokens, other ones for each data-parallel rank."""

    @dataclasses.dataclass(kw_only=True, slots=True)
    class Config(BaseDataLoader.Config):
        pass

    def __init__(self, config, *, dp_rank, dp_world_size, seq_len,
                 local_batch_size, **_):
        self.shape = dp_world_size, local_batch_size, seq_len + 1
        self.rank = dp_rank

    def __iter__(self):
        generator = torch.Generator().manual_seed(5)
        while True:
            made = torch.randint(0, 256, self.shape, generator=generator)[self.rank]
            positions = torch.arange(made.shape[1] - 1).expand(len(made), -1)
            yield {"input": made[:, :-1].contiguous(),
                   "positions": positions.contiguous()}, made[:, 1:].contiguous()

    def state_dict(self):
        return {}

    def load_state_dict(self, _):
        pass


class NoTokenizer(BaseTokenizer):
    @dataclasses.dataclass(kw_only=True, slots=True)
    class Config(BaseTokenizer.Config):
        pass

    def __init__(self, config, **_):
        super().__init__()

    def encode(self, *_, **__):
        return []

    def decode(self, *_, **__):
        return ""

    def get_vocab_size(self):
        return 256


def configure():
    """The job's config, for the plain trainer."""
    module = importlib.import_module(f"torchtitan.models.{model_name}")
    spec = module.model_registry(
        "debugmodel_moe" if model_name == "qwen3" else "debugmodel")
    # DeepSeek-V3's first layer is dense.
    spec.model.layers = spec.model.layers[:2 if model_name == "qwen3" else 3]
    for layer in spec.model.layers:
        # flex attention has no gradient on CPUs.
        layer.attention.inner_attention = ScaledDotProductAttention.Config()
    return Trainer.Config(
        model_spec=spec, tokenizer=NoTokenizer.Config(), dataloader=Tokens.Config(),
        loss=CrossEntropyLoss.Config(global_vocab_size=spec.model.vocab_size),
        metrics=MetricsProcessor.Config(log_freq=1), optimizer=default_adamw(lr=1e-3),
        lr_scheduler=LRSchedulersContainer.Config(warmup_steps=1),
        training=TrainingConfig(
            local_batch_size=2, seq_len=TOKENS, steps=steps,
            mixed_precision_param="float32", disable_cuda_graphs=True),
        parallelism=ParallelismConfig(expert_parallel_degree=ep,
                                      tensor_parallel_degree=tp,
                                      spmd_backend="partial_dtensor"),
        checkpoint=CheckpointManager.Config(enable=False), activation_checkpoint=None,
        debug=DebugConfig(seed=1, enable_structured_logging=False),
        compile=CompileConfig())


def make_trainer(pipeline, seen):
    rewritten = None if pipeline == "none" else {
        "pipeline": None if pipeline == "default" else pipeline, "strict": True,
        "on_rewritten": seen.append}
    if rewritten is not None:
        moe_mlir.torchtitan.configure(**rewritten)
    config = configure()
    if trainer_name == "plain":
        config.compile = CompileConfig(
            enable=True, components=["model"],
            backend="aot_eager" if rewritten is None else "moe_mlir")
    else:
        module = importlib.import_module(
            f"torchtitan.experiments.graph_trainer.{model_name}")
        config = graphs.to_graph_trainer_config(
            config, lambda flavor: module.model_registry(flavor, attn_backend="sdpa"))
        config.compile = graphs.GraphTrainerCompileConfig(
            enable=True, enable_passes=rewritten is not None,
            disable_passes=["cudagraph_pass"],
            pass_pipeline="alone")
        config.activation_checkpoint = None
    trainer = config.build()
    for model in trainer.model_parts:
        for part in model.modules():
            if isinstance(part, FSDPModule):
                # gloo has no sums that multiply first.
                part.set_force_sum_reduction_for_comms(True)
    return trainer


@register_pass_pipeline("alone")
def build_passes(*arguments, **options):
    """The rewriting pass without torchtitan's own passes, of which some change
    numbers."""
    return moe_mlir.torchtitan.build_passes(*arguments, **options)[:1]


def count(explanation):
    """The collectives that a graph gains or loses."""
    before, after = explanation.collectives_before, explanation.collectives_after
    return ", ".join(f"{kind} {before.get(kind, 0)} -> {after.get(kind, 0)}"
                     for kind in sorted({*before, *after})
                     if before.get(kind, 0) or after.get(kind, 0))


def main(rank, port, folder, pipeline):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks),
                      MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", moe_mlir.OptimizeWarning)
    logging.disable(logging.WARNING)
    if "moe_mlir" not in torch._dynamo.list_backends(None):
        # As the entry point of the package does.
        torch._dynamo.register_backend(moe_mlir.torch.compile_backend, "moe_mlir")
    seen, numbers = [], []
    trainer = make_trainer(pipeline, seen)
    log = trainer.metrics_processor.log

    def keep(step, loss, largest, norm, **more):
        numbers.append((loss, largest, norm))
        log(step, loss, largest, norm, **more)

    trainer.metrics_processor.log = keep
    trainer.train()
    trainer.close()
    if rank == 0:
        (folder / "answer").write_text(json.dumps({
            "numbers": numbers,
            "graphs": [count(one.explain()) for one in seen],
            "remarks": [str(said) for one in seen for said in one.remarks]}))
    torch.distributed.destroy_process_group()


def train(pipeline):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chdir(name)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        torch.multiprocessing.start_processes(
            main, (port, folder, pipeline), nprocs=ranks, start_method="fork")
        answer = json.loads((folder / "answer").read_text())
        os.chdir("/")
    assert len(answer["numbers"]) == steps
    return answer


os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
want = train("none")
print(f"losses: {want['numbers'][0][0]:.4f} to {want['numbers'][-1][0]:.4f}",
      flush=True)
for pipeline in sys.argv[6:]:
    have = train(pipeline)
    far = [max(abs(a[i] - b[i]) / abs(a[i])
               for a, b in zip(want["numbers"], have["numbers"], strict=True))
           for i in (0, 2)]
    print(f"{pipeline}: losses " + (f"differ by {far[0]:.0e}" if far[0] else "equal")
          + ", norms " + (f"differ by {far[1]:.0e}" if far[1] else "equal"))
    for graph in dict.fromkeys(have["graphs"]):
        print(f"  {have['graphs'].count(graph)} graphs: {graph}")
    if os.environ.get("REMARKS"):
        print(*have["remarks"], sep="\n")
    sys.stdout.flush()
