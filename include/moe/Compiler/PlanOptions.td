// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of the phase choose.
//
// They are declared once for their passes and for the pipeline moe-compile.

#ifndef MOE_COMPILER_PLANOPTIONS_TD
#define MOE_COMPILER_PLANOPTIONS_TD

include "moe/Transforms/ScheduleOptions.td"

def PaddingOption
    : Option<"padding", "padding", "::moe::PaddingChoice",
             "::moe::PaddingChoice::Default",
             "Exchange of layers whose experts have a capacity",
             "::moe::EnumValues<::moe::PaddingChoice>()">;

def SubBatchesOption
    : Option<"subBatches", "sub-batches", "::moe::SubBatchCount",
             "::moe::SubBatchCount()",
             "Number of concurrent sub-batches, or auto (default: auto with "
             "schedule=best, 2 with schedule=merged-1f1b, else 1)">;

def StrategyOption
    : Option<"strategy", "strategy", "::moe::StrategyChoice",
             "::moe::StrategyChoice::Auto", "Layer variants to choose from",
             "::moe::EnumValues<::moe::StrategyChoice>()">;

def DegreeOption
    : Option<"degree", "degree", "::moe::Degree", "::moe::Degree()",
             "Number of chunks per layer, or auto">;

def IgnoreFittedOption
    : Option<"ignoreFitted", "ignore-fitted", "bool", "false",
             "Ignore platform parameters fitted to published results">;

def ScheduleOption
    : Option<"schedule", "schedule", "::moe::ScheduleChoice",
             "::moe::ScheduleChoice::Layers",
             "Schedule of a training step",
             "::moe::EnumValues<::moe::ScheduleChoice>()">;

def DispatchTypeOption
    : Option<"dispatchType", "dispatch-type", "::moe::WireDtype",
             "::moe::WireDtype::Keep",
             "Element type of tokens sent to experts; auto and e4m3 may change "
             "results",
             "::moe::EnumValues<::moe::WireDtype>()">;

def ExpertProductsOption
    : Option<"expertProducts", "expert-products", "::moe::ProductsChoice",
             "::moe::ProductsChoice::Auto",
             "Inner products of experts, for the backward pass",
             "::moe::EnumValues<::moe::ProductsChoice>()">;

defvar planOptions = [PaddingOption, SubBatchesOption, StrategyOption,
                      DegreeOption, IgnoreFittedOption, ScheduleOption,
                      DispatchTypeOption, ExpertProductsOption];

/// Option of moe-load-traffic for the measure that the phase choose minimizes.
def RobustOption
    : Option<"robust", "robust", "bool", "false",
             "Minimize the 95th percentile over the trace's iterations, not "
             "the mean">;

/// Options of the phase schedule.
def PrioritiesOption
    : ListOption<"priorities", "priorities", "std::string",
                 "Mesh axes that share links, highest priority first (default: "
                 "those of the plan, else ep,pp,cp,dp)">;

defvar launchOptions = [PrioritiesOption, SearchWidthOption];

#endif // MOE_COMPILER_PLANOPTIONS_TD
