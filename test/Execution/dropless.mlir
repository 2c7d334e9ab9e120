// Layers that drop nothing run as compiled code, with the numbers that padded
// ones have in the interpreter, on the CPU bit for bit: the host plans by the
// counts of all ranks, which it waits for once, and experts take runs of rows.
// Too many rows for one rank are the same error on all.

// RUN: moe-opt %s --moe-schedule --convert-moe-to-moert -o %t.runtime.mlir
// RUN: FileCheck %s < %t.runtime.mlir
// RUN: moe-opt %t.runtime.mlir --moert-verify-streams -o /dev/null
// RUN: moe-run %s --backend=host --against-backend=interp --seed=2 | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/permute_rows choice/permute_rows token/' %s > %t.token.mlir
// RUN: moe-run %t.token.mlir --backend=host --against-backend=interp --seed=6 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --backend=host --against=%S/Inputs/dropless-padded.mlir --against-backend=interp --seed=3 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.runtime.mlir --backend=host --against=%S/Inputs/dropless-padded.mlir --against-backend=interp --seed=4 | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/f32/bf16/g' %s > %t.bf16.mlir
// RUN: sed 's/f32/bf16/g' %S/Inputs/dropless-padded.mlir > %t.padded.mlir
// RUN: moe-run %t.bf16.mlir --backend=host --against=%t.padded.mlir --against-backend=interp --seed=5 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --backend=nccl --stand-ins --against=%S/Inputs/dropless-padded.mlir --against-backend=interp --tolerance=1e-5 --seed=6 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.bf16.mlir --backend=nccl --stand-ins --against=%t.padded.mlir --against-backend=interp --tolerance=2e-2 --seed=7 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal{{.*}}: 4 ranks

// RUN: sed 's/limit 24/limit 6/' %s > %t.few.mlir
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t.few.mlir --backend=host --seed=3 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: ragged_plan: expected at most 6 rows for a rank, got {{[0-9]+}} for rank {{[0-3]}}, position {{[01]}} of its group: a greater limit (--receive-factor) takes them

// CHECK-LABEL: func.func @main(
// CHECK-NOT:   moert.synchronize
// CHECK:       moert.all_gather
// CHECK:       moert.await
// CHECK-NOT:   moert.await
// CHECK:       moert.ragged_plan {{.*}} of #moe.group<@mesh, ["ep"]> at {{.*}} limit 24 to {{.*}} : memref<2x4xi32> to memref<2xi64> runs memref<2x2xi64>
// CHECK-NOT:   moert.ragged_plan
// CHECK:       moert.ragged_all_to_all
// CHECK-NOT:   moert.await
// CHECK:       moert.experts{{ }}
// CHECK-SAME:  run_offsets(%{{.*}} : memref<2x2xi64>) run_sizes(%{{.*}} : memref<2x2xi64>)
// CHECK-NOT:   moert.await
// CHECK:       return
moe.mesh @mesh axes ["dp", "ep"] shape [2, 2]

func.func @main(%x: tensor<6x8xf32>, %router: tensor<8x4xf32>, %w1: tensor<2x8x5xf32>, %w2: tensor<2x8x5xf32>, %w3: tensor<2x5x8xf32>, %dy: tensor<6x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>, tensor<6x2xf32>) {
  %ids, %w = moe.gate softmax %x, %router top_k 2 : tensor<6x8xf32>, tensor<8x4xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
  %counts = moe.expert_counts %ids : tensor<6x2xi32> -> tensor<4xi32>
  %rows, %slots = moe.permute_rows choice %x by %ids experts 4 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x8xf32>, tensor<6x2xi32>
  %own = tensor.expand_shape %counts [[0, 1]] output_shape [1, 4] : tensor<4xi32> into tensor<1x4xi32>
  %all = moe.all_gather %own on <@mesh, ["ep"]> dim 0 : tensor<1x4xi32> -> tensor<2x4xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> limit 24 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %space = tensor.empty() : tensor<24x8xf32>
  %room = tensor.empty() : tensor<12x8xf32>

  %in = moe.ragged_all_to_all %rows into %space on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<12x8xf32>, tensor<2xi32> -> tensor<24x8xf32>
  %h = moe.experts swiglu %in runs(%po, %ps : tensor<2x2xi32>), %w1, %w2, %w3 : tensor<24x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32> -> tensor<24x8xf32>
  %back = moe.ragged_all_to_all %h into %room on <@mesh, ["ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<24x8xf32>, tensor<2xi32> -> tensor<12x8xf32>
  %y = moe.unpermute %back by %slots weights %w : tensor<12x8xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xf32>

  %dback = moe.scatter %dy by %slots weights %w : tensor<6x2xf32> : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x8xf32>
  %dw = moe.unpermute_wgrad %dy, %back by %slots : tensor<6x8xf32>, tensor<12x8xf32>, tensor<6x2xi32> -> tensor<6x2xf32>
  %dh = moe.ragged_all_to_all %dback into %space on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<12x8xf32>, tensor<2xi32> -> tensor<24x8xf32>
  %din = moe.experts_dgrad swiglu %dh at %in runs(%po, %ps : tensor<2x2xi32>), %w1, %w2, %w3 : tensor<24x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>
  %dws:3 = moe.experts_wgrad swiglu %dh at %in runs(%po, %ps : tensor<2x2xi32>), %w1, %w2, %w3 : tensor<24x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32> -> tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>
  %drows = moe.ragged_all_to_all %din into %room on <@mesh, ["ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<24x8xf32>, tensor<2xi32> -> tensor<12x8xf32>
  %one = arith.constant dense<1.0> : tensor<6x2xf32>
  %dx = moe.unpermute %drows by %slots weights %one : tensor<12x8xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xf32>
  return %y, %dx, %dws#0, %dws#1, %dws#2, %dw : tensor<6x8xf32>, tensor<6x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>, tensor<6x2xf32>
}
