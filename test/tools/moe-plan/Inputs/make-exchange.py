"""Prints a program of one all-to-all between two nodes of eight ranks, whose
buffer has the bytes of the argument."""

import sys

elements = int(sys.argv[1]) // 8
tensor = f"tensor<2x{elements}xf32>"
print(f"""moe.mesh @mesh axes ["ep", "tp"] shape [2, 8]
func.func @main(%x: {tensor}) -> {tensor} {{
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : {tensor} -> {tensor}
  return %r : {tensor}
}}""")
