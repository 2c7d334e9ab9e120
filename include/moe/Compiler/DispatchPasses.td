// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on what is sent to whom.

#ifndef MOE_COMPILER_DISPATCHPASSES_TD
#define MOE_COMPILER_DISPATCHPASSES_TD

include "moe/Support/PassBase.td"

def PaddedToRagged : MoEPass<"moe-unpad-exchanges", "::mlir::ModuleOp"> {
  let summary = "Replace exchanges of padded buffers with ragged all-to-alls";
  let description = [{
    *Preserving*. A layer whose experts have a capacity sends every expert a
    buffer of as many slots from every rank, filled or not. This makes it one
    that sends the rows there are, its backward pass with it: `limit_choices`
    keeps the very copies of tokens that had got a slot, in the gate's own order
    of choices, and from there on the layer is one that drops nothing. Sums over
    tokens may be added up in another order where ranks share experts.

    What such a layer can do then: run in chunks of tokens (`moe-pipeline`,
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

    Links are those of the platform between the ranks of the layer's group, or
    of a `topology`, the option's or the platform's: as many devices as the
    group has ranks, or as the mesh has.

    A remark says the limits, the times of target and even dispatch, and how
    many copies were dropped on samples: the steps of `traffic`, or of the
    module's own (`moe-load-traffic`), else even ones that are drawn. By traffic,
    programs are timed by what is left. A missed one says why a layer stays as it
    is (padded ones need `moe-unpad-exchanges`).

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
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform (default: the "
           "module's platform)">,
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

#endif // MOE_COMPILER_DISPATCHPASSES_TD
