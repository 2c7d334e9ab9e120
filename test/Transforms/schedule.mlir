// RUN: moe-opt %s -split-input-file -moe-schedule --remarks-filter=moe-schedule 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %s -split-input-file -moe-schedule -canonicalize -cse -moe-verify-collectives -o /dev/null

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// All chunks of a collective before the next one; slices are cut where they are read,
// in a task of their own where they are not contiguous and a collective reads
// them; one assemble puts the chunks together.
// CHECK-DAG:   moe.stream @inter inter
// CHECK-DAG:   moe.stream @intra intra
// CHECK-DAG:   moe.stream @copy copy
// CHECK-LABEL: func.func @chunks
// CHECK-SAME:    (%[[X:.*]]: tensor<2x5xf32>
// CHECK:       %[[R:.*]] = moe.schedule {
// CHECK:         %[[S:.*]], %{{.*}} = moe.task @copy "pack.all_to_all"[0 of 2] layer "7" phase "bwd" {
// CHECK-NEXT:      tensor.extract_slice %[[X]][0, 0] [2, 3] [1, 1]
// CHECK-NEXT:      moe.yield
// CHECK:         %[[A:.*]], %{{.*}} = moe.task @inter "all_to_all"[0 of 2] layer "7" phase "bwd" {
// CHECK-NEXT:      moe.all_to_all %[[S]]
// CHECK:         moe.task @copy "pack.all_to_all"[1 of 2]
// CHECK-NEXT:      tensor.extract_slice %[[X]][0, 3] [2, 2] [1, 1]
// CHECK:         %[[B:.*]], %{{.*}} = moe.task @inter "all_to_all"[1 of 2] layer "7" phase "bwd" {
// CHECK:         %[[C:.*]], %{{.*}} = moe.task @intra "all_gather"[0 of 2]
// CHECK-NEXT:      moe.all_gather %[[A]] on <@mesh, ["tp"]> dim 0 : tensor<2x3xf32> -> tensor<4x3xf32>
// CHECK:         %[[D:.*]], %{{.*}} = moe.task @intra "all_gather"[1 of 2]
// CHECK-NEXT:      moe.all_gather %[[B]]
// CHECK:         %[[E:.*]], %{{.*}} = moe.task @copy "assemble.pipeline"[0 of 1] layer "7"
// CHECK-NEXT:      moe.assemble %[[C]], %[[D]] dim 1
// CHECK:         moe.yield %[[E]]
// CHECK:       return %[[R]]
// REMARK: [Passed] schedule {{.*}}Function=chunks
func.func @chunks(%x: tensor<2x5xf32>) -> tensor<4x5xf32> {
  %r = moe.layer "7" phase "bwd" {
    %p = moe.pipeline degree 2 (%c = %x split 1 : tensor<2x5xf32> as tensor<2x?xf32>) {
      %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x?xf32> -> tensor<2x?xf32>
      %g = moe.all_gather %a on <@mesh, ["tp"]> dim 0 : tensor<2x?xf32> -> tensor<4x?xf32>
      moe.yield %g : tensor<4x?xf32>
    } -> concat 1 : tensor<4x5xf32>
    moe.yield %p : tensor<4x5xf32>
  } : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Constants stay in front; two all-reduces get two names; a function may hand
// out what it got.
// CHECK-LABEL: func.func @straight
// CHECK:       %[[K:.*]] = arith.constant dense<1.0
// CHECK:       moe.schedule
// CHECK:         moe.task @intra "all_reduce"[0 of 1] layer "" phase "fwd"
// CHECK:         moe.task @compute "mulf"[0 of 1]
// CHECK-NEXT:      arith.mulf %{{.*}}, %[[K]]
// CHECK:         moe.task @intra "all_reduce.2"[0 of 1]
func.func @straight(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %k = arith.constant dense<1.0> : tensor<2xf32>
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  %b = arith.mulf %a, %k : tensor<2xf32>
  %c = moe.all_reduce %b on <@mesh, ["ep"]> : tensor<2xf32>
  return %c, %x : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @summed
// CHECK:       moe.task @compute "sum.pipeline"[0 of 1]
// CHECK-NEXT:    %[[S:.*]] = arith.addf
// CHECK-NEXT:    arith.addf %[[S]],
func.func @summed(%x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = moe.pipeline degree 3 (%c = %x split 0 : tensor<3xf32> as tensor<1xf32>, %w = %y shared : tensor<2xf32> as tensor<2xf32>) {
    %s = moe.all_reduce %w on <@mesh, ["tp"]> : tensor<2xf32>
    moe.yield %s : tensor<2xf32>
  } -> sum : tensor<2xf32>
  return %r : tensor<2xf32>
}

// Without a collective there is nothing to schedule.
// CHECK-LABEL: func.func @silent
// CHECK-NOT:   moe.schedule
func.func @silent(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = arith.addf %x, %x : tensor<2xf32>
  return %a : tensor<2xf32>
}

// A branch that all ranks take alike is one task (see schedule-control-flow).
// CHECK-LABEL: func.func @branch
// CHECK:       moe.task @intra "if"[0 of 1]
// CHECK-NEXT:    scf.if
func.func @branch(%c: i1 {moe.varying = []}, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = scf.if %c -> tensor<2xf32> {
    %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
    scf.yield %a : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// REMARK: [Missed] schedule {{.*}}Function=dynamic {{.*}}dynamic shapes are not supported outside pipelines, got one in moe.all_reduce
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<?xf32>
  return %a : tensor<?xf32>
}

// Constants and what is computed of them are no tasks, in pipelines neither;
// reshapes are part of the tasks that read them.
// CHECK-LABEL: func.func @early
// CHECK-SAME:    (%[[X:.*]]: tensor<8xf32>
// CHECK-DAG:   %[[RANK:.*]] = moe.group_rank
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %[[ZERO]]
// CHECK:       %[[SIZES:.*]] = arith.select %[[FIRST]]
// CHECK:       moe.schedule {
// CHECK-NEXT:    moe.task @inter "ragged_all_to_all"[0 of 2]
// CHECK-NEXT:      tensor.extract_slice %[[X]][0] [4] [1]
// CHECK-NEXT:      tensor.expand_shape
// CHECK-NEXT:      moe.ragged_all_to_all
// CHECK-NEXT:      moe.yield
// CHECK:         moe.task @inter "ragged_all_to_all"[1 of 2]
// CHECK:         %[[P:.*]], %{{.*}} = moe.task @compute "sum.pipeline"
// CHECK:         moe.task @copy "collapse_shape"
// CHECK-NEXT:      tensor.collapse_shape %[[P]]
// CHECK-NOT:     moe.task
// CHECK:         moe.yield
func.func @early(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = moe.layer "0" phase "fwd" {
    %p = moe.pipeline degree 2 (%c = %x split 0 : tensor<8xf32> as tensor<4xf32>) {
      %rank = moe.group_rank on <@mesh, ["ep"]> : index
      %zero = arith.constant 0 : index
      %first = arith.cmpi eq, %rank, %zero : index
      %one = arith.constant dense<1> : tensor<2xi64>
      %none = arith.constant dense<0> : tensor<2xi64>
      %off = arith.constant dense<[0, 1]> : tensor<2xi64>
      %sizes = arith.select %first, %one, %none : tensor<2xi64>
      %e = tensor.expand_shape %c [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
      %init = tensor.empty() : tensor<4x2xf32>
      %a = moe.ragged_all_to_all %e into %init on <@mesh, ["ep"]> send(%off, %sizes) recv(%off, %sizes) : tensor<2x2xf32>, tensor<2xi64> -> tensor<4x2xf32>
      moe.yield %a : tensor<4x2xf32>
    } -> sum : tensor<4x2xf32>
    %f = tensor.collapse_shape %p [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
    moe.yield %f : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A stream already declared for a resource is used.
moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @links inter
// CHECK: moe.stream @links inter
// CHECK-NOT: moe.stream
// CHECK: moe.task @links "all_to_all"[0 of 1]
func.func @declared(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2xf32> -> tensor<2xf32>
  return %a : tensor<2xf32>
}
