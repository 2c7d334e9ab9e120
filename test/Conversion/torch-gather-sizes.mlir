// A gather of rows whose number only its result, or only its operand, states keeps
// the type that PyTorch gave it.
// RUN: moe-opt %s --convert-torch-to-moe="mesh=ep=2 groups=ep=ep" --convert-moe-to-torch | FileCheck %s

// CHECK-LABEL: @known_result
// CHECK:       "torch._c10d_functional.all_gather_into_tensor"({{.*}} -> tensor<6x8xf32>
// CHECK:       return {{.*}} : tensor<6x8xf32>
func.func @known_result(%x: !torch.vtensor<[?,8],f32>) -> (!torch.vtensor<[6,8],f32>) {
  %ep = torch.constant.str "ep"
  %two = torch.constant.int 2
  %g = "torch._c10d_functional.all_gather_into_tensor"(%x, %two, %ep) {fx.node = "g"} : (!torch.vtensor<[?,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[6,8],f32>
  %w = "torch._c10d_functional.wait_tensor"(%g) {fx.node = "w"} : (!torch.vtensor<[6,8],f32>) -> !torch.vtensor<[6,8],f32>
  return %w : !torch.vtensor<[6,8],f32>
}

// CHECK-LABEL: @known_operand
// CHECK:       "torch._c10d_functional.all_gather_into_tensor"({{.*}} -> tensor<?x8xf32>
// CHECK:       return {{.*}} : tensor<?x8xf32>
func.func @known_operand(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[?,8],f32>) {
  %ep = torch.constant.str "ep"
  %two = torch.constant.int 2
  %g = "torch._c10d_functional.all_gather_into_tensor"(%x, %two, %ep) {fx.node = "g"} : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[?,8],f32>
  %w = "torch._c10d_functional.wait_tensor"(%g) {fx.node = "w"} : (!torch.vtensor<[?,8],f32>) -> !torch.vtensor<[?,8],f32>
  return %w : !torch.vtensor<[?,8],f32>
}
