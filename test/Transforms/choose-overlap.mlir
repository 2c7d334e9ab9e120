// How a collective starts that becomes ready in the midst of a product, by what
// each way costs: the product takes 1 ms or so, transfers 0.1 ms.
// DEFINE: %{pass} = moe-opt %s --split-input-file
// RUN: %{pass} --moe-choose-overlap="platform=dgx-h100-measured transfer-sms=16" --moe-verify-schedule --remarks-filter=moe-choose-overlap --remarks-full 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// What is chosen is chosen again.
// RUN: %{pass} --moe-choose-overlap="platform=dgx-h100-measured transfer-sms=16" > %t.once.mlir
// RUN: moe-opt %t.once.mlir --split-input-file --moe-choose-overlap="platform=dgx-h100-measured" | diff %t.once.mlir -
// No product leaves SMs free where nothing states how many a collective takes.
// RUN: %{pass} --moe-choose-overlap="platform=dgx-h100-measured" --remarks-filter=moe-choose-overlap --remarks-full 2>&1 | FileCheck %s --check-prefix=UNSTATED
// UNSTATED: nothing states on how many SMs they run
// UNSTATED-NOT: free_sms
// RUN: %{pass} --moe-choose-overlap="platform=dgx-h100" --remarks-filter=moe-choose-overlap --remarks-full 2>&1 | FileCheck %s --check-prefix=NOKERNELS
// NOKERNELS: platform dgx-h100 has no 'kernels', which give the cost of overlap
// NOKERNELS-NOT: moe.overlap
// RUN: not %{pass} --moe-choose-overlap="platform=dgx-h100-measured transfer-sms=132" 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not %{pass} --moe-choose-overlap="platform=dgx-h100-measured transfer-sms=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %{pass} --moe-choose-overlap="platform=dgx-h100-measured transfer-sms=8" 2>&1 | FileCheck %s --check-prefix=OTHER
// ALL: expected collectives on at least 1 and fewer than the 132 SMs of the platform, got 132
// NEGATIVE: expected collectives on at least 1 and fewer than the 132 SMs of the platform, got -1
// OTHER: expected transfer-sms to be max_ctas of 'moe.nccl', 16, got 8

// The product waits for 20 us, so that the collective is launched before it.
// CHECK-LABEL: func.func @before
// CHECK: %{{.*}}, %[[T:.*]] = moe.task @copy "work"
// CHECK: moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" attributes {moe.overlap = {start = "before"}} {
// CHECK: moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" after(%[[T]]) attributes {moe.overlap = {slowdown = 1.19047{{[0-9]*}} : f64}} {
// REMARK: collectives start before, behind or concurrently with products{{.*}}before=1, behind=0, concurrent=0
moe.mesh @mesh axes ["ep"] shape [8]
moe.stream @compute compute
moe.stream @copy copy
moe.stream @intra intra
func.func @before(%x: tensor<1x8192x4096xbf16>, %w: tensor<1x4096x4096xbf16>, %g: tensor<1024x4096xbf16>)
    -> (tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>) {
  %r:2 = moe.schedule {
    %a, %ta = moe.task @copy "work"[0 of 1] layer "0" phase "bwd" {
      %v = linalg.negf {moe.time_us = 20.0 : f64} ins(%g : tensor<1024x4096xbf16>) outs(%g : tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    %y, %ty = moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" {
      %v = moe.experts gpt %x, %w, %w : tensor<1x8192x4096xbf16>, tensor<1x4096x4096xbf16>, tensor<1x4096x4096xbf16> -> tensor<1x8192x4096xbf16>
      moe.yield %v : tensor<1x8192x4096xbf16>
    } : tensor<1x8192x4096xbf16>
    %s, %ts = moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" {
      %v = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    moe.yield %y, %s : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
  } : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
  return %r#0, %r#1 : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
}

// -----

// Much depends on the collective, which becomes ready when half of the product
// has run: the product leaves SMs, and takes longer.
// CHECK: module attributes {moe.nccl = {max_ctas = 16 : i32}}
// CHECK-LABEL: func.func @concurrent
// CHECK: moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" attributes {moe.overlap = {free_sms = 16 : i64, slowdown = 1.1{{[0-9]*}} : f64}} {
// CHECK: moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" attributes {moe.overlap = {start = "concurrent"}} {
// REMARK: collectives start before, behind or concurrently with products{{.*}}before=0, behind=0, concurrent=1
module {
moe.mesh @mesh axes ["ep"] shape [8]
moe.stream @compute compute
moe.stream @copy copy
moe.stream @intra intra
func.func @concurrent(%x: tensor<1x8192x4096xbf16>, %w: tensor<1x4096x4096xbf16>, %g: tensor<1024x4096xbf16>)
    -> (tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>) {
  %r:2 = moe.schedule {
    %a, %ta = moe.task @copy "work"[0 of 1] layer "0" phase "bwd" {
      %v = linalg.negf {moe.time_us = 500.0 : f64} ins(%g : tensor<1024x4096xbf16>) outs(%g : tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    %y, %ty = moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" {
      %v = moe.experts gpt %x, %w, %w : tensor<1x8192x4096xbf16>, tensor<1x4096x4096xbf16>, tensor<1x4096x4096xbf16> -> tensor<1x8192x4096xbf16>
      moe.yield %v : tensor<1x8192x4096xbf16>
    } : tensor<1x8192x4096xbf16>
    %s, %ts = moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" {
      %v = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    %b, %tb = moe.task @copy "update"[0 of 1] layer "0" phase "bwd" {
      %v = linalg.negf {moe.time_us = 300.0 : f64} ins(%s : tensor<1024x4096xbf16>) outs(%s : tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16>
      moe.yield %v : tensor<1024x4096xbf16>
    } : tensor<1024x4096xbf16>
    moe.yield %y, %b : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
  } : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
  return %r#0, %r#1 : tensor<1x8192x4096xbf16>, tensor<1024x4096xbf16>
}
}

// -----

// Nothing waits for the collective, so it waits for the product.
// CHECK-LABEL: func.func @behind
// CHECK: %{{.*}}, %[[T:.*]] = moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" attributes {moe.overlap = {slowdown = 1.19047{{[0-9]*}} : f64}} {
// CHECK: moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" after(%[[T]]) attributes {moe.overlap = {start = "behind"}} {
// REMARK: collectives start before, behind or concurrently with products{{.*}}before=0, behind=1, concurrent=0
module attributes {moe.nccl = {max_ctas = 16 : i32}} {
moe.mesh @mesh axes ["ep"] shape [8]
moe.stream @compute compute
moe.stream @copy copy
moe.stream @intra intra
func.func @behind(%x: tensor<1x8192x4096xbf16>, %w: tensor<1x4096x4096xbf16>, %g: tensor<64x4096xbf16>)
    -> (tensor<1x8192x4096xbf16>, tensor<64x4096xbf16>) {
  %r:2 = moe.schedule {
    %a, %ta = moe.task @copy "work"[0 of 1] layer "0" phase "bwd" {
      %v = linalg.negf {moe.time_us = 300.0 : f64} ins(%g : tensor<64x4096xbf16>) outs(%g : tensor<64x4096xbf16>) -> tensor<64x4096xbf16>
      moe.yield %v : tensor<64x4096xbf16>
    } : tensor<64x4096xbf16>
    %y, %ty = moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" {
      %v = moe.experts gpt %x, %w, %w : tensor<1x8192x4096xbf16>, tensor<1x4096x4096xbf16>, tensor<1x4096x4096xbf16> -> tensor<1x8192x4096xbf16>
      moe.yield %v : tensor<1x8192x4096xbf16>
    } : tensor<1x8192x4096xbf16>
    %s, %ts = moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" {
      %v = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<64x4096xbf16>
      moe.yield %v : tensor<64x4096xbf16>
    } : tensor<64x4096xbf16>
    moe.yield %y, %s : tensor<1x8192x4096xbf16>, tensor<64x4096xbf16>
  } : tensor<1x8192x4096xbf16>, tensor<64x4096xbf16>
  return %r#0, %r#1 : tensor<1x8192x4096xbf16>, tensor<64x4096xbf16>
}
}
