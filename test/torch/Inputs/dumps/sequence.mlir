"builtin.module"() ({
  "func.func"() <{function_type = (!torch.vtensor<[16,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[16,16],f32>) -> (!torch.vtensor<[16,16],f32>, !torch.vtensor<[16,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>), sym_name = "main"}> ({
  ^bb0(%arg0: !torch.vtensor<[16,16],f32>, %arg1: !torch.vtensor<[16,8],f32>, %arg2: !torch.vtensor<[4,16,16],f32>, %arg3: !torch.vtensor<[4,16,16],f32>, %arg4: !torch.vtensor<[16,16],f32>):
    %1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %2 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %3 = "torch._c10d_functional.all_gather_into_tensor"(%arg0, %1, %2) {fx.node = "all_gather_into_tensor", fx.layer = "L0"} : (!torch.vtensor<[16,16],f32>, !torch.int, !torch.str) -> !torch.vtensor<[32,16],f32>
    %4 = "torch._c10d_functional.wait_tensor"(%3) {fx.node = "wait_tensor", fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[32,16],f32>
    %5 = "torch.aten.mm"(%4, %arg1) {fx.node = "mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>) -> !torch.vtensor<[32,8],f32>
    %6 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %7 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %8 = "torch.aten._softmax"(%5, %6, %7) {fx.node = "_softmax", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[32,8],f32>
    %9 = "torch.aten.detach"(%8) {fx.node = "detach", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %10 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %11 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %12 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %13 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %14:2 = "torch.aten.topk"(%8, %10, %11, %12, %13) {fx.node = "topk", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool) -> (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],si64>)
    %15 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %16 = "torch.prim.ListConstruct"(%15) : (!torch.int) -> !torch.list<int>
    %17 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %18 = "torch.constant.none"() : () -> !torch.none
    %19 = "torch.aten.sum.dim_IntList"(%14#0, %16, %17, %18) {fx.node = "sum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %20 = "torch.aten.div.Tensor"(%14#0, %19) {fx.node = "div", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %21 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %22 = "torch.prim.ListConstruct"(%21) : (!torch.int) -> !torch.list<int>
    %23 = "torch.aten.view"(%14#1, %22) {fx.node = "view", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],si64>, !torch.list<int>) -> !torch.vtensor<[64],si64>
    %24 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %25 = "torch.aten.ge.Scalar"(%23, %24) {fx.node = "ge", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %26 = "torch.aten.all"(%25) {fx.node = "all", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %27 = "torch.constant.str"() <{value = "one_hot: Class values must be non-negative."}> : () -> !torch.str
    %28 = "torch.aten._assert_async.msg"(%26, %27) {fx.node = "_assert_async", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %29 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %30 = "torch.aten.lt.Scalar"(%23, %29) {fx.node = "lt", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %31 = "torch.aten.all"(%30) {fx.node = "all_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %32 = "torch.constant.str"() <{value = "one_hot: Class values must be smaller than num_classes."}> : () -> !torch.str
    %33 = "torch.aten._assert_async.msg"(%31, %32) {fx.node = "_assert_async_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %34 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %35 = "torch.aten.unsqueeze"(%23, %34) {fx.node = "unsqueeze", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64,1],si64>
    %36 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %37 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %38 = "torch.constant.none"() : () -> !torch.none
    %39 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %40 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %41 = "torch.aten.arange"(%36, %37, %38, %39, %40) {fx.node = "arange", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[8],si64>
    %42 = "torch.aten.eq.Tensor"(%35, %41) {fx.node = "eq", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,1],si64>, !torch.vtensor<[8],si64>) -> !torch.vtensor<[64,8],i1>
    %43 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %44 = "torch.constant.none"() : () -> !torch.none
    %45 = "torch.constant.none"() : () -> !torch.none
    %46 = "torch.constant.none"() : () -> !torch.none
    %47 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %48 = "torch.constant.none"() : () -> !torch.none
    %49 = "torch.aten._to_copy"(%42, %43, %44, %45, %46, %47, %48) {fx.node = "_to_copy", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,8],si64>
    %50 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %51 = "torch.constant.none"() : () -> !torch.none
    %52 = "torch.aten.cumsum"(%49, %50, %51) {fx.node = "cumsum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.int, !torch.none) -> !torch.vtensor<[64,8],si64>
    %53 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %54 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %55 = "torch.aten.sub.Tensor"(%52, %53, %54) {fx.node = "sub", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.int, !torch.int) -> !torch.vtensor<[64,8],si64>
    %56 = "torch.aten.mul.Tensor"(%55, %49) {fx.node = "mul", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.vtensor<[64,8],si64>) -> !torch.vtensor<[64,8],si64>
    %57 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %58 = "torch.prim.ListConstruct"(%57) : (!torch.int) -> !torch.list<int>
    %59 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %60 = "torch.constant.none"() : () -> !torch.none
    %61 = "torch.aten.sum.dim_IntList"(%56, %58, %59, %60) {fx.node = "sum_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[64],si64>
    %62 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %63 = "torch.aten.lt.Scalar"(%61, %62) {fx.node = "lt_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %64 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %65 = "torch.constant.none"() : () -> !torch.none
    %66 = "torch.constant.none"() : () -> !torch.none
    %67 = "torch.constant.none"() : () -> !torch.none
    %68 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %69 = "torch.constant.none"() : () -> !torch.none
    %70 = "torch.aten._to_copy"(%63, %64, %65, %66, %67, %68, %69) {fx.node = "_to_copy_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64],f32>
    %71 = "torch.constant.none"() : () -> !torch.none
    %72 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %73 = "torch.aten.clamp"(%61, %71, %72) {fx.node = "clamp", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.none, !torch.int) -> !torch.vtensor<[64],si64>
    %74 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %75 = "torch.aten.ge.Scalar"(%73, %74) {fx.node = "ge_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %76 = "torch.aten.all"(%75) {fx.node = "all_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %77 = "torch.constant.str"() <{value = "one_hot: Class values must be non-negative."}> : () -> !torch.str
    %78 = "torch.aten._assert_async.msg"(%76, %77) {fx.node = "_assert_async_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %79 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %80 = "torch.aten.lt.Scalar"(%73, %79) {fx.node = "lt_2", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %81 = "torch.aten.all"(%80) {fx.node = "all_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %82 = "torch.constant.str"() <{value = "one_hot: Class values must be smaller than num_classes."}> : () -> !torch.str
    %83 = "torch.aten._assert_async.msg"(%81, %82) {fx.node = "_assert_async_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %84 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %85 = "torch.aten.unsqueeze"(%73, %84) {fx.node = "unsqueeze_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64,1],si64>
    %86 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %87 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %88 = "torch.constant.none"() : () -> !torch.none
    %89 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %90 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %91 = "torch.aten.arange"(%86, %87, %88, %89, %90) {fx.node = "arange_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[16],si64>
    %92 = "torch.aten.eq.Tensor"(%85, %91) {fx.node = "eq_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,1],si64>, !torch.vtensor<[16],si64>) -> !torch.vtensor<[64,16],i1>
    %93 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %94 = "torch.constant.none"() : () -> !torch.none
    %95 = "torch.constant.none"() : () -> !torch.none
    %96 = "torch.constant.none"() : () -> !torch.none
    %97 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %98 = "torch.constant.none"() : () -> !torch.none
    %99 = "torch.aten._to_copy"(%92, %93, %94, %95, %96, %97, %98) {fx.node = "_to_copy_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,16],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,16],si64>
    %100 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %101 = "torch.constant.none"() : () -> !torch.none
    %102 = "torch.constant.none"() : () -> !torch.none
    %103 = "torch.constant.none"() : () -> !torch.none
    %104 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %105 = "torch.constant.none"() : () -> !torch.none
    %106 = "torch.aten._to_copy"(%99, %100, %101, %102, %103, %104, %105) {fx.node = "_to_copy_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,16],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,16],f32>
    %107 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %108 = "torch.constant.none"() : () -> !torch.none
    %109 = "torch.constant.none"() : () -> !torch.none
    %110 = "torch.constant.none"() : () -> !torch.none
    %111 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %112 = "torch.constant.none"() : () -> !torch.none
    %113 = "torch.aten._to_copy"(%49, %107, %108, %109, %110, %111, %112) {fx.node = "_to_copy_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,8],f32>
    %114 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %115 = "torch.aten.unsqueeze"(%113, %114) {fx.node = "unsqueeze_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],f32>, !torch.int) -> !torch.vtensor<[64,8,1],f32>
    %116 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %117 = "torch.aten.unsqueeze"(%106, %116) {fx.node = "unsqueeze_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,16],f32>, !torch.int) -> !torch.vtensor<[64,1,16],f32>
    %118 = "torch.aten.mul.Tensor"(%115, %117) {fx.node = "mul_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8,1],f32>, !torch.vtensor<[64,1,16],f32>) -> !torch.vtensor<[64,8,16],f32>
    %119 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %120 = "torch.aten.unsqueeze"(%70, %119) {fx.node = "unsqueeze_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.int) -> !torch.vtensor<[64,1],f32>
    %121 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %122 = "torch.aten.unsqueeze"(%120, %121) {fx.node = "unsqueeze_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,1],f32>, !torch.int) -> !torch.vtensor<[64,1,1],f32>
    %123 = "torch.aten.mul.Tensor"(%118, %122) {fx.node = "mul_2", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8,16],f32>, !torch.vtensor<[64,1,1],f32>) -> !torch.vtensor<[64,8,16],f32>
    %124 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %125 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %126 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %127 = "torch.prim.ListConstruct"(%124, %125, %126) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %128 = "torch.aten.view"(%123, %127) {fx.node = "view_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8,16],f32>, !torch.list<int>) -> !torch.vtensor<[32,2,128],f32>
    %129 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %130 = "torch.prim.ListConstruct"(%129) : (!torch.int) -> !torch.list<int>
    %131 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %132 = "torch.constant.none"() : () -> !torch.none
    %133 = "torch.aten.sum.dim_IntList"(%128, %130, %131, %132) {fx.node = "sum_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2,128],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,128],f32>
    %134 = "torch.aten.t"(%133) {fx.node = "t", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,128],f32>) -> !torch.vtensor<[128,32],f32>
    %135 = "torch.aten.mm"(%134, %4) {fx.node = "mm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[128,32],f32>, !torch.vtensor<[32,16],f32>) -> !torch.vtensor<[128,16],f32>
    %136 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %137 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %138 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %139 = "torch.prim.ListConstruct"(%136, %137, %138) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %140 = "torch.aten.view"(%135, %139) {fx.node = "view_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[128,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %141 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %142 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %143 = "torch.prim.ListConstruct"(%141, %142) : (!torch.int, !torch.int) -> !torch.list<int>
    %144 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %145 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %146 = "torch.prim.ListConstruct"(%144, %145) : (!torch.int, !torch.int) -> !torch.list<int>
    %147 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %148 = "torch._c10d_functional.all_to_all_single"(%140, %143, %146, %147) {fx.node = "all_to_all_single", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %149 = "torch._c10d_functional.wait_tensor"(%148) {fx.node = "wait_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %150 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %151 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %152 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %153 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %154 = "torch.prim.ListConstruct"(%150, %151, %152, %153) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %155 = "torch.aten.view"(%149, %154) {fx.node = "view_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,16],f32>
    %156 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %157 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %158 = "torch.aten.transpose.int"(%155, %156, %157) {fx.node = "transpose", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %159 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %160 = "torch.aten.clone"(%158, %159) {fx.node = "clone", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %161 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %162 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %163 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %164 = "torch.prim.ListConstruct"(%161, %162, %163) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %165 = "torch.aten._unsafe_view"(%160, %164) {fx.node = "_unsafe_view", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,2,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,32,16],f32>
    %166 = "torch.aten.bmm"(%165, %arg2) {fx.node = "bmm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %167 = "torch.aten.silu"(%166) {fx.node = "silu", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %168 = "torch.aten.bmm"(%167, %arg3) {fx.node = "bmm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %169 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %170 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %171 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %172 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %173 = "torch.prim.ListConstruct"(%169, %170, %171, %172) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %174 = "torch.aten.view"(%168, %173) {fx.node = "view_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,2,16,16],f32>
    %175 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %176 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %177 = "torch.aten.transpose.int"(%174, %175, %176) {fx.node = "transpose_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %178 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %179 = "torch.aten.clone"(%177, %178) {fx.node = "clone_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %180 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %181 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %182 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %183 = "torch.prim.ListConstruct"(%180, %181, %182) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %184 = "torch.aten._unsafe_view"(%179, %183) {fx.node = "_unsafe_view_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %185 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %186 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %187 = "torch.prim.ListConstruct"(%185, %186) : (!torch.int, !torch.int) -> !torch.list<int>
    %188 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %189 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %190 = "torch.prim.ListConstruct"(%188, %189) : (!torch.int, !torch.int) -> !torch.list<int>
    %191 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %192 = "torch._c10d_functional.all_to_all_single"(%184, %187, %190, %191) {fx.node = "all_to_all_single_1", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %193 = "torch._c10d_functional.wait_tensor"(%192) {fx.node = "wait_tensor_2", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %194 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %195 = "torch.aten.unsqueeze"(%20, %194) {fx.node = "unsqueeze_6", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2,1],f32>
    %196 = "torch.aten.mul.Tensor"(%128, %195) {fx.node = "mul_3", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[32,2,128],f32>, !torch.vtensor<[32,2,1],f32>) -> !torch.vtensor<[32,2,128],f32>
    %197 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %198 = "torch.prim.ListConstruct"(%197) : (!torch.int) -> !torch.list<int>
    %199 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %200 = "torch.constant.none"() : () -> !torch.none
    %201 = "torch.aten.sum.dim_IntList"(%196, %198, %199, %200) {fx.node = "sum_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2,128],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,128],f32>
    %202 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %203 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %204 = "torch.prim.ListConstruct"(%202, %203) : (!torch.int, !torch.int) -> !torch.list<int>
    %205 = "torch.aten.view"(%193, %204) {fx.node = "view_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[128,16],f32>
    %206 = "torch.aten.mm"(%201, %205) {fx.node = "mm_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,128],f32>, !torch.vtensor<[128,16],f32>) -> !torch.vtensor<[32,16],f32>
    %207 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %208 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %209 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %210 = "torch._c10d_functional.reduce_scatter_tensor"(%206, %207, %208, %209) {fx.node = "reduce_scatter_tensor", fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.str, !torch.int, !torch.str) -> !torch.vtensor<[16,16],f32>
    %211 = "torch._c10d_functional.wait_tensor"(%210) {fx.node = "wait_tensor_3", fx.layer = "L0"} : (!torch.vtensor<[16,16],f32>) -> !torch.vtensor<[16,16],f32>
    %212 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %213 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %214 = "torch._c10d_functional.all_gather_into_tensor"(%arg4, %212, %213) {fx.node = "all_gather_into_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[16,16],f32>, !torch.int, !torch.str) -> !torch.vtensor<[32,16],f32>
    %215 = "torch._c10d_functional.wait_tensor"(%214) {fx.node = "wait_tensor_4", fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[32,16],f32>
    %216 = "torch.aten.t"(%201) {fx.node = "t_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,128],f32>) -> !torch.vtensor<[128,32],f32>
    %217 = "torch.aten.mm"(%216, %215) {fx.node = "mm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,32],f32>, !torch.vtensor<[32,16],f32>) -> !torch.vtensor<[128,16],f32>
    %218 = "torch.aten.t"(%205) {fx.node = "t_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,16],f32>) -> !torch.vtensor<[16,128],f32>
    %219 = "torch.aten.mm"(%215, %218) {fx.node = "mm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,128],f32>) -> !torch.vtensor<[32,128],f32>
    %220 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %221 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %222 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %223 = "torch.prim.ListConstruct"(%220, %221, %222) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %224 = "torch.aten.view"(%217, %223) {fx.node = "view_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %225 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %226 = "torch.aten.unsqueeze"(%219, %225) {fx.node = "unsqueeze_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,128],f32>, !torch.int) -> !torch.vtensor<[32,1,128],f32>
    %227 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %228 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %229 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %230 = "torch.prim.ListConstruct"(%227, %228, %229) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %231 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %232 = "torch.aten.expand"(%226, %230, %231) {fx.node = "expand", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1,128],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2,128],f32>
    %233 = "torch.aten.mul.Tensor"(%232, %128) {fx.node = "mul_4", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2,128],f32>, !torch.vtensor<[32,2,128],f32>) -> !torch.vtensor<[32,2,128],f32>
    %234 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %235 = "torch.prim.ListConstruct"(%234) : (!torch.int) -> !torch.list<int>
    %236 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %237 = "torch.constant.none"() : () -> !torch.none
    %238 = "torch.aten.sum.dim_IntList"(%233, %235, %236, %237) {fx.node = "sum_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2,128],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,2,1],f32>
    %239 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %240 = "torch.aten.squeeze.dim"(%238, %239) {fx.node = "squeeze", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2,1],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %241 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %242 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %243 = "torch.prim.ListConstruct"(%241, %242) : (!torch.int, !torch.int) -> !torch.list<int>
    %244 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %245 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %246 = "torch.prim.ListConstruct"(%244, %245) : (!torch.int, !torch.int) -> !torch.list<int>
    %247 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %248 = "torch._c10d_functional.all_to_all_single"(%224, %243, %246, %247) {fx.node = "all_to_all_single_2", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %249 = "torch._c10d_functional.wait_tensor"(%248) {fx.node = "wait_tensor_5", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %250 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %251 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %252 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %253 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %254 = "torch.prim.ListConstruct"(%250, %251, %252, %253) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %255 = "torch.aten.view"(%249, %254) {fx.node = "view_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,16],f32>
    %256 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %257 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %258 = "torch.aten.transpose.int"(%255, %256, %257) {fx.node = "transpose_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %259 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %260 = "torch.aten.clone"(%258, %259) {fx.node = "clone_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %261 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %262 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %263 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %264 = "torch.prim.ListConstruct"(%261, %262, %263) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %265 = "torch.aten._unsafe_view"(%260, %264) {fx.node = "_unsafe_view_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,2,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,32,16],f32>
    %266 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %267 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %268 = "torch.aten.transpose.int"(%167, %266, %267) {fx.node = "transpose_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,32],f32>
    %269 = "torch.aten.bmm"(%268, %265) {fx.node = "bmm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,32],f32>, !torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,16,16],f32>
    %270 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %271 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %272 = "torch.aten.transpose.int"(%arg3, %270, %271) {fx.node = "transpose_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %273 = "torch.aten.bmm"(%265, %272) {fx.node = "bmm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %274 = "torch.aten.silu_backward"(%273, %166) {fx.node = "silu_backward", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %275 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %276 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %277 = "torch.aten.transpose.int"(%165, %275, %276) {fx.node = "transpose_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,32],f32>
    %278 = "torch.aten.bmm"(%277, %274) {fx.node = "bmm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,32],f32>, !torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,16,16],f32>
    %279 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %280 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %281 = "torch.aten.transpose.int"(%arg2, %279, %280) {fx.node = "transpose_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %282 = "torch.aten.bmm"(%274, %281) {fx.node = "bmm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %283 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %284 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %285 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %286 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %287 = "torch.prim.ListConstruct"(%283, %284, %285, %286) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %288 = "torch.aten.view"(%282, %287) {fx.node = "view_8", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,2,16,16],f32>
    %289 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %290 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %291 = "torch.aten.transpose.int"(%288, %289, %290) {fx.node = "transpose_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %292 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %293 = "torch.aten.clone"(%291, %292) {fx.node = "clone_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %294 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %295 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %296 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %297 = "torch.prim.ListConstruct"(%294, %295, %296) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %298 = "torch.aten._unsafe_view"(%293, %297) {fx.node = "_unsafe_view_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[2,4,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %299 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %300 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %301 = "torch.prim.ListConstruct"(%299, %300) : (!torch.int, !torch.int) -> !torch.list<int>
    %302 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %303 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %304 = "torch.prim.ListConstruct"(%302, %303) : (!torch.int, !torch.int) -> !torch.list<int>
    %305 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %306 = "torch._c10d_functional.all_to_all_single"(%298, %301, %304, %305) {fx.node = "all_to_all_single_3", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %307 = "torch._c10d_functional.wait_tensor"(%306) {fx.node = "wait_tensor_6", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %308 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %309 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %310 = "torch.prim.ListConstruct"(%308, %309) : (!torch.int, !torch.int) -> !torch.list<int>
    %311 = "torch.aten.view"(%307, %310) {fx.node = "view_9", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[128,16],f32>
    %312 = "torch.aten.t"(%134) {fx.node = "t_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,32],f32>) -> !torch.vtensor<[32,128],f32>
    %313 = "torch.aten.mm"(%312, %311) {fx.node = "mm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,128],f32>, !torch.vtensor<[128,16],f32>) -> !torch.vtensor<[32,16],f32>
    %314 = "torch.aten.div.Tensor"(%14#0, %19) {fx.node = "div_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %315 = "torch.aten.div.Tensor"(%314, %19) {fx.node = "div_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %316 = "torch.aten.neg"(%240) {fx.node = "neg", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %317 = "torch.aten.mul.Tensor"(%316, %315) {fx.node = "mul_5", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %318 = "torch.aten.div.Tensor"(%240, %19) {fx.node = "div_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %319 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %320 = "torch.prim.ListConstruct"(%319) : (!torch.int) -> !torch.list<int>
    %321 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %322 = "torch.constant.none"() : () -> !torch.none
    %323 = "torch.aten.sum.dim_IntList"(%317, %320, %321, %322) {fx.node = "sum_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %324 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %325 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %326 = "torch.prim.ListConstruct"(%324, %325) : (!torch.int, !torch.int) -> !torch.list<int>
    %327 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %328 = "torch.aten.expand"(%323, %326, %327) {fx.node = "expand_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2],f32>
    %329 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %330 = "torch.aten.add.Tensor"(%318, %328, %329) {fx.node = "add", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %331 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %332 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %333 = "torch.prim.ListConstruct"(%331, %332) : (!torch.int, !torch.int) -> !torch.list<int>
    %334 = "torch.constant.none"() : () -> !torch.none
    %335 = "torch.constant.none"() : () -> !torch.none
    %336 = "torch.constant.none"() : () -> !torch.none
    %337 = "torch.constant.none"() : () -> !torch.none
    %338 = "torch.aten.new_zeros"(%330, %333, %334, %335, %336, %337) {fx.node = "new_zeros", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[32,8],f32>
    %339 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %340 = "torch.aten.scatter.src"(%338, %339, %14#1, %330) {fx.node = "scatter", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.vtensor<[32,2],si64>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,8],f32>
    %341 = "torch.aten.detach"(%9) {fx.node = "detach_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %342 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %343 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %344 = "torch.aten._softmax_backward_data"(%340, %341, %342, %343) {fx.node = "_softmax_backward_data", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[32,8],f32>
    %345 = "torch.aten.t"(%4) {fx.node = "t_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[16,32],f32>
    %346 = "torch.aten.mm"(%345, %344) {fx.node = "mm_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,32],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[16,8],f32>
    %347 = "torch.aten.t"(%arg1) {fx.node = "t_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[8,16],f32>
    %348 = "torch.aten.mm"(%344, %347) {fx.node = "mm_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[32,16],f32>
    %349 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %350 = "torch.aten.add.Tensor"(%313, %348, %349) {fx.node = "add_1", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %351 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %352 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %353 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %354 = "torch._c10d_functional.reduce_scatter_tensor"(%350, %351, %352, %353) {fx.node = "reduce_scatter_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.str, !torch.int, !torch.str) -> !torch.vtensor<[16,16],f32>
    %355 = "torch._c10d_functional.wait_tensor"(%354) {fx.node = "wait_tensor_7", fx.layer = "L0"} : (!torch.vtensor<[16,16],f32>) -> !torch.vtensor<[16,16],f32>
    "func.return"(%211, %355, %346, %278, %269, %28, %33, %78, %83) : (!torch.vtensor<[16,16],f32>, !torch.vtensor<[16,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>) -> ()
  }) : () -> ()
}) : () -> ()
