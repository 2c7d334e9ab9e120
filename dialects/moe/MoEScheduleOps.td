// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, schedules and tasks.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_SCHEDULE_OPS_TD
#define MOE_SCHEDULE_OPS_TD

/// The resource for streams that tasks are launched on; see `moe.task`.
def MoE_StreamResource : Resource<"::moe::StreamResource">;
def MoE_LaunchEffect : MemoryEffects<[MemWrite<MoE_StreamResource>]>;

let opDocGroup = OpGroupSchedule in {

def MoE_StreamOp : MoE_Op<"stream", [Symbol]> {
  let summary = "a queue of tasks that run one after another";
  let description = [{
    Declares a stream: its tasks start in program order, each when the previous
    task and its dependencies have ended. `resource` names the part of a rank that
    its tasks occupy: `inter` (links between nodes), `intra` (links inside a
    node), `copy` (the device's memory) or `compute`.

    If tasks of several streams need one resource, the tasks of the stream with
    the lowest `priority` run first, and the others wait until it is free
    (SPEC MO-12). Streams without one have priority 0.

    ```mlir
    moe.stream @inter inter
    moe.stream @inter_dp inter priority 3
    ```

    **Constraints:** the name is not empty; the priority is in [0, 3].
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, MoE_ResourceKindAttr:$resource,
      OptionalAttr<MoE_I64Attr>:$priority);
  let assemblyFormat = [{
    $sym_name `` $resource (`priority` $priority^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The largest priority, of what goes last.
    static constexpr int64_t kMaxPriority = 3;
  }];
  let hasVerifier = 1;
}

// Neither a schedule nor a task is a RegionBranchOpInterface, because passes
// would insert ops between or into tasks (remove-dead-values adds a ub.poison
// for an unused value), which take time and are not part of the task's work.
def MoE_ScheduleOp : MoE_Op<"schedule", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "the tasks of a function and their order";
  let description = [{
    Holds tasks only. Every rank launches them in program order.
    A task waits for the tasks with values that it uses, for the
    tasks before it on its stream, and for the tokens it names. Because
    its dependencies precede it, no order of tasks can be a cycle.

    ```mlir
    %r = moe.schedule {
      %a, %t = moe.task @inter "dispatch"[0 of 1] layer "3" phase "fwd" {
        ...
        moe.yield %v : tensor<4xf32>
      } : tensor<4xf32>
      moe.yield %a : tensor<4xf32>
    } : tensor<4xf32>
    ```

    **Constraints:** the region holds `moe.task` ops and ends with
    `moe.yield`; one schedule in a function; of the tasks with one name, layer
    and phase, all agree on how many chunks there are, and each chunk has
    exactly one task.
  }];
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body (`:` type($results)^)?";
  let hasVerifier = 1;
  // Reads the tasks, which must have been verified before.
  let hasRegionVerifier = 1;
}

def MoE_TaskOp : MoE_Op<"task", [
    RecursiveMemoryEffects, MoE_LaunchEffect, SingleBlock, HasParent<"ScheduleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "ops that run together on a stream";
  let description = [{
    Runs its region once, on its stream, when the tasks before it on that
    stream, the tasks with values that it uses, and the tasks of the tokens in
    `after` have ended. Its last result is the token of its own end. The name,
    the chunk, the layer and the phase describe it. A launch writes the
    streams: a task stays where it is, even when nothing uses its values.

    ```mlir
    %v, %t = moe.task @inter "dispatch"[1 of 4] layer "3" phase "fwd" after(%u) {
      ...
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    ```

    **Constraints:** the stream is declared; the name is not empty; the chunk
    is in [0, chunks); `after` names tokens of tasks in the same schedule,
    and tokens are used in `after` only.
  }];
  let arguments = (ins FlatSymbolRefAttr:$stream, StrAttr:$name,
      MoE_I64Attr:$chunk, MoE_I64Attr:$chunks, StrAttr:$layer, MoE_PhaseAttr:$phase,
      Variadic<MoE_Token>:$after);
  let results = (outs Variadic<AnyType>:$values, MoE_Token:$token);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $stream $name `[` $chunk `of` $chunks `]` `layer` $layer `phase`
    custom<Phase>($phase) (`after` `(` $after^ `)`)? attr-dict-with-keyword
    $body (`:` type($values)^)?
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // MOE_SCHEDULE_OPS_TD
