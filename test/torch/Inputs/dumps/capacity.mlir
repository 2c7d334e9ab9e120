"builtin.module"() ({
  "func.func"() <{function_type = (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>) -> (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>), sym_name = "main"}> ({
  ^bb0(%arg0: !torch.vtensor<[32,16],f32>, %arg1: !torch.vtensor<[16,8],f32>, %arg2: !torch.vtensor<[4,16,16],f32>, %arg3: !torch.vtensor<[4,16,16],f32>, %arg4: !torch.vtensor<[32,16],f32>):
    %1 = "torch.aten.mm"(%arg0, %arg1) {fx.node = "mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>) -> !torch.vtensor<[32,8],f32>
    %2 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %3 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %4 = "torch.aten._softmax"(%1, %2, %3) {fx.node = "_softmax", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[32,8],f32>
    %5 = "torch.aten.detach"(%4) {fx.node = "detach", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %6 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %7 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %8 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %9 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %10:2 = "torch.aten.topk"(%4, %6, %7, %8, %9) {fx.node = "topk", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool) -> (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],si64>)
    %11 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %12 = "torch.prim.ListConstruct"(%11) : (!torch.int) -> !torch.list<int>
    %13 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %14 = "torch.constant.none"() : () -> !torch.none
    %15 = "torch.aten.sum.dim_IntList"(%10#0, %12, %13, %14) {fx.node = "sum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %16 = "torch.aten.div.Tensor"(%10#0, %15) {fx.node = "div", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %17 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %18 = "torch.prim.ListConstruct"(%17) : (!torch.int) -> !torch.list<int>
    %19 = "torch.aten.view"(%10#1, %18) {fx.node = "view", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],si64>, !torch.list<int>) -> !torch.vtensor<[64],si64>
    %20 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %21 = "torch.aten.ge.Scalar"(%19, %20) {fx.node = "ge", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %22 = "torch.aten.all"(%21) {fx.node = "all", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %23 = "torch.constant.str"() <{value = "one_hot: Class values must be non-negative."}> : () -> !torch.str
    %24 = "torch.aten._assert_async.msg"(%22, %23) {fx.node = "_assert_async", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %25 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %26 = "torch.aten.lt.Scalar"(%19, %25) {fx.node = "lt", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %27 = "torch.aten.all"(%26) {fx.node = "all_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %28 = "torch.constant.str"() <{value = "one_hot: Class values must be smaller than num_classes."}> : () -> !torch.str
    %29 = "torch.aten._assert_async.msg"(%27, %28) {fx.node = "_assert_async_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %30 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %31 = "torch.aten.unsqueeze"(%19, %30) {fx.node = "unsqueeze", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64,1],si64>
    %32 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %33 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %34 = "torch.constant.none"() : () -> !torch.none
    %35 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %36 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %37 = "torch.aten.arange"(%32, %33, %34, %35, %36) {fx.node = "arange", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[8],si64>
    %38 = "torch.aten.eq.Tensor"(%31, %37) {fx.node = "eq", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,1],si64>, !torch.vtensor<[8],si64>) -> !torch.vtensor<[64,8],i1>
    %39 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %40 = "torch.constant.none"() : () -> !torch.none
    %41 = "torch.constant.none"() : () -> !torch.none
    %42 = "torch.constant.none"() : () -> !torch.none
    %43 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %44 = "torch.constant.none"() : () -> !torch.none
    %45 = "torch.aten._to_copy"(%38, %39, %40, %41, %42, %43, %44) {fx.node = "_to_copy", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,8],si64>
    %46 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %47 = "torch.constant.none"() : () -> !torch.none
    %48 = "torch.aten.cumsum"(%45, %46, %47) {fx.node = "cumsum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.int, !torch.none) -> !torch.vtensor<[64,8],si64>
    %49 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %50 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %51 = "torch.aten.sub.Tensor"(%48, %49, %50) {fx.node = "sub", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.int, !torch.int) -> !torch.vtensor<[64,8],si64>
    %52 = "torch.aten.mul.Tensor"(%51, %45) {fx.node = "mul", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.vtensor<[64,8],si64>) -> !torch.vtensor<[64,8],si64>
    %53 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %54 = "torch.prim.ListConstruct"(%53) : (!torch.int) -> !torch.list<int>
    %55 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %56 = "torch.constant.none"() : () -> !torch.none
    %57 = "torch.aten.sum.dim_IntList"(%52, %54, %55, %56) {fx.node = "sum_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[64],si64>
    %58 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %59 = "torch.aten.lt.Scalar"(%57, %58) {fx.node = "lt_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %60 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %61 = "torch.constant.none"() : () -> !torch.none
    %62 = "torch.constant.none"() : () -> !torch.none
    %63 = "torch.constant.none"() : () -> !torch.none
    %64 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %65 = "torch.constant.none"() : () -> !torch.none
    %66 = "torch.aten._to_copy"(%59, %60, %61, %62, %63, %64, %65) {fx.node = "_to_copy_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64],f32>
    %67 = "torch.constant.none"() : () -> !torch.none
    %68 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %69 = "torch.aten.clamp"(%57, %67, %68) {fx.node = "clamp", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.none, !torch.int) -> !torch.vtensor<[64],si64>
    %70 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %71 = "torch.aten.ge.Scalar"(%69, %70) {fx.node = "ge_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %72 = "torch.aten.all"(%71) {fx.node = "all_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %73 = "torch.constant.str"() <{value = "one_hot: Class values must be non-negative."}> : () -> !torch.str
    %74 = "torch.aten._assert_async.msg"(%72, %73) {fx.node = "_assert_async_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %75 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %76 = "torch.aten.lt.Scalar"(%69, %75) {fx.node = "lt_2", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %77 = "torch.aten.all"(%76) {fx.node = "all_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %78 = "torch.constant.str"() <{value = "one_hot: Class values must be smaller than num_classes."}> : () -> !torch.str
    %79 = "torch.aten._assert_async.msg"(%77, %78) {fx.node = "_assert_async_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %80 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %81 = "torch.aten.unsqueeze"(%69, %80) {fx.node = "unsqueeze_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64,1],si64>
    %82 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %83 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %84 = "torch.constant.none"() : () -> !torch.none
    %85 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %86 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %87 = "torch.aten.arange"(%82, %83, %84, %85, %86) {fx.node = "arange_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[16],si64>
    %88 = "torch.aten.eq.Tensor"(%81, %87) {fx.node = "eq_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,1],si64>, !torch.vtensor<[16],si64>) -> !torch.vtensor<[64,16],i1>
    %89 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %90 = "torch.constant.none"() : () -> !torch.none
    %91 = "torch.constant.none"() : () -> !torch.none
    %92 = "torch.constant.none"() : () -> !torch.none
    %93 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %94 = "torch.constant.none"() : () -> !torch.none
    %95 = "torch.aten._to_copy"(%88, %89, %90, %91, %92, %93, %94) {fx.node = "_to_copy_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,16],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,16],si64>
    %96 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %97 = "torch.constant.none"() : () -> !torch.none
    %98 = "torch.constant.none"() : () -> !torch.none
    %99 = "torch.constant.none"() : () -> !torch.none
    %100 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %101 = "torch.constant.none"() : () -> !torch.none
    %102 = "torch.aten._to_copy"(%95, %96, %97, %98, %99, %100, %101) {fx.node = "_to_copy_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,16],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,16],f32>
    %103 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %104 = "torch.constant.none"() : () -> !torch.none
    %105 = "torch.constant.none"() : () -> !torch.none
    %106 = "torch.constant.none"() : () -> !torch.none
    %107 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %108 = "torch.constant.none"() : () -> !torch.none
    %109 = "torch.aten._to_copy"(%45, %103, %104, %105, %106, %107, %108) {fx.node = "_to_copy_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,8],f32>
    %110 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %111 = "torch.aten.unsqueeze"(%109, %110) {fx.node = "unsqueeze_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],f32>, !torch.int) -> !torch.vtensor<[64,8,1],f32>
    %112 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %113 = "torch.aten.unsqueeze"(%102, %112) {fx.node = "unsqueeze_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,16],f32>, !torch.int) -> !torch.vtensor<[64,1,16],f32>
    %114 = "torch.aten.mul.Tensor"(%111, %113) {fx.node = "mul_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8,1],f32>, !torch.vtensor<[64,1,16],f32>) -> !torch.vtensor<[64,8,16],f32>
    %115 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %116 = "torch.aten.unsqueeze"(%66, %115) {fx.node = "unsqueeze_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.int) -> !torch.vtensor<[64,1],f32>
    %117 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %118 = "torch.aten.unsqueeze"(%116, %117) {fx.node = "unsqueeze_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,1],f32>, !torch.int) -> !torch.vtensor<[64,1,1],f32>
    %119 = "torch.aten.mul.Tensor"(%114, %118) {fx.node = "mul_2", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,8,16],f32>, !torch.vtensor<[64,1,1],f32>) -> !torch.vtensor<[64,8,16],f32>
    %120 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %121 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %122 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %123 = "torch.prim.ListConstruct"(%120, %121, %122) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %124 = "torch.aten.view"(%119, %123) {fx.node = "view_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8,16],f32>, !torch.list<int>) -> !torch.vtensor<[32,2,128],f32>
    %125 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %126 = "torch.prim.ListConstruct"(%125) : (!torch.int) -> !torch.list<int>
    %127 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %128 = "torch.constant.none"() : () -> !torch.none
    %129 = "torch.aten.sum.dim_IntList"(%124, %126, %127, %128) {fx.node = "sum_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2,128],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,128],f32>
    %130 = "torch.aten.t"(%129) {fx.node = "t", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,128],f32>) -> !torch.vtensor<[128,32],f32>
    %131 = "torch.aten.mm"(%130, %arg0) {fx.node = "mm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[128,32],f32>, !torch.vtensor<[32,16],f32>) -> !torch.vtensor<[128,16],f32>
    %132 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %133 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %134 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %135 = "torch.prim.ListConstruct"(%132, %133, %134) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %136 = "torch.aten.view"(%131, %135) {fx.node = "view_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[128,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %137 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %138 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %139 = "torch.prim.ListConstruct"(%137, %138) : (!torch.int, !torch.int) -> !torch.list<int>
    %140 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %141 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %142 = "torch.prim.ListConstruct"(%140, %141) : (!torch.int, !torch.int) -> !torch.list<int>
    %143 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %144 = "torch._c10d_functional.all_to_all_single"(%136, %139, %142, %143) {fx.node = "all_to_all_single", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %145 = "torch._c10d_functional.wait_tensor"(%144) {fx.node = "wait_tensor", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %146 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %147 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %148 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %149 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %150 = "torch.prim.ListConstruct"(%146, %147, %148, %149) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %151 = "torch.aten.view"(%145, %150) {fx.node = "view_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,16],f32>
    %152 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %153 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %154 = "torch.aten.transpose.int"(%151, %152, %153) {fx.node = "transpose", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %155 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %156 = "torch.aten.clone"(%154, %155) {fx.node = "clone", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %157 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %158 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %159 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %160 = "torch.prim.ListConstruct"(%157, %158, %159) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %161 = "torch.aten._unsafe_view"(%156, %160) {fx.node = "_unsafe_view", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,2,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,32,16],f32>
    %162 = "torch.constant.none"() : () -> !torch.none
    %163 = "torch.aten.clone"(%161, %162) {fx.node = "clone_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.none) -> !torch.vtensor<[4,32,16],f32>
    %164 = "torch.aten.bmm"(%163, %arg2) {fx.node = "bmm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %165 = "torch.aten.silu"(%164) {fx.node = "silu", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %166 = "torch.aten.bmm"(%165, %arg3) {fx.node = "bmm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %167 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %168 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %169 = "torch._c10d_functional.all_reduce"(%166, %167, %168) {fx.node = "all_reduce", fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,32,16],f32>
    %170 = "torch._c10d_functional.wait_tensor"(%169) {fx.node = "wait_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %171 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %172 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %173 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %174 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %175 = "torch.prim.ListConstruct"(%171, %172, %173, %174) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %176 = "torch.aten.view"(%170, %175) {fx.node = "view_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,2,16,16],f32>
    %177 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %178 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %179 = "torch.aten.transpose.int"(%176, %177, %178) {fx.node = "transpose_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %180 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %181 = "torch.aten.clone"(%179, %180) {fx.node = "clone_2", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %182 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %183 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %184 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %185 = "torch.prim.ListConstruct"(%182, %183, %184) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %186 = "torch.aten._unsafe_view"(%181, %185) {fx.node = "_unsafe_view_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %187 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %188 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %189 = "torch.prim.ListConstruct"(%187, %188) : (!torch.int, !torch.int) -> !torch.list<int>
    %190 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %191 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %192 = "torch.prim.ListConstruct"(%190, %191) : (!torch.int, !torch.int) -> !torch.list<int>
    %193 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %194 = "torch._c10d_functional.all_to_all_single"(%186, %189, %192, %193) {fx.node = "all_to_all_single_1", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %195 = "torch._c10d_functional.wait_tensor"(%194) {fx.node = "wait_tensor_2", fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %196 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %197 = "torch.aten.unsqueeze"(%16, %196) {fx.node = "unsqueeze_6", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2,1],f32>
    %198 = "torch.aten.mul.Tensor"(%124, %197) {fx.node = "mul_3", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[32,2,128],f32>, !torch.vtensor<[32,2,1],f32>) -> !torch.vtensor<[32,2,128],f32>
    %199 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %200 = "torch.prim.ListConstruct"(%199) : (!torch.int) -> !torch.list<int>
    %201 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %202 = "torch.constant.none"() : () -> !torch.none
    %203 = "torch.aten.sum.dim_IntList"(%198, %200, %201, %202) {fx.node = "sum_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2,128],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,128],f32>
    %204 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %205 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %206 = "torch.prim.ListConstruct"(%204, %205) : (!torch.int, !torch.int) -> !torch.list<int>
    %207 = "torch.aten.view"(%195, %206) {fx.node = "view_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[128,16],f32>
    %208 = "torch.aten.mm"(%203, %207) {fx.node = "mm_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,128],f32>, !torch.vtensor<[128,16],f32>) -> !torch.vtensor<[32,16],f32>
    %209 = "torch.aten.t"(%203) {fx.node = "t_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,128],f32>) -> !torch.vtensor<[128,32],f32>
    %210 = "torch.aten.mm"(%209, %arg4) {fx.node = "mm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,32],f32>, !torch.vtensor<[32,16],f32>) -> !torch.vtensor<[128,16],f32>
    %211 = "torch.aten.t"(%207) {fx.node = "t_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,16],f32>) -> !torch.vtensor<[16,128],f32>
    %212 = "torch.aten.mm"(%arg4, %211) {fx.node = "mm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,128],f32>) -> !torch.vtensor<[32,128],f32>
    %213 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %214 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %215 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %216 = "torch.prim.ListConstruct"(%213, %214, %215) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %217 = "torch.aten.view"(%210, %216) {fx.node = "view_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %218 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %219 = "torch.aten.unsqueeze"(%212, %218) {fx.node = "unsqueeze_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,128],f32>, !torch.int) -> !torch.vtensor<[32,1,128],f32>
    %220 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %221 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %222 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %223 = "torch.prim.ListConstruct"(%220, %221, %222) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %224 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %225 = "torch.aten.expand"(%219, %223, %224) {fx.node = "expand", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1,128],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2,128],f32>
    %226 = "torch.aten.mul.Tensor"(%225, %124) {fx.node = "mul_4", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2,128],f32>, !torch.vtensor<[32,2,128],f32>) -> !torch.vtensor<[32,2,128],f32>
    %227 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %228 = "torch.prim.ListConstruct"(%227) : (!torch.int) -> !torch.list<int>
    %229 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %230 = "torch.constant.none"() : () -> !torch.none
    %231 = "torch.aten.sum.dim_IntList"(%226, %228, %229, %230) {fx.node = "sum_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2,128],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,2,1],f32>
    %232 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %233 = "torch.aten.squeeze.dim"(%231, %232) {fx.node = "squeeze", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2,1],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %234 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %235 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %236 = "torch.prim.ListConstruct"(%234, %235) : (!torch.int, !torch.int) -> !torch.list<int>
    %237 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %238 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %239 = "torch.prim.ListConstruct"(%237, %238) : (!torch.int, !torch.int) -> !torch.list<int>
    %240 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %241 = "torch._c10d_functional.all_to_all_single"(%217, %236, %239, %240) {fx.node = "all_to_all_single_2", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %242 = "torch._c10d_functional.wait_tensor"(%241) {fx.node = "wait_tensor_3", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %243 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %244 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %245 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %246 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %247 = "torch.prim.ListConstruct"(%243, %244, %245, %246) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %248 = "torch.aten.view"(%242, %247) {fx.node = "view_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[2,4,16,16],f32>
    %249 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %250 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %251 = "torch.aten.transpose.int"(%248, %249, %250) {fx.node = "transpose_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %252 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %253 = "torch.aten.clone"(%251, %252) {fx.node = "clone_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int) -> !torch.vtensor<[4,2,16,16],f32>
    %254 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %255 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %256 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %257 = "torch.prim.ListConstruct"(%254, %255, %256) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %258 = "torch.aten._unsafe_view"(%253, %257) {fx.node = "_unsafe_view_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,2,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,32,16],f32>
    %259 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %260 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %261 = "torch.aten.transpose.int"(%165, %259, %260) {fx.node = "transpose_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,32],f32>
    %262 = "torch.aten.bmm"(%261, %258) {fx.node = "bmm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,32],f32>, !torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,16,16],f32>
    %263 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %264 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %265 = "torch.aten.transpose.int"(%arg3, %263, %264) {fx.node = "transpose_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %266 = "torch.aten.bmm"(%258, %265) {fx.node = "bmm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %267 = "torch.aten.silu_backward"(%266, %164) {fx.node = "silu_backward", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %268 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %269 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %270 = "torch.aten.transpose.int"(%163, %268, %269) {fx.node = "transpose_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,32],f32>
    %271 = "torch.aten.bmm"(%270, %267) {fx.node = "bmm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,32],f32>, !torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,16,16],f32>
    %272 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %273 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %274 = "torch.aten.transpose.int"(%arg2, %272, %273) {fx.node = "transpose_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %275 = "torch.aten.bmm"(%267, %274) {fx.node = "bmm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.vtensor<[4,16,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %276 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %277 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %278 = "torch._c10d_functional.all_reduce"(%275, %276, %277) {fx.node = "all_reduce_1", fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,32,16],f32>
    %279 = "torch._c10d_functional.wait_tensor"(%278) {fx.node = "wait_tensor_4", fx.layer = "L0"} : (!torch.vtensor<[4,32,16],f32>) -> !torch.vtensor<[4,32,16],f32>
    %280 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %281 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %282 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %283 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %284 = "torch.prim.ListConstruct"(%280, %281, %282, %283) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %285 = "torch.aten.view"(%279, %284) {fx.node = "view_8", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,32,16],f32>, !torch.list<int>) -> !torch.vtensor<[4,2,16,16],f32>
    %286 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %287 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %288 = "torch.aten.transpose.int"(%285, %286, %287) {fx.node = "transpose_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,2,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %289 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %290 = "torch.aten.clone"(%288, %289) {fx.node = "clone_4", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[2,4,16,16],f32>, !torch.int) -> !torch.vtensor<[2,4,16,16],f32>
    %291 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %292 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %293 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %294 = "torch.prim.ListConstruct"(%291, %292, %293) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %295 = "torch.aten._unsafe_view"(%290, %294) {fx.node = "_unsafe_view_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[2,4,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[8,16,16],f32>
    %296 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %297 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %298 = "torch.prim.ListConstruct"(%296, %297) : (!torch.int, !torch.int) -> !torch.list<int>
    %299 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %300 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %301 = "torch.prim.ListConstruct"(%299, %300) : (!torch.int, !torch.int) -> !torch.list<int>
    %302 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %303 = "torch._c10d_functional.all_to_all_single"(%295, %298, %301, %302) {fx.node = "all_to_all_single_3", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8,16,16],f32>
    %304 = "torch._c10d_functional.wait_tensor"(%303) {fx.node = "wait_tensor_5", fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>) -> !torch.vtensor<[8,16,16],f32>
    %305 = "torch.constant.int"() <{value = 128 : i64}> : () -> !torch.int
    %306 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %307 = "torch.prim.ListConstruct"(%305, %306) : (!torch.int, !torch.int) -> !torch.list<int>
    %308 = "torch.aten.view"(%304, %307) {fx.node = "view_9", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,16,16],f32>, !torch.list<int>) -> !torch.vtensor<[128,16],f32>
    %309 = "torch.aten.t"(%130) {fx.node = "t_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[128,32],f32>) -> !torch.vtensor<[32,128],f32>
    %310 = "torch.aten.mm"(%309, %308) {fx.node = "mm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,128],f32>, !torch.vtensor<[128,16],f32>) -> !torch.vtensor<[32,16],f32>
    %311 = "torch.aten.div.Tensor"(%10#0, %15) {fx.node = "div_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %312 = "torch.aten.div.Tensor"(%311, %15) {fx.node = "div_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %313 = "torch.aten.neg"(%233) {fx.node = "neg", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %314 = "torch.aten.mul.Tensor"(%313, %312) {fx.node = "mul_5", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %315 = "torch.aten.div.Tensor"(%233, %15) {fx.node = "div_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %316 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %317 = "torch.prim.ListConstruct"(%316) : (!torch.int) -> !torch.list<int>
    %318 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %319 = "torch.constant.none"() : () -> !torch.none
    %320 = "torch.aten.sum.dim_IntList"(%314, %317, %318, %319) {fx.node = "sum_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %321 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %322 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %323 = "torch.prim.ListConstruct"(%321, %322) : (!torch.int, !torch.int) -> !torch.list<int>
    %324 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %325 = "torch.aten.expand"(%320, %323, %324) {fx.node = "expand_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2],f32>
    %326 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %327 = "torch.aten.add.Tensor"(%315, %325, %326) {fx.node = "add", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %328 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %329 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %330 = "torch.prim.ListConstruct"(%328, %329) : (!torch.int, !torch.int) -> !torch.list<int>
    %331 = "torch.constant.none"() : () -> !torch.none
    %332 = "torch.constant.none"() : () -> !torch.none
    %333 = "torch.constant.none"() : () -> !torch.none
    %334 = "torch.constant.none"() : () -> !torch.none
    %335 = "torch.aten.new_zeros"(%327, %330, %331, %332, %333, %334) {fx.node = "new_zeros", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[32,8],f32>
    %336 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %337 = "torch.aten.scatter.src"(%335, %336, %10#1, %327) {fx.node = "scatter", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.vtensor<[32,2],si64>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,8],f32>
    %338 = "torch.aten.detach"(%5) {fx.node = "detach_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %339 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %340 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %341 = "torch.aten._softmax_backward_data"(%337, %338, %339, %340) {fx.node = "_softmax_backward_data", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[32,8],f32>
    %342 = "torch.aten.t"(%arg0) {fx.node = "t_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[16,32],f32>
    %343 = "torch.aten.mm"(%342, %341) {fx.node = "mm_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,32],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[16,8],f32>
    %344 = "torch.aten.t"(%arg1) {fx.node = "t_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[8,16],f32>
    %345 = "torch.aten.mm"(%341, %344) {fx.node = "mm_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[32,16],f32>
    %346 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %347 = "torch.aten.add.Tensor"(%310, %345, %346) {fx.node = "add_1", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    "func.return"(%208, %347, %343, %271, %262, %24, %29, %74, %79) : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>) -> ()
  }) : () -> ()
}) : () -> ()
