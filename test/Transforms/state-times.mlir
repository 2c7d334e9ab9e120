// What ops of the dialects named take on a platform is written on them, and is
// what a tool takes that does not know them.
// RUN: moe-opt %s --moe-state-times="dialects=math,user platform=%S/Inputs/mini.json" --remarks-filter=moe-state-times 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt
// The platform may be the module's.
// RUN: moe-opt %s --moe-load-platform=file=%S/Inputs/mini.json --moe-state-times=dialects=math,user | FileCheck %s

// RUN: not moe-opt %s --moe-state-times=platform=dgx-h100 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not moe-opt %s --moe-state-times=dialects=math 2>&1 | FileCheck %s --check-prefix=PLATFORM
// RUN: not moe-opt %s --moe-state-times="dialects=linalg platform=dgx-h100" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moe-opt %s --moe-state-times="dialects=nosuch platform=dgx-h100" 2>&1 | FileCheck %s --check-prefix=NOSUCH
// NOSUCH: error: moe-state-times: expected dialects with ops in the module ({{.+}}), got 'nosuch'
// NAMES: error: moe-state-times: dialects=NAMES is required
// PLATFORM: error: moe-state-times: expected {{.*}} or a module with 'moe.platform'
// UNKNOWN: error: 'linalg.fill' op cannot be timed: it has no cost model

// REMARK: times are stated{{.*}} ops=1

// CHECK: math.exp %{{.*}} {moe.time_us = {{[0-9.e+-]+}} : f64} : tensor<64x64xf32>
// CHECK: arith.addf
// CHECK-NOT: moe.time_us
// CHECK: math.sqrt %{{.*}} {moe.time_us = 7.000000e+00 : f64}
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = math.exp %x : tensor<64x64xf32>
  %z = arith.addf %y, %x : tensor<64x64xf32>
  // Stated already.
  %s = math.sqrt %z {moe.time_us = 7.0 : f64} : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %f : tensor<64x64xf32>
}
