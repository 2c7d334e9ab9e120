// RUN: moe-opt %s --moe-compile="to=runtime platform=dgx-h100" | FileCheck %s --check-prefix=RUNTIME
// RUN: moe-opt %s --moe-compile="from=schedule to=schedule" | moe-opt --moe-compile="from=runtime to=runtime" | FileCheck %s --check-prefix=RUNTIME
// RUN: moe-opt %s --moe-compile="from=schedule to=llvm" | FileCheck %s --check-prefix=LLVM
// RUN: moe-opt %s --moe-compile="from=schedule to=runtime" | moe-opt --moe-compile="from=llvm to=llvm" | FileCheck %s --check-prefix=LLVM

// RUNTIME: func.func @main({{.*}}) attributes {moert.inputs = 1 : i64, moert.program = {arguments = [{type = tensor<8x2xf32>, varying = ["ep"]}], axes = ["ep"], results = [tensor<8x2xf32>], shape = array<i64: 8>}}
// RUNTIME: moert.all_to_all
// LLVM: llvm.call @moert_all_to_all
// LLVM: llvm.func @moe_main({{.*}}) -> i32 attributes {moert.program = {arguments = [{type = tensor<8x2xf32>, varying = ["ep"]}], axes = ["ep"], results = [tensor<8x2xf32>], shape = array<i64: 8>}
// LLVM-NOT: moe.mesh
moe.mesh @mesh axes ["ep"] shape [8]
func.func @main(%x: tensor<8x2xf32> {moe.varying = ["ep"]}) -> tensor<8x2xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2xf32> -> tensor<8x2xf32>
  return %a : tensor<8x2xf32>
}
