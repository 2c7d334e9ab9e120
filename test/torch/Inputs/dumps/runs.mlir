"builtin.module"() ({
  "func.func"() <{function_type = (!torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>) -> (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>), sym_name = "main"}> ({
  ^bb0(%arg0: !torch.vtensor<[16,8],f32>, %arg1: !torch.vtensor<[4,16,16],f32>, %arg2: !torch.vtensor<[32,16],f32>, %arg3: !torch.vtensor<[4,16,16],f32>, %arg4: !torch.vtensor<[32,16],f32>):
    %1 = "torch.aten.mm"(%arg2, %arg0) {fx.node = "mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>) -> !torch.vtensor<[32,8],f32>
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
    %20 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %21 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %22 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %23:2 = "torch.aten.sort.stable"(%19, %20, %21, %22) {fx.node = "sort", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.bool, !torch.int, !torch.bool) -> (!torch.vtensor<[64],si64>, !torch.vtensor<[64],si64>)
    %24 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %25 = "torch.prim.ListConstruct"(%24) : (!torch.int) -> !torch.list<int>
    %26 = "torch.aten.view"(%10#1, %25) {fx.node = "view_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],si64>, !torch.list<int>) -> !torch.vtensor<[64],si64>
    %27 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %28 = "torch.aten.ge.Scalar"(%26, %27) {fx.node = "ge", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %29 = "torch.aten.all"(%28) {fx.node = "all", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %30 = "torch.constant.str"() <{value = "one_hot: Class values must be non-negative."}> : () -> !torch.str
    %31 = "torch.aten._assert_async.msg"(%29, %30) {fx.node = "_assert_async", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %32 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %33 = "torch.aten.lt.Scalar"(%26, %32) {fx.node = "lt", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],i1>
    %34 = "torch.aten.all"(%33) {fx.node = "all_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],i1>) -> !torch.vtensor<[],i1>
    %35 = "torch.constant.str"() <{value = "one_hot: Class values must be smaller than num_classes."}> : () -> !torch.str
    %36 = "torch.aten._assert_async.msg"(%34, %35) {fx.node = "_assert_async_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %37 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %38 = "torch.aten.unsqueeze"(%26, %37) {fx.node = "unsqueeze", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64,1],si64>
    %39 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %40 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %41 = "torch.constant.none"() : () -> !torch.none
    %42 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %43 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %44 = "torch.aten.arange"(%39, %40, %41, %42, %43) {fx.node = "arange", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[8],si64>
    %45 = "torch.aten.eq.Tensor"(%38, %44) {fx.node = "eq", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[64,1],si64>, !torch.vtensor<[8],si64>) -> !torch.vtensor<[64,8],i1>
    %46 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %47 = "torch.constant.none"() : () -> !torch.none
    %48 = "torch.constant.none"() : () -> !torch.none
    %49 = "torch.constant.none"() : () -> !torch.none
    %50 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %51 = "torch.constant.none"() : () -> !torch.none
    %52 = "torch.aten._to_copy"(%45, %46, %47, %48, %49, %50, %51) {fx.node = "_to_copy", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[64,8],si64>
    %53 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %54 = "torch.prim.ListConstruct"(%53) : (!torch.int) -> !torch.list<int>
    %55 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %56 = "torch.constant.none"() : () -> !torch.none
    %57 = "torch.aten.sum.dim_IntList"(%52, %54, %55, %56) {fx.node = "sum_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64,8],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[8],si64>
    %58 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %59 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %60 = "torch.prim.ListConstruct"(%58, %59) : (!torch.int, !torch.int) -> !torch.list<int>
    %61 = "torch.aten.view"(%57, %60) {fx.node = "view_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %62 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %63 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %64 = "torch.prim.ListConstruct"(%62, %63) : (!torch.int, !torch.int) -> !torch.list<int>
    %65 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %66 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %67 = "torch.prim.ListConstruct"(%65, %66) : (!torch.int, !torch.int) -> !torch.list<int>
    %68 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %69 = "torch._c10d_functional.all_to_all_single"(%61, %64, %67, %68) {fx.node = "all_to_all_single", fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[2,4],si64>
    %70 = "torch._c10d_functional.wait_tensor"(%69) {fx.node = "wait_tensor", fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4],si64>
    %71 = "torch._c10d_functional.wait_tensor"(%70) {fx.node = "wait_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4],si64>
    %72 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %73 = "torch.prim.ListConstruct"(%72) : (!torch.int) -> !torch.list<int>
    %74 = "torch.aten.view"(%71, %73) {fx.node = "view_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>) -> !torch.vtensor<[8],si64>
    %75 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %76 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %77 = "torch.prim.ListConstruct"(%75, %76) : (!torch.int, !torch.int) -> !torch.list<int>
    %78 = "torch.aten.view"(%57, %77) {fx.node = "view_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %79 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %80 = "torch.prim.ListConstruct"(%79) : (!torch.int) -> !torch.list<int>
    %81 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %82 = "torch.constant.none"() : () -> !torch.none
    %83 = "torch.aten.sum.dim_IntList"(%78, %80, %81, %82) {fx.node = "sum_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
    %84 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %85 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %86 = "torch.aten.select.int"(%83, %84, %85) {fx.node = "select", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %87 = "torch.aten._local_scalar_dense"(%86) {fx.node = "_local_scalar_dense", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %88 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %89 = "torch.python.ge"(%87, %88) {fx.node = "ge_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %90 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 >= 0 on node 'ge'"}> : () -> !torch.str
    %91 = "torch.aten._assert_scalar"(%89, %90) {fx.node = "_assert_scalar", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %92 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %93 = "torch.python.le"(%87, %92) {fx.node = "le", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %94 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 <= 64 on node 'le'"}> : () -> !torch.str
    %95 = "torch.aten._assert_scalar"(%93, %94) {fx.node = "_assert_scalar_1", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %96 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %97 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %98 = "torch.aten.select.int"(%83, %96, %97) {fx.node = "select_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %99 = "torch.aten._local_scalar_dense"(%98) {fx.node = "_local_scalar_dense_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %100 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %101 = "torch.python.ge"(%99, %100) {fx.node = "ge_2", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %102 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 >= 0 on node 'ge_1'"}> : () -> !torch.str
    %103 = "torch.aten._assert_scalar"(%101, %102) {fx.node = "_assert_scalar_2", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %104 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %105 = "torch.python.le"(%99, %104) {fx.node = "le_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %106 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 <= 64 on node 'le_1'"}> : () -> !torch.str
    %107 = "torch.aten._assert_scalar"(%105, %106) {fx.node = "_assert_scalar_3", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %108 = "torch.prim.ListConstruct"(%87, %99) : (!torch.int, !torch.int) -> !torch.list<int>
    %109 = "torch.python.sym_sum"(%108) {fx.node = "sym_sum", fx.function, fx.layer = "L0"} : (!torch.list<int>) -> !torch.int
    %110 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %111 = "torch.python.eq"(%109, %110) {fx.node = "eq_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %112 = "torch.constant.str"() <{value = "Runtime assertion failed for expression Eq(u0 + u1, 64) on node 'eq'"}> : () -> !torch.str
    %113 = "torch.aten._assert_scalar"(%111, %112) {fx.node = "_assert_scalar_4", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %114 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %115 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %116 = "torch.prim.ListConstruct"(%114, %115) : (!torch.int, !torch.int) -> !torch.list<int>
    %117 = "torch.aten.view"(%74, %116) {fx.node = "view_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %118 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %119 = "torch.prim.ListConstruct"(%118) : (!torch.int) -> !torch.list<int>
    %120 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %121 = "torch.constant.none"() : () -> !torch.none
    %122 = "torch.aten.sum.dim_IntList"(%117, %119, %120, %121) {fx.node = "sum_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
    %123 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %124 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %125 = "torch.aten.select.int"(%122, %123, %124) {fx.node = "select_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %126 = "torch.aten._local_scalar_dense"(%125) {fx.node = "_local_scalar_dense_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %127 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %128 = "torch.python.ge"(%126, %127) {fx.node = "ge_3", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %129 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u2 >= 0 on node 'ge_2'"}> : () -> !torch.str
    %130 = "torch.aten._assert_scalar"(%128, %129) {fx.node = "_assert_scalar_5", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %131 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %132 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %133 = "torch.aten.select.int"(%122, %131, %132) {fx.node = "select_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %134 = "torch.aten._local_scalar_dense"(%133) {fx.node = "_local_scalar_dense_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %135 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %136 = "torch.python.ge"(%134, %135) {fx.node = "ge_4", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %137 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u3 >= 0 on node 'ge_3'"}> : () -> !torch.str
    %138 = "torch.aten._assert_scalar"(%136, %137) {fx.node = "_assert_scalar_6", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %139 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %140 = "torch.aten.floor_divide"(%23#1, %139) {fx.node = "floor_divide", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],si64>
    %141 = "torch.prim.ListConstruct"(%140) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %142 = "torch.aten.index.Tensor"(%arg2, %141) {fx.node = "index", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[64,16],f32>
    %143 = "torch.prim.ListConstruct"(%126, %134) : (!torch.int, !torch.int) -> !torch.list<int>
    %144 = "torch.prim.ListConstruct"(%87, %99) : (!torch.int, !torch.int) -> !torch.list<int>
    %145 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %146 = "torch._c10d_functional.all_to_all_single"(%142, %143, %144, %145) {fx.node = "all_to_all_single_1", fx.layer = "L0"} : (!torch.vtensor<[64,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %147 = "torch._c10d_functional.wait_tensor"(%146) {fx.node = "wait_tensor_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %148 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %149 = "torch.constant.none"() : () -> !torch.none
    %150 = "torch.aten.cumsum"(%74, %148, %149) {fx.node = "cumsum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int, !torch.none) -> !torch.vtensor<[8],si64>
    %151 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %152 = "torch.aten.sub.Tensor"(%150, %74, %151) {fx.node = "sub", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.vtensor<[8],si64>, !torch.int) -> !torch.vtensor<[8],si64>
    %153 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %154 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %155 = "torch.prim.ListConstruct"(%153, %154) : (!torch.int, !torch.int) -> !torch.list<int>
    %156 = "torch.aten.view"(%152, %155) {fx.node = "view_6", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %157 = "torch.aten.t"(%156) {fx.node = "t", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>) -> !torch.vtensor<[4,2],si64>
    %158 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %159 = "torch.aten.clone"(%157, %158) {fx.node = "clone", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[4,2],si64>, !torch.int) -> !torch.vtensor<[4,2],si64>
    %160 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %161 = "torch.prim.ListConstruct"(%160) : (!torch.int) -> !torch.list<int>
    %162 = "torch.aten._unsafe_view"(%159, %161) {fx.node = "_unsafe_view", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,2],si64>, !torch.list<int>) -> !torch.vtensor<[8],si64>
    %163 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %164 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %165 = "torch.prim.ListConstruct"(%163, %164) : (!torch.int, !torch.int) -> !torch.list<int>
    %166 = "torch.aten.view"(%74, %165) {fx.node = "view_7", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %167 = "torch.aten.t"(%166) {fx.node = "t_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>) -> !torch.vtensor<[4,2],si64>
    %168 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %169 = "torch.aten.clone"(%167, %168) {fx.node = "clone_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[4,2],si64>, !torch.int) -> !torch.vtensor<[4,2],si64>
    %170 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %171 = "torch.prim.ListConstruct"(%170) : (!torch.int) -> !torch.list<int>
    %172 = "torch.aten._unsafe_view"(%169, %171) {fx.node = "_unsafe_view_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,2],si64>, !torch.list<int>) -> !torch.vtensor<[8],si64>
    %173 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %174 = "torch.constant.none"() : () -> !torch.none
    %175 = "torch.constant.none"() : () -> !torch.none
    %176 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %177 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %178 = "torch.aten.arange"(%173, %174, %175, %176, %177) {fx.node = "arange_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[8],si64>
    %179 = "torch.prim.ListConstruct"(%126, %134) : (!torch.int, !torch.int) -> !torch.list<int>
    %180 = "torch.python.sym_sum"(%179) {fx.node = "sym_sum_1", fx.function, fx.layer = "L0"} : (!torch.list<int>) -> !torch.int
    %181 = "torch.aten.repeat_interleave.Tensor"(%172, %180) {fx.node = "repeat_interleave", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int) -> !torch.vtensor<[?],si64>
    %182 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %183 = "torch.aten.index_select"(%178, %182, %181) {fx.node = "index_select", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64>
    %184 = "torch.prim.ListConstruct"(%183) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %185 = "torch.aten.index.Tensor"(%162, %184) {fx.node = "index_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<vtensor>) -> !torch.vtensor<[?],si64>
    %186 = "torch.constant.none"() : () -> !torch.none
    %187 = "torch.constant.none"() : () -> !torch.none
    %188 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %189 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %190 = "torch.aten.arange"(%180, %186, %187, %188, %189) {fx.node = "arange_2", fx.function, fx.layer = "L0"} : (!torch.int, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[?],si64>
    %191 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %192 = "torch.aten.add.Tensor"(%185, %190, %191) {fx.node = "add", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.int) -> !torch.vtensor<[?],si64>
    %193 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %194 = "torch.constant.none"() : () -> !torch.none
    %195 = "torch.aten.cumsum"(%172, %193, %194) {fx.node = "cumsum_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int, !torch.none) -> !torch.vtensor<[8],si64>
    %196 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %197 = "torch.aten.sub.Tensor"(%195, %172, %196) {fx.node = "sub_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.vtensor<[8],si64>, !torch.int) -> !torch.vtensor<[8],si64>
    %198 = "torch.prim.ListConstruct"(%183) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %199 = "torch.aten.index.Tensor"(%197, %198) {fx.node = "index_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<vtensor>) -> !torch.vtensor<[?],si64>
    %200 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %201 = "torch.aten.sub.Tensor"(%192, %199, %200) {fx.node = "sub_2", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>, !torch.int) -> !torch.vtensor<[?],si64>
    %202 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %203 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %204 = "torch.prim.ListConstruct"(%202, %203) : (!torch.int, !torch.int) -> !torch.list<int>
    %205 = "torch.aten.view"(%74, %204) {fx.node = "view_8", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %206 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %207 = "torch.prim.ListConstruct"(%206) : (!torch.int) -> !torch.list<int>
    %208 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %209 = "torch.constant.none"() : () -> !torch.none
    %210 = "torch.aten.sum.dim_IntList"(%205, %207, %208, %209) {fx.node = "sum_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[4],si64>
    %211 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %212 = "torch.constant.none"() : () -> !torch.none
    %213 = "torch.aten.cumsum"(%210, %211, %212) {fx.node = "cumsum_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.int, !torch.none) -> !torch.vtensor<[4],si64>
    %214 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
    %215 = "torch.constant.none"() : () -> !torch.none
    %216 = "torch.constant.none"() : () -> !torch.none
    %217 = "torch.constant.none"() : () -> !torch.none
    %218 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %219 = "torch.constant.none"() : () -> !torch.none
    %220 = "torch.aten._to_copy"(%213, %214, %215, %216, %217, %218, %219) {fx.node = "_to_copy_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4],si32>
    %221 = "torch.prim.ListConstruct"(%201) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %222 = "torch.aten.index.Tensor"(%147, %221) {fx.node = "index_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[?,16],f32>
    %223 = "torch.constant.none"() : () -> !torch.none
    %224 = "torch.aten.clone"(%222, %223) {fx.node = "clone_2", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.none) -> !torch.vtensor<[?,16],f32>
    %225 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %226 = "torch.constant.none"() : () -> !torch.none
    %227 = "torch.constant.none"() : () -> !torch.none
    %228 = "torch.constant.none"() : () -> !torch.none
    %229 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %230 = "torch.constant.none"() : () -> !torch.none
    %231 = "torch.aten._to_copy"(%224, %225, %226, %227, %228, %229, %230) {fx.node = "_to_copy_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %232 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %233 = "torch.constant.none"() : () -> !torch.none
    %234 = "torch.constant.none"() : () -> !torch.none
    %235 = "torch.constant.none"() : () -> !torch.none
    %236 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %237 = "torch.constant.none"() : () -> !torch.none
    %238 = "torch.aten._to_copy"(%arg1, %232, %233, %234, %235, %236, %237) {fx.node = "_to_copy_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %239 = "torch.constant.none"() : () -> !torch.none
    %240 = "torch.constant.none"() : () -> !torch.none
    %241 = "torch.aten._grouped_mm"(%231, %238, %220, %239, %240) {fx.node = "_grouped_mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %242 = "torch.aten.silu"(%241) {fx.node = "silu", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>) -> !torch.vtensor<[?,16],bf16>
    %243 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %244 = "torch.constant.none"() : () -> !torch.none
    %245 = "torch.constant.none"() : () -> !torch.none
    %246 = "torch.constant.none"() : () -> !torch.none
    %247 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %248 = "torch.constant.none"() : () -> !torch.none
    %249 = "torch.aten._to_copy"(%arg3, %243, %244, %245, %246, %247, %248) {fx.node = "_to_copy_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %250 = "torch.constant.none"() : () -> !torch.none
    %251 = "torch.constant.none"() : () -> !torch.none
    %252 = "torch.aten._grouped_mm"(%242, %249, %220, %250, %251) {fx.node = "_grouped_mm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %253 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %254 = "torch.constant.none"() : () -> !torch.none
    %255 = "torch.constant.none"() : () -> !torch.none
    %256 = "torch.constant.none"() : () -> !torch.none
    %257 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %258 = "torch.constant.none"() : () -> !torch.none
    %259 = "torch.aten._to_copy"(%252, %253, %254, %255, %256, %257, %258) {fx.node = "_to_copy_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %260 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %261 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %262 = "torch._c10d_functional.all_reduce"(%259, %260, %261) {fx.node = "all_reduce", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %263 = "torch._c10d_functional.wait_tensor"(%262) {fx.node = "wait_tensor_3", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %264 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %265 = "torch.aten.sym_size.int"(%146, %264) {fx.node = "sym_size", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %266 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %267 = "torch.prim.ListConstruct"(%265, %266) : (!torch.int, !torch.int) -> !torch.list<int>
    %268 = "torch.constant.none"() : () -> !torch.none
    %269 = "torch.constant.none"() : () -> !torch.none
    %270 = "torch.constant.none"() : () -> !torch.none
    %271 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %272 = "torch.aten.new_empty"(%263, %267, %268, %269, %270, %271) {fx.node = "new_empty", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %273 = "torch.prim.ListConstruct"(%201) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %274 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %275 = "torch.aten.index_put"(%272, %273, %263, %274) {fx.node = "index_put", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %276 = "torch.prim.ListConstruct"(%87, %99) : (!torch.int, !torch.int) -> !torch.list<int>
    %277 = "torch.prim.ListConstruct"(%126, %134) : (!torch.int, !torch.int) -> !torch.list<int>
    %278 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %279 = "torch._c10d_functional.all_to_all_single"(%275, %276, %277, %278) {fx.node = "all_to_all_single_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %280 = "torch._c10d_functional.wait_tensor"(%279) {fx.node = "wait_tensor_4", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %281 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %282 = "torch.prim.ListConstruct"(%281) : (!torch.int) -> !torch.list<int>
    %283 = "torch.aten.view"(%16, %282) {fx.node = "view_9", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.list<int>) -> !torch.vtensor<[64],f32>
    %284 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %285 = "torch.aten.index.Tensor"(%283, %284) {fx.node = "index_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>) -> !torch.vtensor<[64],f32>
    %286 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %287 = "torch.aten.unsqueeze"(%285, %286) {fx.node = "unsqueeze_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.int) -> !torch.vtensor<[64,1],f32>
    %288 = "torch.aten.mul.Tensor"(%280, %287) {fx.node = "mul", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[64,1],f32>) -> !torch.vtensor<[?,16],f32>
    %289 = "torch.constant.none"() : () -> !torch.none
    %290 = "torch.constant.none"() : () -> !torch.none
    %291 = "torch.constant.none"() : () -> !torch.none
    %292 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %293 = "torch.constant.none"() : () -> !torch.none
    %294 = "torch.aten.zeros_like"(%arg2, %289, %290, %291, %292, %293) {fx.node = "zeros_like", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[32,16],f32>
    %295 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %296 = "torch.aten.floor_divide"(%23#1, %295) {fx.node = "floor_divide_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],si64>
    %297 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %298 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %299 = "torch.aten.index_add"(%294, %297, %296, %288, %298) {fx.node = "index_add", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>, !torch.vtensor<[?,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %300 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %301 = "torch.aten.index_select"(%arg4, %300, %296) {fx.node = "index_select_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>) -> !torch.vtensor<[64,16],f32>
    %302 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %303 = "torch.aten.sym_size.int"(%279, %302) {fx.node = "sym_size_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %304 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %305 = "torch.prim.ListConstruct"(%303, %304) : (!torch.int, !torch.int) -> !torch.list<int>
    %306 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %307 = "torch.aten.expand"(%301, %305, %306) {fx.node = "expand", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %308 = "torch.aten.mul.Tensor"(%307, %280) {fx.node = "mul_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %309 = "torch.aten.mul.Tensor"(%307, %287) {fx.node = "mul_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[64,1],f32>) -> !torch.vtensor<[?,16],f32>
    %310 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %311 = "torch.prim.ListConstruct"(%310) : (!torch.int) -> !torch.list<int>
    %312 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %313 = "torch.constant.none"() : () -> !torch.none
    %314 = "torch.aten.sum.dim_IntList"(%308, %311, %312, %313) {fx.node = "sum_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[?,1],f32>
    %315 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %316 = "torch.aten.squeeze.dim"(%314, %315) {fx.node = "squeeze", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,1],f32>, !torch.int) -> !torch.vtensor<[?],f32>
    %317 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %318 = "torch.prim.ListConstruct"(%317) : (!torch.int) -> !torch.list<int>
    %319 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %320 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %321 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %322 = "torch.constant.none"() : () -> !torch.none
    %323 = "torch.aten.new_zeros"(%316, %318, %319, %320, %321, %322) {fx.node = "new_zeros", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[64],f32>
    %324 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %325 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %326 = "torch.aten.index_put"(%323, %324, %316, %325) {fx.node = "index_put_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>, !torch.vtensor<[?],f32>, !torch.bool) -> !torch.vtensor<[64],f32>
    %327 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %328 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %329 = "torch.prim.ListConstruct"(%327, %328) : (!torch.int, !torch.int) -> !torch.list<int>
    %330 = "torch.aten.view"(%326, %329) {fx.node = "view_10", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<int>) -> !torch.vtensor<[32,2],f32>
    %331 = "torch.prim.ListConstruct"(%126, %134) : (!torch.int, !torch.int) -> !torch.list<int>
    %332 = "torch.prim.ListConstruct"(%87, %99) : (!torch.int, !torch.int) -> !torch.list<int>
    %333 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %334 = "torch._c10d_functional.all_to_all_single"(%309, %331, %332, %333) {fx.node = "all_to_all_single_3", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %335 = "torch._c10d_functional.wait_tensor"(%334) {fx.node = "wait_tensor_5", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %336 = "torch.prim.ListConstruct"(%201) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %337 = "torch.aten.index.Tensor"(%335, %336) {fx.node = "index_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[?,16],f32>
    %338 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %339 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %340 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %341 = "torch.constant.none"() : () -> !torch.none
    %342 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %343 = "torch.constant.none"() : () -> !torch.none
    %344 = "torch.aten._to_copy"(%337, %338, %339, %340, %341, %342, %343) {fx.node = "_to_copy_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %345 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %346 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %347 = "torch.aten.transpose.int"(%242, %345, %346) {fx.node = "transpose", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[16,?],bf16>
    %348 = "torch.constant.none"() : () -> !torch.none
    %349 = "torch.constant.none"() : () -> !torch.none
    %350 = "torch.aten._grouped_mm"(%347, %344, %220, %348, %349) {fx.node = "_grouped_mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],bf16>, !torch.vtensor<[?,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %351 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %352 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %353 = "torch.aten.transpose.int"(%249, %351, %352) {fx.node = "transpose_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],bf16>
    %354 = "torch.constant.none"() : () -> !torch.none
    %355 = "torch.constant.none"() : () -> !torch.none
    %356 = "torch.aten._grouped_mm"(%344, %353, %220, %354, %355) {fx.node = "_grouped_mm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %357 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %358 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %359 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %360 = "torch.constant.none"() : () -> !torch.none
    %361 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %362 = "torch.constant.none"() : () -> !torch.none
    %363 = "torch.aten._to_copy"(%350, %357, %358, %359, %360, %361, %362) {fx.node = "_to_copy_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],f32>
    %364 = "torch.aten.silu_backward"(%356, %241) {fx.node = "silu_backward", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[?,16],bf16>) -> !torch.vtensor<[?,16],bf16>
    %365 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %366 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %367 = "torch.aten.transpose.int"(%231, %365, %366) {fx.node = "transpose_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[16,?],bf16>
    %368 = "torch.constant.none"() : () -> !torch.none
    %369 = "torch.constant.none"() : () -> !torch.none
    %370 = "torch.aten._grouped_mm"(%367, %364, %220, %368, %369) {fx.node = "_grouped_mm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],bf16>, !torch.vtensor<[?,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %371 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %372 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %373 = "torch.aten.transpose.int"(%238, %371, %372) {fx.node = "transpose_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],bf16>
    %374 = "torch.constant.none"() : () -> !torch.none
    %375 = "torch.constant.none"() : () -> !torch.none
    %376 = "torch.aten._grouped_mm"(%364, %373, %220, %374, %375) {fx.node = "_grouped_mm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %377 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %378 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %379 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %380 = "torch.constant.none"() : () -> !torch.none
    %381 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %382 = "torch.constant.none"() : () -> !torch.none
    %383 = "torch.aten._to_copy"(%370, %377, %378, %379, %380, %381, %382) {fx.node = "_to_copy_8", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],f32>
    %384 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %385 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %386 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %387 = "torch.constant.none"() : () -> !torch.none
    %388 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %389 = "torch.constant.none"() : () -> !torch.none
    %390 = "torch.aten._to_copy"(%376, %384, %385, %386, %387, %388, %389) {fx.node = "_to_copy_9", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %391 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %392 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %393 = "torch._c10d_functional.all_reduce"(%390, %391, %392) {fx.node = "all_reduce_1", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %394 = "torch._c10d_functional.wait_tensor"(%393) {fx.node = "wait_tensor_6", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %395 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %396 = "torch.prim.ListConstruct"(%265, %395) : (!torch.int, !torch.int) -> !torch.list<int>
    %397 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %398 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %399 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %400 = "torch.constant.none"() : () -> !torch.none
    %401 = "torch.aten.new_zeros"(%394, %396, %397, %398, %399, %400) {fx.node = "new_zeros_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[?,16],f32>
    %402 = "torch.prim.ListConstruct"(%201) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %403 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %404 = "torch.aten.index_put"(%401, %402, %394, %403) {fx.node = "index_put_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %405 = "torch.prim.ListConstruct"(%87, %99) : (!torch.int, !torch.int) -> !torch.list<int>
    %406 = "torch.prim.ListConstruct"(%126, %134) : (!torch.int, !torch.int) -> !torch.list<int>
    %407 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %408 = "torch._c10d_functional.all_to_all_single"(%404, %405, %406, %407) {fx.node = "all_to_all_single_4", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %409 = "torch._c10d_functional.wait_tensor"(%408) {fx.node = "wait_tensor_7", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %410 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %411 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %412 = "torch.prim.ListConstruct"(%410, %411) : (!torch.int, !torch.int) -> !torch.list<int>
    %413 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %414 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %415 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %416 = "torch.constant.none"() : () -> !torch.none
    %417 = "torch.aten.new_zeros"(%409, %412, %413, %414, %415, %416) {fx.node = "new_zeros_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[32,16],f32>
    %418 = "torch.prim.ListConstruct"(%140) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %419 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %420 = "torch.aten.index_put"(%417, %418, %409, %419) {fx.node = "index_put_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[32,16],f32>
    %421 = "torch.aten.div.Tensor"(%10#0, %15) {fx.node = "div_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %422 = "torch.aten.div.Tensor"(%421, %15) {fx.node = "div_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %423 = "torch.aten.neg"(%330) {fx.node = "neg", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %424 = "torch.aten.mul.Tensor"(%423, %422) {fx.node = "mul_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %425 = "torch.aten.div.Tensor"(%330, %15) {fx.node = "div_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %426 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %427 = "torch.prim.ListConstruct"(%426) : (!torch.int) -> !torch.list<int>
    %428 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %429 = "torch.constant.none"() : () -> !torch.none
    %430 = "torch.aten.sum.dim_IntList"(%424, %427, %428, %429) {fx.node = "sum_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %431 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %432 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %433 = "torch.prim.ListConstruct"(%431, %432) : (!torch.int, !torch.int) -> !torch.list<int>
    %434 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %435 = "torch.aten.expand"(%430, %433, %434) {fx.node = "expand_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2],f32>
    %436 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %437 = "torch.aten.add.Tensor"(%425, %435, %436) {fx.node = "add_1", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %438 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %439 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %440 = "torch.prim.ListConstruct"(%438, %439) : (!torch.int, !torch.int) -> !torch.list<int>
    %441 = "torch.constant.none"() : () -> !torch.none
    %442 = "torch.constant.none"() : () -> !torch.none
    %443 = "torch.constant.none"() : () -> !torch.none
    %444 = "torch.constant.none"() : () -> !torch.none
    %445 = "torch.aten.new_zeros"(%437, %440, %441, %442, %443, %444) {fx.node = "new_zeros_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[32,8],f32>
    %446 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %447 = "torch.aten.scatter.src"(%445, %446, %10#1, %437) {fx.node = "scatter", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.vtensor<[32,2],si64>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,8],f32>
    %448 = "torch.aten.detach"(%5) {fx.node = "detach_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %449 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %450 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %451 = "torch.aten._softmax_backward_data"(%447, %448, %449, %450) {fx.node = "_softmax_backward_data", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[32,8],f32>
    %452 = "torch.aten.t"(%arg2) {fx.node = "t_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[16,32],f32>
    %453 = "torch.aten.mm"(%452, %451) {fx.node = "mm_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,32],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[16,8],f32>
    %454 = "torch.aten.t"(%arg0) {fx.node = "t_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[8,16],f32>
    %455 = "torch.aten.mm"(%451, %454) {fx.node = "mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[32,16],f32>
    %456 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %457 = "torch.aten.add.Tensor"(%420, %455, %456) {fx.node = "add_2", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    "func.return"(%299, %453, %383, %457, %363, %31, %36, %91, %95, %103, %107, %113, %130, %138) : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>) -> ()
  }) : () -> ()
}) : () -> ()
