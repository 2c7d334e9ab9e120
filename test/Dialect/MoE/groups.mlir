// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// Groups are attributes that may stand anywhere.
// CHECK: groups = [#moe.group<@mesh, ["tp"]>, #moe.group<@mesh, ["ep"]>, #moe.group<@mesh, ["tp", "ep"]>, #moe.group<@mesh, []>]
// GENERIC: groups = [#moe.group<@mesh, ["tp"]>, #moe.group<@mesh, ["ep"]>, #moe.group<@mesh, ["tp", "ep"]>, #moe.group<@mesh, []>]
// CHECK-SAME: lists = #moe.replica_groups<dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>>
// GENERIC-SAME: lists = #moe.replica_groups<dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>>
// CHECK-SAME: one = #moe.replica_groups<dense<0> : tensor<1x1xi64>>
// CHECK-SAME: raw = #moe.replica_groups<dense<{{\[\[}}1, 0]]> : tensor<1x2xi64>>
func.func private @attributes() attributes {
  groups = [#moe.group<@mesh, ["tp"]>, #moe.group<@mesh, ["ep"]>,
            #moe.group<@mesh, ["tp", "ep"]>, #moe.group<@mesh, []>],
  lists = #moe.replica_groups<dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>>,
  one = #moe.replica_groups<dense<0> : tensor<1x1xi64>>,
  raw = #moe.replica_groups<
    dense<"0x01000000000000000000000000000000"> : tensor<1x2xi64>>
}

// So may the enumerations.
// CHECK: kinds = [#moe<phase fwd>, #moe<phase bwd>, #moe<reduction sum>, #moe<reduction prod>, #moe<reduction min>, #moe<reduction max>, #moe<gate_kind softmax>, #moe<gate_kind sigmoid>, #moe<order_kind choice>, #moe<order_kind token>, #moe<experts_kind gpt>, #moe<experts_kind swiglu>, #moe<activation gelu>, #moe<activation relu>, #moe<activation silu>]
func.func private @enumerations() attributes {
  kinds = [#moe<phase fwd>, #moe<phase bwd>, #moe<reduction sum>,
           #moe<reduction prod>, #moe<reduction min>, #moe<reduction max>,
           #moe<gate_kind softmax>, #moe<gate_kind sigmoid>,
           #moe<order_kind choice>, #moe<order_kind token>,
           #moe<experts_kind gpt>, #moe<experts_kind swiglu>,
           #moe<activation gelu>, #moe<activation relu>, #moe<activation silu>]
}
