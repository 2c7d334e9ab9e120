// The stock mlir-opt runs the passes and pipelines of the plugin.
// REQUIRES: plugin
// DEFINE: %{opt} = %llvm_tools/mlir-opt \
// DEFINE:   --load-dialect-plugin=%moe_obj/lib/libMoEPlugin.so \
// DEFINE:   --load-pass-plugin=%moe_obj/lib/libMoEPlugin.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(moe-decompose-all-to-all{mode=drop})' \
// RUN:   | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(moe-compile{to=decompose})' \
// RUN:   | FileCheck %s

// All the way down, and to the same code as moe-opt's.
// RUN: %{opt} %s -o %t.stock.mlir \
// RUN:   --pass-pipeline='builtin.module(moe-compile{to=llvm platform=dgx-h100})'
// RUN: FileCheck --check-prefix=CODE %s --input-file=%t.stock.mlir
// RUN: moe-opt %s --moe-compile="to=llvm platform=dgx-h100" \
// RUN:   | diff %t.stock.mlir -
// Conversions by name, and modules of the runtime's dialect.
// RUN: %{opt} %s --pass-pipeline='builtin.module(moe-schedule,convert-moe-to-moert)' \
// RUN:   | %{opt} --pass-pipeline='builtin.module(moe-compile{from=llvm to=llvm})' \
// RUN:   | FileCheck --check-prefix=CODE %s
// CODE: llvm.func @moe_replicated_over_tp
// CODE: llvm.call @moert_all_to_all

// The stock tool makes its list of `--<pass>` options before it loads plugins.
// RUN: not %{opt} %s --moe-decompose-all-to-all=mode=drop 2>&1 \
// RUN:   | FileCheck --check-prefix=OPTION %s
// OPTION: Unknown command line argument '--moe-decompose-all-to-all=mode=drop'

moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]

// CHECK-LABEL: func.func @replicated_over_tp
// CHECK:         moe.drop %{{.*}} on <@mesh, ["tp"]>
// CHECK:         moe.all_to_all %{{.*}} on <@mesh, ["ep"]>
// CHECK:         moe.all_gather %{{.*}} on <@mesh, ["tp"]>
func.func @replicated_over_tp(
    %x: tensor<2x4x16x8xf32> {moe.varying = ["ep"]}) -> tensor<2x4x16x8xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x4x16x8xf32> -> tensor<2x4x16x8xf32>
  return %r : tensor<2x4x16x8xf32>
}
