// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @experts
func.func @experts(%x: tensor<2x8x4xf32>, %dy: tensor<2x8x4xf32>,
                   %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // CHECK: moe.experts_dgrad gpt %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %0 = moe.experts_dgrad gpt %dy at %x, %w1, %w2
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  // CHECK: moe.experts_dgrad gpt %{{.*}} activation relu
  %1 = moe.experts_dgrad gpt %dy at %x, %w1, %w2 activation relu
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  // CHECK: moe.experts_dgrad swiglu
  %2 = moe.experts_dgrad swiglu %dy at %x, %w1, %w1, %w2
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  // CHECK: %{{.*}}:2 = moe.experts_wgrad gpt %{{.*}} at %{{.*}}, %{{.*}}, %{{.*}} activation silu : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %3:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2 activation silu
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  // CHECK: %{{.*}}:3 = moe.experts_wgrad swiglu
  %4:3 = moe.experts_wgrad swiglu %dy at %x, %w1, %w1, %w2
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<2x8x4xf32>, %dy: tensor<2x8x4xf32>,
                    %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // CHECK: %{{.*}}, %[[KEPT:.*]] = moe.experts gpt %{{.*}} -> tensor<2x8x4xf32> keeps tensor<1x2x8x6xf32>
  %y, %kept = moe.experts gpt %x, %w1, %w2
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x8x4xf32> keeps tensor<1x2x8x6xf32>
  // CHECK: %{{.*}}, %[[HANDED:.*]] = moe.experts_dgrad gpt %{{.*}} activation silu kept %[[KEPT]] : tensor<1x2x8x6xf32> : {{.*}} hands tensor<2x2x8x6xf32>
  %dx, %handed = moe.experts_dgrad gpt %dy at %x, %w1, %w2 activation silu
     kept %kept : tensor<1x2x8x6xf32>
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
     hands tensor<2x2x8x6xf32>
  // CHECK: moe.experts_wgrad gpt %{{.*}} activation silu handed %[[HANDED]] : tensor<2x2x8x6xf32>
  %dw:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2 activation silu
     handed %handed : tensor<2x2x8x6xf32>
     : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// CHECK-LABEL: func.func @slots
func.func @slots(%rows: tensor<3x4xf32>, %slots: tensor<3x1xi32>,
                 %w: tensor<3x1xf64>, %buffer: tensor<2x2x4xf32>) {
  // CHECK: moe.scatter %{{.*}} by %{{.*}} : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>
  %0 = moe.scatter %rows by %slots
     : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>
  // CHECK: moe.scatter %{{.*}} by %{{.*}} weights %{{.*}} : tensor<3x1xf64> : tensor<3x4xf32>
  %1 = moe.scatter %rows by %slots weights %w : tensor<3x1xf64>
     : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>
  // CHECK: moe.unpermute_wgrad %{{.*}}, %{{.*}} by %{{.*}} : tensor<3x4xf32>, tensor<2x2x4xf32>, tensor<3x1xi32> -> tensor<3x1xf64>
  %2 = moe.unpermute_wgrad %rows, %buffer by %slots
     : tensor<3x4xf32>, tensor<2x2x4xf32>, tensor<3x1xi32> -> tensor<3x1xf64>
  return
}

// CHECK-LABEL: func.func @gate
func.func @gate(%x: tensor<6x4xbf16>, %router: tensor<4x3xf32>,
                %ids: tensor<6x2xi32>, %dw: tensor<6x2xf32>) {
  // CHECK: moe.gate_grad softmax %{{.*}}, %{{.*}} by %{{.*}}, %{{.*}} {normalize} : tensor<6x4xbf16>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  %0:2 = moe.gate_grad softmax %x, %router by %ids, %dw {normalize}
     : tensor<6x4xbf16>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  // CHECK: moe.gate_grad sigmoid %{{.*}} {scale = 2.500000e+00 : f64}
  %1:2 = moe.gate_grad sigmoid %x, %router by %ids, %dw {scale = 2.5}
     : tensor<6x4xbf16>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  return
}

// CHECK-LABEL: func.func @gates
func.func @gates(%x: tensor<6x4xbf16>, %router: tensor<4x3xf32>,
                 %q: tensor<2x3xf32>, %p: tensor<4x2xf16>, %n: tensor<4x3xf64>,
                 %ids: tensor<6x2xi32>, %id: tensor<6x1xi32>, %seed: i64,
                 %dw: tensor<6x2xf32>, %d: tensor<6x1xf32>) {
  // CHECK: moe.gate_grad switch %{{.*}}, %{{.*}} by %{{.*}}, %{{.*}} jitter 1.000000e-02 seed %{{.*}} : tensor<6x4xbf16>, tensor<4x3xf32>, tensor<6x1xi32>, tensor<6x1xf32>
  %0:2 = moe.gate_grad switch %x, %router by %id, %d jitter 0.01 seed %seed
     : tensor<6x4xbf16>, tensor<4x3xf32>, tensor<6x1xi32>, tensor<6x1xf32>
  // CHECK: moe.gate_grad gshard %{{.*}} noise %{{.*}} : tensor<4x3xf64> seed %{{.*}} : tensor<6x4xbf16>, {{.*}} -> tensor<4x3xf64>
  %1:3 = moe.gate_grad gshard %x, %router by %ids, %dw
     noise %n : tensor<4x3xf64> seed %seed
     : tensor<6x4xbf16>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
     -> tensor<4x3xf64>
  // CHECK: moe.gate_grad gshard %{{[^ ]*}}, %{{[^ ]*}} by %{{[^ ]*}}, %{{[^ ]*}} : tensor
  %2:2 = moe.gate_grad gshard %x, %router by %ids, %dw
     : tensor<6x4xbf16>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  // CHECK: moe.gate_grad xmoe %{{.*}} projection %{{.*}} : tensor<4x2xf16> temperature 5.000000e-01 {normalize} : {{.*}} -> tensor<4x2xf16>
  %3:3 = moe.gate_grad xmoe %x, %q by %ids, %dw
     projection %p : tensor<4x2xf16> temperature 0.5 {normalize}
     : tensor<6x4xbf16>, tensor<2x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
     -> tensor<4x2xf16>
  return
}

// CHECK-LABEL: func.func @mixes
func.func @mixes(%x: tensor<6x4xf32>, %r: tensor<4x3xbf16>, %s: tensor<6x3xi32>,
                 %dw: tensor<6x3xf64>, %sr: tensor<4x3x2xf32>,
                 %d: tensor<6x3x2xf32>, %b: tensor<3x1x2x4xf32>) {
  // CHECK: moe.expert_choice_grad over experts %{{.*}}, %{{.*}} by %{{.*}}, %{{.*}} : tensor<6x4xf32>, tensor<4x3xbf16>, tensor<6x3xi32>, tensor<6x3xf64>
  %0:2 = moe.expert_choice_grad over experts %x, %r by %s, %dw
     : tensor<6x4xf32>, tensor<4x3xbf16>, tensor<6x3xi32>, tensor<6x3xf64>
  // CHECK: moe.expert_choice_grad over tokens
  %1:2 = moe.expert_choice_grad over tokens %x, %r by %s, %dw
     : tensor<6x4xf32>, tensor<4x3xbf16>, tensor<6x3xi32>, tensor<6x3xf64>
  // CHECK: moe.soft_gate_grad %{{.*}}, %{{.*}} by %{{.*}}, %{{.*}} : tensor<6x4xf32>, tensor<4x3x2xf32>, tensor<6x3x2xf32>, tensor<6x3x2xf32>
  %2:2 = moe.soft_gate_grad %x, %sr by %d, %d
     : tensor<6x4xf32>, tensor<4x3x2xf32>, tensor<6x3x2xf32>, tensor<6x3x2xf32>
  // CHECK: moe.soft_wgrad %{{.*}}, %{{.*}} : tensor<6x4xf32>, tensor<3x1x2x4xf32> -> tensor<6x3x2xf32>
  %3 = moe.soft_wgrad %x, %b
     : tensor<6x4xf32>, tensor<3x1x2x4xf32> -> tensor<6x3x2xf32>
  return
}

// CHECK-LABEL: func.func @dense
func.func @dense(%x: tensor<6x4xf32>, %dy: tensor<6x4xf32>) {
  // CHECK: moe.dense "3.attention" %{{.*}} macs 96 : tensor<6x4xf32>
  %0 = moe.dense "3.attention" %x macs 96 : tensor<6x4xf32>
  // CHECK: moe.dense "3.attention" %{{.*}} macs 96 gemms 6 parts 4 us 2.500000e+00 : tensor<6x4xf32>
  %1 = moe.dense "3.attention" %x macs 96 gemms 6 parts 4 us 2.5
     : tensor<6x4xf32>
  // CHECK: moe.dense_dgrad "3.attention" %{{.*}} at %{{.*}} macs 96 gemms 6 parts 4 us 2.500000e+00 : tensor<6x4xf32>
  %2 = moe.dense_dgrad "3.attention" %dy at %x macs 96 gemms 6 parts 4 us 2.5
     : tensor<6x4xf32>
  // CHECK: moe.dense_wgrad "3.attention" %{{.*}} at %{{.*}} macs 96 gemms 4 us 2.500000e+00 : tensor<6x4xf32> -> tensor<16xf32>
  %3 = moe.dense_wgrad "3.attention" %dy at %x macs 96 gemms 4 us 2.5
     : tensor<6x4xf32> -> tensor<16xf32>
  // CHECK: moe.dense "a" %{{.*}} macs 96 parts 4 sequences 3 shards 2 : tensor<6x4xf32>
  %4 = moe.dense "a" %x macs 96 parts 4 sequences 3 shards 2 : tensor<6x4xf32>
  // CHECK: moe.dense_dgrad "a" %{{.*}} at %{{.*}} macs 96 sequences 2 : tensor<6x4xf32>
  %5 = moe.dense_dgrad "a" %dy at %x macs 96 sequences 2 : tensor<6x4xf32>
  // CHECK: moe.dense_wgrad "a" %{{.*}} at %{{.*}} macs 96 sequences 6 us 2.500000e+00 : tensor<6x4xf32> -> tensor<16xf32>
  %6 = moe.dense_wgrad "a" %dy at %x macs 96 sequences 6 shards 1 us 2.5
     : tensor<6x4xf32> -> tensor<16xf32>
  return
}
