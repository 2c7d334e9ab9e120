"builtin.module"() ({
  "func.func"() <{function_type = (!torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>) -> (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>), sym_name = "main"}> ({
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
    %27 = "torch.constant.none"() : () -> !torch.none
    %28 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %29 = "torch.aten.bincount"(%26, %27, %28) {fx.node = "bincount", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.none, !torch.int) -> !torch.vtensor<[?],si64>
    %30 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %31 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 >= 8 on node 'ge'"}> : () -> !torch.str
    %32 = "torch.aten._assert_scalar"(%30, %31) {fx.node = "_assert_scalar", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %33 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %34 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u0 <= 8 on node 'le'"}> : () -> !torch.str
    %35 = "torch.aten._assert_scalar"(%33, %34) {fx.node = "_assert_scalar_1", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %36 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %37 = "torch.constant.str"() <{value = "Runtime assertion failed for expression Eq((u0//2), 4) on node 'eq'"}> : () -> !torch.str
    %38 = "torch.aten._assert_scalar"(%36, %37) {fx.node = "_assert_scalar_2", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %39 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %40 = "torch.constant.str"() <{value = "Runtime assertion failed for expression Eq(u0, 8) on node 'eq_1'"}> : () -> !torch.str
    %41 = "torch.aten._assert_scalar"(%39, %40) {fx.node = "_assert_scalar_3", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %42 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %43 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %44 = "torch.prim.ListConstruct"(%42, %43) : (!torch.int, !torch.int) -> !torch.list<int>
    %45 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %46 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %47 = "torch.prim.ListConstruct"(%45, %46) : (!torch.int, !torch.int) -> !torch.list<int>
    %48 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %49 = "torch._c10d_functional.all_to_all_single"(%29, %44, %47, %48) {fx.node = "all_to_all_single", fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[8],si64>
    %50 = "torch._c10d_functional.wait_tensor"(%49) {fx.node = "wait_tensor", fx.layer = "L0"} : (!torch.vtensor<[8],si64>) -> !torch.vtensor<[8],si64>
    %51 = "torch._c10d_functional.wait_tensor"(%50) {fx.node = "wait_tensor_1", fx.layer = "L0"} : (!torch.vtensor<[8],si64>) -> !torch.vtensor<[8],si64>
    %52 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %53 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %54 = "torch.prim.ListConstruct"(%52, %53) : (!torch.int, !torch.int) -> !torch.list<int>
    %55 = "torch.aten.view"(%51, %54) {fx.node = "view_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %56 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %57 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %58 = "torch.prim.ListConstruct"(%56, %57) : (!torch.int, !torch.int) -> !torch.list<int>
    %59 = "torch.aten.view"(%29, %58) {fx.node = "view_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.list<int>) -> !torch.vtensor<[2,4],si64>
    %60 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %61 = "torch.prim.ListConstruct"(%60) : (!torch.int) -> !torch.list<int>
    %62 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %63 = "torch.constant.none"() : () -> !torch.none
    %64 = "torch.aten.sum.dim_IntList"(%59, %61, %62, %63) {fx.node = "sum_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
    %65 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %66 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %67 = "torch.aten.select.int"(%64, %65, %66) {fx.node = "select", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %68 = "torch.aten._local_scalar_dense"(%67) {fx.node = "_local_scalar_dense", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %69 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %70 = "torch.python.ge"(%68, %69) {fx.node = "ge", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %71 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 >= 0 on node 'ge_1'"}> : () -> !torch.str
    %72 = "torch.aten._assert_scalar"(%70, %71) {fx.node = "_assert_scalar_4", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %73 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %74 = "torch.python.le"(%68, %73) {fx.node = "le", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %75 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u1 <= 64 on node 'le_1'"}> : () -> !torch.str
    %76 = "torch.aten._assert_scalar"(%74, %75) {fx.node = "_assert_scalar_5", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %77 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %78 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %79 = "torch.aten.select.int"(%64, %77, %78) {fx.node = "select_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %80 = "torch.aten._local_scalar_dense"(%79) {fx.node = "_local_scalar_dense_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %81 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %82 = "torch.python.ge"(%80, %81) {fx.node = "ge_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %83 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u2 >= 0 on node 'ge_2'"}> : () -> !torch.str
    %84 = "torch.aten._assert_scalar"(%82, %83) {fx.node = "_assert_scalar_6", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %85 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %86 = "torch.python.le"(%80, %85) {fx.node = "le_1", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %87 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u2 <= 64 on node 'le_2'"}> : () -> !torch.str
    %88 = "torch.aten._assert_scalar"(%86, %87) {fx.node = "_assert_scalar_7", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %89 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %90 = "torch.python.sym_sum"(%89) {fx.node = "sym_sum", fx.function, fx.layer = "L0"} : (!torch.list<int>) -> !torch.int
    %91 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %92 = "torch.python.eq"(%90, %91) {fx.node = "eq", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %93 = "torch.constant.str"() <{value = "Runtime assertion failed for expression Eq(u1 + u2, 64) on node 'eq_2'"}> : () -> !torch.str
    %94 = "torch.aten._assert_scalar"(%92, %93) {fx.node = "_assert_scalar_8", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %95 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %96 = "torch.prim.ListConstruct"(%95) : (!torch.int) -> !torch.list<int>
    %97 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %98 = "torch.constant.none"() : () -> !torch.none
    %99 = "torch.aten.sum.dim_IntList"(%55, %96, %97, %98) {fx.node = "sum_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
    %100 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %101 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %102 = "torch.aten.select.int"(%99, %100, %101) {fx.node = "select_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %103 = "torch.aten._local_scalar_dense"(%102) {fx.node = "_local_scalar_dense_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %104 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %105 = "torch.python.ge"(%103, %104) {fx.node = "ge_2", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %106 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u3 >= 0 on node 'ge_3'"}> : () -> !torch.str
    %107 = "torch.aten._assert_scalar"(%105, %106) {fx.node = "_assert_scalar_9", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %108 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %109 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %110 = "torch.aten.select.int"(%99, %108, %109) {fx.node = "select_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %111 = "torch.aten._local_scalar_dense"(%110) {fx.node = "_local_scalar_dense_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[],si64>) -> !torch.int
    %112 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %113 = "torch.python.ge"(%111, %112) {fx.node = "ge_3", fx.function, fx.layer = "L0"} : (!torch.int, !torch.int) -> !torch.bool
    %114 = "torch.constant.str"() <{value = "Runtime assertion failed for expression u4 >= 0 on node 'ge_4'"}> : () -> !torch.str
    %115 = "torch.aten._assert_scalar"(%113, %114) {fx.node = "_assert_scalar_10", fx.function, fx.layer = "L0"} : (!torch.bool, !torch.str) -> !torch.vtensor<[],i1>
    %116 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %117 = "torch.aten.floor_divide"(%23#1, %116) {fx.node = "floor_divide", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],si64>
    %118 = "torch.prim.ListConstruct"(%117) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %119 = "torch.aten.index.Tensor"(%arg2, %118) {fx.node = "index", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[64,16],f32>
    %120 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %121 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %122 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %123 = "torch._c10d_functional.all_to_all_single"(%119, %120, %121, %122) {fx.node = "all_to_all_single_1", fx.layer = "L0"} : (!torch.vtensor<[64,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %124 = "torch._c10d_functional.wait_tensor"(%123) {fx.node = "wait_tensor_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %125 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %126 = "torch.constant.none"() : () -> !torch.none
    %127 = "torch.constant.none"() : () -> !torch.none
    %128 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %129 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %130 = "torch.aten.arange"(%125, %126, %127, %128, %129) {fx.node = "arange", fx.function, fx.layer = "L0"} : (!torch.int, !torch.none, !torch.none, !torch.Device, !torch.bool) -> !torch.vtensor<[4],si64>
    %131 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %132 = "torch.prim.ListConstruct"(%131) : (!torch.int) -> !torch.list<int>
    %133 = "torch.aten.repeat"(%130, %132) {fx.node = "repeat", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.list<int>) -> !torch.vtensor<[8],si64>
    %134 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %135 = "torch.prim.ListConstruct"(%134) : (!torch.int) -> !torch.list<int>
    %136 = "torch.aten.view"(%55, %135) {fx.node = "view_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>) -> !torch.vtensor<[8],si64>
    %137 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %138 = "torch.python.sym_sum"(%137) {fx.node = "sym_sum_1", fx.function, fx.layer = "L0"} : (!torch.list<int>) -> !torch.int
    %139 = "torch.aten.repeat_interleave.Tensor"(%136, %138) {fx.node = "repeat_interleave", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int) -> !torch.vtensor<[?],si64>
    %140 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %141 = "torch.aten.index_select"(%133, %140, %139) {fx.node = "index_select", fx.function, fx.layer = "L0"} : (!torch.vtensor<[8],si64>, !torch.int, !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64>
    %142 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %143 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %144 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %145:2 = "torch.aten.sort.stable"(%141, %142, %143, %144) {fx.node = "sort_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?],si64>, !torch.bool, !torch.int, !torch.bool) -> (!torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>)
    %146 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %147 = "torch.prim.ListConstruct"(%146) : (!torch.int) -> !torch.list<int>
    %148 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %149 = "torch.constant.none"() : () -> !torch.none
    %150 = "torch.aten.sum.dim_IntList"(%55, %147, %148, %149) {fx.node = "sum_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[4],si64>
    %151 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %152 = "torch.constant.none"() : () -> !torch.none
    %153 = "torch.aten.cumsum"(%150, %151, %152) {fx.node = "cumsum", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.int, !torch.none) -> !torch.vtensor<[4],si64>
    %154 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
    %155 = "torch.constant.none"() : () -> !torch.none
    %156 = "torch.constant.none"() : () -> !torch.none
    %157 = "torch.constant.none"() : () -> !torch.none
    %158 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %159 = "torch.constant.none"() : () -> !torch.none
    %160 = "torch.aten._to_copy"(%153, %154, %155, %156, %157, %158, %159) {fx.node = "_to_copy", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4],si32>
    %161 = "torch.prim.ListConstruct"(%145#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %162 = "torch.aten.index.Tensor"(%124, %161) {fx.node = "index_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[?,16],f32>
    %163 = "torch.constant.none"() : () -> !torch.none
    %164 = "torch.aten.clone"(%162, %163) {fx.node = "clone", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.none) -> !torch.vtensor<[?,16],f32>
    %165 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %166 = "torch.constant.none"() : () -> !torch.none
    %167 = "torch.constant.none"() : () -> !torch.none
    %168 = "torch.constant.none"() : () -> !torch.none
    %169 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %170 = "torch.constant.none"() : () -> !torch.none
    %171 = "torch.aten._to_copy"(%164, %165, %166, %167, %168, %169, %170) {fx.node = "_to_copy_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %172 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %173 = "torch.constant.none"() : () -> !torch.none
    %174 = "torch.constant.none"() : () -> !torch.none
    %175 = "torch.constant.none"() : () -> !torch.none
    %176 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %177 = "torch.constant.none"() : () -> !torch.none
    %178 = "torch.aten._to_copy"(%arg1, %172, %173, %174, %175, %176, %177) {fx.node = "_to_copy_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %179 = "torch.constant.none"() : () -> !torch.none
    %180 = "torch.constant.none"() : () -> !torch.none
    %181 = "torch.aten._grouped_mm"(%171, %178, %160, %179, %180) {fx.node = "_grouped_mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %182 = "torch.aten.silu"(%181) {fx.node = "silu", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>) -> !torch.vtensor<[?,16],bf16>
    %183 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %184 = "torch.constant.none"() : () -> !torch.none
    %185 = "torch.constant.none"() : () -> !torch.none
    %186 = "torch.constant.none"() : () -> !torch.none
    %187 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %188 = "torch.constant.none"() : () -> !torch.none
    %189 = "torch.aten._to_copy"(%arg3, %183, %184, %185, %186, %187, %188) {fx.node = "_to_copy_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %190 = "torch.constant.none"() : () -> !torch.none
    %191 = "torch.constant.none"() : () -> !torch.none
    %192 = "torch.aten._grouped_mm"(%182, %189, %160, %190, %191) {fx.node = "_grouped_mm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %193 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %194 = "torch.constant.none"() : () -> !torch.none
    %195 = "torch.constant.none"() : () -> !torch.none
    %196 = "torch.constant.none"() : () -> !torch.none
    %197 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %198 = "torch.constant.none"() : () -> !torch.none
    %199 = "torch.aten._to_copy"(%192, %193, %194, %195, %196, %197, %198) {fx.node = "_to_copy_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %200 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %201 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %202 = "torch._c10d_functional.all_reduce"(%199, %200, %201) {fx.node = "all_reduce", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %203 = "torch._c10d_functional.wait_tensor"(%202) {fx.node = "wait_tensor_3", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %204 = "torch.constant.none"() : () -> !torch.none
    %205 = "torch.constant.none"() : () -> !torch.none
    %206 = "torch.constant.none"() : () -> !torch.none
    %207 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %208 = "torch.constant.none"() : () -> !torch.none
    %209 = "torch.aten.zeros_like"(%124, %204, %205, %206, %207, %208) {fx.node = "zeros_like", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %210 = "torch.prim.ListConstruct"(%145#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %211 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %212 = "torch.aten.index_put"(%209, %210, %203, %211) {fx.node = "index_put", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %213 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %214 = "torch.aten.sym_size.int"(%123, %213) {fx.node = "sym_size", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %215 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %216 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %217 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %218 = "torch._c10d_functional.all_to_all_single"(%212, %215, %216, %217) {fx.node = "all_to_all_single_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %219 = "torch._c10d_functional.wait_tensor"(%218) {fx.node = "wait_tensor_4", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %220 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %221 = "torch.prim.ListConstruct"(%220) : (!torch.int) -> !torch.list<int>
    %222 = "torch.aten.view"(%16, %221) {fx.node = "view_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.list<int>) -> !torch.vtensor<[64],f32>
    %223 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %224 = "torch.aten.index.Tensor"(%222, %223) {fx.node = "index_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>) -> !torch.vtensor<[64],f32>
    %225 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %226 = "torch.aten.unsqueeze"(%224, %225) {fx.node = "unsqueeze", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.int) -> !torch.vtensor<[64,1],f32>
    %227 = "torch.aten.mul.Tensor"(%219, %226) {fx.node = "mul", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[64,1],f32>) -> !torch.vtensor<[?,16],f32>
    %228 = "torch.constant.none"() : () -> !torch.none
    %229 = "torch.constant.none"() : () -> !torch.none
    %230 = "torch.constant.none"() : () -> !torch.none
    %231 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %232 = "torch.constant.none"() : () -> !torch.none
    %233 = "torch.aten.zeros_like"(%arg2, %228, %229, %230, %231, %232) {fx.node = "zeros_like_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[32,16],f32>
    %234 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %235 = "torch.aten.floor_divide"(%23#1, %234) {fx.node = "floor_divide_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],si64>
    %236 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %237 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %238 = "torch.aten.index_add"(%233, %236, %235, %227, %237) {fx.node = "index_add", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>, !torch.vtensor<[?,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %239 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %240 = "torch.aten.index_select"(%arg4, %239, %235) {fx.node = "index_select_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>) -> !torch.vtensor<[64,16],f32>
    %241 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %242 = "torch.aten.sym_size.int"(%218, %241) {fx.node = "sym_size_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %243 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %244 = "torch.prim.ListConstruct"(%242, %243) : (!torch.int, !torch.int) -> !torch.list<int>
    %245 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %246 = "torch.aten.expand"(%240, %244, %245) {fx.node = "expand", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %247 = "torch.aten.mul.Tensor"(%246, %219) {fx.node = "mul_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %248 = "torch.aten.mul.Tensor"(%246, %226) {fx.node = "mul_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[64,1],f32>) -> !torch.vtensor<[?,16],f32>
    %249 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %250 = "torch.prim.ListConstruct"(%249) : (!torch.int) -> !torch.list<int>
    %251 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %252 = "torch.constant.none"() : () -> !torch.none
    %253 = "torch.aten.sum.dim_IntList"(%247, %250, %251, %252) {fx.node = "sum_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[?,1],f32>
    %254 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %255 = "torch.aten.squeeze.dim"(%253, %254) {fx.node = "squeeze", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,1],f32>, !torch.int) -> !torch.vtensor<[?],f32>
    %256 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %257 = "torch.prim.ListConstruct"(%256) : (!torch.int) -> !torch.list<int>
    %258 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %259 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %260 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %261 = "torch.constant.none"() : () -> !torch.none
    %262 = "torch.aten.new_zeros"(%255, %257, %258, %259, %260, %261) {fx.node = "new_zeros", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[64],f32>
    %263 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %264 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %265 = "torch.aten.index_put"(%262, %263, %255, %264) {fx.node = "index_put_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>, !torch.vtensor<[?],f32>, !torch.bool) -> !torch.vtensor<[64],f32>
    %266 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %267 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %268 = "torch.prim.ListConstruct"(%266, %267) : (!torch.int, !torch.int) -> !torch.list<int>
    %269 = "torch.aten.view"(%265, %268) {fx.node = "view_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<int>) -> !torch.vtensor<[32,2],f32>
    %270 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %271 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %272 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %273 = "torch._c10d_functional.all_to_all_single"(%248, %270, %271, %272) {fx.node = "all_to_all_single_3", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %274 = "torch._c10d_functional.wait_tensor"(%273) {fx.node = "wait_tensor_5", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %275 = "torch.prim.ListConstruct"(%145#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %276 = "torch.aten.index.Tensor"(%274, %275) {fx.node = "index_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[?,16],f32>
    %277 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
    %278 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %279 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %280 = "torch.constant.none"() : () -> !torch.none
    %281 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %282 = "torch.constant.none"() : () -> !torch.none
    %283 = "torch.aten._to_copy"(%276, %277, %278, %279, %280, %281, %282) {fx.node = "_to_copy_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %284 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %285 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %286 = "torch.aten.transpose.int"(%182, %284, %285) {fx.node = "transpose", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[16,?],bf16>
    %287 = "torch.constant.none"() : () -> !torch.none
    %288 = "torch.constant.none"() : () -> !torch.none
    %289 = "torch.aten._grouped_mm"(%286, %283, %160, %287, %288) {fx.node = "_grouped_mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],bf16>, !torch.vtensor<[?,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %290 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %291 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %292 = "torch.aten.transpose.int"(%189, %290, %291) {fx.node = "transpose_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],bf16>
    %293 = "torch.constant.none"() : () -> !torch.none
    %294 = "torch.constant.none"() : () -> !torch.none
    %295 = "torch.aten._grouped_mm"(%283, %292, %160, %293, %294) {fx.node = "_grouped_mm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %296 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %297 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %298 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %299 = "torch.constant.none"() : () -> !torch.none
    %300 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %301 = "torch.constant.none"() : () -> !torch.none
    %302 = "torch.aten._to_copy"(%289, %296, %297, %298, %299, %300, %301) {fx.node = "_to_copy_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],f32>
    %303 = "torch.aten.silu_backward"(%295, %181) {fx.node = "silu_backward", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[?,16],bf16>) -> !torch.vtensor<[?,16],bf16>
    %304 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %305 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %306 = "torch.aten.transpose.int"(%171, %304, %305) {fx.node = "transpose_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[16,?],bf16>
    %307 = "torch.constant.none"() : () -> !torch.none
    %308 = "torch.constant.none"() : () -> !torch.none
    %309 = "torch.aten._grouped_mm"(%306, %303, %160, %307, %308) {fx.node = "_grouped_mm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],bf16>, !torch.vtensor<[?,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,16,16],bf16>
    %310 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %311 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %312 = "torch.aten.transpose.int"(%178, %310, %311) {fx.node = "transpose_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],bf16>
    %313 = "torch.constant.none"() : () -> !torch.none
    %314 = "torch.constant.none"() : () -> !torch.none
    %315 = "torch.aten._grouped_mm"(%303, %312, %160, %313, %314) {fx.node = "_grouped_mm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.vtensor<[4,16,16],bf16>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],bf16>
    %316 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %317 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %318 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %319 = "torch.constant.none"() : () -> !torch.none
    %320 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %321 = "torch.constant.none"() : () -> !torch.none
    %322 = "torch.aten._to_copy"(%309, %316, %317, %318, %319, %320, %321) {fx.node = "_to_copy_7", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[4,16,16],f32>
    %323 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %324 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %325 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %326 = "torch.constant.none"() : () -> !torch.none
    %327 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %328 = "torch.constant.none"() : () -> !torch.none
    %329 = "torch.aten._to_copy"(%315, %323, %324, %325, %326, %327, %328) {fx.node = "_to_copy_8", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],bf16>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %330 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %331 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %332 = "torch._c10d_functional.all_reduce"(%329, %330, %331) {fx.node = "all_reduce_1", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %333 = "torch._c10d_functional.wait_tensor"(%332) {fx.node = "wait_tensor_6", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %334 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %335 = "torch.prim.ListConstruct"(%214, %334) : (!torch.int, !torch.int) -> !torch.list<int>
    %336 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %337 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %338 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %339 = "torch.constant.none"() : () -> !torch.none
    %340 = "torch.aten.new_zeros"(%333, %335, %336, %337, %338, %339) {fx.node = "new_zeros_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[?,16],f32>
    %341 = "torch.prim.ListConstruct"(%145#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %342 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %343 = "torch.aten.index_put"(%340, %341, %333, %342) {fx.node = "index_put_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %344 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %345 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %346 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %347 = "torch._c10d_functional.all_to_all_single"(%343, %344, %345, %346) {fx.node = "all_to_all_single_4", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %348 = "torch._c10d_functional.wait_tensor"(%347) {fx.node = "wait_tensor_7", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %349 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %350 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %351 = "torch.prim.ListConstruct"(%349, %350) : (!torch.int, !torch.int) -> !torch.list<int>
    %352 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %353 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %354 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %355 = "torch.constant.none"() : () -> !torch.none
    %356 = "torch.aten.new_zeros"(%348, %351, %352, %353, %354, %355) {fx.node = "new_zeros_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[32,16],f32>
    %357 = "torch.prim.ListConstruct"(%117) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %358 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %359 = "torch.aten.index_put"(%356, %357, %348, %358) {fx.node = "index_put_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[32,16],f32>
    %360 = "torch.aten.div.Tensor"(%10#0, %15) {fx.node = "div_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %361 = "torch.aten.div.Tensor"(%360, %15) {fx.node = "div_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %362 = "torch.aten.neg"(%269) {fx.node = "neg", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %363 = "torch.aten.mul.Tensor"(%362, %361) {fx.node = "mul_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %364 = "torch.aten.div.Tensor"(%269, %15) {fx.node = "div_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %365 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %366 = "torch.prim.ListConstruct"(%365) : (!torch.int) -> !torch.list<int>
    %367 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %368 = "torch.constant.none"() : () -> !torch.none
    %369 = "torch.aten.sum.dim_IntList"(%363, %366, %367, %368) {fx.node = "sum_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %370 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %371 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %372 = "torch.prim.ListConstruct"(%370, %371) : (!torch.int, !torch.int) -> !torch.list<int>
    %373 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %374 = "torch.aten.expand"(%369, %372, %373) {fx.node = "expand_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2],f32>
    %375 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %376 = "torch.aten.add.Tensor"(%364, %374, %375) {fx.node = "add", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %377 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %378 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %379 = "torch.prim.ListConstruct"(%377, %378) : (!torch.int, !torch.int) -> !torch.list<int>
    %380 = "torch.constant.none"() : () -> !torch.none
    %381 = "torch.constant.none"() : () -> !torch.none
    %382 = "torch.constant.none"() : () -> !torch.none
    %383 = "torch.constant.none"() : () -> !torch.none
    %384 = "torch.aten.new_zeros"(%376, %379, %380, %381, %382, %383) {fx.node = "new_zeros_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[32,8],f32>
    %385 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %386 = "torch.aten.scatter.src"(%384, %385, %10#1, %376) {fx.node = "scatter", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.vtensor<[32,2],si64>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,8],f32>
    %387 = "torch.aten.detach"(%5) {fx.node = "detach_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %388 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %389 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %390 = "torch.aten._softmax_backward_data"(%386, %387, %388, %389) {fx.node = "_softmax_backward_data", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[32,8],f32>
    %391 = "torch.aten.t"(%arg2) {fx.node = "t", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[16,32],f32>
    %392 = "torch.aten.mm"(%391, %390) {fx.node = "mm_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,32],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[16,8],f32>
    %393 = "torch.aten.t"(%arg0) {fx.node = "t_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[8,16],f32>
    %394 = "torch.aten.mm"(%390, %393) {fx.node = "mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[32,16],f32>
    %395 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %396 = "torch.aten.add.Tensor"(%359, %394, %395) {fx.node = "add_1", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    "func.return"(%238, %392, %322, %396, %302, %32, %35, %38, %41, %72, %76, %84, %88, %94, %107, %115) : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>) -> ()
  }) : () -> ()
}) : () -> ()
