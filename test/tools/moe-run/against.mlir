// Two programs on the same arguments.

// RUN: split-file %s %t
// DEFINE: %{exits} = %python %S/Inputs/exit_code.py

// RUN: moe-run %t/same.mlir --against=%t/base.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t/same.mlir --against=%t/base.mlir --symbolic | FileCheck %s --check-prefix=PROOF
// RUN: moe-run %t/base.mlir --against=%t/base.mlir --seed=7 | FileCheck %s --check-prefix=SEED
// 4 ranks, 2x3 bf16, an index and an i1: 4 * (12 + 8 + 1).
// EQUAL: {{^}}values: seed 0, compared bit for bit
// EQUAL-NEXT: {{^}}equal: 4 ranks, 84 bytes{{$}}
// EQUAL-NOT: {{.}}
// PROOF: {{^}}symbolic: 16 routing samples (seed 0), sums as multisets, {{[0-9]+}} terms{{$}}
// PROOF-NEXT: {{^}}equal: 4 ranks, 84 bytes{{$}}
// PROOF-NOT: {{.}}
// SEED: values: seed 7

// The index differs on ranks 1 and 3.
// RUN: %{exits} 1 moe-run %t/index.mlir --against=%t/base.mlir | FileCheck %s --check-prefix=INDEX
// RUN: %{exits} 1 moe-run %t/index.mlir --against=%t/base.mlir --symbolic | FileCheck %s --check-prefix=INDEX
// INDEX: {{^}}unequal: result 1, rank 1{{($|, routing sample 0$)}}
// INDEX-NEXT: {{^}}  expected 1 as in {{.*}}base.mlir{{$}}
// INDEX-NEXT: {{^}}  got      0 in {{.*}}index.mlir{{$}}
// INDEX-NOT: {{.}}

// RUN: %{exits} 1 moe-run %t/element.mlir --against=%t/base.mlir | FileCheck %s --check-prefix=ELEMENT
// ELEMENT: unequal: result 0, rank 0, index [1,2]
// ELEMENT-NEXT: expected {{-?[0-9.]+}} as in
// ELEMENT-NEXT: got      7 in
// RUN: %{exits} 1 moe-run %t/element.mlir --against=%t/base.mlir --symbolic | FileCheck %s --check-prefix=TERM
// TERM: unequal: result 0, rank 0, index [1,2]
// TERM-NEXT: expected (arg0[1,2]@{ep=0} + arg0[1,2]@{ep=1}) as in {{.*}}base.mlir
// TERM-NEXT: got      7.0 in {{.*}}element.mlir

// RUN: %{exits} 1 moe-run %t/dynamic.mlir --against=%t/dynamic-base.mlir | FileCheck %s --check-prefix=SHAPE
// SHAPE: unequal: result 0, rank 1
// SHAPE-NEXT: expected shape 0 as in
// SHAPE-NEXT: got      shape 1 in
// RUN: moe-run %t/dynamic.mlir --against=%t/dynamic.mlir | FileCheck %s --check-prefix=BYTES
// BYTES: equal: 2 ranks, 4 bytes

// An op nobody knows is one function wherever it stands; 2 counts its places
// in both programs. With other attributes it is another function.
// RUN: moe-run %t/unknown-gather.mlir --against=%t/unknown.mlir --symbolic | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: symbolic: no routing, sums as multisets, {{[0-9]+}} terms
// UNKNOWN-NEXT: {{^}}uninterpreted: my.op (2){{$}}
// UNKNOWN-NEXT: {{^}}equal: 4 ranks, 128 bytes{{$}}
// RUN: sed s/alpha/beta/ %t/unknown-gather.mlir > %t/unknown-beta.mlir
// RUN: %{exits} 1 moe-run %t/unknown-beta.mlir --against=%t/unknown.mlir --symbolic | FileCheck %s --check-prefix=BETA
// BETA: unequal: result 0, rank 0, index [0,0]
// BETA-NEXT: expected math.exp:f32(my.op{kind = "alpha"}:f32 -> tensor<4x2xf32>, tensor<4x2xf32>((arg0[0,0]@{ep=0}, {{.*}}))#0) as in
// BETA-NEXT: got      math.exp:f32(my.op{kind = "beta"}:f32 -> tensor<4x2xf32>, tensor<4x2xf32>((arg0[0,0]@{ep=0}, {{.*}}))#0) in
// BETA-NEXT: where they part:
// BETA-NEXT: expected my.op{kind = "alpha"}
// BETA-NEXT: got      my.op{kind = "beta"}

//--- base.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}, %c: i1) -> (tensor<2x3xbf16>, index, i1) {
  %y = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2x3xbf16>
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  return %y, %i, %c : tensor<2x3xbf16>, index, i1
}
//--- same.mlir
// The same mesh, named otherwise.
moe.mesh @ranks axes ["outer", "inner", "one"] shape [2, 2, 1]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["outer"]}, %c: i1) -> (tensor<2x3xbf16>, index, i1) {
  %z = moe.all_gather %x on <@ranks, ["outer"]> dim 0 : tensor<2x3xbf16> -> tensor<4x3xbf16>
  %a = tensor.extract_slice %z[0, 0] [2, 3] [1, 1] : tensor<4x3xbf16> to tensor<2x3xbf16>
  %b = tensor.extract_slice %z[2, 0] [2, 3] [1, 1] : tensor<4x3xbf16> to tensor<2x3xbf16>
  %y = arith.addf %b, %a : tensor<2x3xbf16>
  %i = moe.group_rank on <@ranks, ["inner"]> : index
  return %y, %i, %c : tensor<2x3xbf16>, index, i1
}
//--- index.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}, %c: i1) -> (tensor<2x3xbf16>, index, i1) {
  %y = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2x3xbf16>
  %i = arith.constant 0 : index
  return %y, %i, %c : tensor<2x3xbf16>, index, i1
}
//--- element.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}, %c: i1) -> (tensor<2x3xbf16>, index, i1) {
  %y = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2x3xbf16>
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %seven = arith.constant 7.0 : bf16
  %z = tensor.insert %seven into %y[%one, %two] : tensor<2x3xbf16>
  return %z, %i, %c : tensor<2x3xbf16>, index, i1
}
//--- unknown.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<4x2xf32> {moe.varying = ["ep"]}) -> tensor<4x2xf32> {
  %y = "my.op"(%x) {kind = "alpha"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %z = math.exp %y : tensor<4x2xf32>
  return %z : tensor<4x2xf32>
}
//--- unknown-gather.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<4x2xf32> {moe.varying = ["ep"]}) -> tensor<4x2xf32> {
  %0 = moe.drop %x on <@mesh, ["tp"]> dim 0 : tensor<4x2xf32> -> tensor<2x2xf32>
  %1 = moe.all_gather %0 on <@mesh, ["tp"]> dim 0 : tensor<2x2xf32> -> tensor<4x2xf32>
  %y = "my.op"(%1) {kind = "alpha"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  // An elementwise one may be computed in parts.
  %2 = moe.drop %y on <@mesh, ["tp"]> dim 0 : tensor<4x2xf32> -> tensor<2x2xf32>
  %3 = math.exp %2 : tensor<2x2xf32>
  %4 = moe.all_gather %3 on <@mesh, ["tp"]> dim 0 : tensor<2x2xf32> -> tensor<4x2xf32>
  return %4 : tensor<4x2xf32>
}
//--- dynamic-base.mlir
func.func @main() -> tensor<?xf32> {
  %i = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %r = tensor.splat %f[%i] : tensor<?xf32>
  %j = moe.group_rank on [[0, 1]] : index
  return %r : tensor<?xf32>
}
//--- dynamic.mlir
func.func @main() -> tensor<?xf32> {
  %i = moe.group_rank on [[0, 1]] : index
  %f = arith.constant 1.0 : f32
  %r = tensor.splat %f[%i] : tensor<?xf32>
  return %r : tensor<?xf32>
}
