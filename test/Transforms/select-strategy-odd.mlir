// RUN: split-file %s %t && cd %t
// DEFINE: %{args} =
// DEFINE: %{run} = moe-opt --moe-select-strategy="platform=dgx-h100 %{args}" --remarks-full --remarks-filter=moe-select-strategy -o %t/out

// Nothing can be cut from tensors without elements, nor dropped.
// RUN: %{run} empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: layer 0: baseline,
// EMPTY-SAME: no chunked, communication: pipelines over empty operands are not supported
// REDEFINE: %{args} = strategy=o2
// RUN: not %{run} empty.mlir 2>&1 | FileCheck %s --check-prefix=FORCED
// FORCED: layer 0: no variant of strategy=o2 degree=auto is possible

// What sends nothing twice has no o1, even where a gather could be moved.
// REDEFINE: %{args} =
// RUN: %{run} split.mlir 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: no slice along dim 2: already deduplicated
// REDEFINE: %{args} = strategy=o1
// RUN: not %{run} split.mlir 2>&1 | FileCheck %s --check-prefix=SPLITFORCED
// SPLITFORCED: layer 0: no variant of strategy=o1 degree=auto is possible

// A layer that exchanges nothing, and a module without layers.
// REDEFINE: %{args} =
// RUN: %{run} local.mlir 2>&1 | FileCheck %s --check-prefix=LOCAL
// LOCAL: [Missed] strategy {{.*}}layer 0: expected an all-to-all, the layer has none
// RUN: %{run} none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: [Missed] strategy {{.*}}expected a moe.layer to choose a variant for, found none
// REDEFINE: %{args} = degree=4
// RUN: not %{run} local.mlir 2>&1 | FileCheck %s --check-prefix=LOCALFORCED
// LOCALFORCED: error: moe-select-strategy: layer 0: expected an all-to-all, the layer has none; got strategy=auto degree=4
// REDEFINE: %{args} = strategy=baseline
// RUN: not %{run} none.mlir 2>&1 | FileCheck %s --check-prefix=NONEFORCED
// NONEFORCED: error: moe-select-strategy: expected a moe.layer to choose a variant for, found none; got strategy=baseline degree=auto

// Fitted parameters are named where they are in effect.
// RUN: moe-opt empty.mlir --moe-compile="to=pipeline platform=a800-2x8" --remarks-full --remarks-filter=moe-select-strategy -o %t/out 2>&1 | FileCheck %s --check-prefix=FITTED
// FITTED: with parameters fitted to published results
// RUN: moe-opt empty.mlir --moe-compile="to=pipeline platform=a800-2x8 ignore-fitted=true" --remarks-full --remarks-filter=moe-select-strategy -o %t/out 2>&1 | FileCheck %s --check-prefix=STATED
// STATED: layer 0: baseline,
// STATED-NOT: fitted

//--- empty.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<4x0x4x8xf32> {moe.varying = ["ep"]}) -> tensor<4x0x4x8xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x0x4x8xf32> -> tensor<4x0x4x8xf32>
    moe.yield %a : tensor<4x0x4x8xf32>
  } : tensor<4x0x4x8xf32>
  return %r : tensor<4x0x4x8xf32>
}

//--- split.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<4x2x4x8xf32>) -> tensor<4x2x8x8xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x4x8xf32> -> tensor<4x2x4x8xf32>
    %g = moe.all_gather %a on <@mesh, ["tp"]> dim 2 : tensor<4x2x4x8xf32> -> tensor<4x2x8x8xf32>
    moe.yield %g : tensor<4x2x8x8xf32>
  } : tensor<4x2x8x8xf32>
  return %r : tensor<4x2x8x8xf32>
}

//--- local.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [1, 2]
func.func @main(%x: tensor<4x8xf32> {moe.varying = []}) -> tensor<4x8xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4x8xf32>
    moe.yield %a : tensor<4x8xf32>
  } : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

//--- none.mlir
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}
