// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The moert dialect.

#ifndef MOERT_DIALECT_TD
#define MOERT_DIALECT_TD

include "mlir/IR/DialectBase.td"

def MoERT_Dialect : Dialect {
  let name = "moert";
  let cppNamespace = "::moe::rt";
  let summary = "What one rank's host program asks of the runtime";
  let description = [{
    The last level above calls of the C ABI (`runtime/include/moert.h`): a
    function of this level is the program one rank's host thread runs. It puts
    work on streams and returns from each op at once; nothing is a value any
    more, everything is in **buffers** (memrefs of static shape).

    **Order.** Work of one stream runs in the order it was put there. Between
    streams nothing orders work but events: `record` marks a point of a stream,
    `wait` lets a stream continue only when the last `record` of an event before
    it has been reached. A buffer may be written only when every reader before
    is known to have ended, by these two rules alone;
    `moert-verify-streams` proves it for every pair of accesses, and
    `moert-check-orders` runs the function's work in random legal orders.

    **Effects.** Every op that puts something on a stream writes the stream
    order, so none is removed, merged or moved past another; it also states
    which of its buffers it reads and writes.

    **Collectives** take contiguous buffers in the normal form of the C ABI: an
    all-to-all exchanges equal blocks along dim 0. Other dims are brought there
    by `moert.copy`, which takes strided buffers.

    **Entry functions** carry `moert.inputs = N`: their first argument is the
    rank's `!moert.context`, followed by N buffers that are read and by the
    buffers that results are written to. `moe.varying` stays on the inputs.
    A call of one is a run behind the work of a stream that the caller names:
    the function's streams begin when that stream has reached this point, and what is
    put there later waits for all of them. It returns when all is launched, not
    when it has ended.
    `moert.program` says what program it was made of: the types of its
    `arguments` and `results` as values, over which axes an argument varies,
    between which bounds its integers are drawn, and the mesh's `axes` and
    `shape`. `convert-moert-to-llvm` keeps it on the function that it makes, so
    that `moe-run` executes modules of either phase.

    ```mlir
    moert.program = {arguments = [{type = tensor<4xi32>, varying = ["ep"],
                                   range = array<i64: 0, 7>} ],
                     results = [f32], axes = ["ep"], shape = array<i64: 2>}
    ```

    | group | ops |
    |---|---|
    | objects | `stream`, `communicator`, `event`, `arena`, `host_buffer`, `call`, `group_rank` |
    | order | `record`, `wait`, `synchronize` |
    | local work | `launch`, `copy`, `gate`, `permute`, `experts`, `unpermute` |
    | collectives | `all_to_all`, `ragged_all_to_all`, `all_gather`, `reduce_scatter`, `all_reduce` |
    | optical switches | `ocs_switch`, `ocs_configure`, `ocs_await`, `ocs_region`, `ocs_plan`, `ocs_set`, `ocs_predict`, `ocs_note`, `ocs_settle` |
  }];
  let dependentDialects = ["::moe::MoEDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;

  let extraClassDeclaration = [{
    /// Name of the function attribute that tells an entry function and how
    /// many of its buffers are inputs.
    static constexpr ::llvm::StringLiteral getInputsAttrName() {
      return "moert.inputs";
    }
    /// Name of the function attribute that tells the program an entry function
    /// was made of (`ProgramSignature`).
    static constexpr ::llvm::StringLiteral getProgramAttrName() {
      return "moert.program";
    }
    /// Name of the attribute of a function of the LLVM dialect that belongs to
    /// another one, which it names: a program has several.
    static constexpr ::llvm::StringLiteral getPartOfAttrName() {
      return "moert.part_of";
    }
    /// Name of the attribute that says how often the host waits in a function
    /// of the LLVM dialect, at most.
    static constexpr ::llvm::StringLiteral getHostWaitsAttrName() {
      return "moert.host_waits";
    }
    /// Name of the argument attribute that keeps an argument's range where a
    /// function on values stands for code.
    static constexpr ::llvm::StringLiteral getRangeAttrName() {
      return "moert.range";
    }
    void registerTypes();
  }];
}

#endif // MOERT_DIALECT_TD
