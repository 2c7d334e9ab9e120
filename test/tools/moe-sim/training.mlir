// Times of gradients and dense parts, counted by hand on four.json: GEMMs of
// 1 us and 1e-5 us a multiply-accumulate, copies at 2 GB/s and 0.1 us.
// RUN: moe-sim %s --platform=%S/Inputs/four.json --trace=%t.json
// RUN: %python -c "import json; print({e['name']: round(e['dur'], 6) for e in json.load(open(r'%t.json'))['traceEvents'] if e['ph'] == 'X'})" | FileCheck %s

moe.mesh @mesh axes ["ep"] shape [1]
moe.stream @compute compute

// Experts: 2 x 1000 rows by weights of 20 x 50: 2e6 multiply-accumulates a
// GEMM, 20 us and 1 us. Gradients that nothing was kept for multiply again: 3 and 4.
// CHECK: 'experts': 42
// CHECK-SAME: 'dgrad': 63
// CHECK-SAME: 'wgrad': 84
// Rows of 4 bytes: 2000 x 20 of them written at 2 GB/s take 80 us.
// CHECK-SAME: 'scatter': 80.1
// Per row of 80 bytes, one of dy and two of the buffer, read only: 1.5 copies
// of 1000 rows, 60 us.
// CHECK-SAME: 'dots': 60.1
// Two GEMMs of 1000 x 20 x 40 multiply-accumulates.
// CHECK-SAME: 'gate': 18
// CHECK-SAME: 'stated': 7.5
// CHECK-SAME: 'dense': 13
// CHECK-SAME: 'ddgrad': 24
// CHECK-SAME: 'dwgrad': 7
// CHECK-SAME: 'nothing': 0
func.func @main(%x: tensor<2x1000x20xf32>, %w1: tensor<2x20x50xf32>,
                %w2: tensor<2x50x20xf32>, %rows: tensor<1000x20xf32>,
                %slots: tensor<1000x2xi32>, %router: tensor<20x40xf32>,
                %w: tensor<1000x2xf32>) {
  moe.schedule {
    %t0 = moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" {
      %v = moe.experts gpt %x, %w1, %w2 : tensor<2x1000x20xf32>, tensor<2x20x50xf32>, tensor<2x50x20xf32> -> tensor<2x1000x20xf32>
      moe.yield
    }
    %t1 = moe.task @compute "dgrad"[0 of 1] layer "0" phase "bwd" {
      %v = moe.experts_dgrad gpt %x at %x, %w1, %w2 : tensor<2x1000x20xf32>, tensor<2x20x50xf32>, tensor<2x50x20xf32>
      moe.yield
    }
    %t2 = moe.task @compute "wgrad"[0 of 1] layer "0" phase "bwd" {
      %v:2 = moe.experts_wgrad gpt %x at %x, %w1, %w2 : tensor<2x1000x20xf32>, tensor<2x20x50xf32>, tensor<2x50x20xf32> -> tensor<2x20x50xf32>, tensor<2x50x20xf32>
      moe.yield
    }
    %t3 = moe.task @compute "scatter"[0 of 1] layer "0" phase "bwd" {
      %v = moe.scatter %rows by %slots : tensor<1000x20xf32>, tensor<1000x2xi32> -> tensor<2x1000x20xf32>
      moe.yield
    }
    %t4 = moe.task @compute "dots"[0 of 1] layer "0" phase "bwd" {
      %v = moe.unpermute_wgrad %rows, %x by %slots : tensor<1000x20xf32>, tensor<2x1000x20xf32>, tensor<1000x2xi32> -> tensor<1000x2xf32>
      moe.yield
    }
    %t5 = moe.task @compute "gate"[0 of 1] layer "0" phase "bwd" {
      %v:2 = moe.gate_grad softmax %rows, %router by %slots, %w : tensor<1000x20xf32>, tensor<20x40xf32>, tensor<1000x2xi32>, tensor<1000x2xf32>
      moe.yield
    }
    %t6 = moe.task @compute "stated"[0 of 1] layer "0" phase "fwd" {
      %v = moe.dense "a" %rows macs 1000000 us 7.5 : tensor<1000x20xf32>
      moe.yield
    }
    %t7 = moe.task @compute "dense"[0 of 1] layer "0" phase "fwd" {
      %v = moe.dense "a" %rows macs 1000000 gemms 3 : tensor<1000x20xf32>
      moe.yield
    }
    %t8 = moe.task @compute "ddgrad"[0 of 1] layer "0" phase "bwd" {
      %v = moe.dense_dgrad "a" %rows at %rows macs 2000000 gemms 4 : tensor<1000x20xf32>
      moe.yield
    }
    %t9 = moe.task @compute "dwgrad"[0 of 1] layer "0" phase "bwd" {
      %v = moe.dense_wgrad "a" %rows at %rows macs 500000 gemms 2 : tensor<1000x20xf32> -> tensor<10xf32>
      moe.yield
    }
    %t10 = moe.task @compute "nothing"[0 of 1] layer "0" phase "bwd" {
      %v = moe.dense_dgrad "a" %rows at %rows macs 0 : tensor<1000x20xf32>
      moe.yield
    }
    moe.yield
  }
  return
}
