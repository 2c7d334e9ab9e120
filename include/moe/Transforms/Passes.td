// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the moe dialect.

#ifndef MOE_TRANSFORMS_PASSES_TD
#define MOE_TRANSFORMS_PASSES_TD

include "moe/Transforms/ScheduleOptions.td"

def DecomposeAllToAll
    : MoEPass<"moe-decompose-all-to-all", "::mlir::ModuleOp"> {
  let summary = "Rewrite all-to-alls into cheaper collectives";
  let description = [{
    *Preserving*. `mode=drop` removes the data that an all-to-all sends more than once
    (MoNTA; DeepSpeed-TED): where its operand does not vary over an axis `tp`
    outside its group, each rank along `tp` drops all but its part, exchanges
    that, and gathers the whole again over the fast links of `tp`. On the
    combine side the all-reduce of partial sums becomes a reduce-scatter before
    the exchange and an all-gather behind it. All-gathers then move down through
    ops that treat the gathered dim row by row, as long as the results behind
    them are the same on every rank: where experts are not sharded, this
    also removes the repeated expert computation.

    `mode=hierarchical` splits an all-to-all over several axes, the last of
    which are the ranks of a node, into exchanges inside and between nodes:
    `2dh` (Tutel) first gives each rank the data for its like-placed peers,
    `1dh` (Hetu) collects on one rank of each node and spreads the result. An
    axis that spans nodes is split first by `moe-split-mesh-axis`. Rows of uneven
    runs are sent as in `2dh` where a `moe.ragged_plan` says who sends how many:
    a second plan, of like-placed peers, follows from the same counts. There
    `mode=node-dedup` sends a token once to each node, and regroups the sums.

    Every decision is a remark. A missed one says why not: the operand varies
    already over every other axis ("already deduplicated"), no free dim divides,
    ranks along the axis may not all reach the all-gather, the op is in a task
    of a schedule, or its group is a list of ranks that are no mesh axes. An
    option that the mode does not read is an error.

    ```mlir
    // moe-opt in.mlir --moe-decompose-all-to-all
    %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
    // becomes, for %x replicated over "tp"
    %d = moe.drop %x on <@mesh, ["tp"]> dim 2
    %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0
    %r = moe.all_gather %a on <@mesh, ["tp"]> dim 2
    ```
  }];
  let options = [
    Option<"mode", "mode", "::moe::DecomposeMode", "::moe::DecomposeMode::Drop",
           "Replacement of the all-to-alls",
           "::moe::EnumValues<::moe::DecomposeMode>()">,
    Option<"variant", "variant", "::moe::HierarchicalVariant",
           "::moe::HierarchicalVariant::TwoDimensional",
           "Hierarchical all-to-all (mode=hierarchical)",
           "::moe::EnumValues<::moe::HierarchicalVariant>()">,
    Option<"dropDim", "drop-dim", "::moe::Integer", "-1",
           "Dim to slice (mode=drop); -1 takes the first free dim that "
           "divides evenly">,
    ListOption<"dropAxes", "drop-axes", "std::string",
           "Mesh axes to slice over (mode=drop; default: all axes that the "
           "all-to-all does not use)">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def HierarchicalAllReduce
    : MoEPass<"moe-hierarchical-all-reduce", "::mlir::ModuleOp"> {
  let summary = "Reduce within nodes, then between nodes";
  let description = [{
    *Preserving*. An all-reduce over a group with several ranks on each of several
    servers becomes three collectives (mFabric; SPEC MF-10): ranks of a server
    reduce, so that each has the sum of its part; ranks with the same part do
    so on a ring across servers; ranks of a server gather the whole. Each rank
    is the gateway of its part: rings share the network cards of their server
    evenly, so each carries the bytes of one ring per card, and inside servers
    nothing is moved twice. Sums are the same terms in another order: values
    differ by rounding.

    A server is that of a platform with `circuits`, else an instance of the
    innermost level; without a platform the last axis of a group is inside of
    one. Parts are of the outermost dim, or of all elements in a row, or of the
    first dim that divides. With a platform a remark has the times before and
    after; `if-faster` rewrites only all-reduces that become faster. (SPEC CC-1 gives one
    all-reduce the traffic of all three at once, which chunks of them may reach
    and one alone does not.) An all-reduce that stays as it is has a missed
    remark that says why: one server, one rank a server, nothing that divides,
    ranks that may not all reach it, or a task of a schedule.

    ```mlir
    // moe-opt in.mlir --moe-hierarchical-all-reduce
    %r = moe.all_reduce %x on <@mesh, ["dp", "tp"]>
    // becomes
    %p = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
    %s = moe.all_reduce %p on <@mesh, ["dp"]>
    %r = moe.all_gather %s on <@mesh, ["tp"]> dim 0
    ```
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform (default: the "
           "module's platform, if any)">,
    Option<"ifFaster", "if-faster", "bool", "false",
           "Keep all-reduces that would not become faster on the platform">
  ];
  let dependentDialects = ["::moe::MoEDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LoadPlatform : MoEPass<"moe-load-platform", "::mlir::ModuleOp"> {
  let summary = "Attach the platform that a module is compiled for";
  let description = [{
    *Preserving*. Reads the description of a machine and attaches to the module
    the attribute `moe.platform`, by which passes find it again, with the platform's
    name, its levels, the file it is from and a hash of the file's bytes.
    Passes that need a platform and have no `platform=` of their own load that
    file again; a file that is missing, or has another hash by then, is an
    error that names both.

    `file` is a path, kept as it is given, or the bare name of a platform that
    ships. A platform that is there already is replaced. Which platform was
    loaded, and which one it replaces, is a remark. A bad description is an
    error that names file, place, key and the allowed values.

    ```mlir
    // moe-opt in.mlir --moe-load-platform=file=a800-2x8
    moe.mesh @mesh axes ["ep"] shape [2]
    // becomes
    module attributes {moe.platform = #moe.platform<"a800-2x8", levels ["nvlink": 8, "infiniband": 16], file ..., hash ...
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform">
  ];
  let dependentDialects = ["::moe::MoEDialect"];
}

def StateTimes : MoEPass<"moe-state-times", "::mlir::ModuleOp"> {
  let summary = "Attach predicted times to ops of other dialects";
  let description = [{
    *Preserving*. Writes on every op of the named dialects its time on the
    platform by its `CostOpInterface`, in microseconds on one rank: `moe.time_us`. A
    tool with ops of a user states their times so for moe-sim, which does not
    know these ops
    ([your-own-ops.md](../how-to/your-own-ops.md#your-op-to-the-end)). Run it when the program is
    scheduled: if an op is cut afterwards, its parts take even shares.

    An op that states its time keeps it. One of a dialect named that cannot be
    timed is an error; how many were stated is a remark.

    ```mlir
    // moe-opt in.mlir --moe-state-times="dialects=arith platform=dgx-h100"
    %y = arith.mulf %x, %x : tensor<1024x1024xf32>
    // becomes
    %y = arith.mulf %x, %x {moe.time_us = ... : f64} : tensor<1024x1024xf32>
    ```
  }];
  let options = [
    PlatformOption,
    ListOption<"dialects", "dialects", "std::string",
               "Names of the dialects, as user,acme">
  ];
}

def Pipeline : MoEPass<"moe-pipeline", "::mlir::ModuleOp"> {
  let summary = "Run op chains around all-to-alls chunk by chunk";
  let description = [{
    *Preserving*. Puts each chain of ops around an all-to-all into a
    `moe.pipeline` of the given degree. A chain hands one value from op to op,
    each used once:

    - `scope=communication`: the exchange with its drop, gather,
      reduce-scatter and transposes; dispatch and combine are two chains;
    - `scope=layer`: dispatch, experts and combine are one chain; of StableHLO,
      all ops from one exchange to the next, however they branch and join.

    The chunk dim is one that every op of the chain maps one to one: not the
    dim that is split or dropped, nor one that an op reads as a whole. In chunks
    of one size it may be gathered, or joined by an exchange, and be scattered
    or split again. Other operands that share the dim, as weights share the dim of
    the experts, are cut along with it; the rest is taken whole by every chunk.
    A chain with no such dim, one shorter than the degree, or one in a task of
    a schedule is left alone with a missed remark that says why.

    With `scope=layer` layers that drop nothing are cut along their tokens, as
    docs/concepts/strategies.md describes ("Chunks of tokens"). Such a layer of a
    PyTorch program, whose split sizes the program computes, is cut along the rows
    that each pair of ranks exchanges (docs/how-to/pytorch.md, "Dropless layers"),
    without a `moe.pipeline`: the ops of one chunk come after the ops of the previous one.

    ```mlir
    // moe-opt in.mlir --moe-pipeline=degree=4
    %d = moe.drop %x on <@mesh, ["tp"]> dim 2
    %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0
    %g = moe.all_gather %a on <@mesh, ["tp"]> dim 2
    // becomes, as dim 3 is free and dim 2 is dropped and gathered
    %r = moe.pipeline degree 4 (%c = %x split 3 : ... as ...) {
      %d = moe.drop %c on <@mesh, ["tp"]> dim 2
      %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0
      %g = moe.all_gather %a on <@mesh, ["tp"]> dim 2
      moe.yield %g
    } -> concat 3
    ```
  }];
  let options = [
    Option<"degree", "degree", "::moe::Integer", "1", "Number of chunks">,
    ListOption<"sizes", "sizes", "int64_t",
               "Sizes of the chunks (default: as equal as possible)">,
    Option<"scope", "scope", "::moe::ChainScope",
           "::moe::ChainScope::Communication", "Extent of a chain",
           "::moe::EnumValues<::moe::ChainScope>()">,
    Option<"dim", "dim", "::moe::Integer", "-1",
           "Dim of a chain's first operand to split; -1 takes the first that "
           "can be split along the whole chain">,
    Option<"copies", "copies", "::moe::CopyPlacement",
           "::moe::CopyPlacement::Own",
           "Stream of the copies around the pipeline's collectives",
           "::moe::EnumValues<::moe::CopyPlacement>()">
  ];
  let dependentDialects = ["::moe::MoEDialect"];
}

def RewriteCollectives
    : MoEPass<"moe-rewrite-collectives", "::mlir::ModuleOp"> {
  let summary = "Apply individual algebraic rewrites of collectives";
  let description = [{
    *Preserving*. Applies the named rules, and only those, until none applies.
    Each rule is an equality of programs with its conditions; the rules are
    listed in `moe/Transforms/Rules.h`. `moe-decompose-all-to-all` is built
    from them. Ops in tasks of a schedule are left alone.

    For each rule a remark counts how often it applied in a function, or says
    why it never did.

    ```mlir
    // moe-opt in.mlir --moe-rewrite-collectives=rules=drop-of-all-reduce
    %s = moe.all_reduce %x on <@mesh, ["tp"]>
    %d = moe.drop %s on <@mesh, ["tp"]> dim 0
    // becomes
    %d = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
    ```
  }];
  let options = [
    ListOption<"rules", "rules", "std::string", "Names of the rules to apply">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def MakeCollectivesContiguous
    : MoEPass<"moe-make-collectives-contiguous", "::mlir::ModuleOp"> {
  let summary = "Insert copies so that collectives exchange contiguous blocks";
  let description = [{
    *Preserving*. Brings collectives into the form in which they exchange
    contiguous blocks: along the outermost dim, or one in
    front of which all others have size 1. Where one is along another dim, its
    operand is packed before it, its result unpacked behind it, or both. A
    transpose of the operand of an all-gather, or of the result of a
    reduce-scatter, that nothing else reads becomes part of the copy.

    Left alone are collectives in pipelines, whose chunks `moe-schedule` packs
    one by one, and tensors of dynamic shapes or of 2^63 elements or more.
    `moe-schedule` and `convert-moe-to-moert` bring collectives into this form
    themselves; `moe-verify-contiguous-collectives` checks it.

    ```mlir
    // moe-opt in.mlir --moe-make-collectives-contiguous
    %r = moe.all_gather %x on <@mesh, ["tp"]> dim 1
    // becomes
    %g = moe.all_gather %x on <@mesh, ["tp"]> dim 0
    %e = tensor.expand_shape %g [[0, 1], [2]]
    %t = moe.transpose %e [1, 0, 2]
    %r = tensor.collapse_shape %t [[0], [1, 2]]
    ```
  }];
  let dependentDialects = ["::moe::MoEDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VerifyContiguousCollectives
    : MoEPass<"moe-verify-contiguous-collectives", "::mlir::ModuleOp"> {
  let summary = "Check that collectives exchange contiguous blocks";
  let description = [{
    An error for each collective outside of pipelines that cuts or joins blocks
    along a dim that is not the outermost one. Schedules that `moe-schedule`
    made have none.

    ```sh
    cat in.mlir
    #   moe.all_gather %x on <@mesh, ["tp"]> dim 1
    moe-opt in.mlir --moe-verify-contiguous-collectives
    # expected a collective of contiguous blocks, along the outermost dim
    ```
  }];
}

def Schedule : MoEPass<"moe-schedule", "::mlir::ModuleOp"> {
  let summary = "Schedule the ops of each function as tasks on streams";
  let description = [{
    *Preserving*. Turns the body of each function that has collectives into one
    `moe.schedule`: every op becomes a task, layers are dissolved into the
    layer and phase of their tasks, and pipelines are unrolled: in their
    `order`, or, without one, as `moe.pipeline` describes.

    The streams are as in MoNTA (SPEC MO-9): all-to-alls on `inter`, other
    collectives on `intra`, local data movement on `copy`, everything else on
    `compute`. With a `moe.platform`, collectives with groups inside an
    instance of its innermost level are on `intra`, all others on `inter`; with
    `collectives=one` all are on `inter`. Collectives along an axis that
    `priorities` lists behind its first one may wait: they are on streams of
    their own, `inter_dp` for the axis `dp`, whose priority is the place in the
    list (SPEC MO-12). With `collectives=gradients-apart`, all-reduces that
    nothing computes with are on `inter_gradients` or `intra_gradients`, whose
    priority is behind the list.

    With `merge-passes`, sub-batches run as micro-batches do in Megatron-Core's
    merged 1F1B: the forward pass of each one during the backward pass of the
    previous one, layer by layer, with weight gradients after the gradients of
    tokens. The stream of the experts has this order; each other stream runs the
    task that can start first. If there are no sub-batches or no backward pass, a
    missed remark states this, and tasks are ordered as without the option.

    A collective takes and leaves contiguous buffers: where it is along another
    dim than the outermost, a task of its own moves that dim (SPEC MO-10),
    before it (`pack`) or after it (`unpack`). Calls, loops and branches, and
    the reasons for which a function stays unscheduled, with a missed remark:
    docs/concepts/schedules.md.

    ```mlir
    // moe-opt in.mlir --moe-schedule
    %r = moe.all_gather %x on <@mesh, ["tp"]> dim 1
    // becomes
    %g, %0 = moe.task @intra "all_gather"[0 of 1] ...
      %a = moe.all_gather %x on <@mesh, ["tp"]> dim 0
    %r, %1 = moe.task @copy "unpack.all_gather"[0 of 1] ...
      %e = tensor.expand_shape %g [[0, 1], [2]]
      %t = moe.transpose %e [1, 0, 2]
      %c = tensor.collapse_shape %t [[0], [1, 2]]
    ```
  }];
  let options = [
    ListOption<"priorities", "priorities", "std::string",
               "Mesh axes that share links, highest priority first (default: "
               "ep,pp,cp,dp; without dp if collectives=gradients-apart)">,
    Option<"collectives", "collectives", "::moe::CollectiveStreams",
           "::moe::CollectiveStreams::ByLinks", "Streams of collectives",
           "::moe::EnumValues<::moe::CollectiveStreams>()">,
    SearchWidthOption,
    Option<"reorder", "reorder", "bool", "false",
           "Also search for a faster task order without sub-batches; with "
           "sub-batches, the pass always searches, or if merge-passes is set, "
           "only with this option">,
    Option<"mergePasses", "merge-passes", "bool", "false",
           "Run the forward pass of each sub-batch during the backward pass of "
           "the previous one">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SplitMeshAxis : MoEPass<"moe-split-mesh-axis", "::mlir::ModuleOp"> {
  let summary = "Split a mesh axis into an outer and an inner axis";
  let description = [{
    *Preserving*. Replaces axis `axis` of size n by `<axis>_outer` of size
    n / inner and `<axis>_inner` of size inner, in the mesh and in every group
    and `moe.varying` that names it. Ranks keep their numbers and groups their
    order, so nothing else changes; passes that work axis by axis can now tell
    the ranks inside a node from those across nodes.

    ```mlir
    // moe-opt in.mlir --moe-split-mesh-axis="axis=ep inner=2"
    moe.mesh @mesh axes ["ep", "tp"] shape [4, 3]
    %r = moe.all_to_all %x on <@mesh, ["ep"]>
    // becomes
    moe.mesh @mesh axes ["ep_outer", "ep_inner", "tp"] shape [2, 2, 3]
    %r = moe.all_to_all %x on <@mesh, ["ep_outer", "ep_inner"]>
    ```
  }];
  let options = [
    Option<"axis", "axis", "std::string", "\"\"", "Name of the axis to split">,
    Option<"inner", "inner", "::moe::Integer", "0",
           "Size of the inner axis: ranks along the axis within a node">
  ];
}

def VerifyCollectives : MoEPass<"moe-verify-collectives", "::mlir::ModuleOp"> {
  let summary = "Check that all ranks reach the same collectives";
  let description = [{
    An error for every collective that some ranks of its group may not reach:
    it is, or a function that holds it is called, under control flow whose
    condition or bounds vary over an axis of the group, or under an op whose
    control flow is not known. Also an error where constant offsets and sizes
    of a ragged all-to-all overrun its buffers, and where the counts that
    `moe.ragged_plan` reads may vary over an axis of its groups. Changes
    nothing.

    ```sh
    cat in.mlir
    #   %r = scf.if %c -> tensor<2xf32> {
    #     %s = moe.all_reduce %x on <@mesh, ["tp"]>
    moe-opt in.mlir --moe-verify-collectives
    # error: ranks of the group may not meet here
    # note: scf.if may go different ways on ranks that differ in axis "tp"
    ```
  }];
}

def VerifySchedule : MoEPass<"moe-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Check that schedules launch collectives in one order and "
                "keep every chunk";
  let description = [{
    Checks the promises of the phase `schedule` that no op can check alone. An
    error names one place, and a note the other. Changes nothing.

    - **One order of collectives on every rank.** Program order is the order of
      launches, so only control flow can give ranks different ones. Where ranks
      take different branches of an `scf.if` or `scf.index_switch`, two collectives
      that share more than one of them must be launched in one order on both
      ways, calls included: else each rank waits for the other in a collective
      of its own. Launches of equal op, attributes, types and ranks, as often
      launched before, are the same collective. Whether ranks meet at all is for `moe-verify-collectives`,
      which refuses every collective that only part of its ranks may reach.
    - **Chunks complete.** A `moe.assemble` may not join a chunk's value twice,
      and where the values of some chunks of a task are used, those of all are.
      That each chunk has exactly one task is verified by `moe.schedule` itself.
    - **Circuits.** A task with `ocs.route` runs behind the wait for a change, or
      ends, on all ranks of the region, before the change starts: a collective of
      the whole region is between, and before the first change. It plans over the
      circuits that are up. Changes are on one stream of their own, each waited
      for; all ranks of a region reach them, with the same circuits.

    That tasks cannot wait in a circle needs no check: a wait for a task behind,
    by value or token, is no valid SSA, and streams start tasks in program order.

    ```sh
    cat in.mlir
    #   scf.if %c
    #     moe.all_reduce %x on <@mesh, ["ep"]>
    #     moe.all_reduce %e on <@mesh, ["ep", "tp"]>
    #   } else {
    #     moe.all_reduce %x on <@mesh, ["ep", "tp"]>
    #     moe.all_reduce %f on <@mesh, ["ep"]>
    moe-opt in.mlir --moe-verify-schedule
    # error: some ranks launch this collective before, and others after, another
    # note: the other collective, where it is launched before
    ```
  }];
}

def PrintVolumes : MoEPass<"moe-print-volumes", "::mlir::ModuleOp"> {
  let summary = "Print the bytes that each collective sends";
  let description = [{
    Prints to stdout the bytes that one rank sends to other ranks through each
    collective (SPEC CC-2) and the totals per mesh axis and kind. Volumes of
    ragged all-to-alls assume even routing (`even`): all rows of the
    smaller of the two buffers, spread evenly. Volumes of ops in branches are
    upper bounds; ops in loops count once per iteration where the trip count is
    a constant, and ops of functions that the module calls as often as it does.
    Changes nothing; use `-o /dev/null` to see the table alone.

    `csv` has the columns `function,layer,phase,op,axes,bytes,times,bound`;
    `json` the keys `ops` (the same) and `totals` (`axes`, `op`, `count`,
    `bytes`). An unknown number of bytes is empty in csv and null in json.
    An op in a pipeline with chunks of different sizes has a line for each size.
    Communication that no pass has read, such as a `stablehlo.send`, has a line
    with the axes and the bound `unread`, and no bytes.

    ```sh
    grep all_ in.mlir
    #   %a = moe.all_to_all %x on <@mesh, ["ep"]> ... tensor<2x4xf32>
    #   %g = moe.all_gather %a on <@mesh, ["tp"]> ... tensor<8x4xf32>
    moe-opt in.mlir --moe-print-volumes=format=csv -o /dev/null
    # main,,,all_to_all,ep,16,1,exact
    # main,,,all_gather,tp,96,1,exact
    ```
  }];
  let options = [
    Option<"format", "format", "::moe::TableFormat",
           "::moe::TableFormat::Pretty", "Output format",
           "::moe::EnumValues<::moe::TableFormat>()">
  ];
}

def StripHooks : MoEPass<"moe-strip-hooks", "::mlir::ModuleOp"> {
  let summary = "Remove hook points";
  let description = [{
    *Preserving*: replaces every `moe.hook` by its operand. Your ops at
    these points stay. No other pass removes hooks; they take no time and are
    nothing at run time.

    ```mlir
    // moe-opt in.mlir --moe-strip-hooks
    %a = moe.hook before_dispatch %x : tensor<4x8xf32>
    %b = arith.negf %a : tensor<4x8xf32>
    // becomes
    %b = arith.negf %x : tensor<4x8xf32>
    ```
  }];
}

def WidenGradients : MoEPass<"moe-widen-gradients", "::mlir::ModuleOp"> {
  let summary = "Give gradients of weights f32 elements";
  let description = [{
    *Changing*: results of type f16 or bf16 that are gradients of weights become
    f32, so they are not rounded to the type of the weights before they are
    added to f32 gradients of other batches. Sums over ranks are f32 too. The
    caller must accept the other types.

    The pass widens the gradients of `moe.experts_wgrad`, `moe.dense_wgrad` and
    `moe.gate_grad`. If an op other than a sum over ranks, `moe.all_gather` or a
    return reads a gradient, the op stays unchanged, with a remark. Run the pass
    before passes that schedule.

    ```mlir
    // moe-opt in.mlir --moe-widen-gradients
    %dw:2 = moe.experts_wgrad gpt ... -> tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
    // becomes
    %dw:2 = moe.experts_wgrad gpt ... -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PrintReplication : MoEPass<"moe-print-replication", "::mlir::ModuleOp"> {
  let summary = "Print the mesh axes over which each value varies";
  let description = [{
    Emits a diagnostic remark at every function argument and every op with
    results that says over which axes they vary, one list a result. Changes
    nothing; for tests and for finding out why a rewrite was refused.

    ```sh
    moe-opt in.mlir --moe-print-replication -o /dev/null
    # remark: varies over ["ep", "tp"]
    #   %d = moe.drop %x on <@mesh, ["tp"]> dim 0
    # remark: varies over ["ep"]
    #   %g = moe.all_gather %d on <@mesh, ["tp"]> dim 0
    ```
  }];
}

def SplitBatch : MoEPass<"moe-split-batch", "::mlir::ModuleOp"> {
  let summary = "Split the batch into sub-batches that run concurrently "
                "through all layers";
  let description = [{
    *Preserving*, but for `slots=share`. Cuts the tokens of a function with
    layers along whole sequences, as its dense parts state them (`sequences`),
    into as many parts of one size. Each part runs through all layers as
    a chain of ops of its own, marked with `moe.sub_batch`, which `moe-schedule`
    interleaves: while one part's rows are exchanged, another's attention and
    experts compute, in both directions of a training step, whatever layers are
    made into themselves. Values of tokens and their gradients stay equal bit
    for bit; the gradient of a weight is the sum over the parts, rounded once
    more per part, and all-reduced once for all of them.

    A layer that drops nothing exchanges the rows of each part by a plan of
    its own, with room for all rows that its part may receive, at most the
    whole one's limit: where the whole has room, the parts have. A layer with a
    number of slots an expert drops tokens by all that came before, and is not
    cut, unless it has one for every token; `slots=share` gives each part its
    share of the slots, which is *changing*: other tokens may be dropped.

    A function that cannot be cut is left as it is, with a missed remark: a gate
    that goes by the numbers of tokens, an op of which nothing says that it
    treats tokens one by one, parts that do not divide the sequences.

    ```mlir
    // moe-opt in.mlir --moe-split-batch=sub-batches=2
    %y = moe.dense "0.attention" %x macs 64 sequences 2 : tensor<8x4xf32>
    // becomes
    %y0 = moe.dense "0.attention" %x0 macs 32 {moe.sub_batch = 0 : i64} : tensor<4x4xf32>
    %y1 = moe.dense "0.attention" %x1 macs 32 {moe.sub_batch = 1 : i64} : tensor<4x4xf32>
    ```
  }];
  let options = [
    Option<"parts", "sub-batches", "::moe::Integer", "2",
           "Number of sub-batches">,
    Option<"slots", "slots", "::moe::SlotSharing", "::moe::SlotSharing::Keep",
           "How to treat layers whose tokens compete for capacity slots",
           "::moe::EnumValues<::moe::SlotSharing>()">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def QuantizeDispatch : MoEPass<"moe-quantize-dispatch", "::mlir::ModuleOp"> {
  let summary = "Send tokens to their experts as 8-bit floats";
  let description = [{
    *Changing*: experts see rounded tokens. Where a layer that exchanges rows
    sends tokens to its experts, they become e4m3 before they are sorted, with a
    scale of 32 bits for each block of a row (DeepSeek-V3 has blocks of 128),
    travel so through every exchange to the experts, between nodes and inside of
    them, and are floats of their own type again where experts, or the backward
    pass, read them. The combine and the gradients are unchanged.

    No element is farther from its value than 2^-4 of its magnitude, or than
    2^-10 of its block's scale, which is the block's largest magnitude / 448, and
    the rounding to its type. (Of numbers drawn evenly or normally, in blocks of
    128, the root of the mean square of the error is 2.5 and 2.6 % of theirs.)
    Bytes sent are 1 + 4 / block an element, in place of 2 of bf16.

    It follows the choice of the exchange (`moe-decompose-all-to-all`, also
    in mode `nodes`) and before chunks (`moe-pipeline`) and schedules, and says
    by a missed remark why a layer stays as it is.

    ```mlir
    // moe-opt in.mlir --moe-quantize-dispatch=block=4
    %rows, %slots = moe.permute_rows choice %x by %ids experts 4
    %in = moe.ragged_all_to_all %rows into %e1 on <@mesh, ["ep"]>
    // becomes
    %values, %scales = moe.quantize %x block 4
    %rows, %slots = moe.permute_rows choice %values by %ids experts 4
    %s, %more = moe.permute_rows choice %scales by %ids experts 4
    %v = moe.ragged_all_to_all %rows into
    %t = moe.ragged_all_to_all %s into
    %in = moe.dequantize %v scales %t block 4
    ```
  }];
  let options = [
    Option<"block", "block", "::moe::Integer", "128",
           "Elements per scale within a row; 0: one scale per row">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect"];
}

#endif // MOE_TRANSFORMS_PASSES_TD
