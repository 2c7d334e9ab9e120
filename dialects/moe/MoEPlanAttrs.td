// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile plan as attributes of the moe dialect.

#ifndef MOE_PLANATTRS_TD
#define MOE_PLANATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "moe/MoEDialect.td"
include "moe/MoEEnums.td"

/// An optional value of an enumeration with names (moe/Support/EnumNames.h).
class EnumWord<string type, string description>
    : AttrOrTypeParameter<type, description> {
  let parser = "::moe::parseEnumWord<" # type # ">($_parser)";
  let printer = "::moe::printEnumWord($_printer, $_self)";
}
class OptionalEnumWord<string type, string description>
    : OptionalParameter<"::std::optional<" # type # ">", description> {
  let parser = "::moe::parseEnumWord<" # type # ">($_parser)";
  let printer = "::moe::printEnumWord($_printer, *$_self)";
}
class DefaultedEnumWord<string type, string value, string description>
    : DefaultValuedParameter<type, value, description> {
  let parser = "::moe::parseEnumWord<" # type # ">($_parser)";
  let printer = "::moe::printEnumWord($_printer, $_self)";
}
class Flag<string description>
    : DefaultValuedParameter<"bool", "false", description> {
  let parser = "::moe::parseFlag($_parser)";
  let printer = "::moe::printFlag($_printer, $_self)";
}

def MoE_StepPlanAttr : AttrDef<MoE_Dialect, "StepPlan"> {
  let mnemonic = "step_plan";
  let summary = "what is planned for a program as a whole";
  let description = [{
    Stands on a module as `moe.plan`. The phase `choose` writes it, the phases
    `decompose`, `pipeline` and `schedule` carry it out, and the last one removes
    it.

    ```mlir
    module attributes {moe.plan = #moe.step_plan<phase = choose,
        schedule = megatron, collectives = "gradients-apart",
        priorities = ["ep"]>} { ... }
    ```

    **Constraints:**
    - the phase is `choose`, `decompose` or `pipeline`;
    - the priorities are texts;
    - the schedule is not `best`, which is replaced by the schedule that it found;
    - `slice` is a dim in [0, 64], `quantize` in [0, 2^32].
  }];
  let parameters = (ins
    EnumWord<"::moe::CompilePhase", "the last phase that the program has been "
             "through">:$phase,
    EnumWord<"::moe::ScheduleChoice", "the schedule of the step">:$schedule,
    EnumWord<"::moe::CollectiveStreams", "the streams of collectives">
        :$collectives,
    OptionalParameter<"::std::optional<int64_t>",
        "dim to slice in every all-to-all; none leaves it to the layers">
        :$slice,
    OptionalParameter<"::mlir::ArrayAttr",
        "names of mesh axes whose collectives go first on links, highest "
        "priority first">:$priorities,
    Flag<"overlap weight gradients with combines">:$fill,
    Flag<"run tasks in the fastest order found, not the schedule's own">
        :$reorder,
    OptionalParameter<"::std::optional<int64_t>",
        "send tokens to experts as 8-bit floats, with a scale for so many "
        "elements of a row, 0 for the whole row">:$quantize
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def MoE_LayerPlanAttr : AttrDef<MoE_Dialect, "LayerPlan"> {
  let mnemonic = "layer_plan";
  let summary = "the variant planned for a layer";
  let description = [{
    Stands on a `moe.layer` as `moe.plan`, beside the module's. Without
    parameters it leaves the layer as it is.

    ```mlir
    %y = moe.layer "0" phase "fwd" attributes {moe.plan = #moe.layer_plan<
        slice = 3, scope = layer, chunks = 2, order = "DADARRCC">} { ... }
    ```

    **Constraints:**
    - `slice` is a dim in [0, 64], `chunks` in [1, 2^20];
    - as many `sizes` as chunks, each at least 1; none for even chunks;
    - `order` has the letters D, A, R, C and G, as `moe.pipeline` has it;
    - chunks and an order need a scope.
  }];
  let parameters = (ins
    DefaultedEnumWord<"::moe::AllToAllAlgorithm",
        "::moe::AllToAllAlgorithm::Flat", "how the all-to-alls travel">
        :$exchange,
    OptionalParameter<"::std::optional<int64_t>",
        "dim to slice; none leaves the all-to-alls whole">:$slice,
    OptionalEnumWord<"::moe::ChainScope", "what is cut into chunks">:$scope,
    DefaultValuedParameter<"int64_t", "1", "number of chunks">:$chunks,
    OptionalParameter<"::mlir::DenseI64ArrayAttr", "elements of each chunk">
        :$sizes,
    OptionalParameter<"::mlir::StringAttr",
        "launch order of the chunks' stages">:$order,
    DefaultedEnumWord<"::moe::CopyPlacement", "::moe::CopyPlacement::Own",
        "the stream of copies">:$copies
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def MoE_GradientBucketAttr : AttrDef<MoE_Dialect, "GradientBucket"> {
  let mnemonic = "gradient_bucket";
  let summary = "part of a gradient, and the window in which it is sent";
  let description = [{
    ```mlir
    #moe.gradient_bucket<moe of 1 from 2 : 6400>
    ```

    sends 6,400 elements of the gradient of layer 2 within the MoE part of layer
    1. Layers are counted in the backward pass; the window `after` is of none
    (-1).
  }];
  let parameters = (ins
    EnumWord<"::moe::schedule::OverlapWindow", "dense, moe or after">:$window,
    "int64_t":$layer, "int64_t":$from, "int64_t":$elements
  );
  let assemblyFormat = "`<` $window `of` $layer `from` $from `:` $elements `>`";
}

class GradientBuckets<string description>
    : OptionalArrayRefParameter<"::moe::GradientBucketAttr", description> {
  let parser = "::moe::parseGradientBuckets($_parser)";
  let printer = "::moe::printGradientBuckets($_printer, $_self)";
}

def MoE_GradientPlanAttr : AttrDef<MoE_Dialect, "GradientPlan"> {
  let mnemonic = "gradient_plan";
  let summary = "the buckets in which gradients are sent, and when";
  let description = [{
    Stands on a function as `moe.plan`, beside the module's.

    ```mlir
    func.func @main(...) attributes {moe.plan = #moe.gradient_plan<
        pieces = [<moe of 1 from 2 : 6400>, <after of -1 from 0 : 32>]>}
    ```

    **Constraints:**
    - `bucket` is in [0, 2^53].
  }];
  let parameters = (ins
    GradientBuckets<"pieces of gradients">:$pieces,
    Flag<"send the pieces of one window together">:$fuse,
    DefaultValuedParameter<"int64_t", "0", "with fuse, elements at which an "
        "all-reduce is full, so that gradients are cut and sent in the order in "
        "which they are made; 0 for neither">:$bucket
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // MOE_PLANATTRS_TD
