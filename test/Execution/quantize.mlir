// Rows of fewer bits are exchanged, by compiled code as by the interpreter, bit
// for bit, on CPUs and on stand-ins for devices: a byte an element, and scales.

// RUN: moe-opt %s --moe-schedule --convert-moe-to-moert | FileCheck %s
// RUN: moe-run %s --backend=host --against=%s --against-backend=interp | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --backend=nccl --stand-ins --against=%s --against-backend=interp | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/bf16/f16/g' %s > %t.mlir
// RUN: moe-run %t.mlir --backend=host --against=%t.mlir --against-backend=interp --seed=2 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --backend=nccl --stand-ins --against=%t.mlir --against-backend=interp --seed=3 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal{{.*}}: 2 ranks

// CHECK-LABEL: func.func @main(
// CHECK:       moert.quantize {{.*}} outs(%{{.*}} : memref<6x20xf8E4M3FN>, memref<6x3xf32>) block 8
// CHECK:       moert.all_gather {{.*}}memref<6x20xf8E4M3FN>
// CHECK:       moert.dequantize {{.*}} ins(%{{.*}} : memref<12x20xf8E4M3FN>, memref<12x3xf32>) outs(%{{.*}} : memref<12x20xbf16>) block 8
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<6x20xbf16>) -> tensor<12x20xbf16> {
  %v, %s = moe.quantize %x block 8 : tensor<6x20xbf16> -> tensor<6x20xf8E4M3FN>, tensor<6x3xf32>
  %w = moe.all_gather %v on <@mesh, ["ep"]> dim 0 : tensor<6x20xf8E4M3FN> -> tensor<12x20xf8E4M3FN>
  %t = moe.all_gather %s on <@mesh, ["ep"]> dim 0 : tensor<6x3xf32> -> tensor<12x3xf32>
  %y = moe.dequantize %w scales %t block 8 : tensor<12x20xf8E4M3FN>, tensor<12x3xf32> -> tensor<12x20xbf16>
  return %y : tensor<12x20xbf16>
}
