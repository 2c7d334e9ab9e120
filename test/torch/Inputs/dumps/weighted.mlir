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
    %58 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %59 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %60 = "torch.prim.ListConstruct"(%58, %59) : (!torch.int, !torch.int) -> !torch.list<int>
    %61 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %62 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %63 = "torch.prim.ListConstruct"(%61, %62) : (!torch.int, !torch.int) -> !torch.list<int>
    %64 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %65 = "torch._c10d_functional.all_to_all_single"(%57, %60, %63, %64) {fx.node = "all_to_all_single", fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8],si64>
    %66 = "torch._c10d_functional.wait_tensor"(%65) {fx.node = "wait_tensor", fx.layer = "L0"} : (!torch.vtensor<[8],si64>) -> !torch.vtensor<[8],si64>
    %67 = "torch._c10d_functional.wait_tensor"(%66) {fx.node = "wait_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[8],si64>) -> !torch.vtensor<[8],si64>
    %68 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %69 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %70 = "torch.prim.ListConstruct"(%68, %69) : (!torch.int, !torch.int) -> !torch.list<int>
    %71 = "torch.aten.view"(%67, %70) {fx.node = "view_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %72 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %73 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %74 = "torch.prim.ListConstruct"(%72, %73) : (!torch.int, !torch.int) -> !torch.list<int>
    %75 = "torch.aten.view"(%57, %74) {fx.node = "view_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %76 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %77 = "torch.prim.ListConstruct"(%76) : (!torch.int) -> !torch.list<int>
    %78 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %79 = "torch.constant.none"() : () -> !torch.none
    %80 = "torch.aten.sum.dim_IntList"(%75, %77, %78, %79) {fx.node = "sum_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
    %81 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %82 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %83 = "torch.aten.select.int"(%80, %81, %82) {fx.node = "select", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %84 = "torch.aten._local_scalar_dense"(%83) {fx.node = "_local_scalar_dense", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %85 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %86 = "torch.python.ge"(%84, %85) {fx.node = "ge_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %87 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 >= 0 on node 'ge'"}> : () -> !torch.str
    %88 = "torch.aten._assert_scalar"(%86, %87) {fx.node = "_assert_scalar", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %89 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %90 = "torch.python.le"(%84, %89) {fx.node = "le", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %91 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 <= 64 on node 'le'"}> : () -> !torch.str
    %92 = "torch.aten._assert_scalar"(%90, %91) {fx.node = "_assert_scalar_1", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %93 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %94 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %95 = "torch.aten.select.int"(%80, %93, %94) {fx.node = "select_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %96 = "torch.aten._local_scalar_dense"(%95) {fx.node = "_local_scalar_dense_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %97 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %98 = "torch.python.ge"(%96, %97) {fx.node = "ge_2", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %99 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 >= 0 on node 'ge_1'"}> : () -> !torch.str
    %100 = "torch.aten._assert_scalar"(%98, %99) {fx.node = "_assert_scalar_2", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %101 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %102 = "torch.python.le"(%96, %101) {fx.node = "le_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %103 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 <= 64 on node 'le_1'"}> : () -> !torch.str
    %104 = "torch.aten._assert_scalar"(%102, %103) {fx.node = "_assert_scalar_3", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %105 = "torch.prim.ListConstruct"(%84, %96) : (!torch.int, !torch.int) -> !torch.list<int>
    %106 = "torch.python.sym_sum"(%105) {fx.node = "sym_sum", fx.function, fx.layer = "L0"} : (!torch.list<int>) -> !torch.int
    %107 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %108 = "torch.python.eq"(%106, %107) {fx.node = "eq_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %109 = "torch.constant.str"() <{value = "Runtime assertion failed for expression Eq(u0 + u1, 64) on node 'eq'"}> : () -> !torch.str
    %110 = "torch.aten._assert_scalar"(%108, %109) {fx.node = "_assert_scalar_4", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %111 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %112 = "torch.prim.ListConstruct"(%111) : (!torch.int) -> !torch.list<int>
    %113 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %114 = "torch.constant.none"() : () -> !torch.none
    %115 = "torch.aten.sum.dim_IntList"(%71, %112, %113, %114) {fx.node = "sum_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
    %116 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %117 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %118 = "torch.aten.select.int"(%115, %116, %117) {fx.node = "select_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %119 = "torch.aten._local_scalar_dense"(%118) {fx.node = "_local_scalar_dense_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %120 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %121 = "torch.python.ge"(%119, %120) {fx.node = "ge_3", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %122 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u2 >= 0 on node 'ge_2'"}> : () -> !torch.str
    %123 = "torch.aten._assert_scalar"(%121, %122) {fx.node = "_assert_scalar_5", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %124 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %125 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %126 = "torch.aten.select.int"(%115, %124, %125) {fx.node = "select_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %127 = "torch.aten._local_scalar_dense"(%126) {fx.node = "_local_scalar_dense_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %128 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %129 = "torch.python.ge"(%127, %128) {fx.node = "ge_4", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %130 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u3 >= 0 on node 'ge_3'"}> : () -> !torch.str
    %131 = "torch.aten._assert_scalar"(%129, %130) {fx.node = "_assert_scalar_6", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %132 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %133 = "torch.aten.floor_divide"(%23#1, %132) {fx.node = "floor_divide", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],si64>
    %134 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %135 = "torch.aten.index_select"(%arg2, %134, %133) {fx.node = "index_select", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>) -> !torch.vtensor<[64,16],f32>
    %136 = "torch.prim.ListConstruct"(%119, %127) : (!torch.int, !torch.int) -> !torch.list<int>
    %137 = "torch.prim.ListConstruct"(%84, %96) : (!torch.int, !torch.int) -> !torch.list<int>
    %138 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %139 = "torch._c10d_functional.all_to_all_single"(%135, %136, %137, %138) {fx.node = "all_to_all_single_1", fx.layer = "L0"} : (!torch.vtensor<[64,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %140 = "torch._c10d_functional.wait_tensor"(%139) {fx.node = "wait_tensor_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %141 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %142 = "torch.prim.ListConstruct"(%141) : (!torch.int) -> !torch.list<int>
    %143 = "torch.aten.view"(%16, %142) {fx.node = "view_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.list<int>) -> !torch.vtensor<[64],f32>
    %144 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %145 = "torch.aten.index.Tensor"(%143, %144) {fx.node = "index", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>) -> !torch.vtensor<[64],f32>
    %146 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %147 = "torch.aten.unsqueeze"(%145, %146) {fx.node = "unsqueeze_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.int) -> !torch.vtensor<[64,1],f32>
    %148 = "torch.prim.ListConstruct"(%119, %127) : (!torch.int, !torch.int) -> !torch.list<int>
    %149 = "torch.prim.ListConstruct"(%84, %96) : (!torch.int, !torch.int) -> !torch.list<int>
    %150 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %151 = "torch._c10d_functional.all_to_all_single"(%147, %148, %149, %150) {fx.node = "all_to_all_single_2", fx.layer = "L0"} : (!torch.vtensor<[64,1],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,1],f32>
    %152 = "torch._c10d_functional.wait_tensor"(%151) {fx.node = "wait_tensor_3", fx.layer = "L0"} : (!torch.vtensor<[?,1],f32>) -> !torch.vtensor<[?,1],f32>
    %153 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %154 = "torch.constant.none"() : () -> !torch.none
    %155 = "torch.constant.none"() : () -> !torch.none
    %156 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %157 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %158 = "torch.aten.arange"(%153, %154, %155, %156, %157) {fx.node = "arange_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[4],si64>
    %159 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %160 = "torch.prim.ListConstruct"(%159) : (!torch.int) -> !torch.list<int>
    %161 = "torch.aten.repeat"(%158, %160) {fx.node = "repeat", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.list<int>) -> !torch.vtensor<[8],si64>
    %162 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %163 = "torch.prim.ListConstruct"(%162) : (!torch.int) -> !torch.list<int>
    %164 = "torch.aten.view"(%71, %163) {fx.node = "view_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>) -> !torch.vtensor<[8],si64>
    %165 = "torch.prim.ListConstruct"(%119, %127) : (!torch.int, !torch.int) -> !torch.list<int>
    %166 = "torch.python.sym_sum"(%165) {fx.node = "sym_sum_1", fx.function, fx.layer = "L0"} : (!torch.list<int>) -> !torch.int
    %167 = "torch.aten.repeat_interleave.Tensor"(%164, %166) {fx.node = "repeat_interleave", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int) -> !torch.vtensor<[?],si64>
    %168 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %169 = "torch.aten.index_select"(%161, %168, %167) {fx.node = "index_select_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64>
    %170 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %171 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %172 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %173:2 = "torch.aten.sort.stable"(%169, %170, %171, %172) {fx.node = "sort_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.bool, !torch.int, !torch.bool) -> (!torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>)
    %174 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %175 = "torch.prim.ListConstruct"(%174) : (!torch.int) -> !torch.list<int>
    %176 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %177 = "torch.constant.none"() : () -> !torch.none
    %178 = "torch.aten.sum.dim_IntList"(%71, %175, %176, %177) {fx.node = "sum_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[4],si64>
    %179 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %180 = "torch.constant.none"() : () -> !torch.none
    %181 = "torch.aten.cumsum"(%178, %179, %180) {fx.node = "cumsum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.int, !torch.none) -> !torch.vtensor<[4],si64>
    %182 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
    %183 = "torch.constant.none"() : () -> !torch.none
    %184 = "torch.constant.none"() : () -> !torch.none
    %185 = "torch.constant.none"() : () -> !torch.none
    %186 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %187 = "torch.constant.none"() : () -> !torch.none
    %188 = "torch.aten._to_copy"(%181, %182, %183, %184, %185, %186, %187) {fx.node = "_to_copy_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4],si32>
    %189 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %190 = "torch.aten.index_select"(%140, %189, %173#1) {fx.node = "index_select_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,16],f32>
    %191 = "torch.constant.none"() : () -> !torch.none
    %192 = "torch.aten.clone"(%190, %191) {fx.node = "clone", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.none) -> !torch.vtensor<[?,16],f32>
    %193 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %194 = "torch.constant.none"() : () -> !torch.none
    %195 = "torch.constant.none"() : () -> !torch.none
    %196 = "torch.constant.none"() : () -> !torch.none
    %197 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %198 = "torch.constant.none"() : () -> !torch.none
    %199 = "torch.aten._to_copy"(%192, %193, %194, %195, %196, %197, %198) {fx.node = "_to_copy_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %200 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %201 = "torch.constant.none"() : () -> !torch.none
    %202 = "torch.constant.none"() : () -> !torch.none
    %203 = "torch.constant.none"() : () -> !torch.none
    %204 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %205 = "torch.constant.none"() : () -> !torch.none
    %206 = "torch.aten._to_copy"(%arg1, %200, %201, %202, %203, %204, %205) {fx.node = "_to_copy_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %207 = "torch.constant.none"() : () -> !torch.none
    %208 = "torch.constant.none"() : () -> !torch.none
    %209 = "torch.aten._grouped_mm"(%199, %206, %188, %207, %208) {fx.node = "_grouped_mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %210 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %211 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %212 = "torch.aten.select.int"(%arg1, %210, %211) {fx.node = "select_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16],f32>
    %213 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %214 = "torch.constant.none"() : () -> !torch.none
    %215 = "torch.constant.none"() : () -> !torch.none
    %216 = "torch.constant.none"() : () -> !torch.none
    %217 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %218 = "torch.constant.none"() : () -> !torch.none
    %219 = "torch.aten._to_copy"(%212, %213, %214, %215, %216, %217, %218) {fx.node = "_to_copy_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16],bf16>
    %220 = "torch.prim.ListConstruct"(%173#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %221 = "torch.aten.index.Tensor"(%169, %220) {fx.node = "index_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.list<vtensor>) -> !torch.vtensor<[?],si64>
    %222 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %223 = "torch.aten.index_select"(%219, %222, %221) {fx.node = "index_select_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16],bf16>, !torch.int, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,16],bf16>
    %224 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %225 = "torch.aten.add.Tensor"(%209, %223, %224) {fx.node = "add", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[?,16],bf16>, !torch.int) -> !torch.vtensor<[?,16],bf16>
    %226 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %227 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %228 = "torch.aten.split.Tensor"(%225, %226, %227) {fx.node = "split", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int) -> !torch.list<vtensor>
    %229 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %230 = "torch.aten.__getitem__.t"(%228, %229) {fx.node = "getitem", fx.function, fx.layer = "L0"} : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[?,8],bf16>
    %231 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %232 = "torch.aten.__getitem__.t"(%228, %231) {fx.node = "getitem_1", fx.function, fx.layer = "L0"} : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[?,8],bf16>
    %233 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %234 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %235 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %236 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %237 = "torch.aten.slice.Tensor"(%arg3, %233, %234, %235, %236) {fx.node = "slice", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[4,8,16],f32>
    %238 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %239 = "torch.constant.none"() : () -> !torch.none
    %240 = "torch.constant.none"() : () -> !torch.none
    %241 = "torch.constant.none"() : () -> !torch.none
    %242 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %243 = "torch.constant.none"() : () -> !torch.none
    %244 = "torch.aten._to_copy"(%237, %238, %239, %240, %241, %242, %243) {fx.node = "_to_copy_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,8,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,8,16],bf16>
    %245 = "torch.aten.silu"(%230) {fx.node = "silu", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,8],bf16>) -> !torch.vtensor<[?,8],bf16>
    %246 = "torch.aten.mul.Tensor"(%245, %232) {fx.node = "mul", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,8],bf16>, !torch.vtensor<[?,8],bf16>) -> !torch.vtensor<[?,8],bf16>
    %247 = "torch.constant.none"() : () -> !torch.none
    %248 = "torch.constant.none"() : () -> !torch.none
    %249 = "torch.aten._grouped_mm"(%246, %244, %188, %247, %248) {fx.node = "_grouped_mm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,8],bf16>, !torch.vtensor<[4,8,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %250 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %251 = "torch.constant.none"() : () -> !torch.none
    %252 = "torch.constant.none"() : () -> !torch.none
    %253 = "torch.constant.none"() : () -> !torch.none
    %254 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %255 = "torch.constant.none"() : () -> !torch.none
    %256 = "torch.aten._to_copy"(%249, %250, %251, %252, %253, %254, %255) {fx.node = "_to_copy_6", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %257 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %258 = "torch.aten.sym_size.int"(%190, %257) {fx.node = "sym_size", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %259 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %260 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %261 = "torch._c10d_functional.all_reduce"(%256, %259, %260) {fx.node = "all_reduce", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %262 = "torch._c10d_functional.wait_tensor"(%261) {fx.node = "wait_tensor_4", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %263 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %264 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %265:2 = "torch.aten.sort"(%173#1, %263, %264) {fx.node = "sort_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.int, !torch.bool) -> (!torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>)
    %266 = "torch.prim.ListConstruct"(%265#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %267 = "torch.aten.index.Tensor"(%262, %266) {fx.node = "index_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[?,16],f32>
    %268 = "torch.aten.mul.Tensor"(%267, %152) {fx.node = "mul_1", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,1],f32>) -> !torch.vtensor<[?,16],f32>
    %269 = "torch.prim.ListConstruct"(%84, %96) : (!torch.int, !torch.int) -> !torch.list<int>
    %270 = "torch.prim.ListConstruct"(%119, %127) : (!torch.int, !torch.int) -> !torch.list<int>
    %271 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %272 = "torch._c10d_functional.all_to_all_single"(%268, %269, %270, %271) {fx.node = "all_to_all_single_3", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %273 = "torch._c10d_functional.wait_tensor"(%272) {fx.node = "wait_tensor_5", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %274 = "torch.constant.none"() : () -> !torch.none
    %275 = "torch.constant.none"() : () -> !torch.none
    %276 = "torch.constant.none"() : () -> !torch.none
    %277 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %278 = "torch.constant.none"() : () -> !torch.none
    %279 = "torch.aten.zeros_like"(%arg2, %274, %275, %276, %277, %278) {fx.node = "zeros_like", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[32,16],f32>
    %280 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %281 = "torch.aten.floor_divide"(%23#1, %280) {fx.node = "floor_divide_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],si64>
    %282 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %283 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %284 = "torch.aten.index_add"(%279, %282, %281, %273, %283) {fx.node = "index_add", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>, !torch.vtensor<[?,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %285 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %286 = "torch.aten.index_select"(%arg4, %285, %281) {fx.node = "index_select_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>) -> !torch.vtensor<[64,16],f32>
    %287 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %288 = "torch.aten.sym_size.int"(%272, %287) {fx.node = "sym_size_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %289 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %290 = "torch.prim.ListConstruct"(%288, %289) : (!torch.int, !torch.int) -> !torch.list<int>
    %291 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %292 = "torch.aten.expand"(%286, %290, %291) {fx.node = "expand", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %293 = "torch.prim.ListConstruct"(%119, %127) : (!torch.int, !torch.int) -> !torch.list<int>
    %294 = "torch.prim.ListConstruct"(%84, %96) : (!torch.int, !torch.int) -> !torch.list<int>
    %295 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %296 = "torch._c10d_functional.all_to_all_single"(%292, %293, %294, %295) {fx.node = "all_to_all_single_4", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %297 = "torch._c10d_functional.wait_tensor"(%296) {fx.node = "wait_tensor_6", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %298 = "torch.aten.mul.Tensor"(%297, %267) {fx.node = "mul_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %299 = "torch.aten.mul.Tensor"(%297, %152) {fx.node = "mul_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,1],f32>) -> !torch.vtensor<[?,16],f32>
    %300 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %301 = "torch.prim.ListConstruct"(%300) : (!torch.int) -> !torch.list<int>
    %302 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %303 = "torch.constant.none"() : () -> !torch.none
    %304 = "torch.aten.sum.dim_IntList"(%298, %301, %302, %303) {fx.node = "sum_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[?,1],f32>
    %305 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %306 = "torch.prim.ListConstruct"(%258, %305) : (!torch.int, !torch.int) -> !torch.list<int>
    %307 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %308 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %309 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %310 = "torch.constant.none"() : () -> !torch.none
    %311 = "torch.aten.new_zeros"(%299, %306, %307, %308, %309, %310) {fx.node = "new_zeros", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[?,16],f32>
    %312 = "torch.prim.ListConstruct"(%265#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %313 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %314 = "torch.aten.index_put"(%311, %312, %299, %313) {fx.node = "index_put", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %315 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %316 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %317 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %318 = "torch.constant.none"() : () -> !torch.none
    %319 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %320 = "torch.constant.none"() : () -> !torch.none
    %321 = "torch.aten._to_copy"(%314, %315, %316, %317, %318, %319, %320) {fx.node = "_to_copy_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %322 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %323 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %324 = "torch.aten.transpose.int"(%246, %322, %323) {fx.node = "transpose", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,8],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[8,?],bf16>
    %325 = "torch.constant.none"() : () -> !torch.none
    %326 = "torch.constant.none"() : () -> !torch.none
    %327 = "torch.aten._grouped_mm"(%324, %321, %188, %325, %326) {fx.node = "_grouped_mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[8,?],bf16>, !torch.vtensor<[?,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,8,16],bf16>
    %328 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %329 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %330 = "torch.aten.transpose.int"(%244, %328, %329) {fx.node = "transpose_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,8,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,8],bf16>
    %331 = "torch.constant.none"() : () -> !torch.none
    %332 = "torch.constant.none"() : () -> !torch.none
    %333 = "torch.aten._grouped_mm"(%321, %330, %188, %331, %332) {fx.node = "_grouped_mm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,8],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,8],bf16>
    %334 = "torch.aten.mul.Tensor"(%333, %245) {fx.node = "mul_4", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,8],bf16>, !torch.vtensor<[?,8],bf16>) -> !torch.vtensor<[?,8],bf16>
    %335 = "torch.aten.mul.Tensor"(%333, %232) {fx.node = "mul_5", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,8],bf16>, !torch.vtensor<[?,8],bf16>) -> !torch.vtensor<[?,8],bf16>
    %336 = "torch.aten.silu_backward"(%335, %230) {fx.node = "silu_backward", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,8],bf16>, !torch.vtensor<[?,8],bf16>) -> !torch.vtensor<[?,8],bf16>
    %337 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %338 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %339 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %340 = "torch.constant.none"() : () -> !torch.none
    %341 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %342 = "torch.constant.none"() : () -> !torch.none
    %343 = "torch.aten._to_copy"(%327, %337, %338, %339, %340, %341, %342) {fx.node = "_to_copy_8", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,8,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,8,16],f32>
    %344 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %345 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %346 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %347 = "torch.prim.ListConstruct"(%344, %345, %346) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %348 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %349 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %350 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %351 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %352 = "torch.aten.slice_backward"(%343, %347, %348, %349, %350, %351) {fx.node = "slice_backward", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,8,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %353 = "torch.prim.ListConstruct"(%336, %334) : (!torch.vtensor<[?,8],bf16>, !torch.vtensor<[?,8],bf16>) -> !torch.list<vtensor>
    %354 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %355 = "torch.aten.cat"(%353, %354) {fx.node = "cat", fx.function, fx.layer = "L0", fx.backward} : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[?,16],bf16>
    %356 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %357 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %358 = "torch.prim.ListConstruct"(%356, %357) : (!torch.int, !torch.int) -> !torch.list<int>
    %359 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %360 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %361 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %362 = "torch.constant.none"() : () -> !torch.none
    %363 = "torch.aten.new_zeros"(%355, %358, %359, %360, %361, %362) {fx.node = "new_zeros_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[4,16],bf16>
    %364 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %365 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %366 = "torch.aten.index_add"(%363, %364, %221, %355, %365) {fx.node = "index_add_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16],bf16>, !torch.int, !torch.vtensor<[?],si64>, !torch.vtensor<[?,16],bf16>, !torch.int) -> !torch.vtensor<[4,16],bf16>
    %367 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %368 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %369 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %370 = "torch.constant.none"() : () -> !torch.none
    %371 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %372 = "torch.constant.none"() : () -> !torch.none
    %373 = "torch.aten._to_copy"(%366, %367, %368, %369, %370, %371, %372) {fx.node = "_to_copy_9", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16],f32>
    %374 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %375 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %376 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %377 = "torch.prim.ListConstruct"(%374, %375, %376) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %378 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %379 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %380 = "torch.aten.select_backward"(%373, %377, %378, %379) {fx.node = "select_backward", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16],f32>, !torch.list<int>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %381 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %382 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %383 = "torch.aten.transpose.int"(%199, %381, %382) {fx.node = "transpose_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[16,?],bf16>
    %384 = "torch.constant.none"() : () -> !torch.none
    %385 = "torch.constant.none"() : () -> !torch.none
    %386 = "torch.aten._grouped_mm"(%383, %355, %188, %384, %385) {fx.node = "_grouped_mm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],bf16>, !torch.vtensor<[?,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %387 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %388 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %389 = "torch.aten.transpose.int"(%206, %387, %388) {fx.node = "transpose_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],bf16>
    %390 = "torch.constant.none"() : () -> !torch.none
    %391 = "torch.constant.none"() : () -> !torch.none
    %392 = "torch.aten._grouped_mm"(%355, %389, %188, %390, %391) {fx.node = "_grouped_mm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %393 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %394 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %395 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %396 = "torch.constant.none"() : () -> !torch.none
    %397 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %398 = "torch.constant.none"() : () -> !torch.none
    %399 = "torch.aten._to_copy"(%386, %393, %394, %395, %396, %397, %398) {fx.node = "_to_copy_10", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],f32>
    %400 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %401 = "torch.aten.add.Tensor"(%380, %399, %400) {fx.node = "add_1", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %402 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %403 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %404 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %405 = "torch.constant.none"() : () -> !torch.none
    %406 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %407 = "torch.constant.none"() : () -> !torch.none
    %408 = "torch.aten._to_copy"(%392, %402, %403, %404, %405, %406, %407) {fx.node = "_to_copy_11", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %409 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %410 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %411 = "torch._c10d_functional.all_reduce"(%408, %409, %410) {fx.node = "all_reduce_1", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %412 = "torch._c10d_functional.wait_tensor"(%411) {fx.node = "wait_tensor_7", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %413 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %414 = "torch.aten.sym_size.int"(%139, %413) {fx.node = "sym_size_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %415 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %416 = "torch.prim.ListConstruct"(%414, %415) : (!torch.int, !torch.int) -> !torch.list<int>
    %417 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %418 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %419 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %420 = "torch.constant.none"() : () -> !torch.none
    %421 = "torch.aten.new_zeros"(%412, %416, %417, %418, %419, %420) {fx.node = "new_zeros_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[?,16],f32>
    %422 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %423 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %424 = "torch.aten.index_add"(%421, %422, %173#1, %412, %423) {fx.node = "index_add_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.vtensor<[?],si64>, !torch.vtensor<[?,16],f32>, !torch.int) -> !torch.vtensor<[?,16],f32>
    %425 = "torch.prim.ListConstruct"(%84, %96) : (!torch.int, !torch.int) -> !torch.list<int>
    %426 = "torch.prim.ListConstruct"(%119, %127) : (!torch.int, !torch.int) -> !torch.list<int>
    %427 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %428 = "torch._c10d_functional.all_to_all_single"(%304, %425, %426, %427) {fx.node = "all_to_all_single_5", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,1],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,1],f32>
    %429 = "torch._c10d_functional.wait_tensor"(%428) {fx.node = "wait_tensor_8", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,1],f32>) -> !torch.vtensor<[?,1],f32>
    %430 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %431 = "torch.aten.squeeze.dim"(%429, %430) {fx.node = "squeeze", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,1],f32>, !torch.int) -> !torch.vtensor<[?],f32>
    %432 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %433 = "torch.prim.ListConstruct"(%432) : (!torch.int) -> !torch.list<int>
    %434 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %435 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %436 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %437 = "torch.constant.none"() : () -> !torch.none
    %438 = "torch.aten.new_zeros"(%431, %433, %434, %435, %436, %437) {fx.node = "new_zeros_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[64],f32>
    %439 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %440 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %441 = "torch.aten.index_put"(%438, %439, %431, %440) {fx.node = "index_put_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>, !torch.vtensor<[?],f32>, !torch.bool) -> !torch.vtensor<[64],f32>
    %442 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %443 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %444 = "torch.prim.ListConstruct"(%442, %443) : (!torch.int, !torch.int) -> !torch.list<int>
    %445 = "torch.aten.view"(%441, %444) {fx.node = "view_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<int>) -> !torch.vtensor<[32,2],f32>
    %446 = "torch.prim.ListConstruct"(%84, %96) : (!torch.int, !torch.int) -> !torch.list<int>
    %447 = "torch.prim.ListConstruct"(%119, %127) : (!torch.int, !torch.int) -> !torch.list<int>
    %448 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %449 = "torch._c10d_functional.all_to_all_single"(%424, %446, %447, %448) {fx.node = "all_to_all_single_6", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %450 = "torch._c10d_functional.wait_tensor"(%449) {fx.node = "wait_tensor_9", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %451 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %452 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %453 = "torch.prim.ListConstruct"(%451, %452) : (!torch.int, !torch.int) -> !torch.list<int>
    %454 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %455 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %456 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %457 = "torch.constant.none"() : () -> !torch.none
    %458 = "torch.aten.new_zeros"(%450, %453, %454, %455, %456, %457) {fx.node = "new_zeros_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[32,16],f32>
    %459 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %460 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %461 = "torch.aten.index_add"(%458, %459, %133, %450, %460) {fx.node = "index_add_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>, !torch.vtensor<[?,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %462 = "torch.aten.div.Tensor"(%10#0, %15) {fx.node = "div_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %463 = "torch.aten.div.Tensor"(%462, %15) {fx.node = "div_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %464 = "torch.aten.neg"(%445) {fx.node = "neg", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %465 = "torch.aten.mul.Tensor"(%464, %463) {fx.node = "mul_6", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %466 = "torch.aten.div.Tensor"(%445, %15) {fx.node = "div_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %467 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %468 = "torch.prim.ListConstruct"(%467) : (!torch.int) -> !torch.list<int>
    %469 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %470 = "torch.constant.none"() : () -> !torch.none
    %471 = "torch.aten.sum.dim_IntList"(%465, %468, %469, %470) {fx.node = "sum_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %472 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %473 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %474 = "torch.prim.ListConstruct"(%472, %473) : (!torch.int, !torch.int) -> !torch.list<int>
    %475 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %476 = "torch.aten.expand"(%471, %474, %475) {fx.node = "expand_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2],f32>
    %477 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %478 = "torch.aten.add.Tensor"(%466, %476, %477) {fx.node = "add_2", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %479 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %480 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %481 = "torch.prim.ListConstruct"(%479, %480) : (!torch.int, !torch.int) -> !torch.list<int>
    %482 = "torch.constant.none"() : () -> !torch.none
    %483 = "torch.constant.none"() : () -> !torch.none
    %484 = "torch.constant.none"() : () -> !torch.none
    %485 = "torch.constant.none"() : () -> !torch.none
    %486 = "torch.aten.new_zeros"(%478, %481, %482, %483, %484, %485) {fx.node = "new_zeros_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[32,8],f32>
    %487 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %488 = "torch.aten.scatter.src"(%486, %487, %10#1, %478) {fx.node = "scatter", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.vtensor<[32,2],si64>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,8],f32>
    %489 = "torch.aten.detach"(%5) {fx.node = "detach_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %490 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %491 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %492 = "torch.aten._softmax_backward_data"(%488, %489, %490, %491) {fx.node = "_softmax_backward_data", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[32,8],f32>
    %493 = "torch.aten.t"(%arg2) {fx.node = "t", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[16,32],f32>
    %494 = "torch.aten.mm"(%493, %492) {fx.node = "mm_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,32],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[16,8],f32>
    %495 = "torch.aten.t"(%arg0) {fx.node = "t_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[8,16],f32>
    %496 = "torch.aten.mm"(%492, %495) {fx.node = "mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[32,16],f32>
    %497 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %498 = "torch.aten.add.Tensor"(%461, %496, %497) {fx.node = "add_3", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    "func.return"(%284, %494, %401, %498, %352, %31, %36, %88, %92, %100, %104, %110, %123, %131) : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>) -> ()
  }) : () -> ()
}) : () -> ()
