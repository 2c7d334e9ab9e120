func.func @main(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %int2 = torch.constant.int 2
  %sizes = torch.prim.ListConstruct %int2, %int2
    : (!torch.int, !torch.int) -> !torch.list<int>
  %str0 = torch.constant.str "0"
  %0 = torch.operator "torch._c10d_functional.all_to_all_single"(%x, %sizes, %sizes, %str0)
    : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = torch.operator "torch._c10d_functional.wait_tensor"(%0)
    : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}
