"""Writes a log in one of the layouts of nccl-tests, of a made-up machine on
which a collective takes alpha + beta * size, give or take some noise."""

import argparse
import json
import random

parser = argparse.ArgumentParser()
parser.add_argument("--layout", choices=["legacy", "text", "json"], required=True)
parser.add_argument("--test", default="alltoall_perf")
parser.add_argument("--alpha", type=float, default=40.0)
parser.add_argument("--beta", type=float, default=5e-5)
parser.add_argument("--noise", type=float, default=0.0)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--hosts", type=int, default=1)
parser.add_argument("--ranks-per-host", type=int, default=8)
parser.add_argument("--min-bytes", type=int, default=1024)
parser.add_argument("--max-bytes", type=int, default=1 << 30)
parser.add_argument("--host-name", default="node")
parser.add_argument("--name", help="name of the program, if not the test's")
parser.add_argument("--no-redop", action="store_true",
                    help="no column redop, as all_gather_perf before 2022-08")
parser.add_argument("--old-algbw", action="store_true",
                    help="algbw with (n - 1) / n, as before 2020-06")
parser.add_argument("--in-place-only", action="store_true", help="as rccl-tests -O 0")
parser.add_argument("--timestamps", action="store_true", help="as -S 1")
parser.add_argument("--per-iteration", action="store_true", help="as -I 1")
parser.add_argument("--cycles", type=int, default=1, help="as -N")
args = parser.parse_args()

noise = random.Random(args.seed)
ranks = args.hosts * args.ranks_per_host
reduces = "reduce" in args.test
share = (2 if args.test == "all_reduce_perf" else 1) * (ranks - 1) / ranks

rows = []
sizes = []
size = args.min_bytes
while size <= args.max_bytes:
    sizes.append(size)
    size *= 2
parts = 1 if "all_reduce" in args.test else ranks
for size in sizes * args.cycles:
    # Tests that divide their buffer round it down.
    count = size // 4 // parts
    size = count * 4 * parts
    times = []
    for _ in range(2):
        factor = 1 + noise.uniform(-args.noise, args.noise)
        times.append((args.alpha + args.beta * size) * factor)
    rows.append((size, count, times))


def values(time, size):
    algbw = size / time / 1e3
    return time, algbw * (share if args.old_algbw else 1), algbw * share


def host(rank):
    return "%s%d" % (args.host_name, rank // args.ranks_per_host)


def mean_busbw():
    return sum(values(t, s)[2] for s, _, ts in rows for t in ts) / len(rows) / 2


if args.layout == "json":
    devices = [
        {"rank": r, "group": 0, "pid": 100 + r, "hostname": host(r),
         "device": r % args.ranks_per_host, "device_hex": "0000:00:00",
         "device_info": "Some GPU"}
        for r in range(ranks)
    ]
    results = []
    for size, count, times in rows:
        row = {"size": size, "count": count, "type": "float",
               "redop": "sum" if reduces else "none", "root": "    -1"}
        for key, time in zip(["out_of_place", "in_place"], times):
            time, algbw, busbw = values(time, size)
            wrong = None if key == "in_place" and "alltoall" in args.test else 0.0
            row[key] = {"time": time, "alg_bw": algbw, "bus_bw": busbw, "nwrong": wrong}
        results.append(row)
    print(json.dumps({
        "version": 3, "start_time": "2025-01-01 00:00:00",
        "args": ["./build/" + args.test, "-b", "%d" % args.min_bytes,
                 "--maxbytes=%d" % args.max_bytes, "-f2"], "env": [],
        "nccl_version": 22703,
        "config": {"nthreads": 1, "ngpus": 1, "devices": devices},
        "results": results,
        "out_of_bounds": {"count": 0, "okay": "true"},
        "average_bus_bandwidth": {"bandwidth": mean_busbw(), "okay": "unchecked"},
        "errors": [], "end_time": "2025-01-01 00:01:00"}, indent=1))
    raise SystemExit

legacy = args.layout == "legacy"
if not legacy:
    print("# nccl-tests version 2.17.1 nccl-headers=22703 nccl-library=22703")
    print("# Collective test starting: " + (args.name or args.test))
print("# nThread 1 nGpus 1 minBytes %d maxBytes %d step: 2(factor) warmup iters: 5"
      " iters: 20 validation: 1" % (args.min_bytes, args.max_bytes))
print("#\n# Using devices")
for r in range(ranks):
    group = "" if legacy else "Group  0 "
    print("#  Rank %2d %sPid %6d on %10s device %2d [0x%02x] Some GPU"
          % (r, group, 100 + r, host(r), r % args.ranks_per_host, r))
names = ["size", "count", "type"] + ([] if args.no_redop else ["redop"])
names += [] if legacy else ["root"]
columns = ["time", "algbw", "busbw", "error" if legacy else "#wrong"]
units = ["(us)", "(GB/s)", "(GB/s)", ""]
if args.per_iteration:
    columns += ["i_min", "i_max", "i_p99", "i_cv%"]
    units += ["(us)", "(us)", "(us)", "(%)"]
num_places = 1 if args.in_place_only else 2
print("#\n#" + "out-of-place".rjust(60) * (num_places - 1) + "in-place".rjust(30))
print("# " + " ".join(c.rjust(10) for c in names + columns * num_places
                      + ["timestamp"] * args.timestamps))
print("# " + " ".join(c.rjust(10) for c in
                      ["(B)", "(elements)"] + [""] * (len(names) - 2)
                      + units * num_places
                      + ["%Y-%m-%d %H:%M:%S"] * args.timestamps))
for size, count, times in rows:
    redop = "sum" if reduces else "" if legacy else "none"
    line = "%12d %12d %8s" % (size, count, "float")
    if not args.no_redop:
        line += " %6s" % redop
    if not legacy:
        line += " %6d" % -1
    for place, time in enumerate(times):
        if place == 0 and args.in_place_only:
            continue
        wrong = "0e+00" if legacy else "0"
        if place == 1 and "alltoall" in args.test:
            wrong = "N/A"
        line += "  %7.2f  %6.2f  %6.2f  %6s" % (*values(time, size), wrong)
        if args.per_iteration:
            line += "  %7.2f  %7.2f  %7.2f  %7.2f" % (0.9 * time, 1.3 * time,
                                                      1.2 * time, 4.2)
    print(line + "  2025-10-02 20:23:53" * args.timestamps)
print("# Out of bounds values : 0 OK")
print("# Avg bus bandwidth    : %g" % mean_busbw())
print("#")
if not legacy:
    print("# Collective test concluded: " + (args.name or args.test))
