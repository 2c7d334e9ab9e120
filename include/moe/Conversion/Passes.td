// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between dialects.

#ifndef MOE_CONVERSION_PASSES_TD
#define MOE_CONVERSION_PASSES_TD

include "moe/Conversion/TargetOptions.td"

def ConvertMoEToMoERT : MoEPass<"convert-moe-to-moert", "::mlir::ModuleOp"> {
  let summary = "Lower a schedule to the runtime's streams and buffers";
  let description = [{
    *Preserving*. Turns every function into an entry function of the `moert`
    dialect: the program of a rank's host thread. Each task becomes, on its
    stream,

    - waits for the events of the tasks on other streams whose data or tokens
      it needs, as far as its other waits do not imply them already;
    - its work: collectives on contiguous buffers, with strided copies around
      them where a dim is not the outermost one; slices, drops, joins and
      transposes as strided copies; the modules of a layer as kernels; and
      everything else as a function of its own, which takes its inputs and
      results as buffers, is bufferized by upstream's passes and is launched;
    - the record of an event, if a task on another stream waits for it.

    Ops outside of a schedule run on a stream of their own. Buffers are views of
    one arena; two share memory only where all work on the one ends before any
    work on the other starts, by streams and events alone. A remark has the
    bytes, a lower bound of all plans, and the bytes without sharing.

    An `scf.if` or `scf.index_switch` with ops of `moe` in it is a branch of the
    entry function: the host reads the condition, and puts the work of one way
    on the task's stream. Such conditions, and sizes of ragged exchanges, are
    copied to the host right behind the work that makes them, each once, with an
    event behind the copy. The host awaits one at the first op that needs it:
    the newest of the value's stream, for all that was copied there by then.

    Needs static shapes. Ops of `moe` in loops, calls, pipelines and ops no
    upstream pass bufferizes are refused by name.

    ```mlir
    // moe-opt in.mlir --convert-moe-to-moert
    %a, %t = moe.task @inter "dispatch"[0 of 1] ...
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
    %g, %u = moe.task @intra "gather"[0 of 1] ...
    // becomes
    moert.all_to_all %ep %x to %b
    moert.record %e on %inter
    moert.wait %intra for %e
    moert.all_gather %tp %b to %y
    ```
  }];
  let dependentDialects = [
    "::moe::MoEDialect", "::moe::rt::MoERTDialect",
    "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::tensor::TensorDialect",
    "::mlir::affine::AffineDialect"
  ];
}

def ConvertMoERTToLLVM : MoEPass<"convert-moert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower runtime ops to calls of the runtime's C interface";
  let description = [{
    *Preserving*. An entry function `@NAME` becomes `moe_NAME`, in C

        int32_t moe_NAME(moert_context *context, void **inputs, void **results);

    which returns the `moert_status` of the first call that failed, or 0, and
    functions for callers with their own stream and memory:
    `moe_NAME_enqueue` with the body, `moe_NAME_prepare` and
    `moe_NAME_workspace_bytes` (docs/how-to/embed-in-a-job.md). Bodies become
    functions that a stream calls, through upstream's lowerings of linalg, scf,
    math, memref and arith; other ops are refused by name.

    For a GPU (`target=nccl`) a body becomes kernels instead: one for each
    parallel loop, of blocks of 128 or 256 threads, and one of a single thread
    for the code between loops; a remark reports loops and branches there.
    The module has them as PTX for `chip`, which drivers translate for later
    GPUs, too, and as machine code for each of `cubin-chips`, where a `ptxas` is
    found: `toolkit`/bin has it, or `$CUDA_HOME/bin`, or the path. Without one
    `auto` stands for none; with one for sm_80, sm_90 and sm_100, as far as they
    are not before `chip` and it knows them, and a remark says so. Functions of `math` become formulas on f64. Ops that a GPU cannot
    run are refused by name. With `target=nccl-stand-ins` the same kernels become
    functions of one thread that the CUDA stand-ins call.

    ```mlir
    // moe-opt in.mlir --convert-moert-to-llvm
    func.func @main(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>)
    %s = moert.stream %ctx "inter" inter priority 0
    moert.all_to_all %c %x to %y
    // becomes
    llvm.func @moe_main_enqueue(%ctx: !llvm.ptr,
    %s = llvm.call @moert_stream_get(%ctx,
    %a = llvm.call @moert_all_to_all(
    llvm.func @moe_main(%ctx: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr) -> i32
    ```
  }];
  let options = targetOptions;
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def VerifyStreams : MoEPass<"moert-verify-streams", "::mlir::ModuleOp"> {
  let summary = "Check that streams and events order every buffer access";
  let description = [{
    *Preserving* (an analysis). Of any two ops of an entry function that touch
    the same bytes, one of them writing, streams and events must order one
    before the other. Then every legal order ends with the same values. The
    first pair that nothing orders is an error at the later op, with a note at
    the other one.

    Buffers are compared by the bytes they span: strided parts of one buffer
    that alternate count as overlapping.

    ```sh
    cat in.mlir
    #   moert.record %e on %s
    #   moert.copy %s %x to %b
    #   moert.wait %t for %e
    #   moert.copy %t %b to %y
    moe-opt in.mlir --moert-verify-streams
    # error: 'moert.copy' op touches bytes 0 to 16 of a memory that another op touches
    # note: the other op is here
    ```
  }];
}

def CheckOrders : MoEPass<"moert-check-orders", "::mlir::ModuleOp"> {
  let summary = "Run entry functions in many legal task orders";
  let description = [{
    *Preserving* (an analysis). Runs the work of an entry function in other
    orders than the host launched it, restricted only by streams and events, on
    symbolic values of each op's results; a buffer is poisoned where it begins.
    The first orders hold one stream back as long as possible, one for each stream; then random ones. An op that reads
    something else than in launch order, or other values in memory at the end,
    is an error.

    `remove-events` removes each wait and each record in turn and runs the same
    orders without it: an order must differ (caught), unless no two accesses of
    a buffer have lost their order (redundant, which proves it was not needed).
    Each function's figures are printed.

    ```sh
    moe-opt in.mlir --moert-check-orders=remove-events -o /dev/null
    # @main: 2 ops, 1 waits: all orders equal
    # @main: 2 waits and records removed: 2 caught, 0 redundant
    ```
  }];
  let options = [
    Option<"orders", "orders", "unsigned", "8",
        "Number of random orders to try">,
    Option<"seed", "seed", "uint64_t", "0", "Random seed">,
    Option<"removeEvents", "remove-events", "bool", "false",
           "Also run once without each wait and each record">
  ];
}

#endif // MOE_CONVERSION_PASSES_TD
