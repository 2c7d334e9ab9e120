"""A dropless MoE layer in PyTorch, and the same layer with rewritten communication.

Experts are split over `ep`, and the inner size of each expert over `tp`, whose ranks
have the same tokens. `moe_mlir.optimize_torch` exchanges each datum once and cuts the
exchanged rows into two chunks. The job compares the losses and the gradients of both.

usage: torchrun --nproc-per-node=4 dropless_layer.py
"""

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh

import moe_mlir

EP, TP = 2, 2
TOKENS, HIDDEN, INNER = 64, 32, 64
EXPERTS, CHOICES = 8, 2
PIPELINE = "moe-decompose-all-to-all moe-pipeline{degree=2 scope=layer}"


class SumGradient(torch.autograd.Function):
    """The identity. Its gradient is the sum over a group."""

    @staticmethod
    def forward(ctx, x, group):
        ctx.group = group
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return fc.all_reduce(gradient.contiguous(), "sum", ctx.group), None


class Sum(torch.autograd.Function):
    """The sum over a group, whose gradient is equal on all its ranks."""

    @staticmethod
    def forward(ctx, x, group):
        return fc.all_reduce(x.contiguous(), "sum", group)

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


class DroplessLayer(torch.nn.Module):

    def __init__(self, mesh):
        super().__init__()
        self.ep, self.tp = mesh.get_group("ep"), mesh.get_group("tp")
        local, inner = EXPERTS // EP, INNER // TP

        def make(*shape):
            return torch.nn.Parameter(torch.randn(shape) / shape[-2]**0.5)

        torch.manual_seed(0)
        self.router = make(HIDDEN, EXPERTS)  # the same on all ranks
        torch.manual_seed(1 + dist.get_rank())
        self.gate_and_up = make(local, HIDDEN, 2 * inner)
        self.down = make(local, inner, HIDDEN)

    def forward(self, x):
        weights, experts = (x @ self.router).softmax(-1).topk(CHOICES)
        weights = weights / weights.sum(-1, keepdim=True)

        # Rows in the order of their experts. The split sizes of the exchange are
        # counts, which the ranks exchange first.
        local = EXPERTS // EP
        order = experts.flatten().argsort(stable=True)
        with torch.no_grad():
            counts = experts.flatten().bincount(minlength=EXPERTS)
            theirs = fc.all_to_all_single(counts, None, None, self.ep)
            theirs = fc.wait_tensor(theirs).view(EP, local)
            sent = counts.view(EP, local).sum(1).tolist()
            received = theirs.sum(1).tolist()
        rows = fc.all_to_all_single_autograd(
            x[order // CHOICES], received, sent, self.ep)

        # The rows of each local expert, from all ranks.
        expert = torch.arange(local, device=x.device).repeat(EP)
        expert = expert.repeat_interleave(theirs.flatten(),
                                          output_size=rows.shape[0])
        by_expert = expert.argsort(stable=True)
        ends = theirs.sum(0).cumsum(0).to(torch.int32)
        rows = self.run_experts(rows[by_expert], ends)[by_expert.argsort()]

        rows = fc.all_to_all_single_autograd(rows, sent, received, self.ep)
        rows = rows * weights.flatten()[order].unsqueeze(-1)
        return torch.zeros_like(x).index_add(0, order // CHOICES, rows)

    def run_experts(self, rows, ends):
        dtype = rows.dtype
        rows = SumGradient.apply(rows, self.tp).bfloat16()
        both = torch._grouped_mm(rows, self.gate_and_up.bfloat16(), offs=ends)
        gate, up = both.chunk(2, dim=-1)
        made = torch._grouped_mm(F.silu(gate) * up, self.down.bfloat16(), offs=ends)
        return Sum.apply(made.to(dtype), self.tp)


def run_step(layer, model, x):
    """The loss, and the gradients of the tokens and the parameters."""
    model.zero_grad()
    x = x.clone().requires_grad_()
    loss = (layer(x) - x).square().mean()
    loss.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters()}
    return {"loss": loss.detach(), "tokens": x.grad, **gradients}


def main():
    dist.init_process_group("gloo")  # nccl on GPUs
    mesh = init_device_mesh("cpu", (EP, TP), mesh_dim_names=("ep", "tp"))
    model = DroplessLayer(mesh)
    torch.manual_seed(100 + mesh.get_local_rank("ep"))  # the same on ranks of tp
    x = torch.randn(TOKENS, HIDDEN)

    fast = moe_mlir.optimize_torch(
        model, mesh=mesh, pipeline=PIPELINE, strict=True,
        replicated={"ep": ["router"], "tp": ["x", "router", "grad"]})
    counts = fast.explain(x.clone().requires_grad_())
    want, have = run_step(model, model, x), run_step(fast, model, x)

    # The products of fewer rows may round in another way, to 8 bits in bf16.
    far = torch.stack([(have[name] - one).abs().max() / one.abs().max()
                       for name, one in want.items()]).max()
    dist.all_reduce(far, dist.ReduceOp.MAX)
    if dist.get_rank() == 0:
        for kind in ("all_to_all", "all_gather", "all_reduce"):
            print(f"{kind}: {counts.collectives_before.get(kind, 0)} -> "
                  f"{counts.collectives_after.get(kind, 0)}")
        print("loss and gradients equal within 1 %:", bool(far < 0.01))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
