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
    %15 = "torch.aten.sum.dim_IntList"(%10#0, %12, %13, %14) {fx.node = "sum_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
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
    %64 = "torch.aten.sum.dim_IntList"(%59, %61, %62, %63) {fx.node = "sum_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
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
    %99 = "torch.aten.sum.dim_IntList"(%55, %96, %97, %98) {fx.node = "sum_3", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],si64>
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
    %150 = "torch.aten.sum.dim_IntList"(%55, %147, %148, %149) {fx.node = "sum_4", fx.function, fx.layer = "L0"} : (!torch.vtensor<[2,4],si64>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[4],si64>
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
    %165 = "torch.constant.none"() : () -> !torch.none
    %166 = "torch.constant.none"() : () -> !torch.none
    %167 = "torch.aten._grouped_mm"(%164, %arg1, %160, %165, %166) {fx.node = "_grouped_mm", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],f32>
    %168 = "torch.aten.silu"(%167) {fx.node = "silu", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %169 = "torch.constant.none"() : () -> !torch.none
    %170 = "torch.constant.none"() : () -> !torch.none
    %171 = "torch.aten._grouped_mm"(%168, %arg3, %160, %169, %170) {fx.node = "_grouped_mm_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],f32>
    %172 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %173 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %174 = "torch._c10d_functional.all_reduce"(%171, %172, %173) {fx.node = "all_reduce", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %175 = "torch._c10d_functional.wait_tensor"(%174) {fx.node = "wait_tensor_3", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %176 = "torch.constant.none"() : () -> !torch.none
    %177 = "torch.constant.none"() : () -> !torch.none
    %178 = "torch.constant.none"() : () -> !torch.none
    %179 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %180 = "torch.constant.none"() : () -> !torch.none
    %181 = "torch.aten.zeros_like"(%124, %176, %177, %178, %179, %180) {fx.node = "zeros_like", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[?,16],f32>
    %182 = "torch.prim.ListConstruct"(%145#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %183 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %184 = "torch.aten.index_put"(%181, %182, %175, %183) {fx.node = "index_put", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %185 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %186 = "torch.aten.sym_size.int"(%123, %185) {fx.node = "sym_size_int_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %187 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %188 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %189 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %190 = "torch._c10d_functional.all_to_all_single"(%184, %187, %188, %189) {fx.node = "all_to_all_single_2", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %191 = "torch._c10d_functional.wait_tensor"(%190) {fx.node = "wait_tensor_4", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %192 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %193 = "torch.prim.ListConstruct"(%192) : (!torch.int) -> !torch.list<int>
    %194 = "torch.aten.view"(%16, %193) {fx.node = "view_5", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,2],f32>, !torch.list<int>) -> !torch.vtensor<[64],f32>
    %195 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %196 = "torch.aten.index.Tensor"(%194, %195) {fx.node = "index_2", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>) -> !torch.vtensor<[64],f32>
    %197 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %198 = "torch.aten.unsqueeze"(%196, %197) {fx.node = "unsqueeze", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],f32>, !torch.int) -> !torch.vtensor<[64,1],f32>
    %199 = "torch.aten.mul.Tensor"(%191, %198) {fx.node = "mul_6", fx.function, fx.pointwise, fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[64,1],f32>) -> !torch.vtensor<[?,16],f32>
    %200 = "torch.constant.none"() : () -> !torch.none
    %201 = "torch.constant.none"() : () -> !torch.none
    %202 = "torch.constant.none"() : () -> !torch.none
    %203 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %204 = "torch.constant.none"() : () -> !torch.none
    %205 = "torch.aten.zeros_like"(%arg2, %200, %201, %202, %203, %204) {fx.node = "zeros_like_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none) -> !torch.vtensor<[32,16],f32>
    %206 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %207 = "torch.aten.floor_divide"(%23#1, %206) {fx.node = "floor_divide_1", fx.function, fx.layer = "L0"} : (!torch.vtensor<[64],si64>, !torch.int) -> !torch.vtensor<[64],si64>
    %208 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %209 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %210 = "torch.aten.index_add"(%205, %208, %207, %199, %209) {fx.node = "index_add", fx.function, fx.layer = "L0"} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>, !torch.vtensor<[?,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    %211 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %212 = "torch.aten.index_select"(%arg4, %211, %207) {fx.node = "index_select_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.int, !torch.vtensor<[64],si64>) -> !torch.vtensor<[64,16],f32>
    %213 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %214 = "torch.aten.sym_size.int"(%190, %213) {fx.node = "sym_size_int_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int) -> !torch.int
    %215 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %216 = "torch.prim.ListConstruct"(%214, %215) : (!torch.int, !torch.int) -> !torch.list<int>
    %217 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %218 = "torch.aten.expand"(%212, %216, %217) {fx.node = "expand", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64,16],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %219 = "torch.aten.mul.Tensor"(%218, %191) {fx.node = "mul_7", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %220 = "torch.aten.mul.Tensor"(%218, %198) {fx.node = "mul_8", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[64,1],f32>) -> !torch.vtensor<[?,16],f32>
    %221 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %222 = "torch.prim.ListConstruct"(%221) : (!torch.int) -> !torch.list<int>
    %223 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %224 = "torch.constant.none"() : () -> !torch.none
    %225 = "torch.aten.sum.dim_IntList"(%219, %222, %223, %224) {fx.node = "sum_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[?,1],f32>
    %226 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %227 = "torch.aten.squeeze.dim"(%225, %226) {fx.node = "squeeze", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,1],f32>, !torch.int) -> !torch.vtensor<[?],f32>
    %228 = "torch.constant.int"() <{value = 64 : i64}> : () -> !torch.int
    %229 = "torch.prim.ListConstruct"(%228) : (!torch.int) -> !torch.list<int>
    %230 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %231 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %232 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %233 = "torch.constant.none"() : () -> !torch.none
    %234 = "torch.aten.new_zeros"(%227, %229, %230, %231, %232, %233) {fx.node = "new_zeros", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[64],f32>
    %235 = "torch.prim.ListConstruct"(%23#1) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %236 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %237 = "torch.aten.index_put"(%234, %235, %227, %236) {fx.node = "index_put_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<vtensor>, !torch.vtensor<[?],f32>, !torch.bool) -> !torch.vtensor<[64],f32>
    %238 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %239 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %240 = "torch.prim.ListConstruct"(%238, %239) : (!torch.int, !torch.int) -> !torch.list<int>
    %241 = "torch.aten.view"(%237, %240) {fx.node = "view_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[64],f32>, !torch.list<int>) -> !torch.vtensor<[32,2],f32>
    %242 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %243 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %244 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %245 = "torch._c10d_functional.all_to_all_single"(%220, %242, %243, %244) {fx.node = "all_to_all_single_3", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %246 = "torch._c10d_functional.wait_tensor"(%245) {fx.node = "wait_tensor_5", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %247 = "torch.prim.ListConstruct"(%145#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %248 = "torch.aten.index.Tensor"(%246, %247) {fx.node = "index_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>) -> !torch.vtensor<[?,16],f32>
    %249 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %250 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %251 = "torch.aten.transpose.int"(%168, %249, %250) {fx.node = "transpose", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[16,?],f32>
    %252 = "torch.constant.none"() : () -> !torch.none
    %253 = "torch.constant.none"() : () -> !torch.none
    %254 = "torch.aten._grouped_mm"(%251, %248, %160, %252, %253) {fx.node = "_grouped_mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],f32>, !torch.vtensor<[?,16],f32>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,16,16],f32>
    %255 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %256 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %257 = "torch.aten.transpose.int"(%arg3, %255, %256) {fx.node = "transpose_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %258 = "torch.constant.none"() : () -> !torch.none
    %259 = "torch.constant.none"() : () -> !torch.none
    %260 = "torch.aten._grouped_mm"(%248, %257, %160, %258, %259) {fx.node = "_grouped_mm_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],f32>
    %261 = "torch.aten.silu_backward"(%260, %167) {fx.node = "silu_backward", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %262 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %263 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %264 = "torch.aten.transpose.int"(%164, %262, %263) {fx.node = "transpose_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[16,?],f32>
    %265 = "torch.constant.none"() : () -> !torch.none
    %266 = "torch.constant.none"() : () -> !torch.none
    %267 = "torch.aten._grouped_mm"(%264, %261, %160, %265, %266) {fx.node = "_grouped_mm_4", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,?],f32>, !torch.vtensor<[?,16],f32>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[4,16,16],f32>
    %268 = "torch.constant.int"() <{value = -2 : i64}> : () -> !torch.int
    %269 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %270 = "torch.aten.transpose.int"(%arg1, %268, %269) {fx.node = "transpose_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[4,16,16],f32>, !torch.int, !torch.int) -> !torch.vtensor<[4,16,16],f32>
    %271 = "torch.constant.none"() : () -> !torch.none
    %272 = "torch.constant.none"() : () -> !torch.none
    %273 = "torch.aten._grouped_mm"(%261, %270, %160, %271, %272) {fx.node = "_grouped_mm_5", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[4],si32>, !torch.none, !torch.none) -> !torch.vtensor<[?,16],f32>
    %274 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
    %275 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
    %276 = "torch._c10d_functional.all_reduce"(%273, %274, %275) {fx.node = "all_reduce_1", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>, !torch.str, !torch.str) -> !torch.vtensor<[?,16],f32>
    %277 = "torch._c10d_functional.wait_tensor"(%276) {fx.node = "wait_tensor_6", fx.layer = "L0"} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %278 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %279 = "torch.prim.ListConstruct"(%186, %278) : (!torch.int, !torch.int) -> !torch.list<int>
    %280 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %281 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %282 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %283 = "torch.constant.none"() : () -> !torch.none
    %284 = "torch.aten.new_zeros"(%277, %279, %280, %281, %282, %283) {fx.node = "new_zeros_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[?,16],f32>
    %285 = "torch.prim.ListConstruct"(%145#1) : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
    %286 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %287 = "torch.aten.index_put"(%284, %285, %277, %286) {fx.node = "index_put_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[?,16],f32>
    %288 = "torch.prim.ListConstruct"(%68, %80) : (!torch.int, !torch.int) -> !torch.list<int>
    %289 = "torch.prim.ListConstruct"(%103, %111) : (!torch.int, !torch.int) -> !torch.list<int>
    %290 = "torch.constant.str"() <{value = "ep"}> : () -> !torch.str
    %291 = "torch._c10d_functional.all_to_all_single"(%287, %288, %289, %290) {fx.node = "all_to_all_single_4", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[?,16],f32>
    %292 = "torch._c10d_functional.wait_tensor"(%291) {fx.node = "wait_tensor_7", fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>) -> !torch.vtensor<[?,16],f32>
    %293 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %294 = "torch.constant.int"() <{value = 16 : i64}> : () -> !torch.int
    %295 = "torch.prim.ListConstruct"(%293, %294) : (!torch.int, !torch.int) -> !torch.list<int>
    %296 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %297 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %298 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
    %299 = "torch.constant.none"() : () -> !torch.none
    %300 = "torch.aten.new_zeros"(%292, %295, %296, %297, %298, %299) {fx.node = "new_zeros_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[?,16],f32>, !torch.list<int>, !torch.int, !torch.int, !torch.Device, !torch.none) -> !torch.vtensor<[32,16],f32>
    %301 = "torch.prim.ListConstruct"(%117) : (!torch.vtensor<[64],si64>) -> !torch.list<vtensor>
    %302 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %303 = "torch.aten.index_put"(%300, %301, %292, %302) {fx.node = "index_put_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.list<vtensor>, !torch.vtensor<[?,16],f32>, !torch.bool) -> !torch.vtensor<[32,16],f32>
    %304 = "torch.aten.div.Tensor"(%10#0, %15) {fx.node = "div_1", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %305 = "torch.aten.div.Tensor"(%304, %15) {fx.node = "div_2", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %306 = "torch.aten.neg"(%241) {fx.node = "neg", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %307 = "torch.aten.mul.Tensor"(%306, %305) {fx.node = "mul_9", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,2],f32>
    %308 = "torch.aten.div.Tensor"(%241, %15) {fx.node = "div_3", fx.function, fx.pointwise, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,1],f32>) -> !torch.vtensor<[32,2],f32>
    %309 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %310 = "torch.prim.ListConstruct"(%309) : (!torch.int) -> !torch.list<int>
    %311 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %312 = "torch.constant.none"() : () -> !torch.none
    %313 = "torch.aten.sum.dim_IntList"(%307, %310, %311, %312) {fx.node = "sum_6", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[32,1],f32>
    %314 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %315 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %316 = "torch.prim.ListConstruct"(%314, %315) : (!torch.int, !torch.int) -> !torch.list<int>
    %317 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %318 = "torch.aten.expand"(%313, %316, %317) {fx.node = "expand_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,1],f32>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[32,2],f32>
    %319 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %320 = "torch.aten.add.Tensor"(%308, %318, %319) {fx.node = "add", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.vtensor<[32,2],f32>, !torch.int) -> !torch.vtensor<[32,2],f32>
    %321 = "torch.constant.int"() <{value = 32 : i64}> : () -> !torch.int
    %322 = "torch.constant.int"() <{value = 8 : i64}> : () -> !torch.int
    %323 = "torch.prim.ListConstruct"(%321, %322) : (!torch.int, !torch.int) -> !torch.list<int>
    %324 = "torch.constant.none"() : () -> !torch.none
    %325 = "torch.constant.none"() : () -> !torch.none
    %326 = "torch.constant.none"() : () -> !torch.none
    %327 = "torch.constant.none"() : () -> !torch.none
    %328 = "torch.aten.new_zeros"(%320, %323, %324, %325, %326, %327) {fx.node = "new_zeros_3", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,2],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[32,8],f32>
    %329 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %330 = "torch.aten.scatter.src"(%328, %329, %10#1, %320) {fx.node = "scatter", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.int, !torch.vtensor<[32,2],si64>, !torch.vtensor<[32,2],f32>) -> !torch.vtensor<[32,8],f32>
    %331 = "torch.aten.detach"(%5) {fx.node = "detach_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>) -> !torch.vtensor<[32,8],f32>
    %332 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %333 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %334 = "torch.aten._softmax_backward_data"(%330, %331, %332, %333) {fx.node = "_softmax_backward_data", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[32,8],f32>, !torch.int, !torch.int) -> !torch.vtensor<[32,8],f32>
    %335 = "torch.aten.t"(%arg2) {fx.node = "t", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,16],f32>) -> !torch.vtensor<[16,32],f32>
    %336 = "torch.aten.mm"(%335, %334) {fx.node = "mm_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,32],f32>, !torch.vtensor<[32,8],f32>) -> !torch.vtensor<[16,8],f32>
    %337 = "torch.aten.t"(%arg0) {fx.node = "t_1", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[8,16],f32>
    %338 = "torch.aten.mm"(%334, %337) {fx.node = "mm_2", fx.function, fx.layer = "L0", fx.backward} : (!torch.vtensor<[32,8],f32>, !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[32,16],f32>
    %339 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %340 = "torch.aten.add.Tensor"(%303, %338, %339) {fx.node = "add_1", fx.function, fx.pointwise, fx.backward} : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[32,16],f32>, !torch.int) -> !torch.vtensor<[32,16],f32>
    "func.return"(%210, %336, %267, %340, %254, %32, %35, %38, %41, %72, %76, %84, %88, %94, %107, %115) : (!torch.vtensor<[32,16],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[32,16],f32>, !torch.vtensor<[4,16,16],f32>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>, !torch.vtensor<[],i1>) -> ()
  }) : () -> ()
}) : () -> ()
