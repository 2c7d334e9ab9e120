// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the moert dialect.

#ifndef MOERT_OPS_TD
#define MOERT_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "moe/MoEEnums.td"
include "moe/MoEInterfaces.td"
include "moert/MoERTCall.td"
include "moert/MoERTInterfaces.td"
include "moert/MoERTTypes.td"

/// The resource for the order of work on streams; see "Effects".
def MoERT_StreamOrder : Resource<"::moe::rt::StreamOrderResource">;
def MoERT_LaunchEffect : MemoryEffects<[MemWrite<MoERT_StreamOrder>]>;

class MoERT_Op<string mnemonic, list<Trait> traits = []>
    : Op<MoERT_Dialect, mnemonic, traits>;
/// An op that writes the resource `MoERT_StreamOrder`.
class MoERT_LaunchOp<string mnemonic, list<Trait> traits = []>
    : MoERT_Op<mnemonic, traits # [MoERT_LaunchEffect]>;
/// A launch op that calls these functions of the runtime.
class MoERT_RuntimeOp<string mnemonic, list<Trait> traits = []>
    : MoERT_LaunchOp<mnemonic, traits # [MoERT_RuntimeCallOpInterface]> {
  list<MoERT_Call> calls = [];
  /// C++ code before the calls, for values that several of their arguments
  /// need.
  string setup = "";
  string declareCalls = [{
    static constexpr ::moe::rt::RuntimeFunction kRuntimeFunctions[] = {
      }] # !interleave(!foreach(call, calls, call.function), ",\n      ") # [{
    };
    static ::llvm::ArrayRef<::moe::rt::RuntimeFunction> getRuntimeFunctions() {
      return kRuntimeFunctions;
    }
    void addRuntimeCalls(::moe::rt::RuntimeCalls &calls);
  }];
  string defineCalls = [{
    void $cppClass::addRuntimeCalls(::moe::rt::RuntimeCalls &calls) {
      }] # setup # [{
      }] # !interleave(!foreach(call, calls, call.add), "\n      ") # [{
    }
  }];
  let extraClassDeclaration = declareCalls;
  let extraClassDefinition = defineCalls;
}

/// A buffer with known size and strides; its offset may be unknown.
def MoERT_Buffer : Type<And<[
    CPred<"::llvm::isa<::mlir::MemRefType>($_self)">,
    CPred<"::moe::rt::isBuffer(::llvm::cast<::mlir::MemRefType>($_self))">]>,
    "memref of static shape and strides", "::mlir::MemRefType">;
/// A row-major buffer without gaps.
def MoERT_ContiguousBuffer : Type<And<[
    MoERT_Buffer.predicate,
    CPred<"::moe::rt::isContiguous(::llvm::cast<::mlir::MemRefType>($_self))">]>,
    "contiguous memref of static shape", "::mlir::MemRefType">;

def MoERT_I64Attr : TypedSignlessIntegerAttrBase<
    I64, "int64_t", "64-bit signless integer attribute"> {
  let convertFromStorage = "$_self.getValue().getSExtValue()";
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

def OpGroupObjects : OpDocGroup {
  let summary = "Objects";
  let description = [{
    Streams, communicators, events and memory. Streams, communicators and
    events are the job's: made when a function first asks for them, and there as
    long as the job, for all functions. Memory is the caller's.
  }];
}

let opDocGroup = OpGroupObjects in {

def MoERT_StreamOp : MoERT_RuntimeOp<"stream"> {
  let summary = "the job's stream of a name and priority";
  let description = [{
    A queue of work for one resource, made at the first use in a job. If two
    streams need a resource, the one with the lower priority goes first, if the
    backend supports it.

    ```mlir
    %s = moert.stream %ctx "inter" inter priority 0
    ```

    **Constraints:** the name is not empty; the priority is not negative.
  }];
  let arguments = (ins MoERT_Context:$context, StrAttr:$name,
                       MoE_ResourceKindAttr:$resource, MoERT_I64Attr:$priority);
  let results = (outs MoERT_Stream:$stream);
  let assemblyFormat = [{
    $context $name `` $resource `priority` $priority attr-dict
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Makes<"stream_get", [
    MoERT_Pass<"getContext()">, MoERT_PassText<"getNameAttr()">,
    MoERT_PassInt32<"getPriority()">
  ], "getStream()">];
}

def MoERT_CommunicatorOp : MoERT_RuntimeOp<"communicator", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the job's communicator of a group on a stream";
  let description = [{
    The ranks of a group that this rank belongs to, for collectives on one
    stream. A rendezvous at the first use in a job: every rank of the group
    asks for its communicators in one order. Functions that name the same ranks
    on the same stream have one communicator in common.

    ```mlir
    %c = moert.communicator #moe.group<@mesh, ["ep"]> on %s : !moert.comm<4>
    ```

    **Constraints:** the group resolves and has as many ranks as the type says.
  }];
  let arguments = (ins MoERT_Stream:$stream, MoE_GroupAttrInterface:$group);
  let results = (outs MoERT_Comm:$comm);
  let assemblyFormat = "$group `on` $stream attr-dict `:` type($comm)";
  let calls = [MoERT_Makes<"comm_split", [
    MoERT_Pass<"getStream()">, MoERT_PassGroups<"getGroup()">,
    MoERT_PassInt32<"getComm().getType().getSize()">, MoERT_PassDeadline
  ], "getComm()">];
}

def MoERT_EventOp : MoERT_LaunchOp<"event"> {
  let summary = "an event of the context";
  let description = [{
    The context keeps it for further calls: each function has the first ones.

    ```mlir
    %e = moert.event %ctx
    ```
  }];
  let arguments = (ins MoERT_Context:$context);
  let results = (outs MoERT_Event:$event);
  let assemblyFormat = "$context attr-dict";
}

def MoERT_ArenaOp : MoERT_LaunchOp<"arena"> {
  let summary = "the memory all buffers of a function lie in";
  let description = [{
    Bytes in the memory space streams work on, aligned to 64: the workspace that
    the caller brings, or a part of it. Buffers are views of it (`memref.view`)
    at offsets the compiler has planned. What is in it at first means nothing.

    ```mlir
    %m = moert.arena %ctx : memref<4096xi8>
    ```

    **Constraints:** a contiguous buffer of rank 1 with elements of type i8.
  }];
  let arguments = (ins MoERT_Context:$context);
  let results = (outs MoERT_ContiguousBuffer:$memory);
  let assemblyFormat = "$context attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def MoERT_HostBufferOp : MoERT_LaunchOp<"host_buffer"> {
  let summary = "memory for numbers the host computes";
  let description = [{
    Memory the host reads and writes; means something as long as the function
    runs. A stream may write it by `moert.copy`, after which the host waits for
    an event behind the copy (`moert.await`) or for the stream
    (`moert.synchronize`) before it reads: such memory the context keeps.

    ```mlir
    %n = moert.host_buffer : memref<4xi64>
    ```

    **Constraints:** a contiguous buffer.
  }];
  let results = (outs MoERT_ContiguousBuffer:$memory);
  let assemblyFormat = "attr-dict `:` type($memory)";
  let extraClassDeclaration = [{
    /// Whether it must stay when the function fails and returns.
    bool isWrittenByStream();
  }];
}

def MoERT_CallOp : MoERT_LaunchOp<"call", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a function on the host";
  let description = [{
    Calls a function of this module before the host continues: it computes from
    numbers what launches need at once, and waits for nothing.

    ```mlir
    moert.call @counts ins(%i : index) outs(%n : memref<4xi64>)
    ```

    **Constraints:** the function has a body, the types of `ins` and `outs` in
    this order as arguments, and no result; buffers are `moert.host_buffer`s.
  }];
  let arguments = (ins FlatSymbolRefAttr:$body,
      Arg<Variadic<AnyTypeOf<[Index, MoERT_ContiguousBuffer]>>, "",
          [MemRead]>:$inputs,
      Arg<Variadic<MoERT_ContiguousBuffer>, "", [MemWrite]>:$outputs);
  let assemblyFormat = [{
    $body (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outputs^ `:` type($outputs) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def MoERT_GroupRankOp : MoERT_Op<"group_rank", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "this rank's position in its group";
  let description = [{
    The position, from 0 to the group's size - 1, of this rank among the ranks
    of its group, as a number the host has.

    ```mlir
    %i = moert.group_rank %ctx on #moe.group<@mesh, ["tp"]>
    ```

    **Constraints:** the group resolves.
  }];
  let arguments = (ins MoERT_Context:$context, MoE_GroupAttrInterface:$group);
  let results = (outs Index:$result);
  let assemblyFormat = "$context `on` $group attr-dict";
}

def MoERT_RaggedPlanOp : MoERT_RuntimeOp<"ragged_plan", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    AllTypesMatch<["sendOffsets", "sendSizes", "recvOffsets", "recvSizes"]>,
    AllTypesMatch<["runOffsets", "runSizes"]>]> {
  let summary = "who sends how many rows where, by the counts of all ranks";
  let description = [{
    What `moe.ragged_plan` means, computed by the host before it continues. The
    rank is at these positions of the group and of the joined one; without a
    joined group counts have two dims, and the second position is 0. The group
    here has the ranks at all positions of the joined one and the other, in
    order: one that would receive too many rows is called by its number.

    ```mlir
    moert.ragged_plan %ctx %all of #moe.group<@mesh, ["tp", "ep"]> at %p, %q limit 6
      to %so, %ss, %ro, %rs runs %po, %ps
      : memref<2x4xi32> to memref<2xi32> runs memref<2x2xi32>
    ```

    **Constraints:** the group resolves, to J * G ranks; counts
    `[G, E]` or `[J, G, E]`, with E a multiple of G;
    offsets and sizes `[G]`, of runs `[G, E/G]` or `[J, G, E/G]`, of one
    type; all of them integers that `moert.host_buffer` made.
  }];
  let arguments = (ins MoERT_Context:$context,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$counts,
      MoE_GroupAttrInterface:$group, Index:$position, Index:$joinedPosition,
      MoERT_I64Attr:$limit,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$sendOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$sendSizes,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$recvOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$recvSizes,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$runOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$runSizes);
  let assemblyFormat = [{
    $context $counts `of` $group `at` $position `,` $joinedPosition `limit`
    $limit `to`
    $sendOffsets `,` $sendSizes `,` $recvOffsets `,` $recvSizes `runs`
    $runOffsets `,` $runSizes attr-dict `:` type($counts) `to`
    type($sendOffsets) `runs` type($runOffsets)
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"ragged_plan", [
    MoERT_Pass<"getContext()">, MoERT_PassIndex<"getPosition()">,
    MoERT_PassInt64<"getNumRanks()">, MoERT_PassIndex<"getJoinedPosition()">,
    MoERT_PassInt64<"getNumJoined()">, MoERT_PassMembers<"getGroup()">,
    MoERT_PassInt64<"getNumExperts()">,
    MoERT_PassInt64<"getLimit()">, MoERT_Pass<"getCounts()">,
    MoERT_PassType<"getCounts()">, MoERT_Pass<"getSendOffsets()">,
    MoERT_Pass<"getSendSizes()">, MoERT_Pass<"getRecvOffsets()">,
    MoERT_Pass<"getRecvSizes()">, MoERT_Pass<"getRunOffsets()">,
    MoERT_Pass<"getRunSizes()">, MoERT_PassType<"getSendOffsets()">
  ]>];
  let extraClassDeclaration = declareCalls # [{
    int64_t getNumRanks();
    int64_t getNumJoined();
    int64_t getNumExperts();
  }];
}

} // opDocGroup

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def OpGroupOrder : OpDocGroup {
  let summary = "Order";
  let description = "What orders the work of streams, and the host with it.";
}

let opDocGroup = OpGroupOrder in {

def MoERT_RecordOp : MoERT_RuntimeOp<"record"> {
  let summary = "mark a point of a stream";
  let description = [{
    The event is reached when all work put on the stream before has ended.

    ```mlir
    moert.record %e on %s
    ```
  }];
  let arguments = (ins MoERT_Event:$event, MoERT_Stream:$stream);
  let assemblyFormat = "$event `on` $stream attr-dict";
  let calls = [MoERT_Calls<"event_record", [
    MoERT_Pass<"getEvent()">, MoERT_Pass<"getStream()">
  ]>];
}

def MoERT_WaitOp : MoERT_RuntimeOp<"wait"> {
  let summary = "let a stream wait for an event";
  let description = [{
    Work put on the stream from here on starts after the event's last record
    before this op has been reached.

    ```mlir
    moert.wait %s for %e
    ```
  }];
  let arguments = (ins MoERT_Stream:$stream, MoERT_Event:$event);
  let assemblyFormat = "$stream `for` $event attr-dict";
  let calls = [MoERT_Calls<"stream_wait_event", [
    MoERT_Pass<"getStream()">, MoERT_Pass<"getEvent()">
  ]>];
}

def MoERT_LeaveSmsOp : MoERT_RuntimeOp<"leave_sms"> {
  let summary = "let products of a stream leave SMs free";
  let description = [{
    Products of matrices that are put on the stream from here on leave so many
    streaming multiprocessors (SMs) of a GPU free, for collectives that start
    while a product runs; with 0 they take all again. Backends without SMs
    ignore it.

    ```mlir
    moert.leave_sms %s, 16
    ```

    **Constraints:** the number is in [0, 4096]; not in a branch.
  }];
  let arguments = (ins MoERT_Stream:$stream, MoERT_I64Attr:$sms);
  let assemblyFormat = "$stream `,` $sms attr-dict";
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"stream_leave_sms", [
    MoERT_Pass<"getStream()">, MoERT_PassInt32<"getSms()">
  ]>];
}

def MoERT_AwaitOp : MoERT_RuntimeOp<"await"> {
  let summary = "let the host wait for an event";
  let description = [{
    Returns when the event's last record before this op has been reached; work
    the host launches afterwards, on any stream, runs after it. What the
    stream was told behind the record may still be under way.

    ```mlir
    moert.await %e
    ```
  }];
  let arguments = (ins MoERT_Event:$event);
  let assemblyFormat = "$event attr-dict";
  let calls = [MoERT_Calls<"event_synchronize", [
    MoERT_Pass<"getEvent()">, MoERT_PassDeadline
  ]>];
}

def MoERT_SynchronizeOp : MoERT_RuntimeOp<"synchronize"> {
  let summary = "let the host wait for a stream";
  let description = [{
    Returns when all work put on the stream before has ended; work that the
    host launches afterwards, on any stream, runs after it.

    ```mlir
    moert.synchronize %s
    ```
  }];
  let arguments = (ins MoERT_Stream:$stream);
  let assemblyFormat = "$stream attr-dict";
  let calls = [MoERT_Calls<"stream_synchronize", [
    MoERT_Pass<"getStream()">, MoERT_PassDeadline
  ]>];
}

} // opDocGroup

//===----------------------------------------------------------------------===//
// Local work
//===----------------------------------------------------------------------===//

def OpGroupWork : OpDocGroup {
  let summary = "Local work";
  let description = [{
    Work of one rank that is not a kernel.
  }];
}

let opDocGroup = OpGroupWork in {

def MoERT_LaunchFuncOp : MoERT_RuntimeOp<"launch", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a function on a stream";
  let description = [{
    Puts a call of a function of this module on the stream. The function reads
    the buffers `ins` and writes those in `outs`, and nothing else; numbers
    among `ins` are taken when the launch is made.

    ```mlir
    moert.launch %s "mulf" @main_mulf ins(%a, %i : memref<8xf32>, index)
                                      outs(%b : memref<8xf32>)
    ```

    **Constraints:** the function has a body, the types of `ins` and `outs` in
    this order as arguments, and no result; buffers are contiguous; the name is
    not empty.
  }];
  let arguments = (ins MoERT_Stream:$stream, StrAttr:$name,
      FlatSymbolRefAttr:$body,
      Arg<Variadic<AnyTypeOf<[MoERT_ContiguousBuffer, Index]>>, "", [MemRead]>:$inputs,
      Arg<Variadic<MoERT_ContiguousBuffer>, "", [MemWrite]>:$outputs);
  let assemblyFormat = [{
    $stream $name $body (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outputs^ `:` type($outputs) `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"launch_packed", [
    MoERT_Pass<"getStream()">, MoERT_PassText<"getNameAttr()">,
    MoERT_PassBody<"getBodyAttr()", "getOperands().drop_front()">,
    MoERT_PassInt64<"8 * (getNumOperands() - 1)">
  ]>];
}

def MoERT_CopyOp : MoERT_RuntimeOp<"copy"> {
  let summary = "copy a box of elements";
  let description = [{
    Copies element by element between two buffers of one shape, each with its
    own strides: slices, transposes, joins and drops are this.

    ```mlir
    moert.copy %s %a to %b
       : memref<2x4xf32, strided<[1, 2]>> to memref<2x4xf32>
    ```

    **Constraints:** one shape and element type of 1, 2, 4 or 8 bytes; at most
    8 dims that do not merge with their neighbor; the target's elements do not
    overlap.
  }];
  let arguments = (ins MoERT_Stream:$stream,
                       Arg<MoERT_Buffer, "", [MemRead]>:$source,
                       Arg<MoERT_Buffer, "", [MemWrite]>:$target);
  let assemblyFormat = [{
    $stream $source `to` $target attr-dict `:` type($source) `to` type($target)
  }];
  let hasVerifier = 1;
  let setup = "::moe::rt::CopyBox box = getBox();";
  let calls = [
    MoERT_Calls<"copy", [
      MoERT_Pass<"getStream()">, MoERT_Pass<"getTarget()">,
      MoERT_Pass<"getSource()">, MoERT_PassInt64<"box.getRunBytes()">
    ], "box.isRun()">,
    MoERT_Calls<"copy_strided", [
      MoERT_Pass<"getStream()">, MoERT_Pass<"getTarget()">,
      MoERT_PassNumbers<"box.targetStrides">, MoERT_Pass<"getSource()">,
      MoERT_PassNumbers<"box.sourceStrides">,
      MoERT_PassNumbers<"box.sizes">,
      MoERT_PassInt32<"box.sizes.size()">,
      MoERT_PassMovedType<"getSource()">
    ], "box.isStrided()">
  ];
  let extraClassDeclaration = declareCalls # [{
    /// What is copied, as the runtime takes it.
    ::moe::rt::CopyBox getBox();
  }];
}

def MoERT_NodePlanOp : MoERT_RuntimeOp<"node_plan", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    AllTypesMatch<["nodeSendOffsets", "nodeSendSizes", "nodeRecvOffsets",
                   "nodeRecvSizes"]>,
    AllTypesMatch<["sendOffsets", "sendSizes", "recvOffsets", "recvSizes"]>,
    AllTypesMatch<["runOffsets", "runSizes"]>]> {
  let summary = "who sends how many rows where, between nodes and inside";
  let description = [{
    What `moe.node_plan` means, computed by the host before it continues. The
    rank is at the second of these positions of the node at the first, and at
    the third of the joined group; without one counts have two dims, and it is 0.
    The group here has the ranks of all nodes, in order, for all positions of the
    joined one.

    ```mlir
    moert.node_plan %ctx %all of #moe.group<@mesh, ["node", "place"]>
      at %n, %p, %q limits 4, 6
      to %so, %ss, %ro, %rs inside %io, %is, %jo, %js runs %po, %ps
      : memref<4x10xi32> to memref<2xi32> inside memref<2xi32>
        runs memref<2x2xi32>
    ```

    **Constraints:** the group resolves, to J * N * L ranks; counts
    `[N * L, E + N]` or `[J, N * L, E + N]`, with E a
    multiple of N * L; offsets and sizes between nodes `[N]`, inside `[L]`, those
    of runs `[L, E / (N * L)]` or `[J, L, E / (N * L)]`, of one type; all of them
    integers that `moert.host_buffer` made.
  }];
  let arguments = (ins MoERT_Context:$context,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$counts,
      MoE_GroupAttrInterface:$group, Index:$node, Index:$place,
      Index:$joinedPosition, MoERT_I64Attr:$nodeLimit, MoERT_I64Attr:$limit,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$nodeSendOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$nodeSendSizes,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$nodeRecvOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$nodeRecvSizes,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$sendOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$sendSizes,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$recvOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$recvSizes,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$runOffsets,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$runSizes);
  let assemblyFormat = [{
    $context $counts `of` $group `at` $node `,` $place `,` $joinedPosition
    `limits` $nodeLimit `,` $limit `to` $nodeSendOffsets `,` $nodeSendSizes `,`
    $nodeRecvOffsets `,` $nodeRecvSizes `inside` $sendOffsets `,` $sendSizes `,` $recvOffsets `,`
    $recvSizes `runs` $runOffsets `,` $runSizes attr-dict `:` type($counts)
    `to` type($nodeSendOffsets) `inside` type($sendOffsets) `runs`
    type($runOffsets)
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"node_plan", [
    MoERT_Pass<"getContext()">, MoERT_PassIndex<"getNode()">,
    MoERT_PassInt64<"getNumNodes()">, MoERT_PassIndex<"getPlace()">,
    MoERT_PassInt64<"getNumPlaces()">, MoERT_PassIndex<"getJoinedPosition()">,
    MoERT_PassInt64<"getNumJoined()">, MoERT_PassMembers<"getGroup()">,
    MoERT_PassInt64<"getNumExperts()">,
    MoERT_PassInt64<"getNodeLimit()">, MoERT_PassInt64<"getLimit()">,
    MoERT_Pass<"getCounts()">, MoERT_PassType<"getCounts()">,
    MoERT_Pass<"getNodeSendOffsets()">, MoERT_Pass<"getNodeSendSizes()">,
    MoERT_Pass<"getNodeRecvOffsets()">, MoERT_Pass<"getNodeRecvSizes()">,
    MoERT_Pass<"getSendOffsets()">, MoERT_Pass<"getSendSizes()">,
    MoERT_Pass<"getRecvOffsets()">, MoERT_Pass<"getRecvSizes()">,
    MoERT_Pass<"getRunOffsets()">, MoERT_Pass<"getRunSizes()">,
    MoERT_PassType<"getSendOffsets()">
  ]>];
  let extraClassDeclaration = declareCalls # [{
    int64_t getNumNodes();
    int64_t getNumPlaces();
    int64_t getNumJoined();
    int64_t getNumExperts();
  }];
}

} // opDocGroup

#endif // MOERT_OPS_TD
