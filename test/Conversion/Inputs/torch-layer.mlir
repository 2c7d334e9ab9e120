module {
  func.func @main(%arg0: !torch.vtensor<[16,8],f32>, %arg1: !torch.vtensor<[16,4,4],f32>, %arg2: !torch.vtensor<[2,8,6],f32>, %arg3: !torch.vtensor<[2,6,8],f32>) -> !torch.vtensor<[16,8],f32> {
    %int16 = torch.constant.int 16
    %0 = torch.prim.ListConstruct %int16, %int16 : (!torch.int, !torch.int) -> !torch.list<int>
    %1 = torch.aten.view %arg1, %0 : !torch.vtensor<[16,4,4],f32>, !torch.list<int> -> !torch.vtensor<[16,16],f32>
    %int0 = torch.constant.int 0
    %int1 = torch.constant.int 1
    %2 = torch.aten.transpose.int %1, %int0, %int1 : !torch.vtensor<[16,16],f32>, !torch.int, !torch.int -> !torch.vtensor<[16,16],f32>
    %3 = torch.aten.mm %2, %arg0 : !torch.vtensor<[16,16],f32>, !torch.vtensor<[16,8],f32> -> !torch.vtensor<[16,8],f32>
    %int4 = torch.constant.int 4
    %int8 = torch.constant.int 8
    %4 = torch.prim.ListConstruct %int4, %int4, %int8 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %5 = torch.aten.view %3, %4 : !torch.vtensor<[16,8],f32>, !torch.list<int> -> !torch.vtensor<[4,4,8],f32>
    %int2 = torch.constant.int 2
    %6 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
    %str = torch.constant.str "0"
    %7 = torch.operator "torch._c10d_functional.all_to_all_single"(%5, %6, %6, %str) : (!torch.vtensor<[4,4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,4,8],f32>
    %8 = torch.operator "torch._c10d_functional.wait_tensor"(%7) : (!torch.vtensor<[4,4,8],f32>) -> !torch.vtensor<[4,4,8],f32>
    %9 = torch.prim.ListConstruct %int2, %int2, %int4, %int8 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %10 = torch.aten.view %8, %9 : !torch.vtensor<[4,4,8],f32>, !torch.list<int> -> !torch.vtensor<[2,2,4,8],f32>
    %11 = torch.aten.transpose.int %10, %int0, %int1 : !torch.vtensor<[2,2,4,8],f32>, !torch.int, !torch.int -> !torch.vtensor<[2,2,4,8],f32>
    %12 = torch.prim.ListConstruct %int2, %int8, %int8 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %13 = torch.aten.reshape %11, %12 : !torch.vtensor<[2,2,4,8],f32>, !torch.list<int> -> !torch.vtensor<[2,8,8],f32>
    %14 = torch.aten.bmm %13, %arg2 : !torch.vtensor<[2,8,8],f32>, !torch.vtensor<[2,8,6],f32> -> !torch.vtensor<[2,8,6],f32>
    %str_1 = torch.constant.str "none"
    %15 = torch.aten.gelu %14, %str_1 : !torch.vtensor<[2,8,6],f32>, !torch.str -> !torch.vtensor<[2,8,6],f32>
    %16 = torch.aten.bmm %15, %arg3 : !torch.vtensor<[2,8,6],f32>, !torch.vtensor<[2,6,8],f32> -> !torch.vtensor<[2,8,8],f32>
    %str_2 = torch.constant.str "sum"
    %str_3 = torch.constant.str "1"
    %17 = torch.aten.view %16, %9 : !torch.vtensor<[2,8,8],f32>, !torch.list<int> -> !torch.vtensor<[2,2,4,8],f32>
    %18 = torch.aten.transpose.int %17, %int0, %int1 : !torch.vtensor<[2,2,4,8],f32>, !torch.int, !torch.int -> !torch.vtensor<[2,2,4,8],f32>
    %19 = torch.aten.reshape %18, %4 : !torch.vtensor<[2,2,4,8],f32>, !torch.list<int> -> !torch.vtensor<[4,4,8],f32>
    %20 = torch.operator "torch._c10d_functional.all_reduce"(%19, %str_2, %str_3) : (!torch.vtensor<[4,4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,4,8],f32>
    %21 = torch.operator "torch._c10d_functional.wait_tensor"(%20) : (!torch.vtensor<[4,4,8],f32>) -> !torch.vtensor<[4,4,8],f32>
    %22 = torch.operator "torch._c10d_functional.all_to_all_single"(%21, %6, %6, %str) : (!torch.vtensor<[4,4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,4,8],f32>
    %23 = torch.operator "torch._c10d_functional.wait_tensor"(%22) : (!torch.vtensor<[4,4,8],f32>) -> !torch.vtensor<[4,4,8],f32>
    %24 = torch.prim.ListConstruct %int16, %int8 : (!torch.int, !torch.int) -> !torch.list<int>
    %25 = torch.aten.view %23, %24 : !torch.vtensor<[4,4,8],f32>, !torch.list<int> -> !torch.vtensor<[16,8],f32>
    %26 = torch.aten.mm %1, %25 : !torch.vtensor<[16,16],f32>, !torch.vtensor<[16,8],f32> -> !torch.vtensor<[16,8],f32>
    %27 = torch.aten.add.Tensor %arg0, %26, %int1 : !torch.vtensor<[16,8],f32>, !torch.vtensor<[16,8],f32>, !torch.int -> !torch.vtensor<[16,8],f32>
    return %27 : !torch.vtensor<[16,8],f32>
  }
}
