// Chunks of unequal sizes: one layer, forward, whose experts take three times
// as long as each of its exchanges. Small chunks at the ends fill and drain the
// pipeline faster, in any order.
// DEFINE: %{options} =
// DEFINE: %{platform} = %S/Inputs/fill.json
// DEFINE: %{choose} = moe-opt %s -moe-choose-degree="platform=%{platform} max-chunks=8 sizes=best %{options}" --remarks-full --remarks-filter=moe-choose-degree
// RUN: %{choose} -o %t.sizes 2> %t.remarks
// RUN: FileCheck %s < %t.sizes
// RUN: moe-opt %t.sizes -moe-load-platform=file=%{platform} -moe-schedule=priorities=ep -o %t.tasks
// RUN: moe-sim %t.tasks --json | grep makespan_us >> %t.remarks
// RUN: moe-opt %s -moe-choose-degree="platform=%{platform} max-chunks=8" -moe-load-platform=file=%{platform} -moe-schedule=priorities=ep | moe-sim - --json | grep makespan_us >> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-run %t.sizes --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.sizes --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.tasks --against=%s --backend=host | FileCheck %s --check-prefix=EQUAL
// CHECK: moe.pipeline degree 3 sizes [11, 42, 11] order [dispatch, gather, dispatch, gather, dispatch, gather, scatter, scatter, combine, scatter, combine, combine] ({{.*}} split 2 : tensor<2x1x64x4xf32> as tensor<2x1x?x4xf32>
// REMARK: layer 0 fwd: chunks of 11, 42, 11 in the order DADADARRCRCC, {{[0-9.]+}} us
// REMARK-SAME: 11, 42, 11 in the order DADADARRCRCC: 43.4 us, {{[^;]*}} 47.0 us;
// REMARK-SAME: [[US:[0-9.]+]] us {{[^;]*}}, [[ALIKE:[0-9.]+]] us
// REMARK-SAME: 38.1 us", alone_us={{.*}}, degree=3,
// REMARK: "makespan_us": [[US]]
// REMARK: "makespan_us": [[ALIKE]]
// EQUAL: equal: 2 ranks

// Equal ones, and the same beside the best order.
// RUN: moe-opt %s -moe-choose-degree="platform=%{platform} max-chunks=8 sizes=even" | FileCheck %s --check-prefix=EVEN --implicit-check-not=sizes
// RUN: moe-opt %s -moe-choose-degree="platform=%{platform} max-chunks=8" | FileCheck %s --check-prefix=EVEN --implicit-check-not=sizes
// EVEN: moe.pipeline degree 4 order
// REDEFINE: %{options} = order=best
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=BEST
// BEST: best order {{.*}} unequal chunks of 11, 42, 11
// BEST: moe.pipeline degree 3 sizes [11, 42, 11]

// Not by more than times may be wrong: equal chunks stay.
// RUN: sed 's/"origin": "made up for tests.*/"origin": "made up", "uncertainty": 0.2, "uncertainty_origin": "made up",/' %S/Inputs/fill.json > %t.uncertain
// REDEFINE: %{options} =
// REDEFINE: %{platform} = %t.uncertain
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=UNCERTAIN --implicit-check-not="sizes ["
// UNCERTAIN: layer 0 fwd: 2 equal chunks in the order DADARRCC, 48.2 us {{.*}} 4 chunks with 47.0 us {{.*}} unequal chunks of 11, 42, 11
// UNCERTAIN: moe.pipeline degree 2 order

// Where links are, the plan finds none; moving parts between the equal chunks
// hides a copy that the plan does not know.
// RUN: sed 's/"gemm_beta_us_per_mac": .*/"gemm_beta_us_per_mac": 1e-9/' %S/Inputs/fill.json > %t.links
// REDEFINE: %{platform} = %t.links
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=LINKS
// LINKS: 11, 53 in the order DADARRCC: 22.7 us, {{.*}} 22.7 us; {{.*}} 22.925 us {{.*}} 22.992 us

// Where latencies are all that counts, no sizes help.
// RUN: sed 's/"latency_us": 0.5/"latency_us": 50/' %S/Inputs/fill.json > %t.latency
// REDEFINE: %{platform} = %t.latency
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=LATENCY --implicit-check-not="sizes ["
// LATENCY: layer 0 fwd: no pipeline, {{.*}}; unequal chunks found no faster; {{.*}} us", degree=1,

// Every chunk has messages of 512 bytes, 16 rows, or there are none (SPEC MO-5).
// RUN: sed 's/"copy_latency_us"/"minimum_message_bytes": 512, "minimum_message_origin": "made up", "copy_latency_us"/' %S/Inputs/fill.json > %t.512
// RUN: sed 's/"copy_latency_us"/"minimum_message_bytes": 1025, "minimum_message_origin": "made up", "copy_latency_us"/' %S/Inputs/fill.json > %t.1025
// REDEFINE: %{platform} = %t.512
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=LEAST
// LEAST: unequal chunks of 16, 32, 16 in the order
// REDEFINE: %{platform} = %t.1025
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=moe.pipeline
// NONE: no pipeline, {{.*}}; no unequal chunks: of two chunks, one has messages below the platform's minimum", degree=1,

// A prime number of rows is cut into parts that differ by one.
// RUN: sed 's/x64x/x67x/g' %s > %t.67
// RUN: moe-opt %t.67 -moe-choose-degree="platform=%S/Inputs/fill.json max-chunks=8 sizes=best" -o %t.67.sizes
// RUN: FileCheck %s --check-prefix=PRIME < %t.67.sizes
// RUN: moe-run %t.67.sizes --against=%t.67 | FileCheck %s --check-prefix=EQUAL
// PRIME: moe.pipeline degree 3 sizes [{{[0-9]+, [0-9]+, [0-9]+}}] {{.*}} tensor<2x1x67x4xf32>

// Chunks of a gathered dim have one size.
// RUN: moe-opt %S/choose-degree.mlir -moe-choose-degree="platform=%S/Inputs/mini.json max-chunks=4 sizes=best" --remarks-full --remarks-filter=moe-choose-degree 2>&1 | FileCheck %s --check-prefix=GATHERED --implicit-check-not="sizes ["
// GATHERED: layer 0 fwd: 4 equal chunks in the order DADADADAGRRCRCRCC, {{.*}}; no unequal chunks: dim 2 of size 4 is gathered and needs chunks of one size", degree=4

// RUN: not moe-opt %s -moe-choose-degree="platform=host sizes=best order=one-stream" 2>&1 | FileCheck %s --check-prefix=STREAM
// RUN: not moe-opt %s -moe-choose-degree="platform=host sizes=best phases=joint" 2>&1 | FileCheck %s --check-prefix=JOINT
// RUN: not moe-opt %s -moe-choose-degree="platform=host sizes=odd" 2>&1 | FileCheck %s --check-prefix=ODD
// STREAM: error: moe-choose-degree: expected order=fixed or best with sizes=best, got one-stream
// JOINT: error: moe-choose-degree: expected phases=each with sizes=best, got joint
// ODD: expected one of even, best, got 'odd'
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<2x1x64x4xf32> {moe.varying = ["ep"]},
                %a: tensor<1x4x16xf32> {moe.varying = ["ep"]},
                %b: tensor<1x16x4xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x4xf32> {
  %r = moe.layer "0" phase "fwd" {
    %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x4xf32> -> tensor<2x1x64x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x64x4xf32> -> tensor<1x2x64x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x64x4xf32>, tensor<1x4x16xf32>, tensor<1x16x4xf32> -> tensor<1x2x64x4xf32>
    %u = moe.transpose %y [1, 0, 2, 3] : tensor<1x2x64x4xf32> -> tensor<2x1x64x4xf32>
    %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x4xf32> -> tensor<2x1x64x4xf32>
    moe.yield %c : tensor<2x1x64x4xf32>
  } : tensor<2x1x64x4xf32>
  return %r : tensor<2x1x64x4xf32>
}
