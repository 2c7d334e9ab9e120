// RUN: moe-run %s --entry=leaves --print-values --symbolic | FileCheck %s --check-prefix=LEAVES_SYMBOLIC
// RUN: moe-run %s --entry=shrunk --print-values --symbolic | FileCheck %s --check-prefix=SHRUNK_SYMBOLIC
// RUN: moe-run %s --entry=sums --print-values --symbolic | FileCheck %s --check-prefix=SUMS_SYMBOLIC
// RUN: moe-run %s --entry=known --print-values --symbolic | FileCheck %s --check-prefix=KNOWN_SYMBOLIC
// RUN: moe-run %s --entry=integers --print-values --symbolic --samples=2 | FileCheck %s --check-prefix=INTEGERS_SYMBOLICSAMPLES2
// RUN: moe-run %s --entry=modules --print-values --symbolic --samples=1 | FileCheck %s --check-prefix=MODULES_SYMBOLICSAMPLES1
// RUN: moe-run %s --entry=unknown --print-values --symbolic | FileCheck %s --check-prefix=UNKNOWN_SYMBOLIC

// What elements look like on terms.

moe.mesh @mesh axes ["dp", "ep"] shape [2, 2]

// An argument varies over the axes it names, over all without the attribute.
// LEAVES_SYMBOLIC: result 0: tensor<2x2xf32>
// LEAVES_SYMBOLIC-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// LEAVES_SYMBOLIC-NEXT: {{\[\[}}arg0[0,0]@{ep=0}, arg1[0]], [arg0[1,0]@{ep=0}, arg0[1,1]@{ep=0}]]{{$}}
// LEAVES_SYMBOLIC-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// LEAVES_SYMBOLIC-NEXT: {{\[\[}}arg0[0,0]@{ep=1}, arg1[0]], [arg0[1,0]@{ep=1}, arg0[1,1]@{ep=1}]]{{$}}
// LEAVES_SYMBOLIC-NEXT: result 1: tensor<1xf32>
// LEAVES_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// LEAVES_SYMBOLIC-NEXT: [arg1[0]]{{$}}
// LEAVES_SYMBOLIC-NEXT: result 2: f32
// LEAVES_SYMBOLIC-NEXT: rank 0: checksum {{[0-9a-f]+}}
// LEAVES_SYMBOLIC-NEXT: arg2@{dp=0,ep=0}{{$}}
// LEAVES_SYMBOLIC-NEXT: rank 1: checksum {{[0-9a-f]+}}
// LEAVES_SYMBOLIC-NEXT: arg2@{dp=0,ep=1}{{$}}
// LEAVES_SYMBOLIC-NEXT: rank 2: checksum {{[0-9a-f]+}}
// LEAVES_SYMBOLIC-NEXT: arg2@{dp=1,ep=0}{{$}}
// LEAVES_SYMBOLIC-NEXT: rank 3: checksum {{[0-9a-f]+}}
// LEAVES_SYMBOLIC-NEXT: arg2@{dp=1,ep=1}{{$}}
func.func @leaves(%a: tensor<2x2xf32> {moe.varying = ["ep"]}, %b: tensor<1xf32> {moe.varying = []}, %c: f32) -> (tensor<2x2xf32>, tensor<1xf32>, f32) {
  %x = tensor.insert_slice %b into %a[0, 1] [1, 1] [1, 1] : tensor<1xf32> into tensor<2x2xf32>
  return %x, %b, %c : tensor<2x2xf32>, tensor<1xf32>, f32
}

// Dim 0 is cut in blocks of 3, nobody looks at dim 1.
// SHRUNK_SYMBOLIC: result 0: tensor<6x100xf32>, shrunk to 2x1
// SHRUNK_SYMBOLIC-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// SHRUNK_SYMBOLIC-NEXT: {{\[\[}}arg0[0..2,*]@{ep=0}], [arg0[0..2,*]@{ep=1}]]{{$}}
// SHRUNK_SYMBOLIC-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// SHRUNK_SYMBOLIC-NEXT: {{\[\[}}arg0[3..5,*]@{ep=0}], [arg0[3..5,*]@{ep=1}]]{{$}}
func.func @shrunk(%a: tensor<6x100xf32> {moe.varying = ["ep"]}) -> tensor<6x100xf32> {
  %x = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<6x100xf32> -> tensor<6x100xf32>
  return %x : tensor<6x100xf32>
}

// Sums are flat and counted; other arithmetic is a function.
// SUMS_SYMBOLIC: result 0: tensor<1xf32>
// SUMS_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// SUMS_SYMBOLIC-NEXT: [(4*arg0[0] + 2*arg1[0]@{ep=0} + 2*arg1[0]@{ep=1})]{{$}}
// SUMS_SYMBOLIC-NEXT: result 1: tensor<1xf32>
// SUMS_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// SUMS_SYMBOLIC-NEXT: [max(arg1[0]@{ep=0}, arg1[0]@{ep=1})]{{$}}
// SUMS_SYMBOLIC-NEXT: result 2: tensor<1xf32>
// SUMS_SYMBOLIC-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// SUMS_SYMBOLIC-NEXT: [arith.subf:f32((4*arg0[0] + 2*arg1[0]@{ep=0} + 2*arg1[0]@{ep=1}), arg1[0]@{ep=0})]{{$}}
// SUMS_SYMBOLIC-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// SUMS_SYMBOLIC-NEXT: [arith.subf:f32((4*arg0[0] + 2*arg1[0]@{ep=0} + 2*arg1[0]@{ep=1}), arg1[0]@{ep=1})]{{$}}
// SUMS_SYMBOLIC-NEXT: result 3: tensor<1xf32>
// SUMS_SYMBOLIC-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// SUMS_SYMBOLIC-NEXT: [arith.divf:f32((arith.mulf:f32(arg0[0], arg1[0]@{ep=0})^2), arith.mulf:f32(arg0[0], arg1[0]@{ep=0}))]{{$}}
// SUMS_SYMBOLIC-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// SUMS_SYMBOLIC-NEXT: [arith.divf:f32((arith.mulf:f32(arg0[0], arg1[0]@{ep=1})^2), arith.mulf:f32(arg0[0], arg1[0]@{ep=1}))]{{$}}
func.func @sums(%a: tensor<1xf32> {moe.varying = []}, %b: tensor<1xf32> {moe.varying = ["ep"]}) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0 = arith.addf %a, %b : tensor<1xf32>
  %1 = moe.all_reduce %0 on <@mesh, ["dp", "ep"]> : tensor<1xf32>
  %2 = moe.all_reduce %b on <@mesh, ["dp", "ep"]> reduction max : tensor<1xf32>
  %3 = arith.subf %1, %b : tensor<1xf32>
  %4 = arith.mulf %b, %a : tensor<1xf32>
  %5 = arith.mulf %a, %b : tensor<1xf32>
  %6 = moe.all_reduce %4 on <@mesh, ["dp"]> reduction prod : tensor<1xf32>
  %7 = arith.divf %6, %5 : tensor<1xf32>
  return %1, %2, %3, %7 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// Known numbers are computed.
// KNOWN_SYMBOLIC: result 0: f32
// KNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// KNOWN_SYMBOLIC-NEXT: 3.0{{$}}
// KNOWN_SYMBOLIC-NEXT: result 1: i32
// KNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// KNOWN_SYMBOLIC-NEXT: 49{{$}}
// KNOWN_SYMBOLIC-NEXT: result 2: tensor<1xf32>
// KNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// KNOWN_SYMBOLIC-NEXT: [undefined]{{$}}
// KNOWN_SYMBOLIC-NEXT: result 3: i1
// KNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// KNOWN_SYMBOLIC-NEXT: true{{$}}
func.func @known() -> (f32, i32, tensor<1xf32>, i1) {
  %a = arith.constant 1.5 : f32
  %b = arith.constant 2.0 : f32
  %c = arith.mulf %a, %b : f32
  %i = arith.constant 7 : i32
  %j = arith.muli %i, %i : i32
  %u = tensor.empty() : tensor<1xf32>
  %k = arith.cmpi sgt, %j, %i : i32
  return %c, %j, %u, %k : f32, i32, tensor<1xf32>, i1
}

// Integer arguments are known numbers, drawn for every sample.
// INTEGERS_SYMBOLICSAMPLES2: routing sample 0
// INTEGERS_SYMBOLICSAMPLES2-NEXT: result 0: tensor<6xi32>
// INTEGERS_SYMBOLICSAMPLES2-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// INTEGERS_SYMBOLICSAMPLES2-NEXT: [{{(-?[0-9]+, ){5}-?[0-9]+\]$}}
// INTEGERS_SYMBOLICSAMPLES2-NEXT: routing sample 1
// INTEGERS_SYMBOLICSAMPLES2-NEXT: result 0: tensor<6xi32>
// INTEGERS_SYMBOLICSAMPLES2-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// INTEGERS_SYMBOLICSAMPLES2-NEXT: [{{(-?[0-9]+, ){5}-?[0-9]+\]$}}
func.func @integers(%a: tensor<6xi32> {moe.varying = []}) -> tensor<6xi32> {
  return %a : tensor<6xi32>
}

// A gate's and an expert's results are elements of a function of what they
// read; token 0 goes to the same expert on all ranks.
// MODULES_SYMBOLICSAMPLES1: routing sample 0
// MODULES_SYMBOLICSAMPLES1-NEXT: result 0: tensor<1x1xf32>
// MODULES_SYMBOLICSAMPLES1-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// MODULES_SYMBOLICSAMPLES1-NEXT: {{\[\[}}gate sigmoid top_k 1 normalize scale 2.5:f32 [8x2]((arg0[0,*]), (arg1[*,0], arg1[*,1]))#0]]{{$}}
// MODULES_SYMBOLICSAMPLES1-NEXT: result 1: tensor<2x1x8xf32>, shrunk to 2x1x1
// MODULES_SYMBOLICSAMPLES1-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// MODULES_SYMBOLICSAMPLES1-NEXT: {{\[\[}}[experts gpt gelu [8x4]((arg0[0,*]), (arg2[0,*,*]@{ep=0}), (arg3[0,*,*]@{ep=0}))#0]], {{\[\[}}experts gpt gelu [8x4]((arg0[0,*]), (arg2[1,*,*]@{ep=0}), (arg3[1,*,*]@{ep=0}))#0]]]{{$}}
// MODULES_SYMBOLICSAMPLES1-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// MODULES_SYMBOLICSAMPLES1-NEXT: {{\[\[}}[experts gpt gelu [8x4]((arg0[0,*]), (arg2[0,*,*]@{ep=1}), (arg3[0,*,*]@{ep=1}))#0]], {{\[\[}}experts gpt gelu [8x4]((arg0[0,*]), (arg2[1,*,*]@{ep=1}), (arg3[1,*,*]@{ep=1}))#0]]]{{$}}
// MODULES_SYMBOLICSAMPLES1-NEXT: result 2: tensor<1x8xf32>, shrunk to 1x1
// MODULES_SYMBOLICSAMPLES1-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// MODULES_SYMBOLICSAMPLES1-NEXT: {{\[\[}}(0.0 + weighted(gate sigmoid top_k 1 normalize scale 2.5:f32 [8x2]((arg0[0,*]), (arg1[*,0], arg1[*,1]))#0, experts gpt gelu [8x4]((arg0[0,*]), (arg2[1,*,*]@{ep=0}), (arg3[1,*,*]@{ep=0}))#0))]]{{$}}
// MODULES_SYMBOLICSAMPLES1-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// MODULES_SYMBOLICSAMPLES1-NEXT: {{\[\[}}(0.0 + weighted(gate sigmoid top_k 1 normalize scale 2.5:f32 [8x2]((arg0[0,*]), (arg1[*,0], arg1[*,1]))#0, experts gpt gelu [8x4]((arg0[0,*]), (arg2[1,*,*]@{ep=1}), (arg3[1,*,*]@{ep=1}))#0))]]{{$}}
func.func @modules(%x: tensor<1x8xf32> {moe.varying = []}, %r: tensor<8x2xf32> {moe.varying = []}, %w: tensor<2x8x4xf32> {moe.varying = ["ep"]}, %v: tensor<2x4x8xf32> {moe.varying = ["ep"]}) -> (tensor<1x1xf32>, tensor<2x1x8xf32>, tensor<1x8xf32>) {
  %ids, %p = moe.gate sigmoid %x, %r top_k 1 {normalize, scale = 2.5 : f64} : tensor<1x8xf32>, tensor<8x2xf32> -> tensor<1x1xi32>, tensor<1x1xf32>
  %c = moe.assemble %x, %x dim 0 : tensor<1x8xf32>, tensor<1x8xf32> -> tensor<2x8xf32>
  %b = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 1, 8] : tensor<2x8xf32> into tensor<2x1x8xf32>
  %y = moe.experts gpt %b, %w, %v : tensor<2x1x8xf32>, tensor<2x8x4xf32>, tensor<2x4x8xf32> -> tensor<2x1x8xf32>
  %s = arith.constant dense<1> : tensor<1x1xi32>
  %u = moe.unpermute %y by %s weights %p : tensor<2x1x8xf32>, tensor<1x1xi32>, tensor<1x1xf32> -> tensor<1x8xf32>
  return %p, %y, %u : tensor<1x1xf32>, tensor<2x1x8xf32>, tensor<1x8xf32>
}

// Ops without semantics, whole or by element; listed once for each place.
// UNKNOWN_SYMBOLIC: result 0: tensor<2xf32>
// UNKNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// UNKNOWN_SYMBOLIC-NEXT: [my.op{n = 3 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#0, my.op{n = 3 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#1]{{$}}
// UNKNOWN_SYMBOLIC-NEXT: result 1: tensor<2xf32>
// UNKNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// UNKNOWN_SYMBOLIC-NEXT: [math.clampf:f32(my.op{n = 4 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#0, arg0[0], arg0[0]), math.clampf:f32(my.op{n = 4 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#1, arg0[1], arg0[1])]{{$}}
// UNKNOWN_SYMBOLIC-NEXT: result 2: f32
// UNKNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// UNKNOWN_SYMBOLIC-NEXT: my.pair:f32:f32 -> f32 -> f32, tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]), (my.op{n = 3 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#0, my.op{n = 3 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#1))#0#0{{$}}
// UNKNOWN_SYMBOLIC-NEXT: result 3: f32
// UNKNOWN_SYMBOLIC-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// UNKNOWN_SYMBOLIC-NEXT: my.pair:f32:f32 -> f32 -> f32, tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]), (my.op{n = 3 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#0, my.op{n = 3 : i32}:f32 -> tensor<2xf32>, tensor<2xf32>((arg0[0], arg0[1]))#1))#1#0{{$}}
// UNKNOWN_SYMBOLIC-NEXT: uninterpreted: math.clampf (1){{$}}
// UNKNOWN_SYMBOLIC-NEXT: uninterpreted: my.op (2){{$}}
// UNKNOWN_SYMBOLIC-NEXT: uninterpreted: my.pair (1){{$}}
func.func @unknown(%a: tensor<2xf32> {moe.varying = []}) -> (tensor<2xf32>, tensor<2xf32>, f32, f32) {
  %0 = "my.op"(%a) {n = 3 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "my.op"(%a) {n = 4 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = math.clampf %1 to [%a, %a] : tensor<2xf32>
  %3:2 = "my.pair"(%a, %0) : (tensor<2xf32>, tensor<2xf32>) -> (f32, f32)
  return %0, %2, %3#0, %3#1 : tensor<2xf32>, tensor<2xf32>, f32, f32
}
