// At the top of a module ops need not follow what they use: an op may use its
// own result. No fold and no rule may follow that circle.
// RUN: moe-opt %s --canonicalize --split-input-file \
// RUN:   --allow-unregistered-dialect | FileCheck %s
// RUN: moe-opt %s --moe-decompose-all-to-all=mode=drop --split-input-file \
// RUN:   --allow-unregistered-dialect | FileCheck %s

// CHECK: %[[A:.*]] = moe.assemble %[[A]] dim 1
%a = moe.assemble %a dim 1 : tensor<2x2xf32> -> tensor<2x2xf32>
"test.use"(%a) : (tensor<2x2xf32>) -> ()

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [1, 2]
// CHECK: %[[A:.*]] = moe.all_to_all %[[A]] on <@mesh, [{{("ep")?}}]>
%a = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0
   : tensor<2x2xf32> -> tensor<2x2xf32>
"test.use"(%a) : (tensor<2x2xf32>) -> ()

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
// CHECK: %[[A:.*]] = moe.all_to_all %[[A]] on <@mesh, ["ep"]>
%a = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0
   : tensor<2x2xf32> -> tensor<2x2xf32>
"test.use"(%a) : (tensor<2x2xf32>) -> ()

// -----

// CHECK: %[[A:.*]] = moe.transpose %[[A]] [1, 0]
%a = moe.transpose %a [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
"test.use"(%a) : (tensor<2x2xf32>) -> ()
