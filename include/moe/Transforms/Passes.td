//===- Passes.td - Passes over the moe dialect -------------*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TRANSFORMS_PASSES_TD
#define MOE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseDegree : Pass<"moe-choose-degree", "::mlir::ModuleOp"> {
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
           "In which order chunks are launched", [{::llvm::cl::values(
             clEnumValN(::moe::ChunkOrder::Fixed, "fixed",
                        "all dispatches before all combines"),
             clEnumValN(::moe::ChunkOrder::Best, "best",
                        "the best order found"),
             clEnumValN(::moe::ChunkOrder::OneStream, "one-stream",
                        "all collectives in turn"))}]>,
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

def DecomposeAllToAll : Pass<"moe-decompose-all-to-all", "::mlir::ModuleOp"> {
  let summary = "Rewrite all-to-alls into cheaper collectives";
  let description = [{
    *Preserving*: every rank ends with the same values.

    `mode=drop` removes what an all-to-all sends more than once (MoNTA;
    DeepSpeed-TED). Where an all-to-all's operand does not vary over an axis
    `tp` outside its group, all ranks along `tp` send the same data: each may
    drop all but its part, exchange that part, and gather the whole again over
    `tp`, whose links are the fast ones.

    ```mlir
    // before, %x replicated over "tp"
    %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
    // after: the bytes over "ep" are divided by the ranks along "tp"
    %d = moe.drop %x on <@mesh, ["tp"]> dim 2
    %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0
    %r = moe.all_gather %a on <@mesh, ["tp"]> dim 2
    ```

    On the combine side the replicated operand comes from an all-reduce of
    partial sums; it becomes a reduce-scatter before the exchange and an
    all-gather behind it, and the all-reduce is gone. All-gathers then move
    down through ops that treat the gathered dim row by row, as long as the
    computation behind them is still the same on every rank; where experts are
    not sharded, this also removes the repeated expert computation.

    The rewrite is refused, with a missed remark that says why, where the
    operand already varies over every other axis ("already deduplicated"),
    where no free dim divides by the axis, and for explicit rank lists that
    are no mesh axes.

    `mode=hierarchical` splits an all-to-all over several axes, the last of
    which are the ranks of a node, into exchanges inside and between nodes:

    - `variant=2dh` (Tutel): blocks are exchanged inside the node so that each
      rank holds what goes to its like-placed peers, then between nodes.
    - `variant=1dh` (Hetu): one rank of each node collects, the collecting
      ranks exchange, and the result is spread inside the node.

    An axis that spans nodes is split first by `moe-split-mesh-axis`.

    Every decision is a remark of category `moe-decompose-all-to-all`. An
    option that the mode does not read is an error.
  }];
  let options = [
    Option<"mode", "mode", "::moe::DecomposeMode", "::moe::DecomposeMode::Drop",
           "What to rewrite into", [{::llvm::cl::values(
             clEnumValN(::moe::DecomposeMode::Drop, "drop",
                        "drop / all-to-all / all-gather"),
             clEnumValN(::moe::DecomposeMode::Hierarchical, "hierarchical",
                        "inside nodes, then between them"))}]>,
    Option<"variant", "variant", "::moe::HierarchicalVariant",
           "::moe::HierarchicalVariant::TwoDimensional",
           "Which hierarchical all-to-all (mode=hierarchical)",
           [{::llvm::cl::values(
             clEnumValN(::moe::HierarchicalVariant::OneDimensional, "1dh",
                        "collect on one rank of the node"),
             clEnumValN(::moe::HierarchicalVariant::TwoDimensional, "2dh",
                        "every rank exchanges in both steps"))}]>,
    Option<"dropDim", "drop-dim", "int64_t", "-1",
           "Dim to drop (mode=drop); -1 takes the first free dim that divides">,
    ListOption<"dropAxes", "drop-axes", "std::string",
           "Mesh axes to drop over (mode=drop); all others when not given">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def LoadPlatform : Pass<"moe-load-platform", "::mlir::ModuleOp"> {
  let summary = "State the machine a module is compiled for";
  let description = [{
    *Preserving*. Reads the description of a machine and attaches to the module
    what passes need to find it again: `moe.platform`, with the platform's
    name, its levels, the file it is from and a hash of the file's bytes.
    Passes that need a platform and have no `platform=` of their own load that
    file again; a file that is missing, or has another hash by then, is an
    error that names both.

    ```mlir
    // after --moe-load-platform=file=platforms/a800-2x8.json
    module attributes {moe.platform = #moe.platform<"a800-2x8",
        levels ["nvlink": 8, "infiniband": 16],
        file "platforms/a800-2x8.json", hash "...">}
    ```

    `file` is a path, kept as it is given, or the bare name of a platform that
    ships. A platform that is there already is replaced. Which platform was
    loaded, and which one it replaces, is a remark of category
    `moe-load-platform`. A bad description is an error that names file, place,
    key and what is allowed.
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships">
  ];
  let dependentDialects = ["::moe::MoEDialect"];
}

def PartitionGradients : Pass<"moe-partition-gradients", "::mlir::ModuleOp"> {
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
           [{::llvm::cl::values(
             clEnumValN(::moe::ChunkOrder::Fixed, "fixed",
                        "all dispatches before all combines"),
             clEnumValN(::moe::ChunkOrder::Best, "best",
                        "the best order found"),
             clEnumValN(::moe::ChunkOrder::OneStream, "one-stream",
                        "all collectives in turn"))}]>,
    Option<"maxDegree", "max-degree", "int64_t", "16",
           "The most chunks a layer will have">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def Pipeline : Pass<"moe-pipeline", "::mlir::ModuleOp"> {
  let summary = "Run chains of ops around all-to-alls chunk by chunk";
  let description = [{
    *Preserving*. Puts each chain of ops around an all-to-all into a
    `moe.pipeline` of the given degree. A chain hands one value from op to op,
    each used once:

    - `scope=communication`: the exchange with its drop, gather,
      reduce-scatter and transposes; dispatch and combine are two chains;
    - `scope=layer`: also the experts, so that dispatch, experts and combine
      are one chain.

    `copies` is written on the pipeline for `moe-schedule` to read.

    The chunk dim is one that every op of the chain maps one to one: not the
    dim that is split, joined, dropped or gathered, nor one that an op reads as
    a whole. Other operands that share the dim, as weights share the dim of
    the experts, are cut along with it; the rest is taken whole by every chunk.

    ```mlir
    // degree=4: dim 3 is free, dim 2 is dropped and gathered
    %r = moe.pipeline degree 4 (%c = %x split 3 : ... as ...) {
      %d = moe.drop %c on <@mesh, ["tp"]> dim 2
      %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0
      %g = moe.all_gather %a on <@mesh, ["tp"]> dim 2
      moe.yield %g
    } -> concat 3 : ...
    ```

    A chain with no such dim, or one shorter than the degree, is left alone
    with a missed remark that says why.
  }];
  let options = [
    Option<"degree", "degree", "int64_t", "1", "Number of chunks">,
    ListOption<"sizes", "sizes", "int64_t",
               "Sizes of the chunks; as even as it goes when not given">,
    Option<"scope", "scope", "::moe::ChainScope",
           "::moe::ChainScope::Communication", "How far a chain reaches",
           [{::llvm::cl::values(
             clEnumValN(::moe::ChainScope::Communication, "communication",
                        "the exchange and its data movement"),
             clEnumValN(::moe::ChainScope::Layer, "layer",
                        "dispatch, experts and combine"))}]>,
    Option<"dim", "dim", "int64_t", "-1",
           "Dim of a chain's first operand to cut; -1 takes the first that "
           "passes the chain">,
    Option<"copies", "copies", "::moe::CopyPlacement",
           "::moe::CopyPlacement::Own",
           "Where a schedule puts the copies of the pipeline's collectives",
           [{::llvm::cl::values(
             clEnumValN(::moe::CopyPlacement::Own, "own",
                        "on a stream of their own"),
             clEnumValN(::moe::CopyPlacement::Intra, "intra",
                        "in turn with the collectives inside a node"))}]>
  ];
  let dependentDialects = ["::moe::MoEDialect"];
}

def RewriteCollectives : Pass<"moe-rewrite-collectives", "::mlir::ModuleOp"> {
  let summary = "Apply single algebraic rewrites of collectives";
  let description = [{
    *Preserving*. Applies the named rules, and only those, until none applies.
    Each rule is an equality of programs with its conditions; the rules are
    listed in `moe/Transforms/Rules.h`. `moe-decompose-all-to-all` is built
    from them.

    For each rule a remark of category `moe-rewrite-collectives` counts how
    often it applied in a function, or says why it never did.
  }];
  let options = [
    ListOption<"rules", "rules", "std::string", "Names of the rules to apply">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def Schedule : Pass<"moe-schedule", "::mlir::ModuleOp"> {
  let summary = "Put the ops of each function on streams, as tasks";
  let description = [{
    *Preserving*. Turns the body of each function that has collectives into one
    `moe.schedule`: every op becomes a task, layers are dissolved into the
    layer and phase of their tasks, and pipelines are unrolled: in their
    `order`, or, without one, all chunks of an op before the next op, so that no
    stream waits for a later chunk. With an order, collectives in front of the
    pipeline in its layer that give it no value are launched at its `G`.

    The streams are those of MoNTA (SPEC MO-9): all-to-alls on `inter`, other
    collectives on `intra`, local data movement on `copy`, everything else on
    `compute`. In a module with a `moe.platform`, collectives whose groups stay
    inside an instance of its innermost level are on `intra`, all others on
    `inter`. With `collectives=one` all collectives are on `inter`, in program
    order. Constants and what is computed of them alone stay in front of the
    schedule. Reshapes are part of the tasks that read them.

    **Copies.** A collective takes and leaves contiguous buffers: it exchanges
    along the outermost dim. Where it is along another dim, a task of its own
    moves that dim (SPEC MO-10's reordering), before it (`pack`) or after it
    (`unpack`), together with the transpose that stands there, if any.

    ```mlir
    // %r = moe.all_gather %x on <@mesh, ["tp"]> dim 1
    %g, %0 = moe.task @intra "all_gather"[0 of 1] ... {
      %a = moe.all_gather %x on <@mesh, ["tp"]> dim 0
    }
    %r, %1 = moe.task @copy "unpack.all_gather"[0 of 1] ... {
      %e = tensor.expand_shape %g [[0, 1], [2]]
      %t = moe.transpose %e [1, 0, 2]
      %c = tensor.collapse_shape %t [[0], [1, 2]]
    }
    ```

    These tasks are on `copy`, or, in a pipeline with `copies intra`, on the
    stream of the collective. Chunks are cut inside the task that reads them
    first, or in a `pack` task where that is a collective and the chunk is not
    contiguous; they are put together by one `moe.assemble`.

    **Priorities** (SPEC MO-12). Collectives along an axis that `priorities`
    lists behind its first one are traffic that may wait: they are on streams
    of their own, `inter_dp` for the axis `dp`, whose priority is the place in
    the list. The axes made by splitting one count as that one.

    A function with branches, loops, calls or dynamic shapes is left alone
    with a missed remark that says why.
  }];
  let options = [
    ListOption<"priorities", "priorities", "std::string",
               "Axes of traffic that meets on links, what goes first in front; "
               "ep,pp,cp,dp when not given">,
    Option<"collectives", "collectives", "::moe::CollectiveStreams",
           "::moe::CollectiveStreams::ByLinks", "Streams of collectives",
           [{::llvm::cl::values(
             clEnumValN(::moe::CollectiveStreams::ByLinks, "by-links",
                        "between nodes and inside them"),
             clEnumValN(::moe::CollectiveStreams::One, "one",
                        "one for all"))}]>
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SelectStrategy : Pass<"moe-select-strategy", "::mlir::ModuleOp"> {
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

def SplitMeshAxis : Pass<"moe-split-mesh-axis", "::mlir::ModuleOp"> {
  let summary = "Split a mesh axis into an outer and an inner one";
  let description = [{
    *Preserving*. Replaces axis `axis` of size n by `<axis>_outer` of size
    n / inner and `<axis>_inner` of size inner, in the mesh and in every group
    and `moe.varying` that names it. Ranks keep their numbers and groups their
    order, so nothing else changes; passes that work axis by axis can now tell
    the ranks inside a node from those across nodes.
  }];
  let options = [
    Option<"axis", "axis", "std::string", "\"\"", "Name of the axis to split">,
    Option<"inner", "inner", "int64_t", "0",
           "Size of the inner axis: ranks along the axis inside a node">
  ];
}

def VerifyCollectives : Pass<"moe-verify-collectives", "::mlir::ModuleOp"> {
  let summary = "Check that ranks meet at collectives";
  let description = [{
    An error for every collective that some ranks of its group may not reach:
    it stands, or a function that holds it is called, under control flow whose
    condition or bounds vary over an axis of the group, or under an op whose
    control flow is not known. Also an error where constant offsets and sizes
    of a ragged all-to-all overrun its buffers. Changes nothing.
  }];
}

def VerifySchedule : Pass<"moe-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Check that schedules keep one order and lose no chunk";
  let description = [{
    Checks what the phase `schedule` promises and no op can check alone. An
    error names one place, and a note the other. Changes nothing.

    **One order of collectives on every rank.** Program order is the order of
    launches, so only control flow can give ranks different ones. Where the
    condition of an `scf.if` or `scf.index_switch` varies over ranks, and the
    program launches, depending on the way taken there, two collectives that
    share more than one of these ranks in different orders, each rank would
    wait for the other in a collective of its own:

    ```mlir
    scf.if %varies {      // error at the first all-reduce,
      moe.all_reduce %x on <@mesh, ["ep"]>
      moe.all_reduce %x on <@mesh, ["ep", "tp"]>
    } else {              // note at the second all-reduce here
      moe.all_reduce %x on <@mesh, ["ep", "tp"]>
      moe.all_reduce %x on <@mesh, ["ep"]>
    }
    ```

    Two launches are the same collective when op, attributes, types and ranks
    are, and each is so many times launched before. Called functions count
    where they are called. Collectives that share one rank at most, or only
    ranks that go the same way, may change places. Whether ranks meet at a
    collective at all is checked by `moe-verify-collectives`, which is stricter
    on control flow: it refuses every collective on a way that only part of its
    ranks may take.

    **Chunks complete.** A `moe.assemble` may not join a chunk's value twice,
    and where the values of some chunks of a task are used, those of all are.
    That each chunk has exactly one task is verified by `moe.schedule` itself.

    **Streams and tokens acyclic.** A task that waits for one behind it, by
    value or token, is refused by the rules of SSA already: its operand "does
    not dominate this use". What waits in program order only, on streams that
    start their tasks in program order, cannot wait in a circle.
  }];
}

def PrintVolumes : Pass<"moe-print-volumes", "::mlir::ModuleOp"> {
  let summary = "Print the bytes every collective sends";
  let description = [{
    Prints to stdout what one rank sends to other ranks through each
    collective (SPEC CC-2) and the totals per mesh axis and kind. Volumes of
    ragged all-to-alls and of ops in branches are upper bounds; ops in loops
    count once per iteration where the trip count is a constant. Changes
    nothing; use `-o /dev/null` to see the table alone.

    `csv` has the columns `function,layer,phase,op,axes,bytes,times,bound`;
    `json` the keys `ops` (the same) and `totals` (`axes`, `op`, `count`,
    `bytes`). An unknown number of bytes is empty in csv and null in json.
    An op in a pipeline whose chunks differ in size has a line for each size.
  }];
  let options = [
    Option<"format", "format", "::moe::TableFormat",
           "::moe::TableFormat::Pretty", "Output format",
           [{::llvm::cl::values(
             clEnumValN(::moe::TableFormat::Pretty, "pretty",
                        "a table to read"),
             clEnumValN(::moe::TableFormat::CSV, "csv", "one line an op"),
             clEnumValN(::moe::TableFormat::JSON, "json",
                        "ops and totals"))}]>
  ];
}

def StripHooks : Pass<"moe-strip-hooks", "::mlir::ModuleOp"> {
  let summary = "Remove the points that hooks mark";
  let description = [{
    *Preserving*: replaces every `moe.hook` by its operand. What users put at
    these points stays. No other pass removes hooks; they take no time and are
    nothing at run time.

    ```mlir
    %a = moe.hook before_dispatch %x : tensor<4x8xf32>
    %b = "user.quantise"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    // after
    %b = "user.quantise"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def PrintReplication : Pass<"moe-print-replication", "::mlir::ModuleOp"> {
  let summary = "Show over which mesh axes values vary";
  let description = [{
    Emits a diagnostic remark at every function argument and every op with
    results: `varies over ["ep"]`, one list a result. Changes nothing; for
    tests and for finding out why a rewrite was refused.
  }];
}

#endif // MOE_TRANSFORMS_PASSES_TD
