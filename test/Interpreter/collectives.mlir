// RUN: moe-run %s --entry=all_to_all --print-values | FileCheck %s --check-prefix=ALL_TO_ALL
// RUN: moe-run %s --entry=all_to_all_dims --print-values | FileCheck %s --check-prefix=ALL_TO_ALL_DIMS
// RUN: moe-run %s --entry=axis_order --print-values | FileCheck %s --check-prefix=AXIS_ORDER
// RUN: moe-run %s --entry=all_gather --print-values | FileCheck %s --check-prefix=ALL_GATHER
// RUN: moe-run %s --entry=reduce_scatter --print-values | FileCheck %s --check-prefix=REDUCE_SCATTER
// RUN: moe-run %s --entry=all_reduce --print-values | FileCheck %s --check-prefix=ALL_REDUCE
// RUN: moe-run %s --entry=permute --print-values | FileCheck %s --check-prefix=PERMUTE
// RUN: moe-run %s --entry=drop --print-values | FileCheck %s --check-prefix=DROP

moe.mesh @mesh axes ["g", "m"] shape [2, 2]

// Rank r = 2 g + m holds 10 r + [0, 1, 2, 3].
func.func private @numbers() -> tensor<4xf32> {
  %i = moe.group_rank on <@mesh, ["g", "m"]> : index
  %n = arith.index_cast %i : index to i32
  %f = arith.sitofp %n : i32 to f32
  %ten = arith.constant 10.0 : f32
  %p = arith.mulf %f, %ten : f32
  %s = tensor.splat %p : tensor<4xf32>
  %c = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %x = arith.addf %s, %c : tensor<4xf32>
  return %x : tensor<4xf32>
}

// ALL_TO_ALL: result 0: tensor<4xf32>
// ALL_TO_ALL-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ALL_TO_ALL-NEXT: [0, 1, 10, 11]{{$}}
// ALL_TO_ALL-NEXT: rank 1: checksum {{[0-9a-f]+}}
// ALL_TO_ALL-NEXT: [2, 3, 12, 13]{{$}}
// ALL_TO_ALL-NEXT: rank 2: checksum {{[0-9a-f]+}}
// ALL_TO_ALL-NEXT: [20, 21, 30, 31]{{$}}
// ALL_TO_ALL-NEXT: rank 3: checksum {{[0-9a-f]+}}
// ALL_TO_ALL-NEXT: [22, 23, 32, 33]{{$}}
func.func @all_to_all() -> tensor<4xf32> {
  %x = call @numbers() : () -> tensor<4xf32>
  %r = moe.all_to_all %x on <@mesh, ["m"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// ALL_TO_ALL_DIMS: result 0: tensor<1x4xf32>
// ALL_TO_ALL_DIMS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}0, 1, 20, 21]]{{$}}
// ALL_TO_ALL_DIMS-NEXT: rank 1: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}10, 11, 30, 31]]{{$}}
// ALL_TO_ALL_DIMS-NEXT: rank 2: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}2, 3, 22, 23]]{{$}}
// ALL_TO_ALL_DIMS-NEXT: rank 3: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}12, 13, 32, 33]]{{$}}
// ALL_TO_ALL_DIMS-NEXT: result 1: tensor<2x2xf32>
// ALL_TO_ALL_DIMS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}0, 1], [2, 3]]{{$}}
// ALL_TO_ALL_DIMS-NEXT: rank 1: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}10, 11], [12, 13]]{{$}}
// ALL_TO_ALL_DIMS-NEXT: rank 2: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}20, 21], [22, 23]]{{$}}
// ALL_TO_ALL_DIMS-NEXT: rank 3: checksum {{[0-9a-f]+}}
// ALL_TO_ALL_DIMS-NEXT: {{\[\[}}30, 31], [32, 33]]{{$}}
func.func @all_to_all_dims() -> (tensor<1x4xf32>, tensor<2x2xf32>) {
  %v = call @numbers() : () -> tensor<4xf32>
  %x = tensor.expand_shape %v [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %r = moe.all_to_all %x on <@mesh, ["g"]> split 0 concat 1 : tensor<2x2xf32> -> tensor<1x4xf32>
  %b = moe.all_to_all %r on <@mesh, ["g"]> split 1 concat 0 : tensor<1x4xf32> -> tensor<2x2xf32>
  return %r, %b : tensor<1x4xf32>, tensor<2x2xf32>
}

// AXIS_ORDER: result 0: tensor<4xf32>
// AXIS_ORDER-NEXT: rank 0: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [0, 10, 20, 30]{{$}}
// AXIS_ORDER-NEXT: rank 1: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [1, 11, 21, 31]{{$}}
// AXIS_ORDER-NEXT: rank 2: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [2, 12, 22, 32]{{$}}
// AXIS_ORDER-NEXT: rank 3: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [3, 13, 23, 33]{{$}}
// AXIS_ORDER-NEXT: result 1: tensor<4xf32>
// AXIS_ORDER-NEXT: rank 0: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [0, 20, 10, 30]{{$}}
// AXIS_ORDER-NEXT: rank 1: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [2, 22, 12, 32]{{$}}
// AXIS_ORDER-NEXT: rank 2: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [1, 21, 11, 31]{{$}}
// AXIS_ORDER-NEXT: rank 3: checksum {{[0-9a-f]+}}
// AXIS_ORDER-NEXT: [3, 23, 13, 33]{{$}}
func.func @axis_order() -> (tensor<4xf32>, tensor<4xf32>) {
  %x = call @numbers() : () -> tensor<4xf32>
  %r = moe.all_to_all %x on <@mesh, ["g", "m"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  %t = moe.all_to_all %x on <@mesh, ["m", "g"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  return %r, %t : tensor<4xf32>, tensor<4xf32>
}

// ALL_GATHER: result 0: tensor<8xf32>
// ALL_GATHER-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// ALL_GATHER-NEXT: [0, 1, 2, 3, 20, 21, 22, 23]{{$}}
// ALL_GATHER-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// ALL_GATHER-NEXT: [10, 11, 12, 13, 30, 31, 32, 33]{{$}}
// ALL_GATHER-NEXT: result 1: tensor<2x4xf32>
// ALL_GATHER-NEXT: ranks 0-1: checksum {{[0-9a-f]+}}
// ALL_GATHER-NEXT: {{\[\[}}10, 11, 0, 1], [12, 13, 2, 3]]{{$}}
// ALL_GATHER-NEXT: ranks 2-3: checksum {{[0-9a-f]+}}
// ALL_GATHER-NEXT: {{\[\[}}30, 31, 20, 21], [32, 33, 22, 23]]{{$}}
func.func @all_gather() -> (tensor<8xf32>, tensor<2x4xf32>) {
  %x = call @numbers() : () -> tensor<4xf32>
  %r = moe.all_gather %x on <@mesh, ["g"]> dim 0 : tensor<4xf32> -> tensor<8xf32>
  %y = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %s = moe.all_gather %y on [[1, 0], [3, 2]] dim 1 : tensor<2x2xf32> -> tensor<2x4xf32>
  return %r, %s : tensor<8xf32>, tensor<2x4xf32>
}

// REDUCE_SCATTER: result 0: tensor<2xf32>
// REDUCE_SCATTER-NEXT: rank 0: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [10, 12]{{$}}
// REDUCE_SCATTER-NEXT: rank 1: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [14, 16]{{$}}
// REDUCE_SCATTER-NEXT: rank 2: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [50, 52]{{$}}
// REDUCE_SCATTER-NEXT: rank 3: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [54, 56]{{$}}
// REDUCE_SCATTER-NEXT: result 1: tensor<2xf32>
// REDUCE_SCATTER-NEXT: rank 0: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [10, 11]{{$}}
// REDUCE_SCATTER-NEXT: rank 1: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [12, 13]{{$}}
// REDUCE_SCATTER-NEXT: rank 2: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [30, 31]{{$}}
// REDUCE_SCATTER-NEXT: rank 3: checksum {{[0-9a-f]+}}
// REDUCE_SCATTER-NEXT: [32, 33]{{$}}
func.func @reduce_scatter() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = call @numbers() : () -> tensor<4xf32>
  %r = moe.reduce_scatter %x on <@mesh, ["m"]> dim 0 : tensor<4xf32> -> tensor<2xf32>
  %m = moe.reduce_scatter %x on <@mesh, ["m"]> dim 0 reduction max : tensor<4xf32> -> tensor<2xf32>
  return %r, %m : tensor<2xf32>, tensor<2xf32>
}

// ALL_REDUCE: result 0: tensor<4xf32>
// ALL_REDUCE-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// ALL_REDUCE-NEXT: [60, 64, 68, 72]{{$}}
// ALL_REDUCE-NEXT: result 1: tensor<4xf32>
// ALL_REDUCE-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// ALL_REDUCE-NEXT: [0, 1, 2, 3]{{$}}
// ALL_REDUCE-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// ALL_REDUCE-NEXT: [10, 11, 12, 13]{{$}}
// ALL_REDUCE-NEXT: result 2: tensor<4xf32>
// ALL_REDUCE-NEXT: ranks 0-1: checksum {{[0-9a-f]+}}
// ALL_REDUCE-NEXT: [0, 11, 24, 39]{{$}}
// ALL_REDUCE-NEXT: ranks 2-3: checksum {{[0-9a-f]+}}
// ALL_REDUCE-NEXT: [600, 651, 704, 759]{{$}}
// ALL_REDUCE-NEXT: result 3: tensor<4xi8>
// ALL_REDUCE-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// ALL_REDUCE-NEXT: [0, -7, 0, -95]{{$}}
func.func @all_reduce() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi8>) {
  %x = call @numbers() : () -> tensor<4xf32>
  %s = moe.all_reduce %x on <@mesh, ["g", "m"]> : tensor<4xf32>
  %n = moe.all_reduce %x on <@mesh, ["g"]> reduction min : tensor<4xf32>
  %p = moe.all_reduce %x on <@mesh, ["m"]> reduction prod : tensor<4xf32>
  %i = arith.fptosi %x : tensor<4xf32> to tensor<4xi8>
  %b = moe.all_reduce %i on <@mesh, ["g", "m"]> reduction prod : tensor<4xi8>
  return %s, %n, %p, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi8>
}

// DROP: result 0: tensor<2xf32>
// DROP-NEXT: rank 0: checksum {{[0-9a-f]+}}
// DROP-NEXT: [0, 1]{{$}}
// DROP-NEXT: rank 1: checksum {{[0-9a-f]+}}
// DROP-NEXT: [10, 11]{{$}}
// DROP-NEXT: rank 2: checksum {{[0-9a-f]+}}
// DROP-NEXT: [22, 23]{{$}}
// DROP-NEXT: rank 3: checksum {{[0-9a-f]+}}
// DROP-NEXT: [32, 33]{{$}}
// DROP-NEXT: result 1: tensor<1xf32>
// DROP-NEXT: rank 0: checksum {{[0-9a-f]+}}
// DROP-NEXT: [0]{{$}}
// DROP-NEXT: rank 1: checksum {{[0-9a-f]+}}
// DROP-NEXT: [12]{{$}}
// DROP-NEXT: rank 2: checksum {{[0-9a-f]+}}
// DROP-NEXT: [21]{{$}}
// DROP-NEXT: rank 3: checksum {{[0-9a-f]+}}
// DROP-NEXT: [33]{{$}}
// DROP-NEXT: result 2: index
// DROP-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// DROP-NEXT: 0{{$}}
// DROP-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// DROP-NEXT: 1{{$}}
// DROP-NEXT: result 3: index
// DROP-NEXT: rank 0: checksum {{[0-9a-f]+}}
// DROP-NEXT: 1{{$}}
// DROP-NEXT: rank 1: checksum {{[0-9a-f]+}}
// DROP-NEXT: 2{{$}}
// DROP-NEXT: rank 2: checksum {{[0-9a-f]+}}
// DROP-NEXT: 3{{$}}
// DROP-NEXT: rank 3: checksum {{[0-9a-f]+}}
// DROP-NEXT: 0{{$}}
func.func @drop() -> (tensor<2xf32>, tensor<1xf32>, index, index) {
  %x = call @numbers() : () -> tensor<4xf32>
  %r = moe.drop %x on <@mesh, ["g"]> dim 0 : tensor<4xf32> -> tensor<2xf32>
  %s = moe.drop %x on <@mesh, ["m", "g"]> dim 0 : tensor<4xf32> -> tensor<1xf32>
  %i = moe.group_rank on <@mesh, ["m"]> : index
  %j = moe.group_rank on [[3, 0, 1, 2]] : index
  return %r, %s, %i, %j : tensor<2xf32>, tensor<1xf32>, index, index
}

// Along g from 0 to 1; position 0 receives nothing.
// PERMUTE: result 0: tensor<4xf32>
// PERMUTE-NEXT: ranks 0-1: checksum {{[0-9a-f]+}}
// PERMUTE-NEXT: [0, 0, 0, 0]{{$}}
// PERMUTE-NEXT: rank 2: checksum {{[0-9a-f]+}}
// PERMUTE-NEXT: [0, 1, 2, 3]{{$}}
// PERMUTE-NEXT: rank 3: checksum {{[0-9a-f]+}}
// PERMUTE-NEXT: [10, 11, 12, 13]{{$}}
// PERMUTE-NEXT: result 1: tensor<4xf32>
// PERMUTE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// PERMUTE-NEXT: [30, 31, 32, 33]{{$}}
// PERMUTE-NEXT: rank 1: checksum {{[0-9a-f]+}}
// PERMUTE-NEXT: [20, 21, 22, 23]{{$}}
// PERMUTE-NEXT: rank 2: checksum {{[0-9a-f]+}}
// PERMUTE-NEXT: [0, 1, 2, 3]{{$}}
// PERMUTE-NEXT: rank 3: checksum {{[0-9a-f]+}}
// PERMUTE-NEXT: [10, 11, 12, 13]{{$}}
func.func @permute() -> (tensor<4xf32>, tensor<4xf32>) {
  %x = call @numbers() : () -> tensor<4xf32>
  %a = moe.collective_permute %x on <@mesh, ["g"]> from [0] to [1] : tensor<4xf32>
  %b = moe.collective_permute %x on <@mesh, ["g", "m"]> from [3, 2, 0, 1] to [0, 1, 2, 3] : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
