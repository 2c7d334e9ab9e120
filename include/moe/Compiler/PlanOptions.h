// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the options of the phase choose (PlanOptions.td).

#ifndef MOE_COMPILER_PLANOPTIONS_H
#define MOE_COMPILER_PLANOPTIONS_H

#include "moe/Support/EnumNames.h"
#include <optional>

namespace moe {

/// Exchange of layers with an expert capacity.
enum class PaddingChoice {
  /// `Auto` for a program with a routing trace or with the schedule Best;
  /// otherwise `Keep`.
  Default,
  /// Ragged exchanges if the step time is shorter with them.
  Auto,
  /// Padded buffers with all capacity slots.
  Keep,
  /// Ragged exchanges of the filled slots.
  Rows
};

template <> struct EnumNames<PaddingChoice> {
  static constexpr EnumName<PaddingChoice> all[] = {
      {PaddingChoice::Default, "default",
       "auto with a routing trace or schedule=best, else keep"},
      {PaddingChoice::Auto, "auto", "rows if that is faster"},
      {PaddingChoice::Keep, "keep", "padded buffers with all capacity slots"},
      {PaddingChoice::Rows, "rows", "ragged exchanges of the filled slots"}};
};

/// The layer variants that `moe-select-strategy` considers (SPEC MO-3, MO-4).
enum class StrategyChoice { Auto, Baseline, O1, O2, O3, Hierarchical, Nodes };

template <> struct EnumNames<StrategyChoice> {
  static constexpr EnumName<StrategyChoice> all[] = {
      {StrategyChoice::Auto, "auto", "all variants"},
      {StrategyChoice::Baseline, "baseline", "unchanged"},
      {StrategyChoice::O1, "o1", "slice, all-to-all, all-gather"},
      {StrategyChoice::O2, "o2",
       "o1 in chunks, copies on the collectives' stream"},
      {StrategyChoice::O3, "o3", "o1 in chunks, copies on their own stream"},
      {StrategyChoice::Hierarchical, "hierarchical",
       "within nodes, then between nodes"},
      {StrategyChoice::Nodes, "node-dedup", "send each token once per node",
       /*old=*/"nodes"}};
};

/// The element type of tokens on the way to their experts, in layers with
/// ragged exchanges. All values except `Keep` change results.
enum class WireDtype {
  /// The program's own type.
  Keep,
  /// 8-bit floats if the step time is shorter with them.
  Auto,
  /// 8-bit floats.
  E4M3
};

template <> struct EnumNames<WireDtype> {
  static constexpr EnumName<WireDtype> all[] = {
      {WireDtype::Keep, "keep", "the program's own type"},
      {WireDtype::Auto, "auto", "e4m3 if that is faster"},
      {WireDtype::E4M3, "e4m3", "8-bit floats"}};
};

/// Selects whether the inner products of experts are kept for the backward pass
/// (`moe/Dialect/MoE/KeepProducts.h`).
enum class ProductsChoice {
  /// The module's own attribute; without it, products are kept unless the step
  /// would then exceed the platform's memory.
  Auto,
  Keep,
  Recompute
};

template <> struct EnumNames<ProductsChoice> {
  static constexpr EnumName<ProductsChoice> all[] = {
      {ProductsChoice::Auto, "auto", "keep them if the step fits the memory"},
      {ProductsChoice::Keep, "keep", "more memory, fewer products"},
      {ProductsChoice::Recompute, "recompute", "less memory, more products"}};
};

/// The number of chunks that a user requests; nullopt, `auto`, leaves the
/// choice to the compiler.
struct Degree {
  std::optional<int64_t> chunks;

  Degree() = default;
  Degree(int64_t chunks) : chunks(chunks) {}
};

/// Prints `auto` or the number.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Degree &degree);

/// The number of sub-batches that a user requests; nullopt leaves the choice to
/// the compiler. If the user does not set the option, the schedule determines
/// whether to choose.
struct SubBatchCount {
  Degree count;
  bool isDefault = true;

  SubBatchCount() = default;
  SubBatchCount(Degree count) : count(count), isDefault(false) {}
};

/// Prints `default`, `auto` or the number.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const SubBatchCount &count);

} // namespace moe

/// Accepts `auto` or a number in [1, PipelineOp::kMaxDegree].
template <>
class llvm::cl::parser<moe::Degree>
    : public llvm::cl::basic_parser<moe::Degree> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text,
             moe::Degree &degree);
  StringRef getValueName() const override { return "auto|number"; }
  void printOptionDiff(const Option &option, const moe::Degree &degree,
                       const OptionValue<moe::Degree> &initial,
                       size_t width) const;
};

/// Additionally accepts `default`.
template <>
class llvm::cl::parser<moe::SubBatchCount>
    : public llvm::cl::basic_parser<moe::SubBatchCount> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text,
             moe::SubBatchCount &count);
  StringRef getValueName() const override { return "default|auto|number"; }
  void printOptionDiff(const Option &option, const moe::SubBatchCount &count,
                       const OptionValue<moe::SubBatchCount> &initial,
                       size_t width) const;
};

#endif // MOE_COMPILER_PLANOPTIONS_H
