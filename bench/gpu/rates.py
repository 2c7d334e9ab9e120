#!/usr/bin/env python3
"""Measures PyTorch's kernels on this machine's GPU: products, grouped products,
attention, copies and launches, for platform files and for comparison with ours.

usage: rates.py OUT.json

Writes {"device", "torch", "cuda", "rows": [{"kind", "us", ...}]} with the sizes
of each row, and its operations (flop) or its bytes read and written. Rates are
upper bounds for programs, because each kernel runs alone and repeatedly. Exit
code 77 without PyTorch or a GPU.
"""

import json
import sys
import time

try:
    import torch
except ImportError:
    print("rates.py: expected PyTorch, found none")
    sys.exit(77)

# m, n, k: Mixtral's experts and Qwen3's, attention's projections, a square.
GEMMS = [(rows, n, k) for rows in (256, 1024, 4096, 16384)
         for n, k in ((14336, 4096), (4096, 14336), (768, 2048), (2048, 768))]
GEMMS += [(8192, 4096, 4096), (8192, 8192, 8192)]
# experts, rows of each, n, k
GROUPED = [(8, 2048, 14336, 4096), (16, 256, 2048, 7168), (64, 256, 1408, 2048),
           (128, 256, 768, 2048), (128, 64, 768, 2048)]
ATTENTION = [(4096, 32, 128), (8192, 32, 128)]
COPIES = [(4096, 4096), (16384, 4096), (65536, 7168)]


class Rates:
    def __init__(self, path):
        self.path, self.rows = path, []

    def add(self, kind, work, **sizes):
        """Times a kernel and adds a row; reports it if this PyTorch lacks it."""
        try:
            for _ in range(3):
                work()
            torch.cuda.synchronize()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            for _ in range(10):
                work()
            end.record()
            torch.cuda.synchronize()
        except (AttributeError, RuntimeError) as problem:
            print(f"rates.py: {kind} {sizes}: {str(problem).splitlines()[0]}")
            return
        self.rows.append({"kind": kind, "us": begin.elapsed_time(end) * 100, **sizes})
        self.write()

    def write(self):
        with open(self.path, "w") as file:
            json.dump({"device": torch.cuda.get_device_name(),
                       "torch": torch.__version__, "cuda": torch.version.cuda,
                       "rows": self.rows}, file, indent=1)


def make(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


def get_ends(experts, rows, uneven):
    """The end of each expert's rows; if uneven, an eighth of the experts has
    half of the rows."""
    if not uneven:
        counts = [rows] * experts
    else:
        few = max(1, experts // 8)
        counts = [experts * rows // 2 // few] * few
        rest = experts * rows - sum(counts)
        counts += [rest // (experts - few)] * (experts - few)
        counts[-1] += experts * rows - sum(counts)
    ends = torch.tensor(counts, device="cuda", dtype=torch.int32)
    return torch.cumsum(ends, 0, dtype=torch.int32)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    if not torch.cuda.is_available():
        print("rates.py: expected a GPU, found none")
        sys.exit(77)
    rates = Rates(sys.argv[1])
    for m, n, k in GEMMS:
        a, b = make(m, k), make(k, n)
        rates.add("gemm", lambda: torch.mm(a, b), m=m, n=n, k=k, flop=2 * m * n * k)
    for experts, rows, n, k in GROUPED:
        a, b = make(experts * rows, k), make(experts, k, n)
        for uneven in (False, True):
            ends = get_ends(experts, rows, uneven)
            rates.add("grouped", lambda: torch._grouped_mm(a, b, offs=ends),
                      experts=experts, rows=rows, k=k, n=n, uneven=uneven,
                      flop=2 * experts * rows * n * k)
    for seq, heads, dim in ATTENTION:
        q, k, v = (make(1, heads, seq, dim).requires_grad_() for _ in range(3))
        attend = torch.nn.functional.scaled_dot_product_attention
        flop = 2 * seq * seq * heads * dim  # causal: half of it
        rates.add("attention_fwd", lambda: attend(q, k, v, is_causal=True), seq=seq,
                  heads=heads, dim=dim, flop=flop)
        out = attend(q, k, v, is_causal=True)
        grad = torch.ones_like(out)
        rates.add("attention_bwd",
                  lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True),
                  seq=seq, heads=heads, dim=dim, flop=flop * 5 // 2)
    for rows, hidden in COPIES:
        source = make(rows, hidden)
        target = torch.empty_like(source)
        rates.add("copy", lambda: target.copy_(source), rows=rows, hidden=hidden,
                  bytes=4 * rows * hidden)
    one = torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(1000):
        one.add_(1)
    rates.rows.append({"kind": "launch_eager",
                       "us": (time.perf_counter() - begin) * 1e3})
    torch.cuda.synchronize()
    rates.write()
    print(f"{len(rates.rows)} rates in {rates.path}")


if __name__ == "__main__":
    main()
