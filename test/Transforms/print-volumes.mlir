// RUN: moe-opt %s -moe-print-volumes -o /dev/null | FileCheck %s --check-prefix=PRETTY
// RUN: moe-opt %s -moe-print-volumes=format=csv -o /dev/null | FileCheck %s --check-prefix=CSV
// RUN: moe-opt %s -moe-print-volumes=format=json -o /dev/null | %python -c "import json,sys; d=json.load(sys.stdin); print(len(d['ops']), d['totals'][0])" | FileCheck %s --check-prefix=JSON

// All volumes by SPEC CC-2, 2x4 f32 = 32 bytes, counted by hand.
// PRETTY: ep all_to_all 2 64 at most or per iteration
// PRETTY: ep total 2 64
// PRETTY: tp all_reduce 1 48
// PRETTY: tp all_gather 1 96
// PRETTY: tp reduce_scatter 1 24
// PRETTY: tp total 3 168
// PRETTY: replica_groups all_gather 1 unknown
// PRETTY: ep+tp ragged_all_to_all 1 28 with even routing

// CSV:      function,layer,phase,op,axes,bytes,times,bound
// CSV-NEXT: main,,,all_to_all,ep,16,3,exact
// CSV-NEXT: main,"a, ""b""",bwd,all_reduce,tp,48,1,exact
// CSV-NEXT: main,"a, ""b""",bwd,all_gather,tp,96,1,exact
// CSV-NEXT: main,"a, ""b""",bwd,reduce_scatter,tp,24,1,exact
// CSV-NEXT: other,,,all_to_all,ep,16,1,upper
// CSV-NEXT: other,,,all_gather,replica_groups,,1,per-iteration
// CSV-NEXT: other,,,ragged_all_to_all,ep+tp,28,1,even

// JSON: 7 {'axes': 'ep', 'op': 'all_to_all', 'count': 2, 'bytes': 64, 'exact': False}

moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]

func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x1xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %l = scf.for %i = %c0 to %c6 step %c2 iter_args(%a = %x) -> tensor<2x4xf32> {
    %y = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4xf32> -> tensor<2x4xf32>
    scf.yield %y : tensor<2x4xf32>
  }
  %r:2 = moe.layer "a, \22b\22" phase "bwd" {
    %s = moe.all_reduce %l on <@mesh, ["tp"]> : tensor<2x4xf32>
    %g = moe.all_gather %s on <@mesh, ["tp"]> dim 0 : tensor<2x4xf32> -> tensor<8x4xf32>
    %h = moe.reduce_scatter %s on <@mesh, ["tp"]> dim 1 : tensor<2x4xf32> -> tensor<2x1xf32>
    moe.yield %s, %h : tensor<2x4xf32>, tensor<2x1xf32>
  } : tensor<2x4xf32>, tensor<2x1xf32>
  return %r#0, %r#1 : tensor<2x4xf32>, tensor<2x1xf32>
}

func.func @other(%c: i1, %n: index, %x: tensor<2x4xf32>, %d: tensor<?xf32>, %v: tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    %y = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4xf32> -> tensor<2x4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %g = moe.all_gather %d on [[0, 5], [1, 4], [2, 6], [3, 7]] dim 0 : tensor<?xf32> -> tensor<?xf32>
  }
  %z = moe.ragged_all_to_all %x into %x on <@mesh, ["ep", "tp"]> send(%v, %v) recv(%v, %v) : tensor<2x4xf32>, tensor<8xi32> -> tensor<2x4xf32>
  return
}
