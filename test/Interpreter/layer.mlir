// A whole MoE layer on 32 ranks: the baseline against its deduplicated form,
// dropping capacity or hidden, the latter cut in four and not in 4096.

// RUN: split-file %s %t
// RUN: moe-run %t/capacity.mlir --against=%t/base.mlir --symbolic | FileCheck %s
// RUN: moe-run %t/hidden.mlir --against=%t/base.mlir --symbolic --samples=6 --seed=3 | FileCheck %s --check-prefix=MORE
// RUN: not moe-run %t/wrong.mlir --against=%t/base.mlir --symbolic | FileCheck %s --check-prefix=WRONG

// CHECK: symbolic: 5 routing samples (seed 0), sums as multisets, {{[0-9]+}} terms
// CHECK-NEXT: equal: 32 ranks, 16777216 bytes
// CHECK-NOT: {{.}}

// MORE: symbolic: 6 routing samples (seed 3), sums as multisets, {{[0-9]+}} terms
// MORE-NEXT: equal: 32 ranks, 16777216 bytes

// Two pieces of the hidden dim are swapped by the last gather.
// WRONG: unequal: result 0, rank 0, index [0,0..1023], routing sample 0
// WRONG-NEXT: expected (0.0 + weighted(gate softmax top_k 2 normalize:f32 [4096x16]((arg0[0,0..1023]@{ep=0}, {{.*}} as in {{.*}}base.mlir
// WRONG-NEXT: got      (0.0 + weighted(gate softmax top_k 2 normalize:f32 [4096x16]((arg0[0,0..1023]@{ep=0}, {{.*}} in {{.*}}wrong.mlir
// WRONG-NEXT: where they part:
// WRONG-NEXT: expected experts swiglu [4096x1024]{{.*}}#0{{$}}
// WRONG-NEXT: got      experts swiglu [4096x1024]{{.*}}#1{{$}}

// Small enough for numbers, which agree to the bit.
// RUN: moe-run %t/small-capacity.mlir --against=%t/small.mlir | FileCheck %s --check-prefix=SMALL
// RUN: moe-run %t/small-hidden.mlir --against=%t/small.mlir | FileCheck %s --check-prefix=SMALL
// SMALL: values: seed 0, compared bit for bit
// SMALL-NEXT: equal: 32 ranks, 49152 bytes

//--- base.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [8, 4]
func.func @main(
    %x: tensor<64x4096xbf16> {moe.varying = ["ep"]},
    %router: tensor<4096x16xbf16> {moe.varying = []},
    %wg: tensor<2x4096x1024xbf16>, %wu: tensor<2x4096x1024xbf16>,
    %wd: tensor<2x1024x4096xbf16>) -> tensor<64x4096xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %router top_k 2 {normalize} : tensor<64x4096xbf16>, tensor<4096x16xbf16> -> tensor<64x2xi32>, tensor<64x2xf32>
    %buf, %slots = moe.permute choice %x by %ids : tensor<64x4096xbf16>, tensor<64x2xi32> -> tensor<8x2x12x4096xbf16>, tensor<64x2xi32>
    %d = moe.all_to_all %buf on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x4096xbf16> -> tensor<8x2x12x4096xbf16>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<8x2x12x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %e = moe.experts swiglu %t, %wg, %wu, %wd : tensor<2x8x12x4096xbf16>, tensor<2x4096x1024xbf16>, tensor<2x4096x1024xbf16>, tensor<2x1024x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %a = moe.all_reduce %e on <@mesh, ["tp"]> : tensor<2x8x12x4096xbf16>
    %u = moe.transpose %a [1, 0, 2, 3] : tensor<2x8x12x4096xbf16> -> tensor<8x2x12x4096xbf16>
    %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x4096xbf16> -> tensor<8x2x12x4096xbf16>
    %z = moe.unpermute %c by %slots weights %w : tensor<8x2x12x4096xbf16>, tensor<64x2xi32>, tensor<64x2xf32> -> tensor<64x4096xbf16>
    moe.yield %z : tensor<64x4096xbf16>
  } : tensor<64x4096xbf16>
  return %y : tensor<64x4096xbf16>
}
//--- capacity.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [8, 4]
func.func @main(
    %x: tensor<64x4096xbf16> {moe.varying = ["ep"]},
    %router: tensor<4096x16xbf16> {moe.varying = []},
    %wg: tensor<2x4096x1024xbf16>, %wu: tensor<2x4096x1024xbf16>,
    %wd: tensor<2x1024x4096xbf16>) -> tensor<64x4096xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %router top_k 2 {normalize} : tensor<64x4096xbf16>, tensor<4096x16xbf16> -> tensor<64x2xi32>, tensor<64x2xf32>
    %buf, %slots = moe.permute choice %x by %ids : tensor<64x4096xbf16>, tensor<64x2xi32> -> tensor<8x2x12x4096xbf16>, tensor<64x2xi32>
    %b = moe.drop %buf on <@mesh, ["tp"]> dim 2 : tensor<8x2x12x4096xbf16> -> tensor<8x2x3x4096xbf16>
    %s = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x3x4096xbf16> -> tensor<8x2x3x4096xbf16>
    %d = moe.all_gather %s on <@mesh, ["tp"]> dim 2 : tensor<8x2x3x4096xbf16> -> tensor<8x2x12x4096xbf16>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<8x2x12x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %e = moe.experts swiglu %t, %wg, %wu, %wd : tensor<2x8x12x4096xbf16>, tensor<2x4096x1024xbf16>, tensor<2x4096x1024xbf16>, tensor<2x1024x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %a = moe.reduce_scatter %e on <@mesh, ["tp"]> dim 2 : tensor<2x8x12x4096xbf16> -> tensor<2x8x3x4096xbf16>
    %u = moe.transpose %a [1, 0, 2, 3] : tensor<2x8x3x4096xbf16> -> tensor<8x2x3x4096xbf16>
    %q = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x3x4096xbf16> -> tensor<8x2x3x4096xbf16>
    %c = moe.all_gather %q on <@mesh, ["tp"]> dim 2 : tensor<8x2x3x4096xbf16> -> tensor<8x2x12x4096xbf16>
    %z = moe.unpermute %c by %slots weights %w : tensor<8x2x12x4096xbf16>, tensor<64x2xi32>, tensor<64x2xf32> -> tensor<64x4096xbf16>
    moe.yield %z : tensor<64x4096xbf16>
  } : tensor<64x4096xbf16>
  return %y : tensor<64x4096xbf16>
}
//--- hidden.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [8, 4]
func.func @main(
    %x: tensor<64x4096xbf16> {moe.varying = ["ep"]},
    %router: tensor<4096x16xbf16> {moe.varying = []},
    %wg: tensor<2x4096x1024xbf16>, %wu: tensor<2x4096x1024xbf16>,
    %wd: tensor<2x1024x4096xbf16>) -> tensor<64x4096xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %router top_k 2 {normalize} : tensor<64x4096xbf16>, tensor<4096x16xbf16> -> tensor<64x2xi32>, tensor<64x2xf32>
    %buf, %slots = moe.permute choice %x by %ids : tensor<64x4096xbf16>, tensor<64x2xi32> -> tensor<8x2x12x4096xbf16>, tensor<64x2xi32>
    %b = moe.drop %buf on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x4096xbf16> -> tensor<8x2x12x1024xbf16>
    %s = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x1024xbf16>
    %d = moe.all_gather %s on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x4096xbf16>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<8x2x12x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %e = moe.experts swiglu %t, %wg, %wu, %wd : tensor<2x8x12x4096xbf16>, tensor<2x4096x1024xbf16>, tensor<2x4096x1024xbf16>, tensor<2x1024x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %a = moe.reduce_scatter %e on <@mesh, ["tp"]> dim 3 : tensor<2x8x12x4096xbf16> -> tensor<2x8x12x1024xbf16>
    %u = moe.transpose %a [1, 0, 2, 3] : tensor<2x8x12x1024xbf16> -> tensor<8x2x12x1024xbf16>
    %q = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x1024xbf16>
    %c = moe.all_gather %q on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x4096xbf16>
    %z = moe.unpermute %c by %slots weights %w : tensor<8x2x12x4096xbf16>, tensor<64x2xi32>, tensor<64x2xf32> -> tensor<64x4096xbf16>
    moe.yield %z : tensor<64x4096xbf16>
  } : tensor<64x4096xbf16>
  return %y : tensor<64x4096xbf16>
}
//--- wrong.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [8, 4]
func.func @main(
    %x: tensor<64x4096xbf16> {moe.varying = ["ep"]},
    %router: tensor<4096x16xbf16> {moe.varying = []},
    %wg: tensor<2x4096x1024xbf16>, %wu: tensor<2x4096x1024xbf16>,
    %wd: tensor<2x1024x4096xbf16>) -> tensor<64x4096xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %router top_k 2 {normalize} : tensor<64x4096xbf16>, tensor<4096x16xbf16> -> tensor<64x2xi32>, tensor<64x2xf32>
    %buf, %slots = moe.permute choice %x by %ids : tensor<64x4096xbf16>, tensor<64x2xi32> -> tensor<8x2x12x4096xbf16>, tensor<64x2xi32>
    %b = moe.drop %buf on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x4096xbf16> -> tensor<8x2x12x1024xbf16>
    %s = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x1024xbf16>
    %d = moe.all_gather %s on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x4096xbf16>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<8x2x12x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %e = moe.experts swiglu %t, %wg, %wu, %wd : tensor<2x8x12x4096xbf16>, tensor<2x4096x1024xbf16>, tensor<2x4096x1024xbf16>, tensor<2x1024x4096xbf16> -> tensor<2x8x12x4096xbf16>
    %a = moe.reduce_scatter %e on <@mesh, ["tp"]> dim 3 : tensor<2x8x12x4096xbf16> -> tensor<2x8x12x1024xbf16>
    %u = moe.transpose %a [1, 0, 2, 3] : tensor<2x8x12x1024xbf16> -> tensor<8x2x12x1024xbf16>
    %q = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x1024xbf16>
    %c = moe.all_gather %q on [[1, 0, 2, 3], [5, 4, 6, 7], [9, 8, 10, 11], [13, 12, 14, 15], [17, 16, 18, 19], [21, 20, 22, 23], [25, 24, 26, 27], [29, 28, 30, 31]] dim 3 : tensor<8x2x12x1024xbf16> -> tensor<8x2x12x4096xbf16>
    %z = moe.unpermute %c by %slots weights %w : tensor<8x2x12x4096xbf16>, tensor<64x2xi32>, tensor<64x2xf32> -> tensor<64x4096xbf16>
    moe.yield %z : tensor<64x4096xbf16>
  } : tensor<64x4096xbf16>
  return %y : tensor<64x4096xbf16>
}
//--- small.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [8, 4]
func.func @main(
    %x: tensor<64x12xbf16> {moe.varying = ["ep"]},
    %router: tensor<12x16xbf16> {moe.varying = []},
    %wg: tensor<2x12x5xbf16>, %wu: tensor<2x12x5xbf16>,
    %wd: tensor<2x5x12xbf16>) -> tensor<64x12xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %router top_k 2 {normalize} : tensor<64x12xbf16>, tensor<12x16xbf16> -> tensor<64x2xi32>, tensor<64x2xf32>
    %buf, %slots = moe.permute choice %x by %ids : tensor<64x12xbf16>, tensor<64x2xi32> -> tensor<8x2x12x12xbf16>, tensor<64x2xi32>
    %d = moe.all_to_all %buf on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x12xbf16> -> tensor<8x2x12x12xbf16>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<8x2x12x12xbf16> -> tensor<2x8x12x12xbf16>
    %e = moe.experts swiglu %t, %wg, %wu, %wd : tensor<2x8x12x12xbf16>, tensor<2x12x5xbf16>, tensor<2x12x5xbf16>, tensor<2x5x12xbf16> -> tensor<2x8x12x12xbf16>
    %a = moe.all_reduce %e on <@mesh, ["tp"]> : tensor<2x8x12x12xbf16>
    %u = moe.transpose %a [1, 0, 2, 3] : tensor<2x8x12x12xbf16> -> tensor<8x2x12x12xbf16>
    %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x12xbf16> -> tensor<8x2x12x12xbf16>
    %z = moe.unpermute %c by %slots weights %w : tensor<8x2x12x12xbf16>, tensor<64x2xi32>, tensor<64x2xf32> -> tensor<64x12xbf16>
    moe.yield %z : tensor<64x12xbf16>
  } : tensor<64x12xbf16>
  return %y : tensor<64x12xbf16>
}
//--- small-capacity.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [8, 4]
func.func @main(
    %x: tensor<64x12xbf16> {moe.varying = ["ep"]},
    %router: tensor<12x16xbf16> {moe.varying = []},
    %wg: tensor<2x12x5xbf16>, %wu: tensor<2x12x5xbf16>,
    %wd: tensor<2x5x12xbf16>) -> tensor<64x12xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %router top_k 2 {normalize} : tensor<64x12xbf16>, tensor<12x16xbf16> -> tensor<64x2xi32>, tensor<64x2xf32>
    %buf, %slots = moe.permute choice %x by %ids : tensor<64x12xbf16>, tensor<64x2xi32> -> tensor<8x2x12x12xbf16>, tensor<64x2xi32>
    %b = moe.drop %buf on <@mesh, ["tp"]> dim 2 : tensor<8x2x12x12xbf16> -> tensor<8x2x3x12xbf16>
    %s = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x3x12xbf16> -> tensor<8x2x3x12xbf16>
    %d = moe.all_gather %s on <@mesh, ["tp"]> dim 2 : tensor<8x2x3x12xbf16> -> tensor<8x2x12x12xbf16>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<8x2x12x12xbf16> -> tensor<2x8x12x12xbf16>
    %e = moe.experts swiglu %t, %wg, %wu, %wd : tensor<2x8x12x12xbf16>, tensor<2x12x5xbf16>, tensor<2x12x5xbf16>, tensor<2x5x12xbf16> -> tensor<2x8x12x12xbf16>
    %a = moe.reduce_scatter %e on <@mesh, ["tp"]> dim 2 : tensor<2x8x12x12xbf16> -> tensor<2x8x3x12xbf16>
    %u = moe.transpose %a [1, 0, 2, 3] : tensor<2x8x3x12xbf16> -> tensor<8x2x3x12xbf16>
    %q = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x3x12xbf16> -> tensor<8x2x3x12xbf16>
    %c = moe.all_gather %q on <@mesh, ["tp"]> dim 2 : tensor<8x2x3x12xbf16> -> tensor<8x2x12x12xbf16>
    %z = moe.unpermute %c by %slots weights %w : tensor<8x2x12x12xbf16>, tensor<64x2xi32>, tensor<64x2xf32> -> tensor<64x12xbf16>
    moe.yield %z : tensor<64x12xbf16>
  } : tensor<64x12xbf16>
  return %y : tensor<64x12xbf16>
}
//--- small-hidden.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [8, 4]
func.func @main(
    %x: tensor<64x12xbf16> {moe.varying = ["ep"]},
    %router: tensor<12x16xbf16> {moe.varying = []},
    %wg: tensor<2x12x5xbf16>, %wu: tensor<2x12x5xbf16>,
    %wd: tensor<2x5x12xbf16>) -> tensor<64x12xbf16> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %router top_k 2 {normalize} : tensor<64x12xbf16>, tensor<12x16xbf16> -> tensor<64x2xi32>, tensor<64x2xf32>
    %buf, %slots = moe.permute choice %x by %ids : tensor<64x12xbf16>, tensor<64x2xi32> -> tensor<8x2x12x12xbf16>, tensor<64x2xi32>
    %b = moe.drop %buf on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x12xbf16> -> tensor<8x2x12x3xbf16>
    %s = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x3xbf16> -> tensor<8x2x12x3xbf16>
    %d = moe.all_gather %s on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x3xbf16> -> tensor<8x2x12x12xbf16>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<8x2x12x12xbf16> -> tensor<2x8x12x12xbf16>
    %e = moe.experts swiglu %t, %wg, %wu, %wd : tensor<2x8x12x12xbf16>, tensor<2x12x5xbf16>, tensor<2x12x5xbf16>, tensor<2x5x12xbf16> -> tensor<2x8x12x12xbf16>
    %a = moe.reduce_scatter %e on <@mesh, ["tp"]> dim 3 : tensor<2x8x12x12xbf16> -> tensor<2x8x12x3xbf16>
    %u = moe.transpose %a [1, 0, 2, 3] : tensor<2x8x12x3xbf16> -> tensor<8x2x12x3xbf16>
    %q = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x12x3xbf16> -> tensor<8x2x12x3xbf16>
    %c = moe.all_gather %q on <@mesh, ["tp"]> dim 3 : tensor<8x2x12x3xbf16> -> tensor<8x2x12x12xbf16>
    %z = moe.unpermute %c by %slots weights %w : tensor<8x2x12x12xbf16>, tensor<64x2xi32>, tensor<64x2xf32> -> tensor<64x12xbf16>
    moe.yield %z : tensor<64x12xbf16>
  } : tensor<64x12xbf16>
  return %y : tensor<64x12xbf16>
}
