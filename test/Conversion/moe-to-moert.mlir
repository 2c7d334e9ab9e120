// RUN: moe-opt %s -split-input-file --convert-moe-to-moert --moert-verify-streams --remarks-filter=convert-moe-to-moert 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @inter inter
moe.stream @intra intra priority 2
moe.stream @copy copy

// Waits that another one implies are left out: the copy waits for the gather,
// which has waited for the exchange. Result and argument are the caller's.
// CHECK-NOT:   moe.stream
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[CTX:.*]]: !moert.context, %[[X:.*]]: memref<4x3xf32> {moe.varying = ["ep", "tp"]}, %[[Y:.*]]: memref<8x3xf32>, %[[Z:.*]]: memref<8x3xf32>) attributes {moert.inputs = 1 : i64, moert.program = {arguments = [{type = tensor<4x3xf32>, varying = ["ep", "tp"]}], axes = ["ep", "tp"], results = [tensor<8x3xf32>, tensor<8x3xf32>], shape = array<i64: 2, 2>}}
// CHECK-DAG:   %[[A:.*]] = moert.arena %[[CTX]] : memref<64xi8>
// CHECK-DAG:   %[[S:.*]] = moert.stream %[[CTX]] "inter" inter priority 0
// CHECK-DAG:   %[[T:.*]] = moert.stream %[[CTX]] "intra" intra priority 2
// CHECK-DAG:   %[[U:.*]] = moert.stream %[[CTX]] "copy" copy priority 0
// CHECK-DAG:   %[[EP:.*]] = moert.communicator #moe.group<@mesh, ["ep"]> on %[[S]] : <2>
// CHECK-DAG:   %[[TP:.*]] = moert.communicator #moe.group<@mesh, ["tp"]> on %[[T]] : <2>
// CHECK-DAG:   %[[B:.*]] = memref.view %[[A]][%{{.*}}][] : memref<64xi8> to memref<4x3xf32>
// CHECK:       moert.all_to_all %[[EP]] %[[X]] to %[[B]]
// CHECK-NEXT:  moert.record %[[E:.*]] on %[[S]]
// CHECK-NEXT:  moert.wait %[[T]] for %[[E]]
// CHECK-NEXT:  moert.all_gather %[[TP]] %[[B]] to %[[Y]]
// CHECK-NEXT:  moert.record %[[F:.*]] on %[[T]]
// CHECK-NEXT:  moert.wait %[[U]] for %[[F]]
// CHECK-NOT:   moert.wait
// CHECK:       moert.copy %[[U]] %{{.*}} to %{{.*}}
// CHECK:       moert.copy %[[U]] %{{.*}} to %{{.*}}
// CHECK-NEXT:  return
// REMARK: buffers placed{{.*}}bytes=64, lower_bound_bytes=64, unshared_bytes=64
func.func @chain(%x: tensor<4x3xf32> {moe.varying = ["ep", "tp"]}) -> (tensor<8x3xf32>, tensor<8x3xf32>) {
  %r:2 = moe.schedule {
    %a, %t0 = moe.task @inter "a2a"[0 of 1] layer "" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x3xf32> -> tensor<4x3xf32>
      moe.yield %0 : tensor<4x3xf32>
    } : tensor<4x3xf32>
    %b, %t1 = moe.task @intra "ag"[0 of 1] layer "" phase "fwd" after(%t0) {
      %0 = moe.all_gather %a on <@mesh, ["tp"]> dim 0 : tensor<4x3xf32> -> tensor<8x3xf32>
      moe.yield %0 : tensor<8x3xf32>
    } : tensor<8x3xf32>
    %c, %t2 = moe.task @copy "join"[0 of 1] layer "" phase "fwd" after(%t0, %t1) {
      %1 = tensor.extract_slice %b[4, 0] [4, 3] [1, 1] : tensor<8x3xf32> to tensor<4x3xf32>
      %0 = moe.assemble %a, %1 dim 0 : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<8x3xf32>
      moe.yield %0 : tensor<8x3xf32>
    } : tensor<8x3xf32>
    moe.yield %b, %c : tensor<8x3xf32>, tensor<8x3xf32>
  } : tensor<8x3xf32>, tensor<8x3xf32>
  return %r#0, %r#1 : tensor<8x3xf32>, tensor<8x3xf32>
}

// -----

// A transpose that moves dims of size 1 only is a reshape: nothing is copied.
moe.mesh @mesh axes ["ep"] shape [2]
// CHECK-LABEL: func.func @unit(
// CHECK-SAME:    %{{.*}}: !moert.context, %[[X:.*]]: memref<4x1x6xf32> {moe.varying = ["ep"]}, %[[Y:.*]]: memref<2x4x6xf32>)
// CHECK-NOT:   moert.copy
// CHECK:       %[[LINE:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1, 2]]
// CHECK-NEXT:  %[[T:.*]] = memref.expand_shape %[[LINE]] {{\[\[}}0, 1, 2]] output_shape [1, 4, 6]
// CHECK-NEXT:  moert.all_gather %{{.*}} %[[T]] to %[[Y]]
// CHECK-NEXT:  return
func.func @unit(%x: tensor<4x1x6xf32> {moe.varying = ["ep"]}) -> tensor<2x4x6xf32> {
  %t = moe.transpose %x [1, 0, 2] : tensor<4x1x6xf32> -> tensor<1x4x6xf32>
  %g = moe.all_gather %t on <@mesh, ["ep"]> dim 0 : tensor<1x4x6xf32> -> tensor<2x4x6xf32>
  return %g : tensor<2x4x6xf32>
}

// -----

// Where a dim is not the outermost one, strided copies bring blocks into a row
// and back; a drop is a strided copy from a place of the rank's own.
moe.mesh @mesh axes ["ep"] shape [2]
// CHECK-LABEL: func.func @strided(
// CHECK-SAME:    %{{.*}}: !moert.context, %[[X:.*]]: memref<4x6xf32>, %[[Y:.*]]: memref<8x3xf32>, %[[Z:.*]]: memref<4x3xf32>)
// CHECK:       %[[I:.*]] = moert.group_rank
// CHECK:       %[[CUT:.*]] = memref.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [4, 2, 3]
// CHECK-NEXT:  %[[PERMUTED:.*]] = memref.transpose %[[CUT]] (d0, d1, d2) -> (d1, d0, d2)
// CHECK-NEXT:  moert.copy %{{.*}} %[[PERMUTED]] to %[[PACKED:.*]] : memref<2x4x3xf32, strided<[3, 6, 1]>> to memref<2x4x3xf32>
// CHECK-NEXT:  %[[BLOCKS:.*]] = memref.collapse_shape %[[PACKED]] {{\[\[}}0, 1], [2]]
// CHECK-NEXT:  moert.all_to_all %{{.*}} %[[BLOCKS]] to %[[Y]] : <2>, memref<8x3xf32> to memref<8x3xf32>
// CHECK:       %[[AT:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK-NEXT:  %[[PART:.*]] = memref.subview %[[X]][0, %[[AT]]] [4, 3] [1, 1]
// CHECK-NEXT:  moert.copy %{{.*}} %[[PART]] to %[[Z]]
func.func @strided(%x: tensor<4x6xf32>) -> (tensor<8x3xf32>, tensor<4x3xf32>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 0 : tensor<4x6xf32> -> tensor<8x3xf32>
  %d = moe.drop %x on <@mesh, ["ep"]> dim 1 : tensor<4x6xf32> -> tensor<4x3xf32>
  return %a, %d : tensor<8x3xf32>, tensor<4x3xf32>
}

// -----

// Upstream ops that follow each other are one function, which writes its
// result where it belongs; numbers the host knows are passed or made again.
moe.mesh @mesh axes ["ep"] shape [2]
// CHECK-LABEL: func.func private @body_body(
// CHECK-SAME:    %[[IN:.*]]: memref<4xf32>, %[[AT:.*]]: index, %[[OUT:.*]]: memref<4xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[OUT]] : memref<4xf32>)
// CHECK:         return
// CHECK-LABEL: func.func @body(
// CHECK:         %[[I:.*]] = moert.group_rank
// CHECK:         moert.launch %{{.*}} "body" @body_body ins(%{{.*}}, %[[I]] : memref<4xf32>, index) outs(%{{.*}} : memref<4xf32>)
// CHECK-NEXT:    return
func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = arith.constant dense<2.0> : tensor<4xf32>
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %a = arith.mulf %x, %k : tensor<4xf32>
  %e = tensor.extract %x[%i] : tensor<4xf32>
  %b = tensor.insert %e into %a[%i] : tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// Counts that streams work on are copied to where the host reads them, once
// each, before anything else when they are arguments; it waits for the copy.
moe.mesh @mesh axes ["ep"] shape [2]
// CHECK-LABEL: func.func @ragged(
// CHECK-SAME:    %[[N:[^:]*]]: memref<2xi32>
// CHECK:       %[[M:.*]] = moert.host_buffer : memref<2xi32>
// CHECK-NOT:   moert.host_buffer
// CHECK:       moert.copy %[[S:.*]] %[[N]] to %[[M]] : memref<2xi32> to memref<2xi32>
// CHECK-NEXT:  moert.record %[[E:.*]] on %[[S]]
// CHECK-NEXT:  moert.copy %[[S]] %{{.*}} to %[[R:.*]] : memref<5x3xf32> to memref<5x3xf32>
// CHECK-NEXT:  moert.await %[[E]]
// CHECK-NEXT:  moert.ragged_all_to_all %{{.*}} %{{.*}} to %[[R]] send(%[[M]], %[[M]]) recv(%[[M]], %[[M]])
func.func @ragged(%x: tensor<4x3xf32>, %y: tensor<5x3xf32>, %n: tensor<2xi32>) -> tensor<5x3xf32> {
  %r = moe.ragged_all_to_all %x into %y on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<4x3xf32>, tensor<2xi32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// Counts the host knows it computes itself, and waits for no stream; rows of
// an empty tensor are not copied.
moe.mesh @mesh axes ["ep"] shape [2]
// CHECK-LABEL: func.func @known_counts(
// CHECK-NOT:   moert.copy
// CHECK-NOT:   moert.await
// CHECK:       %[[I:.*]] = moert.group_rank
// CHECK:       %[[N:.*]] = moert.host_buffer : memref<2xi32>
// CHECK-NEXT:  moert.call @known_counts_numbers ins(%[[I]] : index) outs(%[[N]] : memref<2xi32>)
// CHECK-NOT:   moert.await
// CHECK:       moert.ragged_all_to_all %{{.*}} %{{.*}} to %{{.*}} send(%[[N]], %{{.*}}) recv(%[[N]], %{{.*}})
func.func @known_counts(%x: tensor<4x3xf32>) -> tensor<5x3xf32> {
  %empty = tensor.empty() : tensor<5x3xf32>
  %zero = arith.constant 0 : index
  %a = arith.constant dense<[0, 1]> : tensor<2xi32>
  %b = arith.constant dense<[1, 0]> : tensor<2xi32>
  %one = arith.constant dense<1> : tensor<2xi32>
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %first = arith.cmpi eq, %i, %zero : index
  %o = arith.select %first, %a, %b : tensor<2xi32>
  %r = moe.ragged_all_to_all %x into %empty on <@mesh, ["ep"]> send(%o, %one) recv(%o, %one) : tensor<4x3xf32>, tensor<2xi32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// Groups that name the same ranks share a communicator.
moe.mesh @mesh axes ["ep", "one"] shape [2, 1]
// CHECK-LABEL: func.func @same_ranks(
// CHECK:       %[[C:.*]] = moert.communicator
// CHECK-NOT:   moert.communicator
// CHECK:       moert.all_reduce %[[C]] sum
// CHECK:       moert.all_reduce %[[C]] max
func.func @same_ranks(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  %b = moe.all_reduce %x on <@mesh, ["ep", "one"]> reduction max : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
