"""Blocks of Hugging Face's transformers with experts split over ep, rewritten.

usage: hugging_face.py EPxTP MODEL...

Compares loss, result and gradients of the rewritten block with PyTorch's own backend,
and the result with the block of transformers on one rank.
"""

import sys
import warnings

import layers
import torch
import torch.distributed as dist
import torch.nn.functional as F
import transformers
from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock
from transformers.models.qwen3_moe.modeling_qwen3_moe import (
    Qwen3MoeSparseMoeBlock)

import moe_mlir.torch

HIDDEN, FFN, EXPERTS, TOKENS = 16, 24, 8, 8
PIPELINES = {"drop": None,
             "chunks": "moe-decompose-all-to-all "
                       "moe-pipeline{degree=2 scope=layer} moe-schedule"}
ep, tp = map(int, sys.argv[1].split("x"))


def make_block(model):
    """A block of transformers, with the same parameters on all ranks."""
    torch.manual_seed(3)
    if model == "mixtral":
        block = MixtralSparseMoeBlock(transformers.MixtralConfig(
            hidden_size=HIDDEN, intermediate_size=FFN, num_local_experts=EXPERTS,
            num_experts_per_tok=2, experts_implementation="eager"))
    else:
        block = Qwen3MoeSparseMoeBlock(transformers.Qwen3MoeConfig(
            hidden_size=HIDDEN, moe_intermediate_size=FFN, num_experts=EXPERTS,
            num_experts_per_tok=2, norm_topk_prob=True,
            experts_implementation="eager"))
    for parameter in block.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return block


class SplitExperts(torch.nn.Module):
    """The experts of a block, of which this rank of ep has its share. Each expert
    has a slot for every token, so no token is dropped."""

    def __init__(self, whole, job):
        super().__init__()
        self.job, self.act = job, whole.act_fn
        self.gate_up, self.down = (
            torch.nn.Parameter(weight.detach().chunk(ep)[job.ep_rank].clone())
            for weight in (whole.gate_up_proj, whole.down_proj))

    def forward(self, x, chosen, weights):
        tokens, hidden = x.shape
        local, k = self.down.shape[0], chosen.shape[1]
        is_of = F.one_hot(chosen.flatten(), EXPERTS)
        slot = ((is_of.cumsum(dim=0) - 1) * is_of).sum(dim=-1)
        place = (is_of.to(x.dtype)[:, :, None]
                 * F.one_hot(slot, tokens).to(x.dtype)[:, None, :])
        place = place.view(tokens, k, EXPERTS * tokens)
        sent = (place.sum(dim=1).t() @ x).view(EXPERTS, tokens, hidden)
        rows = layers.exchange(sent, self.job.ep)
        rows = rows.view(ep, local, tokens, hidden).transpose(0, 1)
        rows = rows.reshape(local, ep * tokens, hidden)
        gate, up = torch.bmm(rows, self.gate_up.transpose(1, 2)).chunk(2, dim=-1)
        made = torch.bmm(self.act(gate) * up, self.down.transpose(1, 2))
        made = made.view(local, ep, tokens, hidden).transpose(0, 1)
        back = layers.exchange(made.reshape(EXPERTS, tokens, hidden), self.job.ep)
        combine = (place * weights[:, :, None]).sum(dim=1)
        return combine @ back.view(EXPERTS * tokens, hidden)


def run(f, x, block):
    x = x.detach().clone().requires_grad_()
    result = f(x)
    loss = result.square().sum()
    return [loss.detach(), result.detach(),
            *torch.autograd.grad(loss, [x, *block.parameters()])]


def main(rank):
    warnings.simplefilter("error", moe_mlir.OptimizeWarning)
    job = layers.Job(ep, tp)
    for model in sys.argv[2:]:
        whole, block = make_block(model), make_block(model)
        block.experts = SplitExperts(block.experts, job)
        torch.manual_seed(job.ep_rank)
        x = torch.randn(1, TOKENS, HIDDEN)
        with torch.no_grad():
            far = (whole(x) - block(x)).abs().max().item()
        torch._dynamo.reset()
        want = run(torch.compile(block, backend="aot_eager", dynamic=False), x,
                   block)
        for name, pipeline in PIPELINES.items():
            torch._dynamo.reset()
            fast = moe_mlir.optimize_torch(
                block, mesh=job.mesh, pipeline=pipeline, platform="dgx-h100",
                strict=True, fullgraph=True,
                replicated={"tp": ["hidden_states", "gate.weight",
                                   "experts.gate_up", "experts.down", "grad"]})
            said = fast.explain(x)
            have = run(fast, x, block)
            # Products of chunks are smaller, so BLAS may sum in another order.
            apart = max(((a - b).abs().max() / b.abs().max()).item()
                        for a, b in zip(have, want))
            answers = [None] * (ep * tp)
            dist.all_gather_object(
                answers, (layers.is_same(have, want), apart, far))
            if rank == 0:
                changed = ", ".join(
                    f"{kind} {said.collectives_before.get(kind, 0)} -> {count}"
                    for kind, count in said.collectives_after.items()
                    if count or said.collectives_before.get(kind))
                print(f"{model} {name}:",
                      "as transformers," if max(f for *_, f in answers) < 1e-4
                      else f"off by {far},",
                      "same bits;" if all(s for s, *_ in answers) else
                      "within rounding;" if max(a for _, a, _ in answers) < 1e-5
                      else f"differs by {apart};", changed, flush=True)


layers.run_processes(main, ep * tp)
