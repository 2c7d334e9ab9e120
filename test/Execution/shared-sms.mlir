// Products that leave SMs free for collectives, as the CPU emulation of cuBLAS,
// CUDA and NCCL logs them: on how many SMs a product runs, at which priority its
// stream does, and on how many blocks collectives run.
// REQUIRES: stand-ins
// RUN: moe-opt %s --moe-verify-schedule -o /dev/null
// RUN: rm -f %t.log
// RUN: env MOERT_STAND_IN_LOG=%t.log moe-run %s --backend=nccl --stand-ins --against-backend=interp --tolerance=1e-4,1e-4 | FileCheck %s --check-prefix=EQUAL
// RUN: grep -c 'cublasGemm.* sms=116$' %t.log | FileCheck %s --check-prefix=FEWER
// RUN: grep -c 'cublasGemm.*[0-9]$' %t.log | FileCheck %s --check-prefix=GEMMS
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: moe-opt %s --convert-moe-to-moert --moert-verify-streams | FileCheck %s --check-prefix=STREAMS
// RUN: moe-opt %s --convert-moe-to-moert --convert-moert-to-llvm | FileCheck %s --check-prefix=CALLS
// RUN: sed 's/free_sms = 16/free_sms = 132/' %s > %t.all.mlir
// RUN: not moe-run %t.all.mlir --backend=nccl --stand-ins 2>&1 | FileCheck %s --check-prefix=ALL
// CPU backends have no SMs.
// RUN: moe-run %s --backend=host --against-backend=interp | FileCheck %s --check-prefix=EQUAL

// EQUAL: {{^}}equal{{.*}}: 2 ranks
// Two products per rank on 116 of 132 SMs, and two on all.
// FEWER: {{^}}4{{$}}
// GEMMS: {{^}}8{{$}}
// LOG: cuStreamCreateWithPriority stream={{.*}} priority=-5
// LOG: ncclCommSplit{{.*}} max_ctas=16
// LOG: cublasSetSmCountTarget stream={{.*}} sms=116
// LOG: cublasGemm{{.*}} sms=116
// LOG: cublasSetSmCountTarget stream={{.*}} sms=0

// STREAMS: %[[S:.*]] = moert.stream %{{.*}} "compute" compute
// STREAMS: moert.leave_sms %[[S]], 16
// STREAMS: moert.experts
// STREAMS: moert.leave_sms %[[S]], 0
// STREAMS: moert.experts
// STREAMS-NOT: moert.leave_sms
// CALLS: %[[N:.*]] = llvm.mlir.constant(16 : i32)
// CALLS: llvm.call @moert_stream_leave_sms(%{{.*}}, %{{.*}})
// ALL: expected products on stream 'compute' to leave fewer than the device's 132 SMs free, got 132

module attributes {moe.nccl = {max_ctas = 16 : i32}} {
moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @compute compute priority 1
moe.stream @intra intra
func.func @main(%x: tensor<2x3x4xf32> {moe.varying = ["ep"]}, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>, %g: tensor<4xf32> {moe.varying = ["ep"]})
    -> (tensor<2x3x4xf32>, tensor<4xf32>) {
  %r:2 = moe.schedule {
    %y, %ty = moe.task @compute "experts"[0 of 1] layer "0" phase "fwd" attributes {moe.overlap = {free_sms = 16 : i64, slowdown = 1.13 : f64}} {
      %v = moe.experts gpt %x, %w0, %w1 : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x3x4xf32>
      moe.yield %v : tensor<2x3x4xf32>
    } : tensor<2x3x4xf32>
    %s, %ts = moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" attributes {moe.overlap = {start = "concurrent"}} {
      %v = moe.all_reduce %g on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %v : tensor<4xf32>
    } : tensor<4xf32>
    %z, %tz = moe.task @compute "experts"[0 of 1] layer "1" phase "fwd" attributes {moe.overlap = {slowdown = 1.25 : f64}} {
      %v = moe.experts gpt %y, %w0, %w1 : tensor<2x3x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x3x4xf32>
      moe.yield %v : tensor<2x3x4xf32>
    } : tensor<2x3x4xf32>
    moe.yield %z, %s : tensor<2x3x4xf32>, tensor<4xf32>
  } : tensor<2x3x4xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<2x3x4xf32>, tensor<4xf32>
}
}
