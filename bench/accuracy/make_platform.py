#!/usr/bin/env python3
"""Makes a measured platform from the tables of aiconfigurator-core.

  pip install aiconfigurator-core pyarrow
  bench/accuracy/make_platform.py b200_sxm -o platforms/dgx-b200-measured.json \\
      --name=dgx-b200-measured --sms=148

aiconfigurator-core (Apache-2.0, github.com/ai-dynamo/aiconfigurator) has
kernels and collectives that were measured for inference. They give NCCL's fits
and curve inside a node, the rates of products and of attention forward, and
DeepEP's fits on one node. Inference has no backward pass, so missing values are
taken from the platform of --like (default: dgx-h100-measured) by the shares of
peak that it reaches, and the origin of each key names that. The network has the
data sheet's rates with the efficiencies of --like. Values that no table has
stay as in the existing file: hosts, the share of hidden exchanges, other
dispatchers, and dispatchers between nodes.

  bench/accuracy/make_platform.py h100_sxm --sms=132 \\
      --add-quantized=platforms/dgx-h100-measured.json

adds the rates of 8-bit and 4-bit products, kernels.quantized, to an existing
platform and keeps the rest of it. The tables time products together with the
kernels that quantize their input. The script subtracts these kernels, because
training quantizes more than one operand and moe-plan step prices them
separately.

  bench/accuracy/make_platform.py --simumax=configs/system/b200_bf16_ceperm.json \\
      --sms=148 --add-training=platforms/dgx-b200-measured.json

adds 16-bit products and the backward pass of attention as training runs them, from
SimuMax's measurements in Transformer Engine (Apache-2.0, github.com/MooreThreads/SimuMax).
Attention of other Blackwell platforms takes its backward pass from dgx-b200-measured.

Exit code 77 if the packages are not installed.
"""

import argparse
import json
import math
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TILES = ((64, 128), (128, 128), (64, 256), (128, 256), (256, 128), (256, 256))


def load_tables(folder):
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        print("make_platform.py: pyarrow is required: pip install pyarrow", file=sys.stderr)
        sys.exit(77)
    if not folder:
        try:
            import aiconfigurator_core
        except ImportError:
            print("make_platform.py: aiconfigurator-core is required (pip install "
                  "aiconfigurator-core), or its unpacked folder as --tables",
                  file=sys.stderr)
            sys.exit(77)
        folder = Path(aiconfigurator_core.__file__).parent
    return parquet, Path(folder) / "systems"


def round_to(value, digits=4):
    return float(f"{value:.{digits}g}")


class System:
    """The tables of one device, newest version first."""

    def __init__(self, parquet, systems, name):
        self.parquet, self.data, self.name = parquet, systems / "data" / name, name
        yaml = systems / f"{name}.yaml"
        if not yaml.exists():
            known = ", ".join(sorted(path.stem for path in systems.glob("*.yaml")))
            sys.exit(f"make_platform.py: SYSTEM: expected one of {known}, got '{name}'")
        self.sheet = {}
        for line in yaml.read_text().splitlines():
            key, _, value = line.partition("#")[0].strip().partition(": ")
            try:
                self.sheet[key] = float(value)
            except ValueError:
                pass

    def read(self, pattern):
        files = sorted(self.data.glob(pattern))
        if not files:
            return [], ""
        return self.parquet.read_table(files[-1]).to_pylist(), files[-1].parent.name

    def get_generation(self):
        """9 for Hopper, 10 for Blackwell, in CUDA's numbering."""
        return int(self.sheet.get("sm_version", 0)) // 10

    def get_origin(self, what, version):
        return (f"{what}, {version}, aiconfigurator-core (Apache-2.0), "
                f"{self.name} tables")


def fit_line(rows):
    """Alpha and beta of a linear fit by least squares of relative errors."""
    sums = [0.0] * 5
    for x, y in rows:
        for i, term in enumerate((1, x, x * x, y, x * y)):
            sums[i] += term / (y * y)
    count, sx, sxx, sy, sxy = sums
    beta = (count * sxy - sx * sy) / (count * sxx - sx * sx)
    return max(0.0, (sy - beta * sx) / count), beta


def make_node(system, ranks):
    rows, version = system.read("comm/nccl/*/nccl_perf.parquet")
    if not rows:
        sys.exit(f"make_platform.py: {system.name} has no table of NCCL")
    origin = system.get_origin("nccl", version)

    def list_times(op, group):
        return sorted((2 * row["message_size"], 1000 * row["latency"]) for row in rows
                      if row["op_name"] == op and row["num_gpus"] == group
                      and row["nccl_dtype"] == "half")

    rate = system.sheet["intra_node_bw"] / 1e9
    times = list_times("alltoall", ranks)
    curve = [[size, round_to(min(1, size * (ranks - 1) / ranks / (us * rate * 1e3)))]
             for size, us in times if size >= 65536]
    lines = {}
    for key in ("all_gather", "reduce_scatter", "all_reduce"):
        for group in (2, 4, 8):
            times_of = [row for row in list_times(key, group) if row[0] >= 262144]
            if group > ranks or len(times_of) < 4:
                continue
            alpha, beta = fit_line(times_of)
            lines.setdefault(key, []).append({
                "alpha_us": round_to(alpha), "beta_us_per_byte": round_to(beta),
                "group_ranks": group, "min_bytes": times_of[0][0],
                "max_bytes": times_of[-1][0], "origin": origin})
    return {"name": "node", "ranks": ranks, "bandwidth_GBps": rate, "ranks_per_nic": 1,
            "origin": "data sheet, each direction", "latency_us": round_to(times[0][1], 3),
            "latency_origin": "smallest all-to-all of the same table, contained in the curve",
            "efficiency": curve, "efficiency_origin": f"all-to-all of {ranks} GPUs, {origin}",
            "collectives": lines}


def time_product(count, m, n, k, sms, rates):
    """The same formula as in lib/Cost/Kernels.cpp."""
    tflops, fill, start, (rows, columns), partial = rates
    waves = count * math.ceil(m / rows) * math.ceil(n / columns) / sms
    waves = max(1, waves + partial * (math.ceil(waves) - waves))
    return start + waves * sms * rows * columns * 2 * (k + fill) / (tflops * 1e6)


def fit_rates(rows, sms, peak, starts=(2,)):
    """The rates that fit products best, as time_product takes them, and the mean error. Rows
    have the number of products, m, n, k and us."""
    def get_error(rates):
        return sum(abs(math.log(time_product(count, m, n, k, sms, rates) / us))
                   for count, m, n, k, us in rows) / len(rows)

    best = None
    for share in range(33, 106, 3):
        for tiles in TILES:
            for fill in (0, 100, 200, 400):
                for partial in (0, 0.5, 1):
                    rates = (peak * share / 100, fill, starts[0], tiles, partial)
                    error = get_error(rates)
                    if best is None or error < best[0]:
                        best = error, rates
    # Then the finer figures of the best tiles.
    error, (tflops, fill, start, tiles, partial) = best
    for step in range(-2, 3):
        for fill in (fill, fill + 50, max(0, fill - 50)):
            for start in starts if len(starts) > 1 else (0, 2, 4, 6):
                for partial in (0, 0.2, 0.3, 0.5, 0.8, 1):
                    rates = (tflops * (1 + step / 100), fill, start, tiles, partial)
                    found = get_error(rates)
                    if found < best[0]:
                        best = found, rates
    return best[1], best[0]


def dump_rates(rates, origin):
    tflops, fill, start, tiles, partial = rates
    return {"tflops": round_to(tflops), "tile_rows": tiles[0], "tile_columns": tiles[1],
            "fill": fill, "partial_wave": partial, "start_us": start, "origin": origin}


def fit_products(system, sms, peak, types=("bfloat16", "float16"), what="bf16", less=None):
    """Rates of products of some types. `less` has fits, in us over the elements
    of the input, of work that the table's times contain and products do not."""
    rows, version = system.read("gemm/trtllm/*/gemm_perf.parquet")
    lines = less or []
    rows = [(row["m"], row["n"], row["k"], 1000 * row["latency"]
             - sum(alpha + beta * row["m"] * row["k"] for alpha, beta in lines))
            for row in rows if row["gemm_dtype"] in types
            and row["m"] >= 1024 and row["n"] >= 256 and row["k"] >= 256]
    # If quantizing takes nearly all of the time, the remainder is meaningless.
    rows = [(m, n, k, us) for m, n, k, us in rows
            if us > (2e-6 * m * n * k / peak / 1.06 if less else 0)]
    if len(rows) < 100:
        sys.exit(f"make_platform.py: {system.name}: expected 100 products of {what}, "
                 f"got {len(rows)}")
    rows = random.Random(1).sample(rows, min(300, len(rows)))

    rates, error = fit_rates([(1, *row) for row in rows], sms, peak)
    return dump_rates(rates, system.get_origin(
        f"fit to {len(rows)} {what} products, {100 * error:.0f} % mean error", version))


# Per precision of a platform: its name in the tables, the share of the sheet's
# rate, the kernels that quantize the input in these times, and the number of
# layouts of an operand that products need. Hopper's FP8 products only accept
# rows of both operands, so gradients of weights need transposed copies; scales
# of blocks run along rows or columns.
QUANTIZED = {
    9: (("fp8-tensorwise", "fp8", 2, ("computescale", "scale_matrix"), 2),
        ("fp8-blockwise", "fp8_block", 2, ("scale_matrix",), 2)),
    10: (("fp8-tensorwise", "fp8", 2, ("computescale", "scale_matrix"), 1),
         ("mxfp8", "fp8_block", 2, ("scale_matrix",), 2),
         ("nvfp4", "nvfp4", 4, ("scale_matrix",), 2)),
}


def make_quantized(system, sms, grouped_like, like_name):
    """Rates of products of 8 and 4 bits, and of the kernels that quantize."""
    times = {}
    for name in ("computescale", "scale_matrix"):
        rows, version = system.read(f"quantize/trtllm/*/{name}_perf.parquet")
        times[name] = fit_line([(row["m"] * row["k"], 1000 * row["latency"]) for row in rows
                                if row["m"] * row["k"] >= 1 << 20])
    # A value is read in 16 bits and written in 8; rows now belong to
    # scale_matrix. Smaller tensors stay in the cache between the table's runs.
    rates = sorted(3e-6 * row["m"] * row["k"] / row["latency"] for row in rows
                   if row["m"] * row["k"] >= 1 << 24)
    rate = round_to(rates[len(rates) // 2])
    entries = []
    for precision, table, factor, less, copies in QUANTIZED[system.get_generation()]:
        peak = factor * system.sheet["bfloat16_tc_flops"] / 1e12
        products = fit_products(system, sms, peak, (table,), f"{table}",
                                [times[name] for name in less])
        products["origin"] += "; without the kernels that quantize the input"
        entries.append({
            "precision": precision, "copies": copies, "products": products,
            "grouped_products": dict(grouped_like, tflops=products["tflops"],
                                     origin=f"tiles and start of 16-bit grouped products, at the "
                                            f"rate of 'products', of {like_name}"),
            "quantize_GBps": rate,
            "quantize_origin": system.get_origin("per-tensor quantization with a known scale, "
                                                 "3 bytes per value", version)})
    return entries


def keep_others(platform, path):
    """Keeps the values of the existing file that no table has: hosts, overlap,
    other dispatchers, and dispatchers between nodes."""
    if not path.exists():
        return platform
    before = json.loads(path.read_text())
    ours = {d["name"]: d for d in platform.get("dispatchers", [])}
    for other in before.get("dispatchers", []):
        lines = [line for line in other["lines"] if line["nodes"] > 1]
        if other["name"] not in ours:
            ours[other["name"]] = other
        elif lines:
            ours[other["name"]] = {**other, "lines": ours[other["name"]]["lines"] + lines}
    if ours:
        platform["dispatchers"] = list(ours.values())
    if "hosts" in before:
        platform["origin"] = before["origin"]
    for key in ("hosts", "hidden_exchanges", "hidden_exchanges_origin"):
        if key in before:
            platform[key] = before[key]
    return platform


def add_quantized(system, arguments):
    """Replaces kernels.quantized in a platform's text and keeps the rest."""
    if system.get_generation() not in QUANTIZED:
        sys.exit(f"make_platform.py: SYSTEM: expected a device of Hopper or Blackwell, got "
                 f"'{system.name}', whose tables have no products of 8 bits")
    path = Path(arguments.add_quantized)
    text = path.read_text()
    platform = json.loads(text)
    entries = make_quantized(system, arguments.sms, platform["kernels"]["grouped_products"],
                             platform["name"])
    old = text.find('    "quantized": [')
    if old >= 0:
        text = text[:old] + text[text.index('\n    ],\n', old) + len('\n    ],\n'):]
    at = text.index('    "attention": [')
    path.write_text(text[:at] + '    "quantized": ' + dump(entries, 2) + ",\n" + text[at:])


def read_simumax(path, op):
    """What SimuMax measured of a kind of kernel: its sizes, and the share of `tflops`."""
    table = json.loads(Path(path).read_text())["accelerator"]["op"][op]
    for sizes, share in table["accurate_efficient_factor"].items():
        sizes = dict(entry.strip().split("=") for entry in sizes.split(","))
        yield {key: int(value) if value.isdigit() else value
               for key, value in sizes.items()}, share * table["tflops"]


def add_training(arguments):
    """Replaces products of 16 bits and the backward pass of attention in a platform's file."""
    path = Path(arguments.add_training)
    text = path.read_text()
    platform = json.loads(text)
    kernels = platform["kernels"]
    origin = "SimuMax (Apache-2.0), configs/system/" + Path(arguments.simumax).name
    # Gradients of weights also add to what is in memory, which is priced apart.
    plain = [(1, sizes["m"], sizes["n"], sizes["k"],
              2e-6 * sizes["m"] * sizes["n"] * sizes["k"] / tflops)
             for sizes, tflops in read_simumax(arguments.simumax, "matmul")
             if sizes["accumulate"] == "False"
             and min(sizes["m"], sizes["n"], sizes["k"]) >= 256]
    grouped = [(sizes["ng"], sizes["M"], sizes["N"], sizes["K"],
                2e-6 * sizes["ng"] * sizes["M"] * sizes["N"] * sizes["K"] / tflops)
               for sizes, tflops in read_simumax(arguments.simumax, "group_matmul")
               if sizes["stage"] != "bwd_grad_w"]
    for key, rows, starts in (("products", plain, (2,)),
                              ("grouped_products", grouped,
                               (kernels["grouped_products"]["start_us"],) * 2)):
        rates, error = fit_rates(rows, arguments.sms, platform["peak_tflops"], starts)
        kernels[key] = dump_rates(
            rates, f"fit to {len(rows)} products of Transformer Engine without those of "
            f"gradients of weights, {100 * error:.0f} % mean error, {origin}")
    # Its shares count all pairs, a platform half of them, and few heads do not fill a device.
    for entry in kernels["attention"]:
        rates = sorted(tflops / 2 for sizes, tflops in read_simumax(arguments.simumax, "sdp_bwd")
                       if sizes["qk_head_dim"] == entry["head_width"]
                       and sizes["seq_len"] <= 8192 and sizes["head_num"] >= 32)
        if rates:
            entry["backward_tflops"] = round_to(rates[len(rates) // 2])
    kernels["attention_origin"] = (
        kernels["attention_origin"].split("; backward")[0]
        + f"; backward of widths 128 and 192: medians of 4096 tokens, {origin}; backward of 64, "
        "and forward widths that the table lacks, by the ratios of dgx-h100-measured")
    for key in ("products", "grouped_products", "attention", "attention_origin"):
        start = text.index(f'\n    "{key}": ') + 1
        end = text.index("\n    }", start) + 6 if key.endswith("products") else \
            text.index("\n    ]", start) + 6 if key == "attention" else \
            text.index(",\n", start)
        text = text[:start] + f'    "{key}": {dump(kernels[key], 2)}' + text[end:]
    line = f'"gemm_beta_us_per_mac": {platform["gemm_beta_us_per_mac"]}'
    path.write_text(text.replace(line, '"gemm_beta_us_per_mac": '
                                 f'{round_to(2e-6 / kernels["products"]["tflops"])}'))


def make_attention(system, like, backward_like):
    rows, version = system.read("attention/trtllm/*/context_attention_perf.parquet")
    found = {}
    for row in rows:
        width, length = row["head_dim"], row["isl"]
        if row["attn_dtype"] != "bfloat16" or row["kv_cache_dtype"] != "bfloat16" \
                or row.get("window_size") or row.get("step") \
                or width not in (64, 128) or length not in (4096, 8192) \
                or row["num_heads"] < 16:
            continue
        flop = 2 * length * length * width * row["num_heads"] * row["batch_size"]
        found.setdefault((width, length), []).append(flop / row["latency"] / 1e9)
    if not found:
        sys.exit(f"make_platform.py: {system.name} has no table of attention")

    def get_share(width, length):
        entry = min(backward_like["kernels"]["attention"],
                    key=lambda e: (abs(e["head_width"] - width), abs(e["seq_len"] - length)))
        return entry["backward_tflops"] / entry["forward_tflops"]

    entries = []
    for (width, length), rates in sorted(found.items()):
        forward = sorted(rates)[len(rates) // 2]
        entries.append({"head_width": width, "seq_len": length,
                        "forward_tflops": round_to(forward),
                        "backward_tflops": round_to(forward * get_share(width, length))})
    # Widths that the tables lack, such as 192 of latent attention, relative to
    # 128.
    widths = {entry["head_width"] for entry in entries}
    ours = [entry for entry in entries if entry["head_width"] == 128]
    theirs = {entry["seq_len"]: entry for entry in like["kernels"]["attention"]
              if entry["head_width"] == 128}
    for entry in like["kernels"]["attention"]:
        if entry["head_width"] in widths or entry["seq_len"] not in theirs or not ours:
            continue
        near = min(ours, key=lambda e: abs(e["seq_len"] - entry["seq_len"]))
        forward = (near["forward_tflops"] * entry["forward_tflops"]
                   / theirs[entry["seq_len"]]["forward_tflops"])
        share = get_share(entry["head_width"], entry["seq_len"])
        entries.append({**entry, "forward_tflops": round_to(forward),
                        "backward_tflops": round_to(forward * share)})
    ratios = f"; backward by the ratios of {backward_like['name']}, widths that the table lacks " \
        f"by those of {like['name']}" if backward_like is not like else \
        f"; backward, and widths that the table lacks, by the ratios of {like['name']}"
    return entries, system.get_origin("median of causal context attention", version) + ratios


# The most that a channel of NCCL's trees passes on from 4 nodes on, GB/s, with LL128 and Simple
# (tuning.cc 2.30), and the share of it that a tree of nodes reaches.
TREE_LIMITS = {8: {"LL128": 20, "Simple": 17.8}, 9: {"LL128": 29, "Simple": 36},
               10: {"LL128": 20, "Simple": 24}}
TREE_SHARE = 0.85


def make_protocols(network, generation, is_rack):
    """Adapts NCCL's protocols of another device: limits of trees, and switches that reduce."""
    limits = TREE_LIMITS.get(generation)
    if not limits:
        return network["protocols"]
    # A network card of 800 Gb/s has two channels, smaller ones have one; for racks the number is
    # not published.
    channels = 16 if network["bandwidth_GBps"] >= 100 else 8
    protocols = []
    for protocol in network["protocols"]:
        if protocol["algorithm"] == "nvls-tree" and generation < 9:
            continue
        protocol = dict(protocol)
        if protocol["algorithm"] == "tree" and protocol["name"] in limits:
            protocol["max_GBps"] = round(channels * TREE_SHARE * limits[protocol["name"]])
            if is_rack:
                del protocol["max_GBps"]
        protocols.append(protocol)
    return protocols


def make_dispatchers(system, ranks):
    rows, version = system.read("comm/sglang/*/wideep_deepep_normal_perf.parquet")
    rows = {(row["dispatch_sms"], row["num_token"]): row for row in rows
            if row["node_num"] == 1 and row["hidden_size"] == 7168
            and row["num_topk"] == 8 and row["num_experts"] == 256}
    places = ranks * (1 - math.prod((256 - 256 // ranks - i) / (256 - i) for i in range(8)))
    lines = []
    for sms in sorted({sms for sms, _ in rows}):
        if (sms, 1024) not in rows or (sms, 4096) not in rows:
            continue
        line = {"nodes": 1, "sms": sms}
        for kind, size in (("dispatch", 7168 + 7168 // 128 * 4), ("combine", 14336)):
            small, large = (rows[sms, count][f"{kind}_transmit_us"] for count in (1024, 4096))
            slope = (large - small) / 3072
            line[f"{kind}_start_us"] = round_to(max(0, small - 1024 * slope), 3)
            line[f"{kind}_GBps"] = round_to(size * places / slope / 1e3)
        lines.append(line)
    if not lines:
        return []
    return [{"name": "deepep", "max_ranks": ranks,
             "origin": system.get_origin("normal kernels, FP8 dispatch and bf16 combine of 1024 "
                                         "and 4096 tokens of 7168 on one node alone", version),
             "lines": lines}]


def make_platform(system, arguments, like):
    sheet = system.sheet
    ranks = int(sheet["num_gpus_per_node"])
    node = make_node(system, ranks)
    if arguments.node_ranks:
        node["ranks"] = arguments.node_ranks
        node["efficiency_origin"] += f", taken for {arguments.node_ranks} in one NVLink domain"
    peak = sheet["bfloat16_tc_flops"] / 1e12
    products = fit_products(system, arguments.sms, peak)
    kernels_like = like["kernels"]
    grouped = dict(kernels_like["grouped_products"], tflops=products["tflops"])
    grouped["origin"] = (f"tiles and start of {like['name']}, at the rate of 'products'")
    training = ROOT / "platforms/dgx-b200-measured.json"
    is_trained = system.get_generation() == 10 and arguments.name != training.stem
    attention, attention_origin = make_attention(
        system, like, json.loads(training.read_text()) if is_trained else like)
    memory_like = kernels_like["memory_GBps"] / arguments.like_memory
    memory = round_to(memory_like * sheet["mem_bw"] / 1e9)
    memory_origin = f"{100 * memory_like:.0f} % of the data sheet, as {like['name']} reaches"
    network = dict(like["levels"][1], bandwidth_GBps=arguments.network or
                   sheet["inter_node_bw"] / 1e9,
                   origin="data sheet, each direction; efficiencies of " + like["name"])
    network["protocols"] = make_protocols(network, system.get_generation(),
                                          bool(arguments.node_ranks))
    levels = [node, network]
    dispatchers = make_dispatchers(system, ranks)
    platform = {
        "name": arguments.name,
        "origin": f"{system.name} by tables of kernels and collectives, made by "
                  "bench/accuracy/make_platform.py; no training job was measured on it",
        "levels": levels,
        "copy_bandwidth_GBps": memory / 2, "copy_origin": "half of kernels.memory_GBps",
        "copy_latency_us": kernels_like["memory_start_us"],
        "gemm_alpha_us": 4, "gemm_beta_us_per_mac": round_to(2e-6 / products["tflops"]),
        "gemm_origin": "the rate of kernels.products",
        "memory_per_rank_bytes": sheet["mem_capacity"], "memory_origin": "data sheet",
        "peak_tflops": peak, "peak_origin": "data sheet, dense bf16",
        "kernels": {
            "sms": arguments.sms, "products": products, "grouped_products": grouped,
            "attention": attention, "attention_origin": attention_origin,
            "memory_GBps": memory, "memory_start_us": kernels_like["memory_start_us"],
            "memory_origin": memory_origin,
            "overlap_cost": kernels_like["overlap_cost"],
            "overlap_cost_one_wave": kernels_like["overlap_cost_one_wave"],
            "overlap_origin": "of " + like["name"]}}
    kernels = platform["kernels"]
    if system.get_generation() in QUANTIZED:
        platform["kernels"] = {
            **{key: kernels[key] for key in ("sms", "products", "grouped_products")},
            "quantized": make_quantized(system, arguments.sms, grouped, arguments.name), **kernels}
    if dispatchers:
        platform["dispatchers"] = dispatchers
    return platform


def dump(value, indent=0):
    """JSON with small objects and pairs on one line."""
    flat = json.dumps(value)
    if not isinstance(value, (dict, list)) or len(flat) + 2 * indent <= 100 and indent:
        return flat
    pad = "\n" + "  " * (indent + 1)
    if isinstance(value, list):
        body = ",".join(pad + dump(item, indent + 1) for item in value)
        return f"[{body}\n{'  ' * indent}]"
    body = ",".join(f"{pad}{json.dumps(key)}: {dump(item, indent + 1)}"
                    for key, item in value.items())
    return f"{{{body}\n{'  ' * indent}}}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", nargs="?", help="as aiconfigurator names it: b200_sxm")
    parser.add_argument("--name")
    parser.add_argument("--sms", type=int, required=True,
                        help="streaming multiprocessors of the device")
    parser.add_argument("--tables", help="folder of the package, if it is not installed")
    parser.add_argument("--network", type=float,
                        help="GB/s per GPU between nodes (default: the package's figure)")
    parser.add_argument("--node-ranks", type=int,
                        help="GPUs of an NVLink domain, where it is larger than a node")
    parser.add_argument("--like", default=str(ROOT / "platforms/dgx-h100-measured.json"))
    parser.add_argument("--like-memory", type=float, default=3350,
                        help="GB/s of its memory by the data sheet (default: 3350)")
    parser.add_argument("--add-quantized", metavar="PLATFORM",
                        help="only write kernels.quantized into this file")
    parser.add_argument("--add-training", metavar="PLATFORM",
                        help="only write what training kernels reach into this file")
    parser.add_argument("--simumax", metavar="CONFIG",
                        help="SimuMax's configuration of a system, for --add-training")
    parser.add_argument("-o", dest="output")
    arguments = parser.parse_args()
    if bool(arguments.add_training) != bool(arguments.simumax):
        parser.error("--add-training and --simumax are required together")
    if arguments.add_training:
        return add_training(arguments)
    if not arguments.system:
        parser.error("SYSTEM is required without --add-training")
    if not arguments.add_quantized and not (arguments.output and arguments.name):
        parser.error("-o and --name are required without --add-quantized")
    parquet, systems = load_tables(arguments.tables)
    system = System(parquet, systems, arguments.system)
    if arguments.add_quantized:
        return add_quantized(system, arguments)
    like = json.loads(Path(arguments.like).read_text())
    output = Path(arguments.output)
    output.write_text(
        dump(keep_others(make_platform(system, arguments, like), output)) + "\n")
    return None


if __name__ == "__main__":
    sys.exit(main())
