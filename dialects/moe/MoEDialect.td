// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The moe dialect.

#ifndef MOE_DIALECT_TD
#define MOE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def MoE_Dialect : Dialect {
  let name = "moe";
  let cppNamespace = "::moe";
  let summary = "The communication of Mixture-of-Experts layers";
  let description = [{
    The `moe` dialect states the computations and exchanges of the ranks of a
    Mixture-of-Experts (MoE) job. A module is the program of **every** rank
    (single program, multiple data): a ranked tensor in it is the *local* data
    of one rank, and the same op runs on all of them.

    **Ranks and groups.** `moe.mesh` names the axes along which the ranks are
    arranged, the last axis fastest, so consecutive ranks are neighbors on
    the last axis. A module has at most one mesh. A collective names its group
    by mesh axes, `#moe.group<@mesh, ["ep"]>`, or by explicit rank lists,
    `#moe.replica_groups<dense<...>>`; in an op they are written
    `on <@mesh, ["ep"]>` and `on [[0, 1], [2, 3]]`. (The full attribute parses
    there too, except right before the colon of the types, which MLIR takes
    for the attribute's own: there, give it an alias.) The axes are the
    primary form: they say which links a collective crosses, and the
    replication analysis reasons over them. The ranks of a group are ordered with its last axis fastest.

    **Level ladder.** At the value level ops take and return tensors, nothing
    is in place, nothing has a stream. `pipeline` cuts a chain of ops into
    chunks; `schedule` puts the chunks' tasks on streams, still on values.

    | group | ops |
    |---|---|
    | ranks | `mesh`, `group_rank` |
    | collectives | `all_to_all`, `ragged_all_to_all`, `all_gather`, `reduce_scatter`, `all_reduce`, `collective_permute` |
    | local data movement | `drop`, `assemble`, `transpose` |
    | modules of a layer | `gate`, `permute`, `experts`, `unpermute`, `layer`, `yield` |
    | layers that drop nothing | `expert_counts`, `permute_rows`, `ragged_plan` |
    | tokens sent once a node | `distinct_nodes`, `node_plan` |
    | limits of sent rows | `limit_choices` |
    | rows of fewer bits | `quantize`, `dequantize` |
    | further modules | `expert_choice`, `soft_gate`, `soft_permute`, `soft_unpermute`, `hook` |
    | gradients, dense parts | `experts_dgrad`, `experts_wgrad`, `scatter`, `unpermute_wgrad`, `gate_grad`, `expert_choice_grad`, `soft_gate_grad`, `soft_wgrad`, `dense`, `dense_dgrad`, `dense_wgrad` |
    | pipelines and schedules | `pipeline`, `stream`, `schedule`, `task` |

    **Layout normal form.** Dispatch and combine are block all-to-alls with
    `split 0 concat 0` on a buffer `[G, E/G, C, M]`: `G` ranks of the
    expert-parallel group, `E/G` experts on each, `C` token slots (capacity)
    and `M` hidden elements. Transposes are explicit ops, so dims 2 and 3 are
    free to be dropped, gathered and chunked.

    **Ordering model.** A collective is a rendezvous: every rank of its group
    must reach it, in the same order relative to the other collectives of
    that group. Collectives therefore READ a rendezvous resource: a dead one
    may be erased and two equal ones in a block merged (both happen on every
    rank alike), but none may be hoisted out of a loop, sunk into a branch,
    or executed speculatively. A collective may not be under control flow
    whose condition varies over an axis of its group
    (`moe-verify-collectives`).

    **Replication.** A value *varies over* a set of mesh axes: two ranks that
    differ only in other axes hold the same data. A function argument states
    its set with `moe.varying = ["dp", "ep"]`; an argument without it varies
    over every axis. A function that its callers do not run alike on all ranks
    states with `moe.divergent = ["tp"]` the axes in which ranks differ of which
    some may run it and others not: no pass adds a collective over them to it.

    **Names.** An argument or a result of a function may have a name of letters, digits,
    `_` and `.`, `moe.name = "tokens"`, which compiled programs report to their callers.
    In a backward function, the result `dX` is the gradient of the argument `X`.

    **Times.** An op of another dialect, or of none, states with
    `moe.time_us = 2.5 : f64` how many microseconds it takes, where nothing else is
    known about it.

    **Platform.** A module states the machine it is compiled for with
    `moe.platform = #moe.platform<...>`.

    The dialect is versioned in bytecode; a newer major version is refused.
  }];

  let dependentDialects = [
    "::mlir::tensor::TensorDialect",
    "::mlir::arith::ArithDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasOperationAttrVerify = 1;

  let extraClassDeclaration = [{
    /// Version of the dialect written into bytecode: major.minor. A reader
    /// accepts its own major version and any minor version up to its own. See
    /// `moe/Dialect/MoE/MoEDialectVersion.h` for writing another one.
    static constexpr int64_t kMajorVersion = 5;
    static constexpr int64_t kMinorVersion = 1;

    /// Name of the function attribute that lists the mesh axes in which ranks
    /// may differ that do not run the function together.
    static constexpr ::llvm::StringLiteral getDivergentAttrName() {
      return "moe.divergent";
    }

    /// Name of the function argument attribute that lists the mesh axes over
    /// which the argument's data varies.
    static constexpr ::llvm::StringLiteral getVaryingAttrName() {
      return "moe.varying";
    }

    /// Name of the module attribute, a `#moe.platform`, that says which machine
    /// the module is compiled for.
    static constexpr ::llvm::StringLiteral getPlatformAttrName() {
      return "moe.platform";
    }

    /// Name of the module attribute, a dictionary, that says which traffic the
    /// module is compiled for.
    static constexpr ::llvm::StringLiteral getTrafficAttrName() {
      return "moe.traffic";
    }

    void registerAttributes();
    void registerTypes();
    void registerBytecode();
  }];
}

#endif // MOE_DIALECT_TD
