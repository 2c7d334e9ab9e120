#!/usr/bin/env python3
"""Times compiled layers over packets and over circuits, on the servers that
bench/circuits/fabric.sh created.

  compiled.py [--steps=N] [--tokens=S] [--hidden=M] [--routings=NAME,...]
              [--one]

A program has two dropless layers with different routing and one rank per
server; moe-run replays it. It is timed on EPS alone, over circuits for the mean
demand of both layers, and as moe-insert-circuits has compiled it: circuits are
planned by each layer's counts at run time, and change before its first
exchange. Kinds of steps alternate. Each has one warm-up step, after which
the circuits of the last layer remain. The rate of EPS is measured before, and
the time of a change is the difference between a program that changes circuits
for each layer and sends next to nothing, and the same over EPS. It includes
sending the counts to the controller, the plan, the TL1 exchange with the
switch, ports and routes, and the notification of all ranks. moe-sim makes the
predictions.

Columns: median step time in ms over EPS, measured and predicted; over circuits
for the mean demand; as compiled, measured and predicted; speedup, measured and
predicted; the achieved part of the possible savings. --one prints one line for
one routing, after a short measurement.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
FABRIC = os.path.join(here, "fabric.sh")
CONFIG = os.path.join(here, "../../examples/configs/mixtral-8x7b.json")
SERVERS, DEGREE = int(os.environ["SERVERS"]), int(os.environ["DEGREE"])
# Weights of the traffic from server i to server j in layer k.
ROUTINGS = {
    "hot expert": lambda i, j, k: 6.0 if j == 2 * k else 1.0,
    "zipf": lambda i, j, k: 1.0 / (1 + (j + 2 * k) % SERVERS),
    "communities": lambda i, j, k: 6.0 if (i ^ j) < 2 + k and
    (i ^ j) in (0, 1 + k) else 0.5,
}


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def join(circuits):
    """Joins ports of servers by numbers of circuits."""
    used, ports = [0] * SERVERS, []
    for i in range(SERVERS):
        for j in range(i + 1, SERVERS):
            for _ in range(circuits[i][j]):
                ports.append(f"{1 + i * DEGREE + used[i]},"
                             f"{1 + j * DEGREE + used[j]}")
                used[i], used[j] = used[i] + 1, used[j] + 1
    run(FABRIC, "join", *ports)


DARK = [[0] * SERVERS for _ in range(SERVERS)]


def plan(matrix):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"matrix": matrix}, file)
        file.flush()
        return json.loads(run(
            "moe-fabric", "circuits", f"--demand={file.name}",
            f"--optical-degree={DEGREE}", "--eps-nics=1",
            "--routing=exclusive", "--json"))["circuits"]


def draw(weight, layer, rows):
    """Draws the rows that servers send each other, in proportion to the
    weights."""
    counts = []
    for i in range(SERVERS):
        row = [weight(i, j, layer) for j in range(SERVERS)]
        own = [int(rows * w / sum(row)) for w in row]
        own[i] += rows - sum(own)
        counts.append(own)
    return counts


class Bench:
    def __init__(self, folder, arguments):
        self.folder, self.arguments = folder, arguments
        self.platform = self.path("platform.json")
        join(DARK)
        # A short measurement on a busy machine may not grow with the size; then
        # it is repeated with a longer one.
        tries = ([("524288", seconds) for seconds in ("0.01", "0.05", "0.2")]
                 if arguments.one else [("4194304", "0.2")])
        for most, seconds in tries:
            try:
                run(FABRIC, "run", "moe-profile", "measure", "--backend=mpi",
                    "-o", self.platform, "--name=fabric",
                    f"--max-bytes={most}", f"--seconds-per-size={seconds}")
                break
            except SystemExit:
                if seconds == tries[-1][1]:
                    raise
        with open(self.platform) as file:
            machine = json.load(file)
        network = machine["levels"][-1]
        # The largest messages determine the rate of a link, because most of a
        # short one passes at once in a burst.
        efficiency = network["efficiency"]
        whole = efficiency[-1][1]
        network["efficiency"] = [[bytes, min(1, reached / whole)]
                                 for bytes, reached in efficiency]
        network["bandwidth_GBps"] *= whole
        self.machine, self.rate = machine, network["bandwidth_GBps"]
        self.measure_change()
        self.make_program(arguments.tokens, arguments.hidden)

    def measure_change(self):
        """Uses layers that each require other circuits and send next to
        nothing."""
        tokens = 16 * SERVERS
        self.set_change_us(0)
        self.make_program(tokens, hidden=4)
        traffic = self.draw_layers("communities", tokens)[1]
        planned = self.compile(traffic, rule="always")
        if planned < 2:
            sys.exit("compiled.py: expected a change for each of two layers, "
                     f"got {planned}")
        gaps = []
        for _ in range(1 if self.arguments.one else 5):
            join(DARK)
            eps = self.measure(self.eps, traffic)
            gaps.append((self.follow(lambda ocs: self.measure(
                self.own, traffic, ocs)) - eps) / planned)
        self.set_change_us(max(0, statistics.median(gaps)))

    def set_change_us(self, us):
        self.change_us = us
        self.machine["circuits"] = {
            "server_ranks": 1, "optical_degree": DEGREE, "eps_nics": 1,
            "nic_rate_GBps": self.rate, "reconfiguration_base_us": us,
            "reconfiguration_per_pair_us": 0, "link_up_us": 0,
            "origin": "measured by bench/circuits/compiled.py"}
        with open(self.platform, "w") as file:
            json.dump(self.machine, file)

    def make_program(self, tokens, hidden):
        """Two layers, and the same on servers with one route per pair."""
        self.program = self.path("plain.mlir")
        run("moe-translate", "--import-hf-config", CONFIG, "--layers=2",
            "--micro-batch=1", "--dtype=f32", "--routing=dropless",
            f"--seq-len={tokens}", f"--hidden-size={hidden}",
            "--expert-ffn-size=16", f"--num-experts={SERVERS}", "--top-k=1",
            f"--ep={SERVERS}", "--tp=1", "-o", self.program)
        with open(self.program) as file:
            text = file.read()
        self.routed = self.path("fabric.mlir")
        with open(self.routed, "w") as file:
            file.write(re.sub(
                r"(moe\.mesh @mesh .*\n)",
                r"\1  ocs.fabric @fabric on @mesh server [] region [" +
                f'"ep"] optical {DEGREE} eps 1 exclusive switch "region" '
                f"controller 0 {{bytes_per_us = {self.rate * 1e3:.6f} : f64, "
                f"change_us = {self.change_us:.6f} : f64}}\n", text, count=1))

    def draw_layers(self, name, rows):
        """Counts of both layers, and a file with them."""
        layers = [draw(ROUTINGS[name], k, rows) for k in range(2)]
        traffic = self.path("traffic.json")
        with open(traffic, "w") as file:
            json.dump({"top_k": 1, "tokens": rows, "steps": [
                {"step": 0, "layers": [{"layer": str(k), "counts": counts}
                                       for k, counts in enumerate(layers)]}]},
                      file)
        return layers, traffic

    def compile(self, traffic, rule="cost"):
        """Compiles over packets and over circuits; returns how often circuits
        change."""
        self.eps, self.own = self.path("eps.mlir"), self.path("circuits.mlir")
        run("moe-opt", self.routed, f"--moe-compile=platform={self.platform} "
            f"traffic={traffic} to=schedule strategy=baseline degree=1 "
            "circuits=off", "-o", self.eps)
        run("moe-opt", self.eps,
            f"--moe-insert-circuits=policy=block rule={rule}", "-o", self.own)
        with open(self.own) as file:
            return file.read().count("ocs.reconfigure")

    def path(self, name):
        return os.path.join(self.folder, name)

    def predict(self, program, traffic):
        return json.loads(run("moe-sim", program, "--json",
                              f"--platform={self.platform}",
                              f"--traffic={traffic}"))["makespan_us"]

    def measure(self, program, traffic, *options):
        words = run(FABRIC, "run", "moe-run", program, "--backend=mpi",
                    "--repeat=1", "--deadline=120", f"--traffic={traffic}",
                    "--step=0", *options)
        return float(re.search(r"makespan_us: median ([0-9.]+)", words)[1])

    def follow(self, command):
        """Runs with a switch that carries out changes; all ports start dark."""
        join(DARK)
        with open(self.path("switch"), "w+") as said:
            switch = subprocess.Popen(
                ["ip", "netns", "exec", "moe-srv0", "moert-ocs-switch",
                 f"--ports={SERVERS * DEGREE}", "--base-us=0",
                 "--per-pair-us=0", f"--on-change='{FABRIC}' join"],
                stdout=said, stderr=subprocess.STDOUT)
            try:
                address = ""
                for _ in range(200):
                    said.seek(0)
                    address = said.readline().strip()
                    if address:
                        break
                    time.sleep(0.05)
                os.environ["MOERT_OCS_PASSWORD"] = "root"
                return command(f"--ocs=region={address},user=admin,ports=all")
            finally:
                switch.terminate()
                switch.wait()

    def time_routing(self, name):
        """Times and predictions; None if no change is predicted to pay."""
        layers, traffic = self.draw_layers(name, self.arguments.tokens)
        planned = self.compile(traffic)
        eps, own = self.eps, self.own
        if planned == 0:
            return None
        # Compares the data with the interpreter's once.
        equal = self.follow(lambda ocs: run(
            FABRIC, "run", "moe-run", own, "--backend=mpi", "--deadline=120",
            f"--traffic={traffic}", "--step=0", ocs,
            f"--against={self.program}", "--against-backend=interp"))
        if "equal:" not in equal:
            sys.exit(f"compiled.py: {name}: {equal}")
        mean = [[sum(counts[i][j] for counts in layers)
                 for j in range(SERVERS)] for i in range(SERVERS)]
        taken = {"eps": [], "static": [], "own": []}
        for _ in range(self.arguments.steps):
            join(DARK)
            taken["eps"].append(self.measure(eps, traffic))
            if not self.arguments.one:
                join(plan(mean))
                taken["static"].append(self.measure(eps, traffic))
            taken["own"].append(self.follow(
                lambda ocs: self.measure(own, traffic, ocs)))
        return ({kind: statistics.median(times) / 1e3
                 for kind, times in taken.items() if times},
                self.predict(eps, traffic) / 1e3,
                self.predict(own, traffic) / 1e3, planned)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=7)
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--hidden", type=int, default=1024)
    parser.add_argument("--routings", default=",".join(ROUTINGS))
    parser.add_argument("--one", action="store_true")
    arguments = parser.parse_args()
    names = arguments.routings.split(",")
    for name in names:
        if name not in ROUTINGS:
            sys.exit(f"compiled.py: expected routings of "
                     f"{', '.join(ROUTINGS)}, got '{name}'")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, arguments)
        if not arguments.one:
            print(f"measured before: EPS {bench.rate * 8e3:.1f} Mbit/s, a "
                  f"change {bench.change_us / 1e3:.1f} ms")
            print(f"{'routing':12} {'changes':>7} {'eps ms':>8} "
                  f"{'predicted':>9} {'static':>8} {'compiled':>8} "
                  f"{'predicted':>9} {'speed-up':>8} {'expected':>8} "
                  f"{'saved':>6}", flush=True)
        for name in names[:1] if arguments.one else names:
            timed = bench.time_routing(name)
            if not timed:
                print(f"circuits, {name}: none, a change takes "
                      f"{bench.change_us / 1e3:.0f} ms here, which a step does "
                      "not gain", flush=True)
                continue
            taken, eps, own, planned = timed
            saved = (taken["eps"] - taken["own"]) / (eps - own) if (
                eps > own) else float("nan")
            if arguments.one:
                print(f"optical circuits, {name}: step time {taken['eps']:.0f} ms "
                      f"over packets, {taken['own']:.0f} ms with {planned} "
                      f"reconfiguration{'' if planned == 1 else 's'} (measured "
                      f"between network namespaces; predicted {eps:.0f} and "
                      f"{own:.0f} ms)")
                continue
            print(f"{name:12} {planned:7} {taken['eps']:8.1f} {eps:9.1f} "
                  f"{taken['static']:8.1f} {taken['own']:8.1f} {own:9.1f} "
                  f"{taken['eps'] / taken['own']:8.2f} {eps / own:8.2f} "
                  f"{saved:6.2f}", flush=True)


if __name__ == "__main__":
    main()
