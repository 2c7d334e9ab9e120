// Where values may be read before they are made, ops that read themselves, or
// each other, stay as they are.
// RUN: moe-opt %s -allow-unregistered-dialect -split-input-file -moe-pipeline=degree=2 --remarks-filter=moe-pipeline 2>%t.remarks | FileCheck %s --implicit-check-not=moe.pipeline
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %s -allow-unregistered-dialect -split-input-file -moe-pipeline="degree=2 scope=layer" | FileCheck %s --implicit-check-not=moe.pipeline

// CHECK: moe.all_to_all
// REMARK: {{.*}}moe.all_to_all reads what is made behind it
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
%a = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2xf32> -> tensor<2x2xf32>

// -----

// CHECK: moe.all_to_all
// REMARK: {{.*}}moe.all_to_all reads what is made behind it
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
%a = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2xf32> -> tensor<2x2xf32>
"test.use"(%a) : (tensor<2x2xf32>) -> ()

// -----

// CHECK: moe.all_to_all
// REMARK: {{.*}}reads what is made behind it
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
%b = moe.transpose %c [0, 1] : tensor<2x2xf32> -> tensor<2x2xf32>
%a = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2xf32> -> tensor<2x2xf32>
%c = moe.transpose %a [0, 1] : tensor<2x2xf32> -> tensor<2x2xf32>
