// Sums of sizes known at run time only have no time: they stay, with a remark.
// RUN: moe-opt %s --convert-torch-to-moe="mesh=ep=16 groups=ep=ep" --moe-load-platform=file=dgx-h100 --moe-split-mesh-axis="axis=ep inner=8" --moe-hierarchical-all-reduce=if-faster --remarks-filter=moe-hierarchical-all-reduce -o /dev/null 2>&1 | FileCheck %s
// CHECK: [Missed] {{.*}}Reason="expected a static shape to time"
func.func @main(%x: !torch.vtensor<[?,8],f32>) -> (!torch.vtensor<[?,8],f32>) {
  %tp = torch.constant.str "ep"
  %sum = torch.constant.str "sum"
  %a = "torch._c10d_functional.all_reduce"(%x, %sum, %tp) : (!torch.vtensor<[?,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,8],f32>
  %w = "torch._c10d_functional.wait_tensor"(%a) : (!torch.vtensor<[?,8],f32>) -> !torch.vtensor<[?,8],f32>
  return %w : !torch.vtensor<[?,8],f32>
}
