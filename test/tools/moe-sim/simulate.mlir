// Counted by hand on toy.json: 1 GB/s inside nodes of two ranks, 0.1 GB/s and
// 1 us across, copies at 2 GB/s.
// RUN: moe-sim %s --platform=%S/Inputs/toy.json | FileCheck %s
// RUN: moe-sim %s --platform=%S/Inputs/toy.json --json | %python -c "import json,sys; d=json.load(sys.stdin); print(d['makespan_us'], d['lower_bound_us'], d['peak_bytes'], [s['busy_us'] for s in d['streams']])" | FileCheck %s --check-prefix=JSON
// RUN: moe-sim %s --platform=%S/Inputs/toy.json --trace=%t.json && %python %S/Inputs/check_trace.py %t.json | FileCheck %s --check-prefix=TRACE
// RUN: moe-sim %s --platform=%S/Inputs/toy.json --baseline=%s | FileCheck %s --check-prefix=BASELINE

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @inter inter
moe.stream @intra intra
moe.stream @copy copy

// all_to_all over ep: half of 4000 bytes at 0.1 GB/s = 20 us, and 1 us.
// all_gather over tp: half of the result's 4000 bytes at 1 GB/s = 2 us.
// transpose: 4000 bytes at 2 GB/s = 2 us.
// Two chunks: 0-21, 21-42 on inter; the first gather is hidden. At most three
// values of 4000 bytes live at once (from 21 to 23: both exchanged, one gathered).
// CHECK: platform     toy
// CHECK: ranks        4
// CHECK: tasks        6
// CHECK: step time    46.0 us (predicted)
// CHECK: lower bound  46.0 us (step time 0.00 % above)
// CHECK: inter {{ *}}inter {{ *}}42.000
// CHECK: intra {{ *}}intra {{ *}}4.000
// CHECK: copy {{ *}}copy {{ *}}4.000
// JSON: 46 46 12000 [42, 4, 4]
// TRACE: 6 tasks on 3 streams, no overlap within a stream
// BASELINE: speedup      1.000
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %r:2 = moe.schedule {
    %a0, %t0 = moe.task @inter "dispatch"[0 of 2] layer "0" phase "fwd" {
      %v = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<1000xf32> -> tensor<1000xf32>
      moe.yield %v : tensor<1000xf32>
    } : tensor<1000xf32>
    %a1, %t1 = moe.task @inter "dispatch"[1 of 2] layer "0" phase "fwd" {
      %v = moe.all_to_all %y on <@mesh, ["ep"]> split 0 concat 0 : tensor<1000xf32> -> tensor<1000xf32>
      moe.yield %v : tensor<1000xf32>
    } : tensor<1000xf32>
    %g0, %u0 = moe.task @intra "gather"[0 of 2] layer "0" phase "fwd" {
      %s = tensor.extract_slice %a0[0] [500] [1] : tensor<1000xf32> to tensor<500xf32>
      %v = moe.all_gather %s on <@mesh, ["tp"]> dim 0 : tensor<500xf32> -> tensor<1000xf32>
      moe.yield %v : tensor<1000xf32>
    } : tensor<1000xf32>
    %g1, %u1 = moe.task @intra "gather"[1 of 2] layer "0" phase "fwd" {
      %s = tensor.extract_slice %a1[0] [500] [1] : tensor<1000xf32> to tensor<500xf32>
      %v = moe.all_gather %s on <@mesh, ["tp"]> dim 0 : tensor<500xf32> -> tensor<1000xf32>
      moe.yield %v : tensor<1000xf32>
    } : tensor<1000xf32>
    %c0, %w0 = moe.task @copy "place"[0 of 2] layer "0" phase "fwd" {
      %v = moe.transpose %g0 [0] : tensor<1000xf32> -> tensor<1000xf32>
      moe.yield %v : tensor<1000xf32>
    } : tensor<1000xf32>
    %c1, %w1 = moe.task @copy "place"[1 of 2] layer "0" phase "fwd" {
      %v = moe.transpose %g1 [0] : tensor<1000xf32> -> tensor<1000xf32>
      moe.yield %v : tensor<1000xf32>
    } : tensor<1000xf32>
    moe.yield %c0, %c1 : tensor<1000xf32>, tensor<1000xf32>
  } : tensor<1000xf32>, tensor<1000xf32>
  return %r#0, %r#1 : tensor<1000xf32>, tensor<1000xf32>
}
