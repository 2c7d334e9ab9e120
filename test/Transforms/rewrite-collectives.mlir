// Each rule is proved in proofs/; here: the option, and that nothing moves
// across the border of a branch.
// RUN: moe-opt %s -moe-rewrite-collectives=rules=gather-after-all-to-all,drop-of-all-reduce | FileCheck %s
// RUN: moe-opt %s -moe-rewrite-collectives=rules=drop-of-all-reduce,merge-all-gathers,drop-before-all-reduce --remarks-filter=.* -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not moe-opt %s -moe-rewrite-collectives=rules=nonsense 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moe-opt %s -moe-rewrite-collectives 2>&1 | FileCheck %s --check-prefix=NONE

// How often each rule applied in each function, or why it never did.
// REMARK: [Passed] drop-of-all-reduce | Category:moe-rewrite-collectives | Function=once | Remark=applied, times=1
// REMARK: [Passed] drop-of-all-reduce | Category:moe-rewrite-collectives | Function=twice | Remark=applied, times=2
// REMARK-NOT: Passed
// REMARK: [Missed] merge-all-gathers | Category:moe-rewrite-collectives | Reason="never applied: {{.+}}"
// REMARK: [Missed] drop-before-all-reduce | Category:moe-rewrite-collectives | Reason="never applied: {{.*}}no all_reduce with one use{{.*}}"

// UNKNOWN: error: moe-rewrite-collectives: unknown rule 'nonsense', expected one of: deduplicate-all-to-all, gather-after-all-to-all,
// NONE: error: moe-rewrite-collectives: expected rules=NAME,NAME

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-LABEL: func.func @branch
// CHECK:       moe.all_gather
// CHECK:       scf.if
// CHECK-NEXT:    moe.all_to_all
// CHECK-NEXT:    scf.yield
func.func @branch(%c: i1 {moe.varying = []}, %x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %g = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<2x3xf32> -> tensor<2x6xf32>
  %r = scf.if %c -> tensor<2x6xf32> {
    %a = moe.all_to_all %g on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x6xf32> -> tensor<2x6xf32>
    scf.yield %a : tensor<2x6xf32>
  } else {
    scf.yield %g : tensor<2x6xf32>
  }
  return %r : tensor<2x6xf32>
}

// An all-reduce that others read too must stay.
// CHECK-LABEL: func.func @two_uses
// CHECK:       moe.all_reduce
// CHECK-NEXT:  moe.drop
func.func @two_uses(%x: tensor<2xf32>) -> (tensor<1xf32>, tensor<2xf32>) {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  %d = moe.drop %s on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  return %d, %s : tensor<1xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: moe.reduce_scatter
func.func @twice(%x: tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  %d = moe.drop %s on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  %t = moe.all_reduce %x on <@mesh, ["tp"]> reduction max : tensor<2xf32>
  %e = moe.drop %t on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  return %d, %e : tensor<1xf32>, tensor<1xf32>
}

// CHECK-LABEL: func.func @once
// CHECK: moe.reduce_scatter
func.func @once(%x: tensor<2xf32>) -> tensor<1xf32> {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  %d = moe.drop %s on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  return %d : tensor<1xf32>
}
