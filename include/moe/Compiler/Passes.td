//===- Passes.td - Passes that choose by compiling ---------*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_PASSES_TD
#define MOE_COMPILER_PASSES_TD

include "moe/Support/PassBase.td"
include "moe/Transforms/PassValues.td"

def ChooseDegree : MoEPass<"moe-choose-degree", "::mlir::ModuleOp"> {
  let summary = "Run each layer's experts and exchanges in the best degree";
  let description = [{
    *Preserving*. For each `moe.layer` finds the chain from the all-to-all
    before the experts to the one behind them, forward (`moe.experts`) and
    backward (`moe.experts_dgrad`) alike, and puts it into a `moe.pipeline` of
    the degree that is fastest on the platform (SPEC FS-1 to FS-6):

    - of degrees that take no longer than the fastest by more than the
      platform's `uncertainty`, the smallest is as good;
    - the chain is scheduled alone for each degree up to `max-degree`, and what
      its chunks' tasks take there, by the costs of `moe-sim`, are the times
      that the planner of `moe-plan degree` gets. Chunks are as even as the
      length allows, and the largest one counts. A degree whose messages are
      below the platform's smallest is out (SPEC MO-5);
    - a collective that stands between the two all-to-alls and has no part in
      the chain, as `moe-partition-gradients` puts all-reduces of gradients
      there, is sent between dispatches and combines: its time is the gradient
      time of the planner, and it is the `G` of the pipeline's order;
    - values of the chain that others read too, as the gradient of the weights
      reads the tokens' gradient, leave the pipeline as further results.

    `order` says in which order chunks are launched, and so what a degree takes:

    | order | launches |
    |---|---|
    | `fixed` | all dispatches, the gradients, all combines; beside them all all-gathers, all reduce-scatters (SPEC FS-3) |
    | `best` | the best order found over all degrees (SPEC FS-6), where it is also faster than FS-3's when the layer alone is simulated |
    | `one-stream` | each chunk's dispatch and all-gather, the gradients, each chunk's reduce-scatter and combine, for `moe-schedule=collectives=one` |

    `phases=joint` gives the two phases of a layer one degree, that with the
    least time of both together.

    `sizes=best` also tries chunks of unequal sizes, for a pipeline fills faster
    behind a small first chunk and drains faster behind a small last one. It is
    for `order=fixed` or `best` with `phases=each`. The chunk dim is seen as 64
    parts or fewer; what a chunk of each number of parts takes comes from the
    layer's tasks beside one chunk of all other parts, and for each degree the
    sizes are found as `moe-plan degree` finds them, in the order that `order`
    says. A degree that cannot beat equal chunks by a lower bound of all sizes
    is not searched. The forms found are simulated with the layer alone; from
    the three best of them and from the equal chunks on, parts then move from
    chunk to chunk as long as the layer ends sooner by it. The best form is taken
    where it is faster than the equal chunks by more than the platform's
    `uncertainty`. The remark says the sizes, what both take by plan and by
    simulation, and what no sizes beat in any order by plan.
    Every chunk has messages of at least the platform's smallest (SPEC MO-5).
    Along a dim that is gathered all chunks have one size; the remark says so.

    `expert-counts` names a JSON file with the tokens that experts got,
    `{"counts": [n, ...]}` over all sources or a row for each expert-parallel
    rank, as for `moe-plan degree`; as many experts as the layer has. The
    buffers of a program have as many slots as their capacity, however tokens
    are routed: what an expert gets beyond is cut off, the other slots are sent
    and computed empty. So counts change no time here; the remark says so, and
    how uneven loads would be without the capacity, which is what
    `moe-plan degree --capacity-factor=none` plans for.

    The choice is a remark of category `moe-choose-degree` that lists every
    degree with its time, the case of FSMoE's formulas and what they say
    (SPEC FS-4), the runner-up, and a bound that no order of any degree beats.
    That one degree is best, so that the layer stays as it is, is an ordinary
    answer. A layer without such a chain, with no dim that passes it, or that is
    in a pipeline already is left alone with a missed remark that says why.

    ```mlir
    // degree 2, with a gradient beside it
    %g = moe.all_reduce %piece on <@mesh, ["dp", "ep"]>
    %r = moe.pipeline degree 2 order "DADAGRRCC" (%c = %x split 2 : ...) {
      %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
      %a = moe.all_gather %d on <@mesh, ["tp"]> dim 2
      %y = moe.experts gpt %a, %w1, %w2
      %s = moe.reduce_scatter %y on <@mesh, ["tp"]> dim 2
      %t = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0
      moe.yield %t
    } -> concat 2 : ...
    ```
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships; the module's own when not given">,
    Option<"maxDegree", "max-degree", "int64_t", "16",
           "The most chunks to try">,
    Option<"order", "order", "::moe::ChunkOrder", "::moe::ChunkOrder::Fixed",
           "In which order chunks are launched", ChunkOrderValues>,
    Option<"phases", "phases", "::moe::DegreePhases",
           "::moe::DegreePhases::Each", "Which phases share a degree",
           [{::llvm::cl::values(
             clEnumValN(::moe::DegreePhases::Each, "each",
                        "a degree for each phase"),
             clEnumValN(::moe::DegreePhases::Joint, "joint",
                        "one degree for both phases of a layer"))}]>,
    Option<"sizes", "sizes", "::moe::ChunkSizes", "::moe::ChunkSizes::Even",
           "Sizes of chunks",
           [{::llvm::cl::values(
             clEnumValN(::moe::ChunkSizes::Even, "even",
                        "as equal as it goes"),
             clEnumValN(::moe::ChunkSizes::Best, "best",
                        "unequal where these are faster"))}]>,
    Option<"expertCounts", "expert-counts", "std::string", "\"\"",
           "File with the tokens that experts got (JSON), to compare with the "
           "slots that they have">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ChoosePlan : MoEPass<"moe-choose-plan", "::mlir::ModuleOp"> {
  let summary = "Choose what layers and the step shall become";
  let description = [{
    *Preserving*. The phase `choose` of `moe-compile`: makes all choices once,
    and writes them on the module. The phases behind it carry them out
    (`moe-decompose-plan`, `moe-pipeline-plan`, `moe-schedule-plan`) and read no
    option. Without a platform, and without an option that asks for anything,
    changes nothing.

    Layers get the form of `moe-select-strategy`. With a `schedule`, choices of
    `moe-partition-gradients`, `moe-choose-degree` and
    `moe-fill-weight-gradients` are made in this order on a copy; `best` is that
    of `moe-choose-schedule`. Remarks are those of the passes named.

    ```mlir
    module attributes {moe.step = {phase = "choose", schedule = "fsmoe",
        collectives = "by-links", drop = 3 : i64, priorities = ["ep"]}} {
      func.func @main(%x: tensor<8x16xf32>) attributes {
          moe.gradients = {fuse, pieces = [["moe", 1, 2, 6400]]}} {
        moe.layer "0" phase "fwd" {
        } {moe.form = {scope = "layer", chunks = 2 : i64, order = "DADARRCC"}}
    ```

    | where | what |
    |---|---|
    | module, `moe.step` | the last phase it went through, the schedule, the dim to drop everywhere, streams of collectives, what goes first on streams, whether to `fill` |
    | layer, `moe.form` | `exchange`, `drop`, `scope`, `chunks`, `sizes`, `order`, `copies`; empty leaves the layer as it is |
    | function, `moe.gradients` | pieces as slot, layer of the slot, layer of the gradient, elements |
  }];
  let options = [
    Option<"strategy", "strategy", "::moe::StrategyChoice",
           "::moe::StrategyChoice::Auto", "Forms of layers to choose from",
           [{::llvm::cl::values(
             clEnumValN(::moe::StrategyChoice::Auto, "auto", "all forms"),
             clEnumValN(::moe::StrategyChoice::Baseline, "baseline",
                        "as it is"),
             clEnumValN(::moe::StrategyChoice::O1, "o1", "drop"),
             clEnumValN(::moe::StrategyChoice::O2, "o2",
                        "drop, chunks, copies in turn with collectives"),
             clEnumValN(::moe::StrategyChoice::O3, "o3",
                        "drop, chunks, copies on their own"),
             clEnumValN(::moe::StrategyChoice::Hierarchical, "hierarchical",
                        "inside nodes and between them"))}]>,
    Option<"degree", "degree", "int64_t", "0",
           "Number of chunks; 0 leaves it to the pass">,
    Option<"ignoreFitted", "ignore-fitted", "bool", "false",
           "Leave out parameters fitted to published results">,
    Option<"schedule", "schedule", "::moe::ScheduleChoice",
           "::moe::ScheduleChoice::Layers", "Schedule of a training step",
           [{::llvm::cl::values(
             clEnumValN(::moe::ScheduleChoice::Layers, "layers",
                        "each layer as it is fastest alone"),
             clEnumValN(::moe::ScheduleChoice::DeepSpeed, "deepspeed", ""),
             clEnumValN(::moe::ScheduleChoice::Tutel, "tutel", ""),
             clEnumValN(::moe::ScheduleChoice::TutelImproved,
                        "tutel-improved", ""),
             clEnumValN(::moe::ScheduleChoice::Lina, "lina", ""),
             clEnumValN(::moe::ScheduleChoice::FSMoENoIIO, "fsmoe-no-iio", ""),
             clEnumValN(::moe::ScheduleChoice::FSMoE, "fsmoe", ""),
             clEnumValN(::moe::ScheduleChoice::Orders, "orders",
                        "fsmoe in the best orders"),
             clEnumValN(::moe::ScheduleChoice::Sizes, "sizes",
                        "orders in the best sizes"),
             clEnumValN(::moe::ScheduleChoice::Best, "best",
                        "what ends first"))}]>
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def DecomposePlan : MoEPass<"moe-decompose-plan", "::mlir::ModuleOp"> {
  let summary = "Decompose all-to-alls as the plan says";
  let description = [{
    *Preserving*. The phase `decompose` of `moe-compile`: gives layers the
    exchange and the drop of their forms. A module without a plan gets
    `moe-decompose-all-to-all`.
  }];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def PipelinePlan : MoEPass<"moe-pipeline-plan", "::mlir::ModuleOp"> {
  let summary = "Cut gradients and layers as the plan says";
  let description = [{
    *Preserving*. The phase `pipeline` of `moe-compile`: sends gradients in the
    pieces of the plan, puts layers into pipelines of their forms, and moves
    weight gradients beside combines if it says so. Takes forms and pieces off
    layers and functions; a module without a plan is an error.
  }];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SchedulePlan : MoEPass<"moe-schedule-plan", "::mlir::ModuleOp"> {
  let summary = "Schedule functions as the plan says";
  let description = [{
    *Preserving*. The phase `schedule` of `moe-compile`: `moe-schedule` with the
    streams and priorities of the plan, or with its own for a module without
    one. Nothing of the plan is left.
  }];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ChooseSchedule : MoEPass<"moe-choose-schedule", "::mlir::ModuleOp"> {
  let summary = "Schedule a training step in the way that ends first";
  let description = [{
    *Preserving*. Schedules copies of the module as each of the systems of
    SPEC FS-11 would, and in ways of its own, simulates all of them on the
    platform, and keeps the one that ends first; of equal ones the first:

    - `fsmoe`, `fsmoe-no-iio`, `lina`, `tutel-improved`, `tutel`, `deepspeed`:
      as `moe-compile` with that `schedule`;
    - `orders`: as `fsmoe`, but chunks run in the best order found, and weight
      gradients are computed beside combines (`moe-choose-degree=order=best`,
      `moe-fill-weight-gradients`);
    - `sizes`: as `orders`, with chunks of unequal sizes where these are faster
      (`sizes=best`);
    - `layers`: each layer in the form that is fastest alone
      (`moe-select-strategy`), gradients as they stand.

    So no other schedule that `moe-compile` makes is faster in the simulation.
    A way that cannot be taken is left out with the reason. The times of all are
    a remark of category `moe-choose-schedule`, behind the remarks of the
    passes that made the one that is kept.
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships; the module is then for it, as moe-load-platform says. "
           "The module's own when not given">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FillWeightGradients
    : MoEPass<"moe-fill-weight-gradients", "::mlir::ModuleOp"> {
  let summary = "Compute weight gradients while tokens are on their way";
  let description = [{
    *Preserving*. Nothing waits for the gradient of weights but its all-reduce
    and the update, so it may be computed while a combine keeps other work
    waiting. In each backward layer, moves what does not wait for the combine,
    `moe.experts_wgrad` with what it reads and the gradients of the gate, in
    front of the first op that does. Program order is the order of tasks on a
    stream, so that they run behind the `moe.experts_dgrad` that the combine's
    all-to-alls wait for, and beside these. Collectives, as all-reduces of
    gradients, stay where they are.

    ```mlir
    %c = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0
    %dw:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2   // was behind %dx
    %dx = moe.unorder %c by %slots weights %ones
    ```

    Schedules the module with and without, and simulates both on the platform:
    what would take longer is left as it is. The times are a remark of category
    `moe-fill-weight-gradients`.
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships; the module's own when not given">,
    Option<"collectives", "collectives", "::moe::CollectiveStreams",
           "::moe::CollectiveStreams::ByLinks",
           "Streams of collectives, as moe-schedule will have them",
           CollectiveStreamsValues>
  ];
}

def PartitionGradients
    : MoEPass<"moe-partition-gradients", "::mlir::ModuleOp"> {
  let summary = "Send gradients beside work that leaves links idle";
  let description = [{
    *Preserving*: every element of a gradient is sent once, and every rank ends
    with the same values. Finds the all-reduces of gradients: those between
    nodes, outside of layers, whose results are handed out of the function or
    read by nothing that is sent itself. Cuts the gradients into pieces, and
    puts each piece where the backward pass has time for it (SPEC FS-7, FS-8):
    beside the dense part between two backward layers, between dispatch and
    combine of a backward layer, or at the end.

    ```mlir
    %0 = moe.all_reduce %g on <@mesh, ["dp", "ep"]> : tensor<64xf32>
    // after, each all_reduce at its place of the backward pass
    %a = tensor.extract_slice %g[0] [40] [1]
    %b = moe.all_reduce %a on <@mesh, ["dp", "ep"]> : tensor<40xf32>
    %c = tensor.extract_slice %g[40] [24] [1]
    %d = moe.all_reduce %c on <@mesh, ["dp", "ep"]> : tensor<24xf32>
    %0 = moe.assemble %b, %d dim 0 : tensor<40xf32>, tensor<24xf32> -> tensor<64xf32>
    ```

    `method` says how gradients are cut, `beside` where they may go:

    | method | pieces |
    |---|---|
    | `partition` | as large as is fastest, exactly (`moe-plan gradients`) |
    | `fixed` | of `piece-bytes`, the last of a gradient smaller; a piece is sent where links are idle (Lina) |
    | `whole` | one a gradient |

    `beside=all` allows all places, `dense` those beside dense parts and the
    end, `end` the end only. What layers and dense parts take is timed on the
    platform with the costs of `moe-sim`, a layer for every degree up to
    `max-degree` in the order that `order` says (see `moe-choose-degree`, which
    is to run behind this pass with the same options). Pieces of several
    gradients of one group that go to one place travel in one all-reduce.

    **Streams.** A piece is sent on the stream of all-to-alls, in its place of
    their order: `moe-schedule` puts collectives on it whose group holds an axis
    of priority 0, `ep` by default, or one that `priorities` does not list. To
    have pieces over `dp` alone there too, leave `dp` out of `priorities`. A
    stream of lower priority (SPEC MO-12) is for traffic without a plan: in
    `moe-sim` it waits whenever the links are busy, but an all-reduce that has
    started cannot be stopped, so on a machine only its place in the order
    keeps it from delaying an all-to-all.

    The plan is a remark of category `moe-partition-gradients`: pieces by place,
    the time of the backward pass with them and with all gradients at the end.
    A gradient that is read before the end of the function is left where it is
    with a missed remark.
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships; the module's own when not given">,
    Option<"method", "method", "::moe::GradientMethod",
           "::moe::GradientMethod::Partition", "How gradients are cut",
           [{::llvm::cl::values(
             clEnumValN(::moe::GradientMethod::Partition, "partition",
                        "as is fastest"),
             clEnumValN(::moe::GradientMethod::Fixed, "fixed",
                        "pieces of one size"),
             clEnumValN(::moe::GradientMethod::Whole, "whole",
                        "not at all"))}]>,
    Option<"pieceBytes", "piece-bytes", "int64_t", "30000000",
           "Bytes of a piece (method=fixed)">,
    Option<"beside", "beside", "::moe::GradientPlaces",
           "::moe::GradientPlaces::All", "Where pieces may go",
           [{::llvm::cl::values(
             clEnumValN(::moe::GradientPlaces::All, "all",
                        "beside dense parts, in layers, at the end"),
             clEnumValN(::moe::GradientPlaces::Dense, "dense",
                        "beside dense parts, at the end"),
             clEnumValN(::moe::GradientPlaces::End, "end",
                        "at the end"))}]>,
    Option<"order", "order", "::moe::ChunkOrder", "::moe::ChunkOrder::Fixed",
           "In which order the chunks of layers will be launched",
           ChunkOrderValues>,
    Option<"maxDegree", "max-degree", "int64_t", "16",
           "The most chunks a layer will have">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SelectStrategy : MoEPass<"moe-select-strategy", "::mlir::ModuleOp"> {
  let summary = "Choose decomposition, scope and chunk count of each layer";
  let description = [{
    *Preserving*. For each `moe.layer`, tries every combination of

    - decomposition: the all-to-alls as they are, or `moe-decompose-all-to-all`
      dropping along dim 2 (token slots) or dim 3 (hidden elements); then
      either flat, or hierarchical (2DH, 1DH) where the platform's nodes cut
      the group of the all-to-alls;
    - scope: no pipeline, chains of communication, or the whole layer;
    - chunk count: 1, 2, 3, 4, 6, 8, 12, 16, ... up to `max-chunks`, then all
      counts next to the best;
    - copies of the pipeline on a stream of their own or in turn with the
      collectives inside a node,

    schedules and simulates the layer alone on the platform, and rewrites it
    into the fastest (SPEC MO-5, MO-7, with one simulator for all). A
    combination whose values need more memory than the platform's ranks have is
    out, and so are chunks smaller than its minimum message. Those values are
    the layer's own: neither weights nor what other layers hold meanwhile are
    counted (`moe-plan memory` counts the one, `moe-sim` the other). Chunks are
    as even as the length allows. Where times tie,
    or differ from the least by no more than the platform's `uncertainty`, the
    simpler one wins: fewer chunks, and the baseline before all. Layers of one
    shape are searched once.

    `strategy` leaves only some of the combinations (SPEC MO-3, MO-4):

    | strategy | forms |
    |---|---|
    | `baseline` | as it is, in one piece |
    | `o1` | drop, in one piece |
    | `o2` | drop, in chunks, copies in turn with collectives inside a node |
    | `o3` | drop, in chunks, copies on a stream of their own |
    | `hierarchical` | 1DH or 2DH, with or without a drop and chunks |

    `degree` leaves only one chunk count. A layer that can take none of what is
    left is an error that says why. A layer that cannot be scheduled, or that
    exchanges nothing, is left alone with a missed remark, and so is a module
    without layers; with `strategy` or `degree` these are errors.

    A hierarchical form splits the mesh axis at the nodes' boundary, in the
    whole module (`moe-split-mesh-axis`); one that no layer takes leaves the
    mesh as it is.

    The choice is a remark of category `moe-select-strategy`: a table of the
    best drop dim and chunk count of each decomposition, scope and placement
    with its time and the most memory its values take at once, what could not
    be tried and why, and the bandwidths between nodes, below and above the
    platform's, at which another row of the table becomes as fast as the first,
    both with the chunk counts they have in the table; at such a bandwidth the
    search may prefer other chunk counts to both. Where parameters fitted to
    published results are in effect, the remark says so. `chunked` is a
    baseline in chunks, `2dh+o3` a hierarchical o3. The passes that give a layer
    its form add their remarks.
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships">,
    Option<"ignoreFitted", "ignore-fitted", "bool", "false",
           "Leave out parameters fitted to published results">,
    Option<"strategy", "strategy", "::moe::StrategyChoice",
           "::moe::StrategyChoice::Auto", "Forms to choose from",
           [{::llvm::cl::values(
             clEnumValN(::moe::StrategyChoice::Auto, "auto", "all forms"),
             clEnumValN(::moe::StrategyChoice::Baseline, "baseline",
                        "as it is"),
             clEnumValN(::moe::StrategyChoice::O1, "o1", "drop"),
             clEnumValN(::moe::StrategyChoice::O2, "o2",
                        "drop, chunks, copies in turn with collectives"),
             clEnumValN(::moe::StrategyChoice::O3, "o3",
                        "drop, chunks, copies on their own"),
             clEnumValN(::moe::StrategyChoice::Hierarchical, "hierarchical",
                        "inside nodes and between them"))}]>,
    Option<"degree", "degree", "std::string", "\"auto\"",
           "Number of chunks; auto tries up to max-chunks">,
    Option<"maxChunks", "max-chunks", "int64_t", "64",
           "The most chunks to try (degree=auto)">
  ];
}

#endif // MOE_COMPILER_PASSES_TD
