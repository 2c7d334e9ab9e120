// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that choose by compiling candidates.

#ifndef MOE_COMPILER_PASSES_TD
#define MOE_COMPILER_PASSES_TD

include "moe/Compiler/PlanOptions.td"

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
    that is in a pipeline already, is left alone with a missed remark.
    docs/concepts/schedules.md describes the search ("The degree of each layer").

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
    PlatformOption,
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

    The search makes a plan for each combination of values. Along each axis,
    from the last to the first, it keeps the fastest value; of values that are
    equally fast, the first. It compares times of the final schedule: if the
    plan reorders tasks (`moe-schedule`), with the best order found. Plans are
    put in order beginning with the one that is fastest before. A plan is left
    out if no order of its tasks can make it the choice, by the lower bound that
    `moe-sim` prints; its remark has the bound and the time before its tasks are
    reordered.

    | axis | values | compared if | equal within |
    |---|---|---|---|
    | `padding` | padded buffers, ragged exchanges (`moe-unpad-exchanges`) | `auto`, and a layer can take ragged exchanges | the platform's uncertainty |
    | `sub-batches` | 1, 2, 3, and 4, 8 if one of 2 and 3 is faster before tasks are reordered (`moe-split-batch`) | `auto`, and the batch can be cut; without 1 for `merged-1f1b` | rounding |
    | layers of sub-batches | as asked, each layer alone in 1 or 2 chunks | there are sub-batches, and `schedule` is `best` or `layers` | rounding |
    | `schedule` | all schedules of a training step, `merged-1f1b` if there are sub-batches | `best` | rounding |
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

    The plan is an attribute `moe.plan` on the module (`#moe.step_plan`), on each
    layer (`#moe.layer_plan`) and on each function with gradients
    (`#moe.gradient_plan`); dialects/moe describes their parameters. Where inner
    products of experts are computed again in the backward pass, the module has
    `moe.expert_products = "recompute"` until the program is compiled.

    ```mlir
    // moe-opt step.mlir --moe-load-platform=file=fsmoe-b --moe-choose-plan=schedule=fsmoe
    %y:6 = moe.layer "0" phase "fwd" {
    // becomes
    module attributes {moe.plan = #moe.step_plan<phase = choose, schedule = fsmoe,
    func.func @main(... attributes {moe.plan = #moe.gradient_plan<pieces = [<moe of 1 from 1
    %y:6 = moe.layer "0" phase "fwd" attributes {moe.plan = #moe.layer_plan<scope = layer, chunks = 4
    ```
  }];
  let options = !listconcat(planOptions, [
    Option<"block", "block", "::moe::Integer", "128",
           "dispatch-type: elements per scale within a row; 0: one scale per "
           "row">,
    Option<"keepPlan", "keep-plan", "bool", "false",
           "Keep the module's plan, and choose dispatch-type only">
  ]);
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
    %y = moe.layer "0" phase "fwd" attributes {moe.plan = #moe.layer_plan<slice = 3>} {
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
    %y = moe.layer "0" phase "fwd" attributes {moe.plan = #moe.layer_plan<scope = communication, chunks = 2>} {
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
    module attributes {moe.plan = #moe.step_plan<phase = pipeline, schedule = tutel, collectives = one, ...
    %g = moe.all_gather %x on <@mesh, ["tp"]> dim 0
    // becomes
    %g, %t = moe.task @inter "all_gather"[0 of 1]
    ```
  }];
  let options = launchOptions;
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ChooseOverlap : MoEPass<"moe-choose-overlap", "::mlir::ModuleOp"> {
  let summary = "Choose how collectives and products share a GPU's SMs";
  let description = [{
    *Preserving*. A product of matrices occupies all streaming multiprocessors
    (SMs) of a GPU until it ends, and a collective needs a few of them. For each
    collective that a `moe.schedule` overlaps with a product, chooses the start
    with which the simulated schedule ends first, and states it as `moe.overlap`
    of its task:

    - `start = "before"`: the host launches the collective first, and the
      product waits for the inputs of the collective.
    - `start = "concurrent"`: the product that runs leaves as many SMs free as the
      collective takes (`free_sms`), and so takes `slowdown` times as long.
    - `start = "behind"`: the collective waits for the product that runs.

    The platform's `kernels` give the prices: products in waves of tiles over
    the SMs that are left, and `overlap_cost`, by which a collective slows down
    products that leave none (`slowdown` without `free_sms`). How many SMs a
    collective takes is `max_ctas` of the module's `moe.nccl`, or
    `transfer-sms`, which then becomes `max_ctas`; unless one of them is stated,
    no product leaves SMs free. That fewer SMs may slow down a collective is not
    modeled: state the rates of collectives that were measured with so many.

    The pass knows the products of experts and of dense parts. Platforms without
    `kernels` are left alone, with a remark.

    ```mlir
    // moe-opt in.mlir --moe-choose-overlap="platform=dgx-h100-measured transfer-sms=16"
    %y, %t = moe.task @compute "experts"[0 of 1] layer "1" phase "fwd" {
    %s, %u = moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" {
    // becomes
    module attributes {moe.nccl = {max_ctas = 16 : i32}} {
    %y, %t = moe.task @compute "experts"[0 of 1] layer "1" phase "fwd" attributes {moe.overlap = {free_sms = 16 : i64, slowdown = 1.1
    %s, %u = moe.task @intra "all_reduce"[0 of 1] layer "0" phase "bwd" attributes {moe.overlap = {start = "concurrent"}} {
    ```
  }];
  let options = [
    PlatformOption,
    Option<"transferSms", "transfer-sms", "int64_t", "0",
           "Number of SMs that a collective takes at most (default: max_ctas "
           "of the module's moe.nccl)">,
    Option<"ifAny", "if-any", "bool", "false",
           "Do nothing, without a remark, if the platform states no kernels">
  ];
  let dependentDialects = ["::moe::MoEDialect"];
}

def OverlapWeightGradients
    : MoEPass<"moe-fill-weight-gradients", "::mlir::ModuleOp"> {
  let summary = "Overlap weight-gradient computation with token exchanges";
  let description = [{
    *Preserving*. Nothing waits for the gradient of weights but its all-reduce
    and the update, so it may be computed while a combine keeps other work
    waiting. In each backward layer, moves the ops that do not wait for the
    combine (`moe.experts_wgrad` with its operands, the gradients of the gate)
    before the first op that does. Program order is the order of tasks on a
    stream, so that they run behind the `moe.experts_dgrad` that the combine's
    all-to-alls wait for, and beside these. Collectives, as all-reduces of
    gradients, stay where they are.

    Schedules the module with and without, and simulates both on the platform:
    a layer that would take longer stays as it is. A remark has the times.

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
    PlatformOption,
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
    (docs/reference/routing-traces.md) and the hash of its bytes. Passes that choose
    by simulation then use the mean time over the trace's iterations, or with
    `robust` the 95th percentile. Without a trace, all routing is balanced. Counts are in the file, which is read again and refused
    when it is another. With `robust` and no file, traffic that the module has
    is judged so. Degrees of layers together are planned for all steps of a
    trace together, so that their passes refuse it.

    Every step must have counts of every layer of the program, for as many
    experts. Layers with buffers padded to a capacity are named in a missed
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
    RobustOption
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
    is left where it is with a missed remark.
    docs/concepts/schedules.md describes times and streams ("Gradient buckets").
    Run `moe-choose-degree` after this pass, with the same options.

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
    PlatformOption,
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
      tokens of dropless layers may also be sent once per node (`mode=node-dedup`);
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
    | `node-dedup` | each token once per node, with or without a slice and chunks |

    The choice is a remark. docs/concepts/strategies.md lists the rules of the
    choice and the contents of the remark.

    ```sh
    moe-opt step.mlir --moe-select-strategy=platform=fsmoe-b \
      --remarks-filter=moe-select-strategy -o fast.mlir
    # layers 0-1 fwd: chunked, whole layer in 2 chunks, 9323.6 us, ... chunks=2, ...
    ```
  }];
  let options = [
    PlatformOption,
    IgnoreFittedOption, StrategyOption, DegreeOption,
    Option<"maxChunks", "max-chunks", "::moe::Integer", "64",
           "Largest number of chunks to try (degree=auto)">
  ];
}

def VerifyPlan : MoEPass<"moe-verify-plan", "::mlir::ModuleOp"> {
  let summary = "Check that the compile plan has been carried out";
  let description = [{
    *Preserving* (an analysis). An error where a module, layer or function
    still has a plan (`moe.plan`). The phases `runtime` and `llvm` begin with it
    when a compilation starts at them: they read no plan, and the program would be compiled as if
    nothing had been chosen.

    ```sh
    cat in.mlir
    #   moe.plan = #moe.step_plan<phase = choose, schedule = layers, collectives = "by-links">
    moe-opt in.mlir --moe-verify-plan
    # error: expected a plan that has been carried out, got 'moe.plan' of a
    ```
  }];
}

def PaddedToRagged : MoEPass<"moe-unpad-exchanges", "::mlir::ModuleOp"> {
  let summary = "Replace exchanges of padded buffers with ragged all-to-alls";
  let description = [{
    *Preserving*. A layer with a capacity per expert sends every expert a
    buffer of as many slots from every rank, filled or not. This makes it one
    that sends the rows there are, its backward pass with it: `limit_choices`
    keeps the very copies of tokens that had got a slot, in the gate's own order
    of choices, and from there on the layer is one that drops nothing. Sums over
    tokens may be added up in another order where ranks share experts.

    Such a layer can then run in chunks of tokens (`moe-pipeline`,
    whose chunks keep the very tokens that the whole keeps, as all of them have
    been limited before they are cut), be timed by traffic, and get capacities
    by topology (`moe-plan-dispatch`).

    A remark says how many rows a rank may receive. A missed one says why a
    layer stays as it is: experts that choose their tokens (`expert_choice`)
    fill all their slots and would choose among fewer in a chunk; slots that mix
    all tokens (`soft_permute`) are none of them a token's.

    ```mlir
    // moe-opt in.mlir --moe-unpad-exchanges
    %ids, %w = moe.gate softmax %x, %router top_k 2
    %b, %slots = moe.permute choice %x by %ids
    %d = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0
    // becomes
    %ids, %w = moe.gate softmax %x, %router top_k 2
    %sent = moe.limit_choices choice %ids experts 4 limits %cst
    %counts = moe.expert_counts %sent
    ... = moe.ragged_plan
    %rows, %slots = moe.permute_rows choice %x by %sent experts 4
    %d = moe.ragged_all_to_all %rows into
    ```
  }];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TopologyAwareCapacity : MoEPass<"moe-plan-dispatch", "::mlir::ModuleOp"> {
  let summary = "Limit the tokens that each pair of ranks exchanges, by "
                "topology";
  let description = [{
    *Changing*: tokens may be dropped. Every rank of a layer that exchanges rows
    gets a limit of the copies that it may send to each rank (or expert), more
    to those it reaches fast, so that the slowest delivery ends early (TA-MoE,
    SPEC TA-1 to TA-5): `capacity-factor` times the target of `moe-plan
    dispatch`, rounded up. Copies beyond are dropped in the gate's order of
    choices, as a capacity drops them: they are not sent, and add nothing to
    results nor gradients. A gate that was not trained towards the target
    (`examples/ta-moe`) loses much.

    Links are the platform's between the ranks of the layer's group, or
    of a `topology`, the option's or the platform's: as many devices as the
    group has ranks, or as the mesh has.

    A remark says the limits, the times of target and even dispatch, and how
    many copies were dropped on samples: the steps of `traffic`, or of the
    module's own (`moe-load-traffic`), else even ones that are drawn. By traffic,
    programs are timed by the remaining rows. A missed remark reports why a layer
    stays as it is (padded ones need `moe-unpad-exchanges`).

    ```mlir
    // moe-opt in.mlir --moe-plan-dispatch="platform=mini.json"
    %counts = moe.expert_counts %ids
    // becomes
    %ids, %w = moe.gate softmax %x, %router top_k 2
    %table = arith.constant
    %mine = moe.drop %table on <@mesh, ["ep"]> dim 0
    %limits = tensor.collapse_shape %mine
    %sent = moe.limit_choices choice %ids experts 4 limits %limits
    %counts = moe.expert_counts %sent
    ```
  }];
  let options = [
    PlatformOption,
    Option<"topology", "topology", "std::string", "\"\"",
           "Topology of the devices, as [[2,2],[2]] or ring:N (default: the "
           "platform's)">,
    Option<"local", "local", "::moe::LocalRows", "::moe::LocalRows::Pinned",
           "Share of its tokens that a rank keeps for its own experts",
           "::moe::EnumValues<::moe::LocalRows>()">,
    Option<"planner", "planner", "::moe::TargetPlanner",
           "::moe::TargetPlanner::Proportional",
               "Method that computes the target dispatch",
           "::moe::EnumValues<::moe::TargetPlanner>()">,
    Option<"per", "per", "::moe::LimitsPer", "::moe::LimitsPer::Rank",
           "Scope of each limit",
           "::moe::EnumValues<::moe::LimitsPer>()">,
    Option<"capacityFactor", "capacity-factor", "double", "1.0",
           "Ratio of the limits to the target dispatch">,
    Option<"leastShare", "least-share", "double", "0.0",
           "Least tokens that a rank receives from other ranks, as a share "
           "of an even dispatch">,
    Option<"traffic", "traffic", "std::string", "\"\"",
           "Routing trace, or file of tokens per expert, on which dropped "
           "tokens are counted (default: the module's routing trace)">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExportPlan : MoEPass<"moe-export-plan", "::mlir::ModuleOp"> {
  let summary = "Write the compile plan of a program as JSON";
  let description = [{
    *Preserving*: changes nothing. Writes to a file the plan that the phase `choose`
    has written on the module, and the time of its schedule on the module's
    platform: of each layer and phase its form, degree, dim and sizes,
    the order of its tasks on streams, the groups and bytes of its exchanges,
    circuit changes, whether traffic decides how it is timed, the predicted time
    and, from `remarks`, why. `docs/reference/plan.schema.json` is the JSON's
    schema; `moe_mlir.plans` reads it in Python.

    Behind `to=choose` forms are there; a module of the phase `schedule` has
    carried them out, and its plan holds tasks alone.

    ```sh
    moe-opt step.mlir --moe-compile="to=choose platform=fsmoe-b schedule=fsmoe" \
      --moe-export-plan=file=plan.json -o planned.mlir
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"", "Output file">,
    Option<"remarks", "remarks", "std::string", "\"\"",
           "Remarks that moe-opt wrote during the choice "
           "(--remark-format=yaml)">
  ];
}

#endif // MOE_COMPILER_PASSES_TD
