// Products of experts, forward and backward, as the CPU emulation of cuBLAS logs
// them: one per weight in each of three passes where inner products are kept,
// and the inner ones once more where they are recomputed. The same values come
// of both on the CPU, bit for bit, and of separate ops in the interpreter.
// REQUIRES: stand-ins
// DEFINE: %{entry} =
// DEFINE: %{file} = %s
// DEFINE: %{run} = rm -f %t.log && env MOERT_STAND_IN_LOG=%t.log moe-run %{file} --entry=%{entry} --backend=nccl --stand-ins --against=%s --against-backend=interp --tolerance=1e-4,1e-4 && grep -c cublasGemm %t.log
// DEFINE: %{host} = moe-run %{file} --entry=%{entry} --backend=host --against=%s --against-backend=interp
// RUN: sed 's/^module {/module attributes {moe.expert_products = "recompute"} {/' %s > %t.again.mlir

// REDEFINE: %{entry} = gpt
// REDEFINE: %{file} = %s
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=KEPT6
// REDEFINE: %{file} = %t.again.mlir
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=AGAIN7

// REDEFINE: %{entry} = swiglu
// REDEFINE: %{file} = %s
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=KEPT9
// REDEFINE: %{file} = %t.again.mlir
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=AGAIN11

// REDEFINE: %{entry} = geglu
// REDEFINE: %{file} = %s
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=KEPT9
// REDEFINE: %{file} = %t.again.mlir
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=AGAIN11

// REDEFINE: %{entry} = clamped
// REDEFINE: %{file} = %s
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=KEPT9
// REDEFINE: %{file} = %t.again.mlir
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=AGAIN11

// REDEFINE: %{entry} = runs
// REDEFINE: %{file} = %s
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=KEPT9
// REDEFINE: %{file} = %t.again.mlir
// RUN: %{host} | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} | FileCheck %s --check-prefix=AGAIN11

// Parts of sums are added as 32-bit floats.
// RUN: FileCheck %s --check-prefix=SUMS < %t.log
// SUMS: cublasSetMathMode{{.*}} mode=16

// EQUAL: {{^}}equal: 1 ranks
// KEPT6: {{^}}6{{$}}
// KEPT9: {{^}}9{{$}}
// AGAIN7: {{^}}7{{$}}
// AGAIN11: {{^}}11{{$}}

module {
func.func @gpt(%x: tensor<2x3x4xf32>, %dy: tensor<2x3x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %y = moe.experts gpt %x, %w0, %w1 activation silu
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x3x4xf32>
  %dx = moe.experts_dgrad gpt %dy at %x, %w0, %w1 activation silu
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %dw:2 = moe.experts_wgrad gpt %dy at %x, %w0, %w1 activation silu
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %y, %dx, %dw#0, %dw#1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

func.func @swiglu(%x: tensor<2x3x4xf32>, %dy: tensor<2x3x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %y = moe.experts swiglu %x, %w0, %w1, %w2
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x3x4xf32>
  %dx = moe.experts_dgrad swiglu %dy at %x, %w0, %w1, %w2
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %dw:3 = moe.experts_wgrad swiglu %dy at %x, %w0, %w1, %w2
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %y, %dx, %dw#0, %dw#1, %dw#2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

func.func @geglu(%x: tensor<2x3x4xf32>, %dy: tensor<2x3x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %y = moe.experts geglu %x, %w0, %w1, %w2
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x3x4xf32>
  %dx = moe.experts_dgrad geglu %dy at %x, %w0, %w1, %w2
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %dw:3 = moe.experts_wgrad geglu %dy at %x, %w0, %w1, %w2
     : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %y, %dx, %dw#0, %dw#1, %dw#2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

func.func @clamped(%x: tensor<2x3x4xf32>, %dy: tensor<2x3x4xf32>, %w0: tensor<2x5x6xf32>, %w1: tensor<2x5x6xf32>, %w2: tensor<2x7x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x7x4xf32>) {
  %y = moe.experts clamped_swiglu %x, %w0, %w1, %w2 {biased}
     : tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x7x4xf32> -> tensor<2x3x4xf32>
  %dx = moe.experts_dgrad clamped_swiglu %dy at %x, %w0, %w1, %w2 {biased}
     : tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x7x4xf32>
  %dw:3 = moe.experts_wgrad clamped_swiglu %dy at %x, %w0, %w1, %w2 {biased}
     : tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x7x4xf32>
    -> tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x7x4xf32>
  return %y, %dx, %dw#0, %dw#1, %dw#2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x7x4xf32>
}

func.func @runs(%x: tensor<7x4xf32>, %dy: tensor<7x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %o = arith.constant dense<[[0, 1], [3, 5]]> : tensor<2x2xi32>
  %s = arith.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi32>
  %y = moe.experts swiglu %x runs(%o, %s : tensor<2x2xi32>), %w0, %w1, %w2
     : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<7x4xf32>
  %dx = moe.experts_dgrad swiglu %dy at %x runs(%o, %s : tensor<2x2xi32>), %w0, %w1, %w2
     : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %dw:3 = moe.experts_wgrad swiglu %dy at %x runs(%o, %s : tensor<2x2xi32>), %w0, %w1, %w2
     : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %y6 = tensor.extract_slice %y[0, 0] [6, 4] [1, 1] : tensor<7x4xf32> to tensor<6x4xf32>
  %dx6 = tensor.extract_slice %dx[0, 0] [6, 4] [1, 1] : tensor<7x4xf32> to tensor<6x4xf32>
  return %y6, %dx6, %dw#0, %dw#1, %dw#2 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}
}
