// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// CHECK-LABEL: func.func @counts
func.func @counts(%ids: tensor<6x2xi32>, %chunks: tensor<3x?x2xindex>) {
  // CHECK: = moe.expert_counts %{{.*}} : tensor<6x2xi32> -> tensor<4xi32>
  %0 = moe.expert_counts %ids : tensor<6x2xi32> -> tensor<4xi32>
  // CHECK: = moe.expert_counts %{{.*}} {chunked} : tensor<3x?x2xindex> -> tensor<3x4xi64>
  %1 = moe.expert_counts %chunks {chunked} : tensor<3x?x2xindex> -> tensor<3x4xi64>
  return
}

// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<6x8xbf16>, %ids: tensor<6x2xi32>,
                %y: tensor<?x?xi8>, %some: tensor<?x2xindex>) {
  // CHECK: %{{.*}}, %{{.*}} = moe.permute_rows choice %{{.*}} by %{{.*}} experts 4 : tensor<6x8xbf16>, tensor<6x2xi32> -> tensor<12x8xbf16>, tensor<6x2xi32>
  %0:2 = moe.permute_rows choice %x by %ids experts 4
     : tensor<6x8xbf16>, tensor<6x2xi32> -> tensor<12x8xbf16>, tensor<6x2xi32>
  // CHECK: moe.permute_rows token %{{.*}} by %{{.*}} experts 1 : tensor<?x?xi8>, tensor<?x2xindex> -> tensor<?x5xi8>, tensor<?x2xindex>
  %1:2 = moe.permute_rows token %y by %some experts 1
     : tensor<?x?xi8>, tensor<?x2xindex> -> tensor<?x5xi8>, tensor<?x2xindex>
  return
}

// CHECK-LABEL: func.func @plan
// GENERIC: "moe.ragged_plan"(%{{.*}}) <{group = #moe.group<@mesh, ["ep"]>, limit = 6 : i64}> : (tensor<2x4xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2x2xi32>)
// GENERIC: "moe.ragged_plan"(%{{.*}}) <{group = #moe.group<@mesh, ["ep"]>, joined = #moe.group<@mesh, ["tp"]>, limit = 0 : i64}>
func.func @plan(%all: tensor<2x4xi32>, %each: tensor<3x2x4xi64>) {
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = moe.ragged_plan %{{.*}} on <@mesh, ["ep"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]>
     limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  // CHECK: moe.ragged_plan %{{.*}} on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 0 : tensor<3x2x4xi64> -> tensor<2xi64>, tensor<3x2x2xindex>
  %1:6 = moe.ragged_plan %each on <@mesh, ["ep"]> joined <@mesh, ["tp"]>
     limit 0 : tensor<3x2x4xi64> -> tensor<2xi64>, tensor<3x2x2xindex>
  // CHECK: moe.ragged_plan %{{.*}} on {{\[\[}}0, 3], [1, 4], [2, 5]] limit 6
  %2:6 = moe.ragged_plan %all on [[0, 3], [1, 4], [2, 5]]
     limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// CHECK-LABEL: func.func @runs
// GENERIC: "moe.experts"(%{{.*}}) <{kind = #moe<experts_kind gpt>, operandSegmentSizes = array<i32: 1, 2, 1, 1>}>
func.func @runs(%x: tensor<7x4xf32>, %w1: tensor<2x4x6xf32>,
                %w2: tensor<2x6x4xf32>, %o: tensor<3x2xi32>,
                %n: tensor<2xindex>) {
  // CHECK: = moe.experts gpt %{{.*}} runs(%{{.*}}, %{{.*}} : tensor<3x2xi32>), %{{.*}}, %{{.*}} : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<7x4xf32>
  %y = moe.experts gpt %x runs(%o, %o : tensor<3x2xi32>), %w1, %w2
     : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<7x4xf32>
  // CHECK: = moe.experts gpt %{{.*}} runs(%{{.*}}, %{{.*}} : tensor<2xindex>), %{{.*}}, %{{.*}} activation relu {note}
  %z = moe.experts gpt %x runs(%n, %n : tensor<2xindex>), %w1, %w2 activation relu {note}
     : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<7x4xf32>
  // CHECK: = moe.experts_dgrad gpt %{{.*}} at %{{.*}} runs(%{{.*}}, %{{.*}} : tensor<3x2xi32>), %{{.*}}, %{{.*}} : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %dx = moe.experts_dgrad gpt %y at %x runs(%o, %o : tensor<3x2xi32>), %w1, %w2
     : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  // CHECK: %{{.*}}:2 = moe.experts_wgrad gpt %{{.*}} at %{{.*}} runs(%{{.*}}, %{{.*}} : tensor<3x2xi32>), %{{.*}}, %{{.*}} activation silu : tensor<7x4xf32>
  %dw:2 = moe.experts_wgrad gpt %y at %x runs(%o, %o : tensor<3x2xi32>), %w1, %w2 activation silu
     : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}
