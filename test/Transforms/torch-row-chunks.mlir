// Chunks of rows of PyTorch programs. First: the second of two exchanges with the same
// splits is sorted before the first one, so it cannot use the orders of the first chain.
// RUN: moe-opt %s --split-input-file --moe-pipeline="degree=2 scope=layer" --remarks-filter=moe-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// REMARKS-COUNT-2: Remark="runs in chunks of its rows", degree=2
// REMARKS: Reason="expected ops on single rows{{.*}}, got torch.aten.index_put"
// RUN: moe-opt %s --split-input-file --moe-pipeline="degree=2 scope=layer" | FileCheck %s
// CHECK-COUNT-10: moe.ragged_all_to_all {{.*}}xf32>
// CHECK-NOT: moe.ragged_all_to_all {{.*}}xf32>

module {
  moe.mesh @moe_mesh axes ["ep"] shape [2]
  func.func @main(%arg0: tensor<64x16xf32> {moe.varying = ["ep"]}, %arg1: tensor<64x16xf32> {moe.varying = ["ep"]}, %arg2: tensor<64xi64> {moe.varying = ["ep"]}, %arg3: tensor<2xi64> {moe.varying = ["ep"]}, %arg4: tensor<2xi64> {moe.varying = ["ep"]}) -> (tensor<?x16xf32>, tensor<?x16xf32>) {
    %0 = "torch.aten.select.int"(%arg3) {fx.function, fx.node = "n3", torch.constants = {"1" = 0 : i64, "2" = 0 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %1 = "torch.function.aten._local_scalar_dense"(%0) {fx.function, fx.node = "n4"} : (tensor<i64>) -> !torch.int
    %2 = "torch.aten.select.int"(%arg3) {fx.function, fx.node = "n7", torch.constants = {"1" = 0 : i64, "2" = 1 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %3 = "torch.function.aten._local_scalar_dense"(%2) {fx.function, fx.node = "n8"} : (tensor<i64>) -> !torch.int
    %4 = "torch.aten.select.int"(%arg4) {fx.function, fx.node = "n11", torch.constants = {"1" = 0 : i64, "2" = 0 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %5 = "torch.function.aten._local_scalar_dense"(%4) {fx.function, fx.node = "n12"} : (tensor<i64>) -> !torch.int
    %6 = "torch.aten.select.int"(%arg4) {fx.function, fx.node = "n15", torch.constants = {"1" = 0 : i64, "2" = 1 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %7 = "torch.function.aten._local_scalar_dense"(%6) {fx.function, fx.node = "n16"} : (tensor<i64>) -> !torch.int
    %8 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %9 = "torch.moe.offsets"(%8) : (tensor<2xi64>) -> tensor<2xi64>
    %10 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %11 = "torch.moe.offsets"(%10) : (tensor<2xi64>) -> tensor<2xi64>
    %12 = "torch.moe.rows"(%10) : (tensor<2xi64>) -> index
    %13 = tensor.empty(%12) : tensor<?xi64>
    %14 = moe.ragged_all_to_all %arg2 into %13 on <@moe_mesh, ["ep"]> send(%9, %8) recv(%11, %10) {fx.node = "n20"} : tensor<64xi64>, tensor<2xi64> -> tensor<?xi64>
    %15:2 = "torch.aten.sort.stable"(%14) {fx.function, fx.node = "n25", torch.constants = {"1" = true, "2" = -1 : i64, "3" = false}} : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>)
    %16:2 = "torch.aten.sort.stable"(%15#1) {fx.function, fx.node = "n29", torch.constants = {"1" = true, "2" = -1 : i64, "3" = false}} : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>)
    %17 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %18 = "torch.moe.offsets"(%17) : (tensor<2xi64>) -> tensor<2xi64>
    %19 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %20 = "torch.moe.offsets"(%19) : (tensor<2xi64>) -> tensor<2xi64>
    %21 = "torch.moe.rows"(%19) : (tensor<2xi64>) -> index
    %22 = tensor.empty(%21) : tensor<?x16xf32>
    %23 = moe.ragged_all_to_all %arg0 into %22 on <@moe_mesh, ["ep"]> send(%18, %17) recv(%20, %19) {fx.node = "n33"} : tensor<64x16xf32>, tensor<2xi64> -> tensor<?x16xf32>
    %24 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %25 = "torch.moe.offsets"(%24) : (tensor<2xi64>) -> tensor<2xi64>
    %26 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %27 = "torch.moe.offsets"(%26) : (tensor<2xi64>) -> tensor<2xi64>
    %28 = "torch.moe.rows"(%26) : (tensor<2xi64>) -> index
    %29 = tensor.empty(%28) : tensor<?x16xf32>
    %30 = moe.ragged_all_to_all %arg1 into %29 on <@moe_mesh, ["ep"]> send(%25, %24) recv(%27, %26) {fx.node = "n38"} : tensor<64x16xf32>, tensor<2xi64> -> tensor<?x16xf32>
    %31 = "torch.prim.ListConstruct"(%15#1) : (tensor<?xi64>) -> !torch.list<vtensor>
    %32 = "torch.aten.index.Tensor"(%30, %31) {fx.function, fx.node = "n41"} : (tensor<?x16xf32>, !torch.list<vtensor>) -> tensor<?x16xf32>
    %33 = "torch.aten.mul.Tensor"(%32, %32) {fx.function, fx.node = "n42"} : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
    %34 = "torch.prim.ListConstruct"(%16#1) : (tensor<?xi64>) -> !torch.list<vtensor>
    %35 = "torch.aten.index.Tensor"(%33, %34) {fx.function, fx.node = "n44"} : (tensor<?x16xf32>, !torch.list<vtensor>) -> tensor<?x16xf32>
    %36 = "torch.prim.ListConstruct"(%15#1) : (tensor<?xi64>) -> !torch.list<vtensor>
    %37 = "torch.aten.index.Tensor"(%23, %36) {fx.function, fx.node = "n46"} : (tensor<?x16xf32>, !torch.list<vtensor>) -> tensor<?x16xf32>
    %38 = "torch.aten.mul.Tensor"(%37, %37) {fx.function, fx.node = "n47"} : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
    %39 = "torch.prim.ListConstruct"(%16#1) : (tensor<?xi64>) -> !torch.list<vtensor>
    %40 = "torch.aten.index.Tensor"(%38, %39) {fx.function, fx.node = "n49"} : (tensor<?x16xf32>, !torch.list<vtensor>) -> tensor<?x16xf32>
    %41 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %42 = "torch.moe.offsets"(%41) : (tensor<2xi64>) -> tensor<2xi64>
    %43 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %44 = "torch.moe.offsets"(%43) : (tensor<2xi64>) -> tensor<2xi64>
    %45 = "torch.moe.rows"(%43) : (tensor<2xi64>) -> index
    %46 = tensor.empty(%45) : tensor<?x16xf32>
    %47 = moe.ragged_all_to_all %40 into %46 on <@moe_mesh, ["ep"]> send(%42, %41) recv(%44, %43) {fx.node = "n53"} : tensor<?x16xf32>, tensor<2xi64> -> tensor<?x16xf32>
    %48 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %49 = "torch.moe.offsets"(%48) : (tensor<2xi64>) -> tensor<2xi64>
    %50 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %51 = "torch.moe.offsets"(%50) : (tensor<2xi64>) -> tensor<2xi64>
    %52 = "torch.moe.rows"(%50) : (tensor<2xi64>) -> index
    %53 = tensor.empty(%52) : tensor<?x16xf32>
    %54 = moe.ragged_all_to_all %35 into %53 on <@moe_mesh, ["ep"]> send(%49, %48) recv(%51, %50) {fx.node = "n58"} : tensor<?x16xf32>, tensor<2xi64> -> tensor<?x16xf32>
    return %47, %54 : tensor<?x16xf32>, tensor<?x16xf32>
  }
}

// -----

// One value per row is written to all columns: zeros of the chunk's values would have one
// column.
module {
  moe.mesh @moe_mesh axes ["ep"] shape [2]
  func.func @main(%arg0: tensor<64x16xf32> {moe.varying = ["ep"]}, %arg1: tensor<64x16xf32> {moe.varying = ["ep"]}, %arg2: tensor<64xi64> {moe.varying = ["ep"]}, %arg3: tensor<2xi64> {moe.varying = ["ep"]}, %arg4: tensor<2xi64> {moe.varying = ["ep"]}) -> tensor<?x16xf32> {
    %0 = "torch.aten.select.int"(%arg3) {fx.function, fx.node = "n3", torch.constants = {"1" = 0 : i64, "2" = 0 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %1 = "torch.function.aten._local_scalar_dense"(%0) {fx.function, fx.node = "n4"} : (tensor<i64>) -> !torch.int
    %2 = "torch.aten.select.int"(%arg3) {fx.function, fx.node = "n7", torch.constants = {"1" = 0 : i64, "2" = 1 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %3 = "torch.function.aten._local_scalar_dense"(%2) {fx.function, fx.node = "n8"} : (tensor<i64>) -> !torch.int
    %4 = "torch.aten.select.int"(%arg4) {fx.function, fx.node = "n11", torch.constants = {"1" = 0 : i64, "2" = 0 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %5 = "torch.function.aten._local_scalar_dense"(%4) {fx.function, fx.node = "n12"} : (tensor<i64>) -> !torch.int
    %6 = "torch.aten.select.int"(%arg4) {fx.function, fx.node = "n15", torch.constants = {"1" = 0 : i64, "2" = 1 : i64}} : (tensor<2xi64>) -> tensor<i64>
    %7 = "torch.function.aten._local_scalar_dense"(%6) {fx.function, fx.node = "n16"} : (tensor<i64>) -> !torch.int
    %8 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %9 = "torch.moe.offsets"(%8) : (tensor<2xi64>) -> tensor<2xi64>
    %10 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %11 = "torch.moe.offsets"(%10) : (tensor<2xi64>) -> tensor<2xi64>
    %12 = "torch.moe.rows"(%10) : (tensor<2xi64>) -> index
    %13 = tensor.empty(%12) : tensor<?xi64>
    %14 = moe.ragged_all_to_all %arg2 into %13 on <@moe_mesh, ["ep"]> send(%9, %8) recv(%11, %10) {fx.node = "n20"} : tensor<64xi64>, tensor<2xi64> -> tensor<?xi64>
    %15:2 = "torch.aten.sort.stable"(%14) {fx.function, fx.node = "n25", torch.constants = {"1" = true, "2" = -1 : i64, "3" = false}} : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>)
    %16:2 = "torch.aten.sort.stable"(%15#1) {fx.function, fx.node = "n29", torch.constants = {"1" = true, "2" = -1 : i64, "3" = false}} : (tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>)
    %17 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %18 = "torch.moe.offsets"(%17) : (tensor<2xi64>) -> tensor<2xi64>
    %19 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %20 = "torch.moe.offsets"(%19) : (tensor<2xi64>) -> tensor<2xi64>
    %21 = "torch.moe.rows"(%19) : (tensor<2xi64>) -> index
    %22 = tensor.empty(%21) : tensor<?x16xf32>
    %23 = moe.ragged_all_to_all %arg0 into %22 on <@moe_mesh, ["ep"]> send(%18, %17) recv(%20, %19) {fx.node = "n33"} : tensor<64x16xf32>, tensor<2xi64> -> tensor<?x16xf32>
    %24 = "torch.prim.ListConstruct"(%15#1) : (tensor<?xi64>) -> !torch.list<vtensor>
    %25 = "torch.aten.index.Tensor"(%23, %24) {fx.function, fx.node = "n36"} : (tensor<?x16xf32>, !torch.list<vtensor>) -> tensor<?x16xf32>
    %26 = "torch.aten.sum.dim_IntList"(%25) {fx.function, fx.node = "n41", torch.constants = {"1" = [1], "2" = true, "3"}} : (tensor<?x16xf32>) -> tensor<?x1xf32>
    %27 = "torch.aten.zeros_like"(%23) {fx.function, fx.node = "n47", torch.constants = {"1", "2", "3", "4", "5"}} : (tensor<?x16xf32>) -> tensor<?x16xf32>
    %28 = "torch.prim.ListConstruct"(%15#1) : (tensor<?xi64>) -> !torch.list<vtensor>
    %29 = "torch.aten.index_put"(%27, %28, %26) {fx.function, fx.node = "n50", torch.constants = {"3" = false}} : (tensor<?x16xf32>, !torch.list<vtensor>, tensor<?x1xf32>) -> tensor<?x16xf32>
    %30 = "torch.moe.sizes"(%5, %7) : (!torch.int, !torch.int) -> tensor<2xi64>
    %31 = "torch.moe.offsets"(%30) : (tensor<2xi64>) -> tensor<2xi64>
    %32 = "torch.moe.sizes"(%1, %3) : (!torch.int, !torch.int) -> tensor<2xi64>
    %33 = "torch.moe.offsets"(%32) : (tensor<2xi64>) -> tensor<2xi64>
    %34 = "torch.moe.rows"(%32) : (tensor<2xi64>) -> index
    %35 = tensor.empty(%34) : tensor<?x16xf32>
    %36 = moe.ragged_all_to_all %29 into %35 on <@moe_mesh, ["ep"]> send(%31, %30) recv(%33, %32) {fx.node = "n54"} : tensor<?x16xf32>, tensor<2xi64> -> tensor<?x16xf32>
    return %36 : tensor<?x16xf32>
  }
}
