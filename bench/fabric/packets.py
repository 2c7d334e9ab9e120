#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares exchanges as flows with the same exchanges as packets.

usage: packets.py --htsim=FILE [--tools=DIR] [--repeats=N] [FOLDER]

FILE is `htsim_eqds` of htsim (https://github.com/Broadcom/csg-htsim, `make` in
sim and in sim/datacenter), which simulates every packet of EQDS, a
receiver-driven protocol. Both run dispatches of experts on a tree of 16 servers
in three tiers: switches of 4 ports, one NIC of 100 Gb/s each, and links of 1
us. Prints a table: the end of the last flow, with data alone and with the
overhead of packets (--packet), and the seconds per matrix in user time of one
core. For `moe-fabric fabric` this is the difference between a trace with a
matrix 1 + N times and once. Then prints the same for one flow alone, which
shows the start and end times. FOLDER is for the matrices.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SERVERS, GBPS, TOKEN_BYTES = 16, 100, 8192
# Overhead of a packet, by htsim's sources: 4000 bytes after a header of 64, one
# pull of 64 bytes in return, and one acknowledgement for four packets.
PACKET, HEADER, ANSWER = 4064, 64, 80
TRAFFIC = [(kind, tokens) for tokens in (512, 1024, 1536)
           for kind in ("even", "zipf", "hot", "communities")]


def run(command, folder=None):
    """The output of a command, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        sys.exit(f"packets.py: {' '.join(map(str, command))}\n{done.stderr}"
                 f"{done.stdout[-500:]}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return done.stdout, used


def as_packets(htsim, folder, name, flows):
    """The end of the last flow in us, and the CPU seconds."""
    matrix = folder / f"{name}.cm"
    matrix.write_text(f"Nodes {SERVERS}\nConnections {len(flows)}\n" + "".join(
        f"{i}->{j} id {k + 1} start 0 size {size}\n"
        for k, (i, j, size) in enumerate(flows)))
    # Its clock runs on to -end while receivers pace, so it runs once to find
    # the end and once until then.
    end = 20000
    for _ in range(2):
        out, used = run([htsim, "-nodes", str(SERVERS), "-tiers", "3",
                         "-linkspeed", str(GBPS * 1000), "-mtu", str(PACKET),
                         "-q", "50", "-strat", "ecmp_host", "-paths", "16",
                         "-end", str(end), "-tm", str(matrix),
                         "-o", str(folder / "log")], folder)
        ends = [float(us) for us in re.findall(r"finished at ([0-9.]+)", out)]
        if len(ends) != len(flows):
            return None, used
        end = int(max(ends)) + 2
    return max(ends), used


def as_flows(folder, name, trace, repeats, *options):
    """The end of the last flow in us, and the seconds per matrix."""
    used = []
    for times in (1, 1 + repeats):
        path = folder / f"{name}-{times}.json"
        path.write_text(json.dumps(
            {**trace, "steps": [{**trace["steps"][0], "step": step}
                                for step in range(times)]}))
        out, seconds = run(
            ["moe-fabric", "fabric", f"--traffic={path}",
             f"--bytes-per-token={TOKEN_BYTES}", "--fabric=fat-tree",
             "--tiers=3", "--switch-ports=4", "--nics=1",
             "--ranks-per-server=1", f"--rate-gbps={GBPS}", "--json",
             *options])
        used.append(seconds)
        exchange = json.loads(out)["exchanges"][0]
    return exchange["time_us"], (used[1] - used[0]) / repeats


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--htsim", type=pathlib.Path, required=True)
    parser.add_argument("--tools", type=pathlib.Path,
                        default=ROOT / "build/release/bin")
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    arguments = parser.parse_args()
    os.environ["PATH"] = f"{arguments.tools}:{os.environ['PATH']}"
    folder = arguments.folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    # htsim writes files to its working directory.
    folder, htsim = folder.resolve(), arguments.htsim.resolve()
    print("| tokens a server | traffic | packets, us | flows, us | flows below, % |"
          " with headers and answers, us | below, % | packets, s | flows, ms |"
          " times as fast |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for kind, tokens in TRAFFIC:
        name = f"{kind}-{tokens}"
        trace = json.loads(run(
            ["moe-plan", "traffic", f"--generate={kind}", f"--ranks={SERVERS}",
             f"--experts={SERVERS}", f"--tokens={tokens}", "--top-k=2"])[0])
        counts = trace["steps"][0]["layers"][0]["counts"]
        packets, slow = as_packets(
            htsim, folder, name,
            [(i, j, counts[i][j] * TOKEN_BYTES) for i in range(SERVERS)
             for j in range(SERVERS) if i != j and counts[i][j]])
        flows, fast = as_flows(folder, name, trace, arguments.repeats)
        whole, _ = as_flows(folder, name, trace, 1,
                            f"--packet={PACKET - HEADER}:{HEADER}:{ANSWER}")
        if packets is None:
            print(f"| {tokens} | {kind} | htsim does not end | {flows:.1f} | - |"
                  f" {whole:.1f} | - | - | {fast * 1e3:.2f} | - |")
            continue
        print(f"| {tokens} | {kind} | {packets:.1f} | {flows:.1f} |"
              f" {100 * (1 - flows / packets):.2f} | {whole:.1f} |"
              f" {100 * (1 - whole / packets):.2f} | {slow:.2f} |"
              f" {fast * 1e3:.2f} | {slow / fast:.0f} |", flush=True)
    print("\n| one receiver, bytes | packets, us | bytes and headers at the link's"
          " rate, us | packets later, us |\n|---|---|---|---|")
    for size in (4_000_000, 8_000_000, 16_000_000):
        packets, _ = as_packets(htsim, folder, f"two-{size}",
                                [(1, 15, size // 2), (4, 15, size // 2)])
        wire = size / (PACKET - HEADER) * PACKET / (GBPS * 125)
        print(f"| {size:,} | {packets:.1f} | {wire:.1f} | {packets - wire:.1f} |")


if __name__ == "__main__":
    main()
