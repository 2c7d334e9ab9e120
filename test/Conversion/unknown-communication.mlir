// Unknown functions, by what their names sound like. A composite
// that can be looked into is not asked.
// RUN: moe-opt %s --moe-print-volumes=format=csv -o /dev/null | FileCheck %s --check-prefix=SOUNDS
// SOUNDS: main,,,deepep_dispatch,unread,,1,unread
// SOUNDS-NEXT: main,,,ncclEpCombine,unread,,1,unread
// SOUNDS-NEXT: main,,,moe_a2a,unread,,1,unread
// SOUNDS-NEXT: main,,,ep.dispatch,unread,,1,unread
// SOUNDS-NEXT: main,,,torch.deepep.combine,unread,,1,unread
// SOUNDS-NEXT: main,,,stablehlo.recv,unread,,1,unread
// SOUNDS-NOT: unread
// RUN: not moe-sim %s --platform=dgx-h100 2>&1 | FileCheck %s --check-prefix=SOUNDED
// SOUNDED: error: cannot be simulated: 'deepep_dispatch' is communication that is not read

func.func private @ours(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @theirs(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>, %t: !stablehlo.token) -> tensor<4xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "deepep_dispatch"}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.custom_call"(%0) <{call_target_name = "ncclEpCombine"}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.custom_call"(%1) <{call_target_name = "moe_a2a"}> : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.composite"(%2) <{decomposition = @theirs, name = "ep.dispatch"}> : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "stablehlo.composite"(%3) <{decomposition = @ours, name = "ep.dispatch"}> : (tensor<4xf32>) -> tensor<4xf32>
  %5 = torch.operator "torch.deepep.combine"(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = torch.operator "torch.acme.combine_heads"(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = "stablehlo.custom_call"(%6) <{call_target_name = "epilogue_dispatch_gemm"}> : (tensor<4xf32>) -> tensor<4xf32>
  %8:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %7 : tensor<4xf32>
}
