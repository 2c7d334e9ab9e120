"builtin.module"() ({
  "func.func"() <{function_type = (!torch.vtensor<[16,8],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>) -> (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>), sym_name = "main"}> ({
  ^bb0(%arg0: !torch.vtensor<[16,8],f32>, %arg1: !torch.vtensor<[32,16],f32>, %arg2: !torch.vtensor<[4,16,16],f32>, %arg3: !torch.vtensor<[4,16,16],f32>, %arg4: !torch.vtensor<[32,16],f32>):
    %1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %2 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %4 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %5 = "torch.aten.slice.Tensor"(%arg0, %1, %2, %3, %4) {fx.node = "slice", fx.function, fx.layer = "L0"} : (!torch.vtensor<[16,8],f32>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[16,2],f32>
    %6 = "torch.aten.mm"(%arg1, %5) {fx.node = "mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,2],f32>) -> !torch.vtensor<[32,2],f32>
    %7 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %8 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %9 = "torch.aten._softmax"(%6, %7, %8) {fx.node = "_softmax", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.int, !torch.bool) -> !torch.vtensor<[32,2],f32>
    %10 = "torch.aten.detach"(%9) {fx.node = "detach", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %11 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %12 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %13:2 = "torch.aten.max.dim"(%9, %11, %12) {fx.node = "max", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.int, !torch.bool) -> (!torch.vtensor<[32],f32>, !torch.vtensor<[32],si64>)
    %14 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %15 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %16 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %17:2 = "torch.aten.sort.stable"(%13#1, %14, %15, %16) {fx.node = "sort", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32],si64>, !torch.bool, !torch.int, !torch.bool) -> (!torch.vtensor<[32],si64>, !torch.vtensor<[32],si64>)
    %18 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %19 = "torch.aten.ge.Scalar"(%13#1, %18) {fx.node = "ge", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[32],si64>, !torch.int) -> !torch.vtensor<[32],i1>
    %20 = "torch.aten.all"(%19) {fx.node = "all", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32],i1>) -> !torch.vtensor<[],i1>
    %21 = "torch.constant.str"() <{value = "one_hot: Class values must be non-negative."}> : () -> !torch.str
    %22 = "torch.aten._assert_async.msg"(%20, %21) {fx.node = "_assert_async", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %23 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %24 = "torch.aten.lt.Scalar"(%13#1, %23) {fx.node = "lt", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[32],si64>, !torch.int) -> !torch.vtensor<[32],i1>
    %25 = "torch.aten.all"(%24) {fx.node = "all_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32],i1>) -> !torch.vtensor<[],i1>
    %26 = "torch.constant.str"() <{value = "one_hot: Class values must be smaller than num_classes."}> : () -> !torch.str
    %27 = "torch.aten._assert_async.msg"(%25, %26) {fx.node = "_assert_async_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],i1>, !torch.str) -> !torch.vtensor<[],i1>
    %28 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %29 = "torch.aten.unsqueeze"(%13#1, %28) {fx.node = "unsqueeze", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32],si64>, !torch.int) -> !torch.vtensor<[32,1],si64>
    %30 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %31 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %32 = "torch.constant.none"() : () -> !torch.none
    %33 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %34 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %35 = "torch.aten.arange"(%30, %31, %32, %33, %34) {fx.node = "arange", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[2],si64>
    %36 = "torch.aten.eq.Tensor"(%29, %35) {fx.node = "eq", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[32,1],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[32,2],i1>
    %37 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %38 = "torch.constant.none"() : () -> !torch.none
    %39 = "torch.constant.none"() : () -> !torch.none
    %40 = "torch.constant.none"() : () -> !torch.none
    %41 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %42 = "torch.constant.none"() : () -> !torch.none
    %43 = "torch.aten._to_copy"(%36, %37, %38, %39, %40, %41, %42) {fx.node = "_to_copy", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],i1>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[32,2],si64>
    %44 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %45 = "torch.prim.ListConstruct"(%44) : (!torch.int) -> !torch.list<int>
    %46 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %47 = "torch.constant.none"() : () -> !torch.none
    %48 = "torch.aten.sum.dim_IntList"(%43, %45, %46, %47) {fx.node = "sum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
    %49 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %50 = "torch.aten.unsqueeze"(%48, %49) {fx.node = "unsqueeze_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int) -> !torch.vtensor<[2,1],si64>
    %51 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %52 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %53 = "torch.prim.ListConstruct"(%51, %52) : (!torch.int, !torch.int) -> !torch.list<int>
    %54 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %55 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %56 = "torch.prim.ListConstruct"(%54, %55) : (!torch.int, !torch.int) -> !torch.list<int>
    %57 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %58 = "torch._c10d_functional.all_to_all_single"(%50, %53, %56, %57) {fx.node = "all_to_all_single", fx.layer = "L0"} : (!torch.vtensor<[2,1],si64>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[2,1],si64>
    %59 = "torch._c10d_functional.wait_tensor"(%58) {fx.node = "wait_tensor", fx.layer = "L0"} : (!torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2,1],si64>
    %60 = "torch._c10d_functional.wait_tensor"(%59) {fx.node = "wait_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2,1],si64>
    %61 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %62 = "torch.prim.ListConstruct"(%61) : (!torch.int) -> !torch.list<int>
    %63 = "torch.aten.view"(%50, %62) {fx.node = "view", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,1],si64>, !torch.list<int>) -> !torch.vtensor<[2],si64>
    %64 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %65 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %66 = "torch.aten.select.int"(%63, %64, %65) {fx.node = "select", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %67 = "torch.aten._local_scalar_dense"(%66) {fx.node = "_local_scalar_dense", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %68 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %69 = "torch.python.ge"(%67, %68) {fx.node = "ge_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %70 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 >= 0 on node 'ge'"}> : () -> !torch.str
    %71 = "torch.aten._assert_scalar"(%69, %70) {fx.node = "_assert_scalar", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %72 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %73 = "torch.python.le"(%67, %72) {fx.node = "le", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %74 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 <= 32 on node 'le'"}> : () -> !torch.str
    %75 = "torch.aten._assert_scalar"(%73, %74) {fx.node = "_assert_scalar_1", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %76 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %77 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %78 = "torch.aten.select.int"(%63, %76, %77) {fx.node = "select_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %79 = "torch.aten._local_scalar_dense"(%78) {fx.node = "_local_scalar_dense_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %80 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %81 = "torch.python.ge"(%79, %80) {fx.node = "ge_2", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %82 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 >= 0 on node 'ge_1'"}> : () -> !torch.str
    %83 = "torch.aten._assert_scalar"(%81, %82) {fx.node = "_assert_scalar_2", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %84 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %85 = "torch.python.le"(%79, %84) {fx.node = "le_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %86 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 <= 32 on node 'le_1'"}> : () -> !torch.str
    %87 = "torch.aten._assert_scalar"(%85, %86) {fx.node = "_assert_scalar_3", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %88 = "torch.prim.ListConstruct"(%67, %79) : (!torch.int, !torch.int) -> !torch.list<int>
    %89 = "torch.python.sym_sum"(%88) {fx.node = "sym_sum", fx.function, fx.layer = "L0"} : (!torch.list<int>) -> !torch.int
    %90 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %91 = "torch.python.eq"(%89, %90) {fx.node = "eq_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %92 = "torch.constant.str"() <{value = "Runtime assertion failed for expression Eq(u0 + u1, 32) on node 'eq'"}> : () -> !torch.str
    %93 = "torch.aten._assert_scalar"(%91, %92) {fx.node = "_assert_scalar_4", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %94 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %95 = "torch.prim.ListConstruct"(%94) : (!torch.int) -> !torch.list<int>
    %96 = "torch.aten.view"(%60, %95) {fx.node = "view_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,1],si64>, !torch.list<int>) -> !torch.vtensor<[2],si64>
    %97 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %98 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %99 = "torch.aten.select.int"(%96, %97, %98) {fx.node = "select_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %100 = "torch.aten._local_scalar_dense"(%99) {fx.node = "_local_scalar_dense_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %101 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %102 = "torch.python.ge"(%100, %101) {fx.node = "ge_3", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %103 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u2 >= 0 on node 'ge_2'"}> : () -> !torch.str
    %104 = "torch.aten._assert_scalar"(%102, %103) {fx.node = "_assert_scalar_5", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %105 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %106 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %107 = "torch.aten.select.int"(%96, %105, %106) {fx.node = "select_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %108 = "torch.aten._local_scalar_dense"(%107) {fx.node = "_local_scalar_dense_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %109 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %110 = "torch.python.ge"(%108, %109) {fx.node = "ge_4", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %111 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u3 >= 0 on node 'ge_3'"}> : () -> !torch.str
    %112 = "torch.aten._assert_scalar"(%110, %111) {fx.node = "_assert_scalar_6", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %113 = "torch.prim.ListConstruct"(%17#1) : (!torch.vtensor<[32],si64>) -> !torch.list<vtensor>
    %114 = "torch.aten.index.Tensor"(%arg1, %113) {fx.node = "index", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[32,16],f32>
    %115 = "torch.prim.ListConstruct"(%100, %108) : (!torch.int, !torch.int) -> !torch.list<int>
    %116 = "torch.prim.ListConstruct"(%67, %79) : (!torch.int, !torch.int) -> !torch.list<int>
    %117 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %118 = "torch._c10d_functional.all_to_all_single"(%114, %115, %116, %117) {fx.node = "all_to_all_single_1", fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %119 = "torch._c10d_functional.wait_tensor"(%118) {fx.node = "wait_tensor_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %120 = "torch.constant.none"() : () -> !torch.none
    %121 = "torch.aten.clone"(%119, %120) {fx.node = "clone", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.none) -> !torch.vtensor<[?,16],f32>
    %122 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %123 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %124 = "torch.aten.select.int"(%arg2, %122, %123) {fx.node = "select_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[16,16],f32>
    %125 = "torch.aten.mm"(%121, %124) {fx.node = "mm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[16,16],f32>) -> !torch.vtensor<[?,16],f32>
    %126 = "torch.aten.silu"(%125) {fx.node = "silu", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %127 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %128 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %129 = "torch.aten.select.int"(%arg3, %127, %128) {fx.node = "select_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[16,16],f32>
    %130 = "torch.aten.mm"(%126, %129) {fx.node = "mm_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[16,16],f32>) -> !torch.vtensor<[?,16],f32>
    %131 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %132 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %133 = "torch._c10d_functional.all_reduce"(%130, %131, %132) {fx.node = "all_reduce", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %134 = "torch._c10d_functional.wait_tensor"(%133) {fx.node = "wait_tensor_3", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %135 = "torch.prim.ListConstruct"(%67, %79) : (!torch.int, !torch.int) -> !torch.list<int>
    %136 = "torch.prim.ListConstruct"(%100, %108) : (!torch.int, !torch.int) -> !torch.list<int>
    %137 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %138 = "torch._c10d_functional.all_to_all_single"(%134, %135, %136, %137) {fx.node = "all_to_all_single_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %139 = "torch._c10d_functional.wait_tensor"(%138) {fx.node = "wait_tensor_4", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %140 = "torch.prim.ListConstruct"(%17#1) : (!torch.vtensor<[32],si64>) -> !torch.list<vtensor>
    %141 = "torch.aten.index.Tensor"(%13#0, %140) {fx.node = "index_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32],f32>, !torch.list<vtensor>) -> !torch.vtensor<[32],f32>
    %142 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %143 = "torch.aten.unsqueeze"(%141, %142) {fx.node = "unsqueeze_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32],f32>, !torch.int) -> !torch.vtensor<[32,1],f32>
    %144 = "torch.aten.mul.Tensor"(%139, %143) {fx.node = "mul", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[?,16],f32>
    %145 = "torch.constant.none"() : () -> !torch.none
    %146 = "torch.constant.none"() : () -> !torch.none
    %147 = "torch.constant.none"() : () -> !torch.none
    %148 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %149 = "torch.constant.none"() : () -> !torch.none
    %150 = "torch.aten.zeros_like"(%arg1, %145, %146, %147, %148, %149) {fx.node = "zeros_like", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[32,16],f32>
    %151 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %152 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %153 = "torch.aten.index_add"(%150, %151, %17#1, %144, %152) {fx.node = "index_add", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[32],si64>, !torch.vtensor<[?,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %154 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %155 = "torch.aten.index_select"(%arg4, %154, %17#1) {fx.node = "index_select", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[32],si64>) -> !torch.vtensor<[32,16],f32>
    %156 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %157 = "torch.aten.sym_size.int"(%138, %156) {fx.node = "sym_size", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %158 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %159 = "torch.prim.ListConstruct"(%157, %158) : (!torch.int, !torch.int) -> !torch.list<int>
    %160 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %161 = "torch.aten.expand"(%155, %159, %160) {fx.node = "expand", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %162 = "torch.aten.mul.Tensor"(%161, %139) {fx.node = "mul_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %163 = "torch.aten.mul.Tensor"(%161, %143) {fx.node = "mul_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[?,16],f32>
    %164 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %165 = "torch.prim.ListConstruct"(%164) : (!torch.int) -> !torch.list<int>
    %166 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %167 = "torch.constant.none"() : () -> !torch.none
    %168 = "torch.aten.sum.dim_IntList"(%162, %165, %166, %167) {fx.node = "sum_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[?,1],f32>
    %169 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %170 = "torch.aten.squeeze.dim"(%168, %169) {fx.node = "squeeze", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,1],f32>, !torch.int) -> !torch.vtensor<[?],f32>
    %171 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %172 = "torch.prim.ListConstruct"(%171) : (!torch.int) -> !torch.list<int>
    %173 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %174 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %175 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %176 = "torch.constant.none"() : () -> !torch.none
    %177 = "torch.aten.new_zeros"(%170, %172, %173, %174, %175, %176) {fx.node = "new_zeros", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[32],f32>
    %178 = "torch.prim.ListConstruct"(%17#1) : (!torch.vtensor<[32],si64>) -> !torch.list<vtensor>
    %179 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %180 = "torch.aten.index_put"(%177, %178, %170, %179) {fx.node = "index_put", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32],f32>, !torch.list<vtensor>, !torch.vtensor<[?],f32>, !torch.bool) -> !torch.vtensor<[32],f32>
    %181 = "torch.prim.ListConstruct"(%100, %108) : (!torch.int, !torch.int) -> !torch.list<int>
    %182 = "torch.prim.ListConstruct"(%67, %79) : (!torch.int, !torch.int) -> !torch.list<int>
    %183 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %184 = "torch._c10d_functional.all_to_all_single"(%163, %181, %182, %183) {fx.node = "all_to_all_single_3", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %185 = "torch._c10d_functional.wait_tensor"(%184) {fx.node = "wait_tensor_5", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %186 = "torch.aten.t"(%126) {fx.node = "t", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[16,?],f32>
    %187 = "torch.aten.mm"(%186, %185) {fx.node = "mm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[16,16],f32>
    %188 = "torch.aten.t"(%129) {fx.node = "t_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,16],f32>) -> !torch.vtensor<[16,16],f32>
    %189 = "torch.aten.mm"(%185, %188) {fx.node = "mm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[16,16],f32>) -> !torch.vtensor<[?,16],f32>
    %190 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %191 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %192 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %193 = "torch.prim.ListConstruct"(%190, %191, %192) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %194 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %195 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %196 = "torch.aten.select_backward"(%187, %193, %194, %195) {fx.node = "select_backward", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,16],f32>, !torch.list<int>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %197 = "torch.aten.silu_backward"(%189, %125) {fx.node = "silu_backward", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %198 = "torch.aten.t"(%121) {fx.node = "t_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[16,?],f32>
    %199 = "torch.aten.mm"(%198, %197) {fx.node = "mm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[16,16],f32>
    %200 = "torch.aten.t"(%124) {fx.node = "t_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,16],f32>) -> !torch.vtensor<[16,16],f32>
    %201 = "torch.aten.mm"(%197, %200) {fx.node = "mm_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[16,16],f32>) -> !torch.vtensor<[?,16],f32>
    %202 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %203 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %204 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %205 = "torch.prim.ListConstruct"(%202, %203, %204) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %206 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %207 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %208 = "torch.aten.select_backward"(%199, %205, %206, %207) {fx.node = "select_backward_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,16],f32>, !torch.list<int>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %209 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %210 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %211 = "torch._c10d_functional.all_reduce"(%201, %209, %210) {fx.node = "all_reduce_1", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %212 = "torch._c10d_functional.wait_tensor"(%211) {fx.node = "wait_tensor_6", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %213 = "torch.prim.ListConstruct"(%67, %79) : (!torch.int, !torch.int) -> !torch.list<int>
    %214 = "torch.prim.ListConstruct"(%100, %108) : (!torch.int, !torch.int) -> !torch.list<int>
    %215 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %216 = "torch._c10d_functional.all_to_all_single"(%212, %213, %214, %215) {fx.node = "all_to_all_single_4", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %217 = "torch._c10d_functional.wait_tensor"(%216) {fx.node = "wait_tensor_7", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %218 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %219 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %220 = "torch.prim.ListConstruct"(%218, %219) : (!torch.int, !torch.int) -> !torch.list<int>
    %221 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %222 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %223 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %224 = "torch.constant.none"() : () -> !torch.none
    %225 = "torch.aten.new_zeros"(%217, %220, %221, %222, %223, %224) {fx.node = "new_zeros_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[32,16],f32>
    %226 = "torch.prim.ListConstruct"(%17#1) : (!torch.vtensor<[32],si64>) -> !torch.list<vtensor>
    %227 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %228 = "torch.aten.index_put"(%225, %226, %217, %227) {fx.node = "index_put_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[32,16],f32>
    %229 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %230 = "torch.aten.unsqueeze"(%180, %229) {fx.node = "unsqueeze_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32],f32>, !torch.int) -> !torch.vtensor<[32,1],f32>
    %231 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %232 = "torch.aten.unsqueeze"(%13#1, %231) {fx.node = "unsqueeze_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32],si64>, !torch.int) -> !torch.vtensor<[32,1],si64>
    %233 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %234 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %235 = "torch.prim.ListConstruct"(%233, %234) : (!torch.int, !torch.int) -> !torch.list<int>
    %236 = "torch.constant.none"() : () -> !torch.none
    %237 = "torch.constant.none"() : () -> !torch.none
    %238 = "torch.constant.none"() : () -> !torch.none
    %239 = "torch.constant.none"() : () -> !torch.none
    %240 = "torch.aten.new_zeros"(%230, %235, %236, %237, %238, %239) {fx.node = "new_zeros_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[32,2],f32>
    %241 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %242 = "torch.aten.scatter.src"(%240, %241, %232, %230) {fx.node = "scatter", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.int, !torch.vtensor<[32,1],si64>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %243 = "torch.aten.detach"(%10) {fx.node = "detach_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %244 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %245 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %246 = "torch.aten._softmax_backward_data"(%242, %243, %244, %245) {fx.node = "_softmax_backward_data", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>, !torch.int, !torch.int) -> !torch.vtensor<[32,2],f32>
    %247 = "torch.aten.t"(%arg1) {fx.node = "t_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[16,32],f32>
    %248 = "torch.aten.mm"(%247, %246) {fx.node = "mm_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,32],f32>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[16,2],f32>
    %249 = "torch.aten.t"(%5) {fx.node = "t_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,2],f32>) -> !torch.vtensor<[2,16],f32>
    %250 = "torch.aten.mm"(%246, %249) {fx.node = "mm_8", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[2,16],f32>) -> !torch.vtensor<[32,16],f32>
    %251 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %252 = "torch.aten.add.Tensor"(%228, %250, %251) {fx.node = "add", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %253 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %254 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %255 = "torch.prim.ListConstruct"(%253, %254) : (!torch.int, !torch.int) -> !torch.list<int>
    %256 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %257 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %258 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %259 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %260 = "torch.aten.slice_backward"(%248, %255, %256, %257, %258, %259) {fx.node = "slice_backward", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,2],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[16,8],f32>
    "func.return"(%153, %260, %252, %208, %196, %22, %27, %71, %75, %83, %87, %93, %104, %112) : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>) -> ()
  }) : () -> ()
}) : () -> ()
