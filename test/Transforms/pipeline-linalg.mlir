// Structured ops of a user's between two exchanges run in chunks with these, by
// their maps and loops: proved, and executed with the same bits.
// RUN: moe-opt %s --moe-pipeline="degree=2 scope=layer" -o %t.two.mlir && FileCheck %s --check-prefix=TWO < %t.two.mlir
// RUN: moe-run %t.two.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %t.two.mlir --moe-schedule --moe-verify-schedule -o %t.scheduled.mlir
// RUN: moe-run %t.scheduled.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s --moe-schedule -o %t.whole.mlir
// RUN: moe-run %t.scheduled.mlir --backend=host --against=%t.whole.mlir --against-backend=host | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s --moe-pipeline="degree=3 scope=layer sizes=1,1,2" --moe-schedule -o %t.uneven.mlir
// RUN: moe-run %t.uneven.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// Along the dim that a reduction goes along, nothing is cut.
// RUN: moe-opt %s --moe-pipeline="degree=2 scope=layer dim=2" --remarks-filter=moe-pipeline -o %t.other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: moe-run %t.other.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// Nor where a region asks where it is, or reads what is outside.
// RUN: sed -e 's/%%p = arith.mulf %%a, %%b/%%i = linalg.index 1 : index\n%%j = arith.index_cast %%i : index to i32\n%%f = arith.sitofp %%j : i32 to f32\n%%p = arith.mulf %%a, %%f/' %s > %t.index.mlir
// RUN: moe-opt %t.index.mlir --moe-pipeline="degree=2 scope=layer" | FileCheck %s --check-prefix=INDEX

// What is stated of the whole is shared by the chunks.
// TWO: moe.pipeline degree 2
// TWO-NEXT: moe.all_to_all
// TWO-NEXT: linalg.negf {moe.time_us = 2.000000e+00 : f64}
// TWO-NEXT: linalg.generic
// TWO: moe.time_us = 4.000000e+00
// TWO: moe.all_to_all
// TWO-NEXT: moe.yield
// EQUAL: equal: 2 ranks, 1024 bytes
// OTHER: dim 2
// INDEX-COUNT-2: moe.pipeline degree 2
// INDEX-NOT: moe.pipeline

moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4x4x8xf32> {moe.varying = ["ep"]},
                %w: tensor<8x8xf32> {moe.varying = []}) -> tensor<4x4x8xf32> {
  %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
      : tensor<4x4x8xf32> -> tensor<4x4x8xf32>
  %e = tensor.empty() : tensor<4x4x8xf32>
  %n = linalg.negf {moe.time_us = 4.0 : f64} ins(%d : tensor<4x4x8xf32>)
      outs(%e : tensor<4x4x8xf32>) -> tensor<4x4x8xf32>
  %z = arith.constant dense<0.0> : tensor<4x4x8xf32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(g, r, n, k) -> (g, r, k)>,
                       affine_map<(g, r, n, k) -> (k, n)>,
                       affine_map<(g, r, n, k) -> (g, r, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%n, %w : tensor<4x4x8xf32>, tensor<8x8xf32>)
      outs(%z : tensor<4x4x8xf32>) attrs = {moe.time_us = 8.0 : f64} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4x8xf32>
  %r = moe.all_to_all %m on <@mesh, ["ep"]> split 0 concat 0
      : tensor<4x4x8xf32> -> tensor<4x4x8xf32>
  return %r : tensor<4x4x8xf32>
}
