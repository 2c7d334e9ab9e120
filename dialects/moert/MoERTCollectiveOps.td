// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of moert.

#ifndef MOERT_COLLECTIVE_OPS_TD
#define MOERT_COLLECTIVE_OPS_TD

include "moert/MoERTOps.td"

def OpGroupRTCollectives : OpDocGroup {
  let summary = "Collectives";
  let description = [{
    Put on the stream of their communicator; every rank of the group puts the
    same collectives there in the same order. Source and target do not overlap.
    `n` is the number of ranks.
  }];
}

class MoERT_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : MoERT_RuntimeOp<mnemonic, traits> {
  let hasVerifier = 1;
}
/// `count` is a C++ expression for the count argument of the runtime's
/// function.
class MoERT_PlainCollectiveOp<string mnemonic, string count>
    : MoERT_CollectiveOp<mnemonic> {
  let arguments = (ins MoERT_Comm:$comm,
                       Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$source,
                       Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$target);
  let assemblyFormat = [{
    $comm $source `to` $target attr-dict `:` type($comm) `,` type($source) `to`
    type($target)
  }];
  let calls = [MoERT_Calls<mnemonic, [
    MoERT_Pass<"getComm()">, MoERT_Pass<"getSource()">,
    MoERT_Pass<"getTarget()">, MoERT_PassInt64<count>,
    MoERT_PassMovedType<"getSource()">
  ]>];
}
class MoERT_ReductionOp<string mnemonic, string count>
    : MoERT_CollectiveOp<mnemonic> {
  let arguments = (ins MoERT_Comm:$comm,
                       Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$source,
                       Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$target,
                       MoE_ReductionAttr:$reduction);
  let assemblyFormat = [{
    $comm `` $reduction $source `to` $target attr-dict `:` type($comm) `,`
    type($source) `to` type($target)
  }];
  let calls = [MoERT_Calls<mnemonic, [
    MoERT_Pass<"getComm()">, MoERT_Pass<"getSource()">,
    MoERT_Pass<"getTarget()">, MoERT_PassInt64<count>,
    MoERT_PassType<"getSource()">, MoERT_PassInt32<"getReduction()">
  ]>];
}

let opDocGroup = OpGroupRTCollectives in {

def MoERT_AllToAllOp : MoERT_PlainCollectiveOp<"all_to_all",
    "getSource().getType().getNumElements() / getComm().getType().getSize()"> {
  let summary = "exchange of blocks";
  let description = [{
    Block `j` of the source is sent to the rank at position `j`, where it becomes
    the block at the sender's position.

    ```mlir
    moert.all_to_all %c %a to %b
      : !moert.comm<4>, memref<8xf32> to memref<8xf32>
    ```

    **Constraints:** as many elements of one type on both sides; they divide by
    `n`.
  }];
}

def MoERT_AllGatherOp : MoERT_PlainCollectiveOp<"all_gather",
    "getSource().getType().getNumElements()"> {
  let summary = "join of the data of all ranks";
  let description = [{
    ```mlir
    moert.all_gather %c %a to %b
      : !moert.comm<4>, memref<2xf32> to memref<8xf32>
    ```

    **Constraints:** one element type; the target has `n` times the elements of
    the source.
  }];
}

def MoERT_ReduceScatterOp : MoERT_ReductionOp<"reduce_scatter",
    "getTarget().getType().getNumElements()"> {
  let summary = "elementwise reduction, result cut among the ranks";
  let description = [{
    ```mlir
    moert.reduce_scatter %c sum %a to %b
      : !moert.comm<4>, memref<8xf32> to memref<2xf32>
    ```

    **Constraints:** one element type; the source has `n` times the elements of
    the target.
  }];
}

def MoERT_AllReduceOp : MoERT_ReductionOp<"all_reduce",
    "getSource().getType().getNumElements()"> {
  let summary = "elementwise reduction, result on every rank";
  let description = [{
    ```mlir
    moert.all_reduce %c sum %a to %b
      : !moert.comm<4>, memref<8xf32> to memref<8xf32>
    ```

    **Constraints:** as many elements of one type on both sides.
  }];
}

def MoERT_RaggedAllToAllOp : MoERT_CollectiveOp<"ragged_all_to_all", [
    AllTypesMatch<["sendOffsets", "sendSizes", "recvOffsets", "recvSizes"]>]> {
  let summary = "exchange of uneven runs of rows";
  let description = [{
    The host reads the offsets and sizes when it launches the op: it has
    computed them itself (`moert.call`), or had them copied from where a stream
    wrote them, which may be a device. Rows of the target that nothing is
    written to keep their value.

    ```mlir
    moert.ragged_all_to_all %c %x to %y send(%so, %ss) recv(%ro, %rs)
      : !moert.comm<2>, memref<3xf32> to memref<4xf32>, memref<2xi32>
    ```

    **Constraints:** one element type and row size; offsets and sizes are
    vectors of `n` integers that `moert.host_buffer` made.
  }];
  let arguments = (ins MoERT_Comm:$comm,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$source,
      Arg<MoERT_ContiguousBuffer, "", [MemRead, MemWrite]>:$target,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$sendOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$sendSizes,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$recvOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$recvSizes);
  let assemblyFormat = [{
    $comm $source `to` $target `send` `(` $sendOffsets `,` $sendSizes `)`
    `recv` `(` $recvOffsets `,` $recvSizes `)` attr-dict `:` type($comm) `,`
    type($source) `to` type($target) `,` type($sendOffsets)
  }];
  let calls = [MoERT_Calls<"ragged_all_to_all", [
    MoERT_Pass<"getComm()">, MoERT_Pass<"getSource()">,
    MoERT_PassInt64<"getSource().getType().getDimSize(0)">,
    MoERT_Pass<"getTarget()">,
    MoERT_PassInt64<"getTarget().getType().getDimSize(0)">,
    MoERT_PassInt64<"getRowElements()">, MoERT_PassCounts<"getSendOffsets()">,
    MoERT_PassCounts<"getSendSizes()">, MoERT_PassCounts<"getRecvOffsets()">,
    MoERT_PassCounts<"getRecvSizes()">, MoERT_PassMovedType<"getSource()">
  ]>];
  let extraClassDeclaration = declareCalls # [{
    /// Elements of one row.
    int64_t getRowElements();
  }];
}

} // opDocGroup

#endif // MOERT_COLLECTIVE_OPS_TD
