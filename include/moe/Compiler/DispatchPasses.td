//===- DispatchPasses.td - Passes on what is sent to whom --*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_DISPATCHPASSES_TD
#define MOE_COMPILER_DISPATCHPASSES_TD

include "moe/Support/PassBase.td"

def UnpadExchanges : MoEPass<"moe-unpad-exchanges", "::mlir::ModuleOp"> {
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

def ChoosePadding : MoEPass<"moe-choose-padding", "::mlir::ModuleOp"> {
  let summary = "Choose padded or ragged exchanges, and the compile plan";
  let description = [{
    *Preserving*. The phase `choose` of `moe-compile`: makes the plan of
    `moe-choose-parts` for the program as it is, and for the one in which all
    layers that can exchange the rows there are in place of padded buffers
    (`moe-unpad-exchanges`), schedules and simulates both, and keeps what ends
    first; padded buffers where the times differ by no more than the platform's
    uncertainty, and where rows do not fit its memory. Forms that only rows have
    are among them: chunks of tokens, tokens sent once a node.

    Rows are as many as the program's traffic says (`moe-load-traffic`), without
    any as balanced gates send, less what a capacity drops of these. `rows` takes
    rows however long they take, and it is an error where a layer has none to
    send (experts that choose their tokens, slots that mix them, slots that other
    ops read); elsewhere such layers stay padded, and a missed remark says why.
    Without a platform nothing is chosen.

    A remark has both times.

    ```sh
    moe-opt step.mlir --moe-load-platform=file=fsmoe-b \
      --moe-choose-padding=padding=auto --remarks-filter=moe-choose-padding -o planned.mlir
    # padded buffers take ... us, rows take ... us
    ```
  }];
  let options = [
    Option<"padding", "padding", "::moe::PaddingChoice",
           "::moe::PaddingChoice::Default",
           "Exchange of layers whose experts have a capacity",
           "::moe::ChoiceValues<::moe::PaddingChoice>()">,
    Option<"parts", "sub-batches", "::moe::Degree", "::moe::Degree{1}",
           "Number of sub-batches, or auto to let the pass choose">,
    Option<"strategy", "strategy", "::moe::StrategyChoice",
           "::moe::StrategyChoice::Auto", "Layer variants to choose from",
           "::moe::ChoiceValues<::moe::StrategyChoice>()">,
    Option<"degree", "degree", "::moe::Degree", "::moe::Degree()",
           "Number of chunks per layer, or auto to let the pass choose">,
    Option<"ignoreFitted", "ignore-fitted", "bool", "false",
           "Ignore platform parameters fitted to published results">,
    Option<"schedule", "schedule", "::moe::ScheduleChoice",
           "::moe::ScheduleChoice::Layers", "Schedule of a training step",
           "::moe::ChoiceValues<::moe::ScheduleChoice>()">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ChooseDispatchType
    : MoEPass<"moe-choose-dispatch-type", "::mlir::ModuleOp"> {
  let summary = "Choose whether tokens are sent to their experts in 8 bits";
  let description = [{
    *Changing*, and so only where somebody asks for it (`dispatch-type` of
    `moe-compile`): experts see rounded tokens, as `moe-quantize-dispatch` says.
    Carries out the plan of the phase `choose` once as it is and once with tokens
    as e4m3 on their way to experts, behind whatever their exchanges become, and
    simulates both. Where the program ends sooner with these, by more than the
    platform's uncertainty, the plan has `quantize`, the elements that share a
    scale, and the phase `decompose` makes them. `e4m3` takes them however long
    the program takes, and it is an error where no layer exchanges rows.

    Forms and degrees are those of the plan: they were chosen for tokens as they
    are. A remark has both times.

    ```sh
    moe-opt step.mlir --moe-load-platform=file=fsmoe-b --moe-choose-padding=padding=rows \
      --moe-choose-dispatch-type --remarks-filter=moe-choose-dispatch-type -o planned.mlir
    # tokens as they are take ... us, tokens of 8 bits take ... us
    ```
  }];
  let options = [
    Option<"type", "type", "::moe::DispatchType", "::moe::DispatchType::Auto",
           "Element type in which tokens are sent to experts",
           "::moe::ChoiceValues<::moe::DispatchType>()">,
    Option<"block", "block", "::moe::Integer", "128",
           "Elements per scale within a row; 0: one scale per row">,
    Option<"ignoreFitted", "ignore-fitted", "bool", "false",
           "Ignore platform parameters fitted to published results">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def PlanDispatch : MoEPass<"moe-plan-dispatch", "::mlir::ModuleOp"> {
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
           "::moe::ChoiceValues<::moe::LocalRows>()">,
    Option<"planner", "planner", "::moe::TargetPlanner",
           "::moe::TargetPlanner::Proportional",
               "Method that computes the target dispatch",
           "::moe::ChoiceValues<::moe::TargetPlanner>()">,
    Option<"per", "per", "::moe::LimitsPer", "::moe::LimitsPer::Rank",
           "Scope of each limit",
           "::moe::ChoiceValues<::moe::LimitsPer>()">,
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
