// Kinds of experts, biases of experts and routers: compiled code has the
// interpreter's numbers bit for bit, on buffers and on runs of rows.
// RUN: %python %S/Inputs/host.py %s

func.func @main(%x: tensor<2x70x5xbf16>, %dy: tensor<2x70x5xbf16>,
    %wg: tensor<2x6x300xbf16>, %wu: tensor<2x6x300xbf16>, %wd: tensor<2x301x5xbf16>,
    %y: tensor<9x5xf32>, %dz: tensor<9x5xf32>,
    %vg: tensor<2x6x7xf32>, %vu: tensor<2x6x7xf32>, %vd: tensor<2x8x5xf32>,
    %t: tensor<67x5xf32>, %router: tensor<6x4xf32>, %dw: tensor<67x2xf32>)
    -> (tensor<2x70x5xbf16>, tensor<2x70x5xbf16>, tensor<2x6x300xbf16>,
        tensor<2x301x5xbf16>, tensor<2x8x5xf32>, tensor<2x6x7xf32>,
        tensor<67x2xi32>, tensor<67x2xf32>, tensor<67x5xf32>, tensor<6x4xf32>,
        tensor<67x2xf32>, tensor<6x4xf32>) {
  %0 = moe.experts clamped_swiglu %x, %wg, %wu, %wd {biased} : tensor<2x70x5xbf16>, tensor<2x6x300xbf16>, tensor<2x6x300xbf16>, tensor<2x301x5xbf16> -> tensor<2x70x5xbf16>
  %1 = moe.experts_dgrad clamped_swiglu %dy at %x, %wg, %wu, %wd {biased} : tensor<2x70x5xbf16>, tensor<2x6x300xbf16>, tensor<2x6x300xbf16>, tensor<2x301x5xbf16>
  %2:3 = moe.experts_wgrad geglu %dy at %x, %wg, %wu, %wd {biased} : tensor<2x70x5xbf16>, tensor<2x6x300xbf16>, tensor<2x6x300xbf16>, tensor<2x301x5xbf16> -> tensor<2x6x300xbf16>, tensor<2x6x300xbf16>, tensor<2x301x5xbf16>
  %offsets = arith.constant dense<[[0, 3], [6, 7]]> : tensor<2x2xi32>
  %sizes = arith.constant dense<[[3, 2], [1, 2]]> : tensor<2x2xi32>
  %3:2 = moe.experts_wgrad gpt %dz at %y runs(%offsets, %sizes : tensor<2x2xi32>), %vg, %vd activation quick_gelu {biased} : tensor<9x5xf32>, tensor<2x6x7xf32>, tensor<2x8x5xf32> -> tensor<2x6x7xf32>, tensor<2x8x5xf32>
  %4:3 = moe.experts_wgrad clamped_swiglu %dz at %y runs(%offsets, %sizes : tensor<2x2xi32>), %vg, %vu, %vd {biased} : tensor<9x5xf32>, tensor<2x6x7xf32>, tensor<2x6x7xf32>, tensor<2x8x5xf32> -> tensor<2x6x7xf32>, tensor<2x6x7xf32>, tensor<2x8x5xf32>
  %ids, %w = moe.gate softmax %t, %router top_k 2 {biased, normalize} : tensor<67x5xf32>, tensor<6x4xf32> -> tensor<67x2xi32>, tensor<67x2xf32>
  %dt, %dr = moe.gate_grad softmax %t, %router by %ids, %dw {biased, normalize} : tensor<67x5xf32>, tensor<6x4xf32>, tensor<67x2xi32>, tensor<67x2xf32>
  %ids2, %w2 = moe.gate sigmoid %t, %router top_k 2 {biased} : tensor<67x5xf32>, tensor<6x4xf32> -> tensor<67x2xi32>, tensor<67x2xf32>
  %dt2, %dr2 = moe.gate_grad sigmoid %t, %router by %ids2, %dw {biased} : tensor<67x5xf32>, tensor<6x4xf32>, tensor<67x2xi32>, tensor<67x2xf32>
  return %0, %1, %2#0, %2#2, %3#1, %4#1, %ids, %w, %dt, %dr, %w2, %dr2 : tensor<2x70x5xbf16>, tensor<2x70x5xbf16>, tensor<2x6x300xbf16>, tensor<2x301x5xbf16>, tensor<2x8x5xf32>, tensor<2x6x7xf32>, tensor<67x2xi32>, tensor<67x2xf32>, tensor<67x5xf32>, tensor<6x4xf32>, tensor<67x2xf32>, tensor<6x4xf32>
}
