// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that choose by compiling.

#ifndef MOE_COMPILER_PASSES_TD
#define MOE_COMPILER_PASSES_TD

include "moe/Support/PassBase.td"

def ChooseDegree : MoEPass<"moe-choose-degree", "::mlir::ModuleOp"> {
  let summary = "Pipeline each layer's experts and exchanges with the "
                "fastest chunk count";
  let description = [{
    *Preserving*. For each `moe.layer`, forward and backward, finds the chain
    from the all-to-all before the experts to the one behind them, and puts it
    into a `moe.pipeline` of the degree that is fastest on the platform (SPEC
    FS-1 to FS-6), or leaves it as it is where that is fastest. A collective
    between the two that has no part in the chain, as an all-reduce of
    gradients, is sent between dispatches and combines.

    | order | launches |
    |---|---|
    | `fixed` | all dispatches, the gradients, all combines; beside them all all-gathers, all reduce-scatters (SPEC FS-3) |
    | `best` | the best order found (SPEC FS-6), where the layer is simulated faster with it, too |
    | `one-stream` | each chunk's dispatch and all-gather, the gradients, each chunk's reduce-scatter and combine, for `moe-schedule=collectives=one` |

    A remark lists every degree with its time. A layer without such a chain, or
    that is in a pipeline already, is left alone with a missed remark. What is
    timed and searched: docs/Planning.md, "The degree of each layer".

    ```mlir
    // moe-opt in.mlir --moe-choose-degree="platform=mini.json max-chunks=2"
    %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
    %g = moe.all_reduce %p on <@mesh, ["ep"]>
    %t = moe.transpose %d
    %y = moe.experts gpt %t, %w1, %w2
    // becomes
    %g = moe.all_reduce %p on <@mesh, ["ep"]>
    %r = moe.pipeline degree 2 ... (%c = %x split 2 ...
      %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
      %t = moe.transpose %d
      %y = moe.experts gpt %t,
    ```
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform (default: the "
           "module's platform)">,
    Option<"maxDegree", "max-chunks", "::moe::Integer", "16",
           "Largest number of chunks to try">,
    Option<"order", "order", "::moe::ChunkOrder", "::moe::ChunkOrder::Fixed",
           "Launch order of the chunks",
           "::moe::EnumValues<::moe::ChunkOrder>()">,
    Option<"phases", "phases", "::moe::DegreePhases",
           "::moe::DegreePhases::Each", "Whether forward and backward share "
                                        "a chunk count",
           "::moe::EnumValues<::moe::DegreePhases>()">,
    Option<"sizes", "sizes", "::moe::ChunkSizes", "::moe::ChunkSizes::Even",
           "Chunk sizes",
           "::moe::EnumValues<::moe::ChunkSizes>()">,
    Option<"expertCounts", "expert-counts", "std::string", "\"\"",
           "JSON file of measured tokens per expert, compared with the "
           "capacity slots">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ChoosePlan : MoEPass<"moe-choose-plan", "::mlir::ModuleOp"> {
  let summary = "Choose the compile plan: exchanges, sub-batches, variants, "
                "schedule";
  let description = [{
    *Preserving*, unless `dispatch-type` allows otherwise. The phase `choose` of
    `moe-compile`. Compares plans by simulating the program with each, rewrites
    the program where the fastest plan needs it, and writes the plan on the
    module. The later phases carry it out (`moe-decompose-plan`,
    `moe-pipeline-plan`, `moe-schedule-plan`).

    The search takes one axis after another. For each value of an axis it
    chooses along the axes below, then keeps the fastest value; of values that
    are equally fast, the first.

    | axis | values | compared if | equal within |
    |---|---|---|---|
    | `padding` | padded buffers, ragged exchanges (`moe-unpad-exchanges`) | `auto`, and a layer can take ragged exchanges | the platform's uncertainty |
    | `sub-batches` | 1, 2, 3, and 4, 8 if one of 2 and 3 is faster (`moe-split-batch`) | `auto`, and the batch can be cut | rounding |
    | layers of sub-batches | as asked, each layer alone in 1 or 2 chunks | there are sub-batches, and `schedule` is `best` or `layers` | rounding |
    | `schedule` | all schedules of a training step | `best` | rounding |
    | node-level deduplication | off, on | the step has ragged exchanges on several nodes | the platform's uncertainty |
    | `dispatch-type` | the tokens' own type, e4m3 (`moe-quantize-dispatch`) | `auto`, and a layer has ragged exchanges; for the finished plan | the platform's uncertainty |

    | `expert-products` | `keep`, `recompute` the inner products of experts | `auto`, the program has their gradients, and may not fit the platform's memory; for the finished plan | the platform's uncertainty |

    A rewrite that the search tries must fit the platform's memory, arguments
    included; the program as given need not. Below the axes, `schedule=layers`
    gives each layer the variant of `moe-select-strategy`. Other schedules make
    the choices of `moe-partition-gradients`, `moe-choose-degree` and
    `moe-fill-weight-gradients`, in this order, on a copy.

    Each axis with several values emits a remark with all candidates, their
    times and memory, and the reasons for those that are impossible. The
    categories are `moe-choose-padding`, `moe-choose-parts`,
    `moe-choose-schedule`, `moe-choose-plan` (deduplication),
    `moe-choose-expert-products` and `moe-choose-dispatch-type`.

    Without a platform the pass compares nothing and writes no plan; an option
    that asks for one is then an error. A value that is given rather than
    `auto` is taken however slow it is, and is an error if the program cannot
    take it.

    | where | attribute |
    |---|---|
    | module, `moe.step` | the last phase it went through, the schedule, the dim to slice everywhere, streams of collectives, what goes first on streams, whether to `fill`, and to `reorder` tasks (`best`), the `quantize` block |
    | module, `moe.expert_products` | `"recompute"` where inner products of experts are computed again in the backward pass; stays until the program is compiled |
    | layer, `moe.form` | `exchange`, `drop`, `scope`, `chunks`, `sizes`, `order`, `copies`; empty leaves the layer as it is |
    | function, `moe.gradients` | pieces as slot, layer of the slot, layer of the gradient, elements; whether pieces at one place `fuse`, and the elements at which a `bucket` is full |

    ```mlir
    // moe-opt step.mlir --moe-load-platform=file=fsmoe-b --moe-choose-plan=schedule=fsmoe
    %y:6 = moe.layer "0" phase "fwd" {
    // becomes
    module attributes {... moe.step = {collectives = "by-links", ...
    func.func @main(... attributes {moe.gradients = {... pieces = [["moe", 1, 1,
    %y:6 = moe.layer "0" phase "fwd" attributes {moe.form = {chunks = 4 : i64, ...
    ```
  }];
  let options = [
    Option<"padding", "padding", "::moe::PaddingChoice",
           "::moe::PaddingChoice::Keep",
           "Exchange of layers whose experts have a capacity",
           "::moe::EnumValues<::moe::PaddingChoice>()">,
    Option<"parts", "sub-batches", "::moe::Degree", "::moe::Degree{1}",
           "Number of sub-batches, or auto to let the pass choose">,
    Option<"strategy", "strategy", "::moe::StrategyChoice",
           "::moe::StrategyChoice::Auto", "Layer variants to choose from",
           "::moe::EnumValues<::moe::StrategyChoice>()">,
    Option<"degree", "degree", "::moe::Degree", "::moe::Degree()",
           "Number of chunks per layer, or auto to let the pass choose">,
    Option<"ignoreFitted", "ignore-fitted", "bool", "false",
           "Ignore platform parameters fitted to published results">,
    Option<"schedule", "schedule", "::moe::ScheduleChoice",
           "::moe::ScheduleChoice::Layers", "Schedule of a training step",
           "::moe::EnumValues<::moe::ScheduleChoice>()">,
    Option<"dispatchType", "dispatch-type", "::moe::WireDtype",
           "::moe::WireDtype::Keep",
           "Element type in which tokens are sent to experts",
           "::moe::EnumValues<::moe::WireDtype>()">,
    Option<"block", "block", "::moe::Integer", "128",
           "dispatch-type: elements per scale within a row; 0: one scale per "
           "row">,
    Option<"expertProducts", "expert-products", "::moe::ProductsChoice",
           "::moe::ProductsChoice::Auto",
           "Inner products of experts, for the backward pass",
           "::moe::EnumValues<::moe::ProductsChoice>()">,
    Option<"keepPlan", "keep-plan", "bool", "false",
           "Keep the module's plan, and choose dispatch-type only">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def DecomposePlan : MoEPass<"moe-decompose-plan", "::mlir::ModuleOp"> {
  let summary = "Decompose all-to-alls as the compile plan states";
  let description = [{
    *Preserving*. The phase `decompose` of `moe-compile`: gives layers the
    exchange and the drop of their forms. A module without a plan gets
    `moe-decompose-all-to-all`.

    ```mlir
    // moe-opt in.mlir --moe-load-platform=file=dgx-h100 --moe-decompose-plan
    %y = moe.layer "0" phase "fwd" attributes {moe.form = {drop = 3 : i64, exchange = "flat"}} {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
    // becomes
    %d = moe.drop %x on <@mesh, ["tp"]> dim 3
    %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0
    %r = moe.all_gather %a on <@mesh, ["tp"]> dim 3
    ```
  }];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def PipelinePlan : MoEPass<"moe-pipeline-plan", "::mlir::ModuleOp"> {
  let summary = "Chunk layers and bucket gradients as the compile plan states";
  let description = [{
    *Preserving*. The phase `pipeline` of `moe-compile`: sends gradients in the
    pieces of the plan, puts layers into pipelines of their forms, and moves
    weight gradients beside combines if it says so. Takes forms and pieces off
    layers and functions; a module without a plan stays as it is, with
    a warning.

    ```mlir
    // moe-opt in.mlir --moe-load-platform=file=dgx-h100 --moe-pipeline-plan
    %y = moe.layer "0" phase "fwd" attributes {moe.form = {chunks = 2 : i64, scope = "communication"}} {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
    // becomes
    %r = moe.pipeline degree 2 (%c = %x split 3
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
    ```
  }];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SchedulePlan : MoEPass<"moe-schedule-plan", "::mlir::ModuleOp"> {
  let summary = "Schedule functions as the compile plan states";
  let description = [{
    *Preserving*. The phase `schedule` of `moe-compile`: `moe-schedule` with the
    streams and priorities of the plan, and in another order of tasks where it
    says so, or with its own for a module without one; with `priorities` in place
    of the plan's. Nothing of the plan is left. A schedule of a step that puts
    sums of gradients among the exchanges itself (`schedule=fsmoe` and the like)
    takes no other priorities.

    ```mlir
    // moe-opt in.mlir --moe-schedule-plan
    module attributes {moe.step = {collectives = "one", ...
    %g = moe.all_gather %x on <@mesh, ["tp"]> dim 0
    // becomes
    %g, %t = moe.task @inter "all_gather"[0 of 1]
    ```
  }];
  let options = [
    ListOption<"priorities", "priorities", "std::string",
               "Mesh axes that share links, highest priority first (default: "
               "the plan's, else ep,pp,cp,dp)">,
    Option<"searchWidth", "search-width", "uint64_t", "32",
           "Beam width of the task-order search, smaller for long schedules; "
           "0: only swap the tasks of sub-batches">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def OverlapWeightGradients
    : MoEPass<"moe-fill-weight-gradients", "::mlir::ModuleOp"> {
  let summary = "Overlap weight-gradient computation with token exchanges";
  let description = [{
    *Preserving*. Nothing waits for the gradient of weights but its all-reduce
    and the update, so it may be computed while a combine keeps other work
    waiting. In each backward layer, moves what does not wait for the combine,
    `moe.experts_wgrad` with what it reads and the gradients of the gate, in
    front of the first op that does. Program order is the order of tasks on a
    stream, so that they run behind the `moe.experts_dgrad` that the combine's
    all-to-alls wait for, and beside these. Collectives, as all-reduces of
    gradients, stay where they are.

    Schedules the module with and without, and simulates both on the platform:
    what would take longer is left as it is. The times are a remark.

    ```mlir
    // moe-opt step.mlir --moe-load-platform=file=fsmoe-b --moe-fill-weight-gradients
    %dx = moe.experts_dgrad ...
    %s = moe.reduce_scatter ...
    %c = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0
    %t = moe.unpermute %c ...
    %dw:3 = moe.experts_wgrad ...
    // becomes
    %dx = moe.experts_dgrad ...
    %s = moe.reduce_scatter ...
    %c = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0
    %dw:3 = moe.experts_wgrad ...
    %t = moe.unpermute %c ...
    ```
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform (default: the "
           "module's platform)">,
    Option<"collectives", "collectives", "::moe::CollectiveStreams",
           "::moe::CollectiveStreams::ByLinks",
           "Streams of collectives; must match the option of moe-schedule",
           "::moe::EnumValues<::moe::CollectiveStreams>()">
  ];
}

def LoadTraffic : MoEPass<"moe-load-traffic", "::mlir::ModuleOp"> {
  let summary = "Attach a routing trace to a module";
  let description = [{
    *Preserving* (changes no op). Attaches `moe.traffic`: the file of a trace
    (docs/Planning.md, "Traffic") and the hash of its bytes. Whoever chooses by
    simulation then takes for a program the mean over the trace's steps, or with
    `robust` the 95th percentile, of what it takes with their counts; without,
    all routing is even. Counts are in the file, which is read again and refused
    when it is another. With `robust` and no file, traffic that the module has
    is judged so. Degrees of layers together are planned for all steps of a
    trace together, so that their passes refuse it.

    Every step must have counts of every layer of the program, for as many
    experts. Layers whose buffers are padded to a capacity are named in a missed
    remark: nothing of them depends on traffic.

    ```sh
    cat in.mlir
    #   %y = moe.layer "0" phase "fwd" {
    #     %a = moe.ragged_all_to_all ...
    echo '{"counts": [6, 2, 1, 1]}' > counts.json
    moe-opt in.mlir --moe-load-traffic=file=counts.json
    # moe.traffic = {file = "counts.json", hash = "...
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"",
           "Routing trace or file of tokens per expert (with robust, "
           "default: the module's routing trace)">,
    Option<"robust", "robust", "bool", "false",
           "Minimize the 95th percentile over iterations, not the mean">
  ];
}

def PartitionGradients
    : MoEPass<"moe-partition-gradients", "::mlir::ModuleOp"> {
  let summary = "Cut gradients into buckets and send them while links are "
                "idle";
  let description = [{
    *Preserving*: every element of a gradient is sent once, and every rank ends
    with the same values. Finds the all-reduces of gradients: those between
    nodes whose results the function only hands out. Cuts the gradients into
    pieces, and puts each piece where the backward pass has time for it (SPEC
    FS-7, FS-8): beside the dense part between two backward layers, between
    dispatch and combine of a backward layer, or at the end.

    | method | pieces |
    |---|---|
    | `partition` | as large as is fastest, exactly (`moe-plan gradients`) |
    | `fixed` | of `piece-bytes`, the last of a gradient smaller; a piece is sent where links are idle (Lina) |
    | `whole` | one per gradient |
    | `buckets` | whole gradients of one group and type; each all-reduce takes them in the order in which they are made, up to the one that brings it to `bucket-elements` (Megatron) |

    The plan is a remark. Gradients of 8 KiB and more are cut at the multiple of
    128 bytes next to it. A gradient that is read before the end of the function
    is left where it is with a missed remark. What is timed, and on which
    streams pieces travel: docs/Planning.md, "Gradients". `moe-choose-degree` is
    to run behind this pass, with the same options.

    ```mlir
    // moe-opt step.mlir --moe-partition-gradients=platform=fsmoe-b
    %r = moe.all_reduce %g on <@mesh, ["ep"]> : tensor<10485760xbf16>
    // becomes, with the first piece inside of a layer
    %a = tensor.extract_slice %g[0] [4935488] [1]
    %b = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<4935488xbf16>
    %c = tensor.extract_slice %g[4935488] [5550272] [1]
    %d = moe.all_reduce %c on <@mesh, ["ep"]>
    %r = moe.assemble ..., %d dim 0
    ```
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform (default: the "
           "module's platform)">,
    Option<"method", "method", "::moe::GradientMethod",
           "::moe::GradientMethod::Partition",
               "How gradients are split or grouped",
           "::moe::EnumValues<::moe::GradientMethod>()">,
    Option<"pieceBytes", "piece-bytes", "::moe::Integer", "30000000",
           "Bytes per piece of a gradient (method=fixed)">,
    Option<"bucketElements", "bucket-elements", "::moe::Integer", "0",
           "Elements at which a bucket is full (method=buckets); 0: Megatron's "
           "default, max(40000000, 1000000 * data-parallel ranks)">,
    Option<"beside", "beside", "::moe::GradientPlaces",
           "::moe::GradientPlaces::All", "When gradients may be sent",
           "::moe::EnumValues<::moe::GradientPlaces>()">,
    Option<"order", "order", "::moe::ChunkOrder", "::moe::ChunkOrder::Fixed",
           "Launch order of the layers' chunks",
           "::moe::EnumValues<::moe::ChunkOrder>()">,
    Option<"maxDegree", "max-chunks", "::moe::Integer", "16",
           "Largest number of chunks per layer">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SelectStrategy : MoEPass<"moe-select-strategy", "::mlir::ModuleOp"> {
  let summary = "Choose the decomposition, scope and chunk count of each "
                "layer";
  let description = [{
    *Preserving*. For each `moe.layer`, tries every combination of

    - decomposition: the all-to-alls as they are, or `moe-decompose-all-to-all`
      dropping along dim 2 (token slots) or dim 3 (hidden elements); then either
      flat, or hierarchical where the platform's nodes cut their group; there
      tokens of layers that drop nothing may also go once a node (`mode=node-dedup`);
    - scope: no pipeline, chains of communication, or the whole layer;
    - chunk count: 1, 2, 3, 4, 6, 8, 12, 16, ... up to `max-chunks`, then all
      counts next to the best;
    - copies of the pipeline on a stream of their own or in turn with the
      collectives inside a node,

    schedules and simulates the layer alone on the platform, and rewrites it
    into the fastest, or the simplest within the platform's `uncertainty` (SPEC
    MO-5, MO-7). `strategy` (SPEC MO-3, MO-4) and `degree` leave only some:

    | strategy | forms |
    |---|---|
    | `baseline` | as it is, in one piece |
    | `o1` | drop, in one piece |
    | `o2` | drop, in chunks, copies in turn with collectives inside a node |
    | `o3` | drop, in chunks, copies on a stream of their own |
    | `hierarchical` | 1DH or 2DH, with or without a drop and chunks |
    | `nodes` | tokens once a node, with or without a drop and chunks |

    The choice is a remark. What leaves a form out, and what the remark says:
    docs/Planning.md, "The form of each layer".

    ```sh
    moe-opt step.mlir --moe-select-strategy=platform=fsmoe-b \
      --remarks-filter=moe-select-strategy -o fast.mlir
    # layers 0-1 fwd: chunked, whole layer in 4 chunks, 9944.6 us, ... chunks=4, ...
    ```
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform">,
    Option<"ignoreFitted", "ignore-fitted", "bool", "false",
           "Ignore platform parameters fitted to published results">,
    Option<"strategy", "strategy", "::moe::StrategyChoice",
           "::moe::StrategyChoice::Auto", "Layer variants to choose from",
           "::moe::EnumValues<::moe::StrategyChoice>()">,
    Option<"degree", "degree", "::moe::Degree", "::moe::Degree()",
           "Number of chunks per layer, or auto to try up to max-chunks">,
    Option<"maxChunks", "max-chunks", "::moe::Integer", "64",
           "Largest number of chunks to try (degree=auto)">
  ];
}

def InsertCircuits : MoEPass<"moe-insert-circuits", "::mlir::ModuleOp"> {
  let summary = "Insert reconfigurations of optical circuits that save time";
  let description = [{
    *Preserving*. For each all-to-all between servers in a schedule decides
    between packets alone, the circuits that are up, and a change before it
    (SPEC MF-7), by simulating the step, all ports dark before. Circuits are
    planned by layer, whose exchanges have one demand (MF-1), or for
    `layers-a-plan` layers in turn, and for all; demand is the traffic's mean,
    even without. A layer that drops nothing plans anew in each run by its counts,
    if they come in time, and keeps what is up where no change pays; with
    `rule=counts` also as the mean says, before its first exchange. A change starts
    when all ranks have met (`quiet`) behind the last over circuits. With `rule=cost`
    none of `never`, `once`, `always` is faster beyond the uncertainty.

    The demand of a layer's first exchange forward is known by its gate alone:

    | policy | it goes over |
    |---|---|
    | `block` | circuits changed behind the gate, if waiting pays |
    | `keep` | what is up |
    | `predict` | circuits changed at any time before, for what the layer sent in the run before or the layer before it tells, if it counts that; else for the module's traffic |
    | `auto` | the fastest of these as simulated, beyond the uncertainty |

    ```mlir
    // moe-opt in.mlir --moe-insert-circuits=platform=mfabric-sim-400g
    ... moe.task @inter "dispatch"[0 of 1] ...
    ... moe.task @inter "combine"[0 of 1] ...
    // becomes
    ... moe.task @inter "quiet.combine"[0 of 1] ...
    ... moe.task @inter "dispatch"[0 of 1] ...
    ... moe.task @ocs "reconfigure.combine"[0 of 1] ...
    ... moe.task @ocs "await.combine"[0 of 1] ...
    ... moe.task @inter "combine"[0 of 1] ...
    ```
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform (default: the "
           "module's platform)">,
    Option<"policy", "policy", "::moe::CircuitPolicy",
           "::moe::CircuitPolicy::Keep",
           "Optical circuits that the first exchange of a layer uses",
           "::moe::EnumValues<::moe::CircuitPolicy>()">,
    Option<"rule", "rule", "::moe::CircuitRule", "::moe::CircuitRule::Cost",
           "When optical circuits are reconfigured",
           "::moe::EnumValues<::moe::CircuitRule>()">,
    Option<"planner", "planner", "::moe::CircuitPlanner",
           "::moe::CircuitPlanner::Best", "How optical circuits are planned",
           "::moe::EnumValues<::moe::CircuitPlanner>()">,
    Option<"layersAPlan", "layers-a-plan", "::moe::Integer", "1",
           "Consecutive layers that share one circuit configuration">,
    Option<"ifAny", "if-any", "bool", "false",
           "Skip functions without a schedule or with circuits, and "
           "platforms without circuits, instead of reporting an error">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::moe::ocs::OCSDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VerifyPlan : MoEPass<"moe-verify-plan", "::mlir::ModuleOp"> {
  let summary = "Check that the compile plan has been carried out";
  let description = [{
    *Preserving* (an analysis). An error where a module still has a plan,
    `moe.step`, or a part of one, `moe.form` on a layer or `moe.gradients` on a
    function. The phases `runtime` and `llvm` begin with it when a compilation
    starts at them: they read no plan, and the program would be compiled as if
    nothing had been chosen.

    ```sh
    cat in.mlir
    #   moe.step = {phase = "choose", schedule = "layers",
    #               collectives = "by-links"}
    moe-opt in.mlir --moe-verify-plan
    # error: expected a plan that has been carried out, got 'moe.step' of a
    ```
  }];
}

#endif // MOE_COMPILER_PASSES_TD
