"""moe_mlir without JAX: modules, plans, runs with arrays, errors."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np

import moe_mlir

configs = pathlib.Path(sys.argv[1])
SMALL = dict(ep=2, tp=2, micro_batch=1, seq_len=8, hidden_size=8,
             expert_ffn_size=8, num_experts=4, top_k=2, layers=1, dtype="f32",
             capacity_factor=2)


def expect_error(what, function, *args, **options):
    try:
        function(*args, **options)
    except moe_mlir.Error as error:
        if what not in str(error):
            sys.exit(f"expected '{what}' in '{error}'")
        return error
    sys.exit(f"expected an error that says '{what}', got none")


module = moe_mlir.import_config(configs / "mixtral-8x7b.json", **SMALL)
assert 'moe.layer "0"' in str(module)
assert '"moe.layer"' in module.print(generic=True)
plan = moe_mlir.plan(module, "fsmoe-b", strategy="o3", degree=2)
layer = plan.find("0")
assert layer.form.degree == 2 and layer.form.drop_dim is not None, layer.form
assert layer.order and plan.predicted_us > 0 and layer.predicted_us > 0
assert plan.mesh.axes == ["dp", "ep", "tp"] and plan.ranks == 4
print("plan:", layer.form.name, "in", layer.form.degree, "chunks;",
      "why" if layer.why else "no reason")
times = moe_mlir.simulate(module, "fsmoe-b")
assert times["makespan_us"] > 0

made = module.clone()
made.compile("moe-compile{to=schedule platform=fsmoe-b strategy=o3 degree=2}")
assert "moe.schedule" in str(made)
print("proved:", module.prove(made).splitlines()[-1])
rng = np.random.default_rng(0)
# The same on both ranks of tp.
tokens = np.repeat(rng.standard_normal((2, 8, 8), np.float32), 2, axis=0)
want, = moe_mlir.run(module, {0: tokens})
have, = moe_mlir.run(made, [tokens])
compiled, = moe_mlir.run(made, [tokens], backend="host")
assert want.shape == (4, 8, 8) and want.dtype == np.float32
assert want.tobytes() == have.tobytes() == compiled.tobytes()
other, = module.run({0: tokens}, seed=1)
assert other.tobytes() != want.tobytes()

# Errors, with their locations.
error = expect_error("'num_local_experts'", moe_mlir.import_config,
                     {"model_type": "mixtral", "hidden_size": 8,
                      "num_experts_per_tok": 2, "num_hidden_layers": 1},
                     ep=1, tp=1, micro_batch=1, seq_len=1)
assert error.diagnostics[0].file == "config" and error.diagnostics[0].line == 1
error = expect_error("error:", moe_mlir.parse, "module {\n  moe.gate\n}", "a.mlir")
assert error.diagnostics[0].line == 3 and error.diagnostics[0].file == "a.mlir"
expect_error("expected elements of type f32, got f64", module.run,
             {0: tokens.astype(np.float64)})
expect_error("expected shape [8, 8]", module.run, {0: tokens[:3]})
expect_error("expected the same data on ranks 0 and 1", module.run,
             {0: rng.standard_normal((4, 8, 8), np.float32)})
expect_error("no-such-pass", module.clone().compile, "no-such-pass")
expect_error("no-such-machine", module.plan, "no-such-machine")
# Errors about a value are only reported in the exception.
expect_error("strategy: expected one of auto, baseline", module.plan, "fsmoe-b",
             strategy="o9")
expect_error("degree: expected auto or a number", module.plan, "fsmoe-b",
             degree=10**30)
expect_error("degree: expected an integer in", module.clone().compile,
             "moe-pipeline{degree=two}")
expect_error("expected to be in builtin.module", module.clone().compile,
             "func.func(moe-compile{to=schedule})")
expect_error("got NoneType", moe_mlir.parse, None)
bytecode = subprocess.run([os.environ.get("MOE_OPT", "moe-opt"), "--emit-bytecode"],
                          input=str(module).encode(), capture_output=True,
                          check=True).stdout
assert bytecode.startswith(b"ML") and str(moe_mlir.parse(bytecode)) == str(module)
assert times["lower_bound_us"] <= times["makespan_us"]
expect_error("2:13: error: expected at most 1048576 as a result's number",
             moe_mlir.parse,
             "func.func @f(%x: f32) -> f32 {\n  return %y#2147483647 : f32\n}")
expect_error("expected the backend interp or host", module.run, backend="x")
expect_error("expected a model's config.json", moe_mlir.import_config, "none",
             ep=1, tp=1, micro_batch=1, seq_len=1)
try:
    moe_mlir.import_config({}, ep=1, tp=1, micro_batch=1, seq_len=1, ranks=3)
    sys.exit("expected a TypeError")
except TypeError as error:
    assert "'ranks'" in str(error)
for text, what in [("", "expected a plan as JSON"),
                   ('{"version": 2}', "version: expected 1, got 2"),
                   ('{"version": 1}', "expected the member 'platform'")]:
    try:
        moe_mlir.Plan.from_json(text)
        sys.exit("expected a ValueError")
    except ValueError as error:
        assert what in str(error), error

# Keys about routing that the family does not read.
strange = {"model_type": "mixtral", "hidden_size": 8, "num_hidden_layers": 1,
           "num_local_experts": 4, "num_experts_per_tok": 2,
           "intermediate_size": 8, "multi_gate": True, "expert_latent": 4}
sizes = dict(ep=2, tp=1, micro_batch=1, seq_len=8)
expect_error("'multi_gate'", moe_mlir.import_config, strange, **sizes)
expect_error("gate: expected one of softmax, sigmoid, ", moe_mlir.import_config,
             strange, ignore_keys="multi_gate, expert_latent", gate="topk", **sizes)
expect_error("'expert_latent'", moe_mlir.import_config, strange,
             ignore_keys="multi_gate", **sizes)
assert "moe.layer" in str(moe_mlir.import_config(
    strange, ignore_keys="multi_gate, expert_latent", **sizes))

# An unknown family by a map, given as a dict.
mine = moe_mlir.import_config(
    {"model_type": "mine", "width": 8, "experts": 4, "depth": 1, "inner": 8},
    config_map={"hidden_size": "width", "num_experts": "experts",
                "num_layers": "depth", "expert_ffn_size": "inner", "top_k": 2},
    ep=2, tp=1, micro_batch=1, seq_len=8)
assert "top_k 2" in str(mine)
for _ in range(100):
    moe_mlir.parse("module {}").clone()
print("modules:", moe_mlir.__version__)
