"""Prints a program of STEPS steps of three layers on 8 servers of one rank.

  predict_steps.py STEPS [plain]

All tokens of a layer are sent to one server: in layer 0 to a server that no
previous step predicts, in layers 1 and 2 to one that follows from the layer
before. The program records the traffic of servers, and the exchanges of layers
1 and 2 use circuits for the predicted traffic. With `plain` the same exchanges
use no circuits.
"""
import sys

SERVERS = 8
# Every server occurs at least once in 8 steps, and never twice in a row.
FIRST = [3, 0, 6, 1, 7, 2, 5, 4, 1, 6, 0, 5, 3, 7, 4, 2, 0, 7, 3, 6]
NEXT = [[5, 2, 7, 6, 0, 4, 1, 3], [4, 6, 3, 0, 5, 7, 2, 1]]
TYPE = "tensor<8x4xf32>"

steps, is_plain = int(sys.argv[1]), sys.argv[2:] == ["plain"]
out = ["""moe.mesh @mesh axes ["ep"] shape [8]
ocs.fabric @fabric on @mesh server [] region ["ep"] optical 2 eps 1 split
    switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %one = arith.constant dense<1> : tensor<1xi32>
  %none = arith.constant dense<0> : tensor<8x8xi32>"""]
for hot in range(SERVERS):
    row = [4096 * (to == hot) for to in range(SERVERS)]
    rows = [[0 if to == own else b for to, b in enumerate(row)]
            for own in range(SERVERS)]
    out.append(f"  %d{hot} = arith.constant dense<{rows}> : tensor<8x8xi64>")
if not is_plain:
    out += [f'  %c{step}_{layer} = ocs.predict @fabric "{layer}" else %none : '
            "tensor<8x8xi32>" for step in range(steps) for layer in (1, 2)]
out.append("  %r = moe.schedule {")
value, token, tasks = "%x", None, 0


def task(stream, name, body, result=None):
    """A task after all others, with a result of the given type."""
    global token, tasks
    tasks += 1
    after = f" after({token})" if token else ""
    token = f"%t{tasks}"
    heads = f"%v{tasks}, {token}" if result else token
    out.append(f'    {heads} = moe.task @{stream} "{name}"[0 of 1] layer "0" '
               f'phase "fwd"{after} {{')
    out.extend("      " + line for line in body)
    out.append(f"      moe.yield %0 : {result}" if result else
               "      moe.yield")
    out.append(f"    }} : {result}" if result else "    }")
    return f"%v{tasks}"


def change(place, circuits):
    task("inter", "quiet" + place,
         ['%0 = moe.all_reduce %one on <@mesh, ["ep"]> : tensor<1xi32>'],
         "tensor<1xi32>")
    task("ocs", "change" + place,
         [f"ocs.reconfigure @fabric to {circuits} : tensor<8x8xi32>"])
    task("ocs", "await" + place, ["ocs.await @fabric"])


for step in range(steps):
    hot = FIRST[step]
    for layer in range(3):
        hot = hot if layer == 0 else NEXT[layer - 1][hot]
        place = f"{step}.{layer}"
        route = []
        if layer and not is_plain:
            circuits = f"%c{step}_{layer}"
            # All circuits are down, so that only the predicted ones exist.
            change("none" + place, "%none")
            change(place, circuits)
            route = [f"ocs.route @fabric over {circuits} : tensor<8x8xi32>"]
        value = task("inter", f"exchange{place}", route + [
            f'%0 = moe.all_to_all {value} on <@mesh, ["ep"]> split 0 concat 0 '
            f": {TYPE} -> {TYPE}"], TYPE)
        if not is_plain:
            task("inter", f"note{place}",
                 [f'ocs.note @fabric "{layer}" sees %d{hot} : '
                  "tensor<8x8xi64>"])
out.append(f"    moe.yield {value} : {TYPE}\n  }} : {TYPE}\n"
           f"  return %r : {TYPE}\n}}")
print("\n".join(out))
