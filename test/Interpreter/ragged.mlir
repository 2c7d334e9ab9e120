// RUN: moe-run %s --entry=picture --print-values | FileCheck %s --check-prefix=PICTURE
// RUN: moe-run %s --entry=uneven --print-values | FileCheck %s --check-prefix=UNEVEN

// The picture of moe.ragged_all_to_all.

moe.mesh @mesh axes ["ep"] shape [2]

func.func private @rank() -> i32 {
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %n = arith.index_cast %i : index to i32
  return %n : i32
}

// Rows 0, 1, 2 on rank 0 and 10, 11, 12 on rank 1, two elements each.
func.func private @rows() -> tensor<3x2xf32> {
  %n = call @rank() : () -> i32
  %f = arith.sitofp %n : i32 to f32
  %ten = arith.constant 10.0 : f32
  %p = arith.mulf %f, %ten : f32
  %s = tensor.splat %p : tensor<3x2xf32>
  %c = arith.constant dense<[[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]]> : tensor<3x2xf32>
  %x = arith.addf %s, %c : tensor<3x2xf32>
  return %x : tensor<3x2xf32>
}

// PICTURE: result 0: tensor<4x2xf32>
// PICTURE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// PICTURE-NEXT: {{\[\[}}0, 0.5], [10, 10.5], [-1, -1], [-1, -1]]{{$}}
// PICTURE-NEXT: rank 1: checksum {{[0-9a-f]+}}
// PICTURE-NEXT: {{\[\[}}1, 1.5], [2, 2.5], [11, 11.5], [-1, -1]]{{$}}
func.func @picture() -> tensor<4x2xf32> {
  %n = call @rank() : () -> i32
  %x = call @rows() : () -> tensor<3x2xf32>
  %z = arith.constant dense<-1.0> : tensor<4x2xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  // Rank 0 sends 1 and 2 rows, rank 1 sends 1 and 1.
  %last = arith.subi %c2, %n : i32
  %send = tensor.from_elements %c1, %last : tensor<2xi32>
  %so = tensor.from_elements %c0, %c1 : tensor<2xi32>
  %first = arith.addi %n, %c1 : i32
  %recv = tensor.from_elements %first, %c1 : tensor<2xi32>
  %ro = tensor.from_elements %c0, %first : tensor<2xi32>
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%so, %send) recv(%ro, %recv)
    : tensor<3x2xf32>, tensor<2xi32> -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// Buffers of another size on every rank; rank 1 sends nothing.
// UNEVEN: result 0: tensor<?x2xf32>
// UNEVEN-NEXT: rank 0: checksum {{[0-9a-f]+}}, shape 1x2
// UNEVEN-NEXT: {{\[\[}}0, 0.5]]{{$}}
// UNEVEN-NEXT: rank 1: checksum {{[0-9a-f]+}}, shape 2x2
// UNEVEN-NEXT: {{\[\[}}1, 1.5], [2, 2.5]]{{$}}
func.func @uneven() -> tensor<?x2xf32> {
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %x = call @rows() : () -> tensor<3x2xf32>
  %keep = arith.subi %three, %i : index
  %y = tensor.extract_slice %x[0, 0] [%keep, 2] [1, 1] : tensor<3x2xf32> to tensor<?x2xf32>
  %f0 = arith.constant 7.0 : f32
  %size = arith.addi %i, %one : index
  %z = tensor.splat %f0[%size] : tensor<?x2xf32>
  %zero = arith.constant 0 : index
  // Rank 0 keeps row 0 for itself and sends rows 1 and 2 to rank 1.
  %isFirst = arith.cmpi eq, %i, %zero : index
  %s0 = arith.select %isFirst, %one, %zero : index
  %s1 = arith.select %isFirst, %two, %zero : index
  %ss = tensor.from_elements %s0, %s1 : tensor<2xindex>
  %so = tensor.from_elements %zero, %s0 : tensor<2xindex>
  %rs = tensor.from_elements %size, %zero : tensor<2xindex>
  %ro = tensor.from_elements %zero, %zero : tensor<2xindex>
  %r = moe.ragged_all_to_all %y into %z on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs)
    : tensor<?x2xf32>, tensor<2xindex> -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
