// One layer, forward, whose tokens are exchanged between two nodes of two
// ranks: %gathered is also read by somebody else, as a backward pass reads it.
// RUN: moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=4" --remarks-full --remarks-filter=moe-choose-degree 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=4" > %t.four
// RUN: moe-run %t.four --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.four --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 4 ranks

// The launches, stream by stream, are those of the order.
// RUN: moe-opt %t.four -moe-load-platform=file=%S/Inputs/mini.json -moe-schedule | FileCheck %s --check-prefix=TASKS
// RUN: moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=4 order=one-stream" -moe-load-platform=file=%S/Inputs/mini.json -moe-schedule=collectives=one > %t.one
// RUN: FileCheck %s --check-prefix=ONE < %t.one
// RUN: moe-run %t.one --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=4 order=best" --remarks-full --remarks-filter=moe-choose-degree -o %t.best 2>&1 | FileCheck %s --check-prefix=BEST
// RUN: moe-run %t.best --against=%s | FileCheck %s --check-prefix=EQUAL

// Of degrees that are as good as the fastest, the smallest.
// RUN: sed 's/"copy_bandwidth/"uncertainty": 0.4, "copy_bandwidth/' %S/Inputs/mini.json > %t.json
// RUN: moe-opt %s -moe-choose-degree="platform=%t.json max-chunks=4" --remarks-full --remarks-filter=moe-choose-degree -o %t.fewer 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: layer 0 fwd: {{.*}}, as good as 4 chunks with {{[0-9.]+}} us within {{.*}}, and simpler; {{.*}} degree={{[12]}},
// RUN: moe-run %t.fewer --against=%s | FileCheck %s --check-prefix=EQUAL

// Where pipelining does not pay, the layer stays as it is.
// RUN: moe-opt %s -moe-choose-degree="platform=host max-chunks=4" --remarks-full --remarks-filter=moe-choose-degree 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=moe.pipeline

// Real loads: the slots of the buffers are what is sent and computed.
// RUN: echo '{"counts": [300, 100]}' > %t.counts
// RUN: echo '{"counts": [3, 2, 1]}' > %t.three
// RUN: echo '{"counts": [0, 0]}' > %t.zeros
// RUN: not moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json expert-counts=%t.zeros" 2>&1 | FileCheck %s --check-prefix=ZEROS
// RUN: moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=4 expert-counts=%t.counts" --remarks-full --remarks-filter=moe-choose-degree -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json expert-counts=%t.three" 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json expert-counts=%t.none" 2>&1 | FileCheck %s --check-prefix=NOCOUNTS
// COUNTS: , {{[0-9.]+}} us (formula case {{.*}} 1.50 times the mean load {{.*}} 1.50 times the mean
// THREE: choose-degree.mlir:[[#@LINE+52]]:{{.*}}error: moe-choose-degree: expert-counts: {{.*}}three: counts: expected those of the 2 experts of layer 0, got 3
// ZEROS: error: moe-choose-degree: expert-counts: {{.*}}zeros:1:12: counts: expected counts of which one is above 0, got zeros only
// NOCOUNTS: error: moe-choose-degree: expert-counts: {{.*}}.none

// RUN: not moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not moe-opt %s -moe-choose-degree 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: moe-opt %s -moe-pipeline="degree=2 sizes=1,3 scope=layer" --remarks-full --remarks-filter=moe-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: expected chunks of one size along a dim that is gathered
// RUN: moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=4 phases=joint" | FileCheck %s --check-prefix=JOINT
// JOINT: moe.pipeline degree 4
// RUN: not moe-opt %s -moe-choose-degree=order=worst 2>&1 | FileCheck %s --check-prefix=ORDER
// ZERO: error: moe-choose-degree: expected max-chunks in [1, 256], got 0
// NONE: error: moe-choose-degree: expected platform=FILE or a module with 'moe.platform'
// ORDER: expected one of {{.*}}, got 'worst'
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// The gathered dim is cut within each rank's part; three chunks of its four
// slots cannot be.
// CHECK-LABEL: func.func @main
// CHECK:       moe.all_reduce
// CHECK:       %[[R:.*]]:2 = moe.pipeline degree 4 order [dispatch, gather, dispatch, gather, dispatch, gather, dispatch, gather, gradients, scatter, scatter, combine, scatter, combine, scatter, combine, combine] (%[[C:.*]] = %arg0 split 2 : tensor<2x1x4x4xf32> as tensor<2x1x1x4xf32>, %{{.*}} = %{{.*}} shared
// CHECK:         moe.all_gather %{{.*}} dim 2 : tensor<1x2x1x4xf32> -> tensor<1x2x2x4xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape {{.*}} into tensor<1x2x2x1x4xf32>
// CHECK:         moe.yield %{{.*}}, %[[E]]
// CHECK:       } -> concat 2 : tensor<2x1x4x4xf32>, concat 3 : tensor<1x2x2x4x4xf32>
// CHECK:       tensor.collapse_shape %[[R]]#1
// REMARK-DAG: [Passed] degree {{.*}}layer 0 fwd: 4 equal chunks in the order DADADADAGRRCRCRCC, {{.*}} us (formula case {{[1-4]}}: {{.*}} us); runner-up: {{.*}} us (formula case {{.*}} us){{.*}} degree=4, gradient_us=6.4{{.*}}, runner_up_degree=2
// BEST: best order {{[DARCG]*}} of {{[0-9]}} chunks: {{[0-9.]+}} us; {{.*}} {{[0-9.]+}} us {{.*}}, {{[0-9.]+}} us
// ALONE: layer 0 fwd: no pipeline, {{[0-9.]+}} us {{.*}}degree=1
// REMARK-DAG: [Missed] degree {{.*}}layer empty fwd: expected an all-to-all, the layer has none
// REMARK-DAG: [Missed] degree {{.*}}layer short fwd: {{.*}}is shorter than the degree

// The all-reduce in front of the pipeline goes between dispatches and combines.
// TASKS-NOT: all_reduce
// TASKS: moe.task @inter "all_to_all"[3 of 4]
// TASKS-NOT: @inter
// TASKS: moe.task @inter "all_reduce"[0 of 1]
// TASKS: moe.task @inter "all_to_all.2"[0 of 4]
// TASKS: moe.task @inter "all_to_all.2"[3 of 4]
// ONE: moe.task @inter "all_to_all"[0 of 2]
// ONE: moe.task @inter "all_gather"[0 of 2]
// ONE: moe.task @inter "all_to_all"[1 of 2]
// ONE: moe.task @inter "all_gather"[1 of 2]
// ONE: moe.task @inter "all_reduce"
// ONE: moe.task @inter "reduce_scatter"[0 of 2]
// ONE: moe.task @inter "all_to_all.2"[0 of 2]
// ONE: moe.task @inter "reduce_scatter"[1 of 2]
func.func @main(%x: tensor<2x1x4x4xf32> {moe.varying = ["ep", "tp"]},
                %a: tensor<1x4x6xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<1x6x4xf32> {moe.varying = ["ep", "tp"]},
                %g: tensor<16xf32> {moe.varying = ["ep"]})
    -> (tensor<2x1x4x4xf32>, tensor<1x2x8x4xf32>, tensor<16xf32>, tensor<2x1x4x4xf32>, tensor<2x1x1x4xf32>) {
  %r:3 = moe.layer "0" phase "fwd" {
    %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %gathered = moe.all_gather %t on <@mesh, ["tp"]> dim 2 : tensor<1x2x4x4xf32> -> tensor<1x2x8x4xf32>
    %other = arith.addf %gathered, %gathered : tensor<1x2x8x4xf32>
    %sum = moe.all_reduce %g on <@mesh, ["ep"]> : tensor<16xf32>
    %y = moe.experts gpt %gathered, %a, %b : tensor<1x2x8x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x8x4xf32>
    %s = moe.reduce_scatter %y on <@mesh, ["tp"]> dim 2 : tensor<1x2x8x4xf32> -> tensor<1x2x4x4xf32>
    %u = moe.transpose %s [1, 0, 2, 3] : tensor<1x2x4x4xf32> -> tensor<2x1x4x4xf32>
    %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    moe.yield %c, %other, %sum : tensor<2x1x4x4xf32>, tensor<1x2x8x4xf32>, tensor<16xf32>
  } : tensor<2x1x4x4xf32>, tensor<1x2x8x4xf32>, tensor<16xf32>
  %e = moe.layer "empty" phase "fwd" {
    %z = arith.addf %r#0, %r#0 : tensor<2x1x4x4xf32>
    moe.yield %z : tensor<2x1x4x4xf32>
  } : tensor<2x1x4x4xf32>
  %o = tensor.extract_slice %x[0, 0, 0, 0] [2, 1, 1, 4] [1, 1, 1, 1] : tensor<2x1x4x4xf32> to tensor<2x1x1x4xf32>
  %h = moe.layer "short" phase "fwd" {
    %d = moe.all_to_all %o on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x1x4xf32> -> tensor<2x1x1x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x1x4xf32> -> tensor<1x2x1x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x1x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x1x4xf32>
    %u = moe.transpose %y [1, 0, 2, 3] : tensor<1x2x1x4xf32> -> tensor<2x1x1x4xf32>
    %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x1x4xf32> -> tensor<2x1x1x4xf32>
    moe.yield %c : tensor<2x1x1x4xf32>
  } : tensor<2x1x1x4xf32>
  return %r#0, %r#1, %r#2, %e, %h : tensor<2x1x4x4xf32>, tensor<1x2x8x4xf32>, tensor<16xf32>, tensor<2x1x4x4xf32>, tensor<2x1x1x4xf32>
}
