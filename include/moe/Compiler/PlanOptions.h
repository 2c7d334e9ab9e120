// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the options of the phase choose (PlanOptions.td).

#ifndef MOE_COMPILER_PLANOPTIONS_H
#define MOE_COMPILER_PLANOPTIONS_H

#include "moe/Support/EnumNames.h"
#include <optional>

namespace moe {

/// What layers exchange whose experts have a capacity.
enum class PaddingChoice {
  /// `Auto` for a program with traffic, or with the schedule Best; else `Keep`.
  Default,
  /// Rows, where the program ends sooner with them.
  Auto,
  /// Buffers of as many slots as they have.
  Keep,
  /// The rows there are.
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

/// Which forms of a layer `moe-select-strategy` chooses from (SPEC MO-3, MO-4).
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

/// As what tokens travel to their experts in layers that exchange rows. All but
/// `Keep` change results.
enum class WireDtype {
  /// As they are.
  Keep,
  /// As floats of 8 bits, where the program ends sooner with them.
  Auto,
  /// As floats of 8 bits.
  E4M3
};

template <> struct EnumNames<WireDtype> {
  static constexpr EnumName<WireDtype> all[] = {
      {WireDtype::Keep, "keep", "the program's own type"},
      {WireDtype::Auto, "auto", "e4m3 if that is faster"},
      {WireDtype::E4M3, "e4m3", "8-bit floats"}};
};

/// Whether the inner products of experts are kept for the backward pass
/// (`moe/Dialect/MoE/KeepProducts.h`).
enum class ProductsChoice {
  /// As the module says; where it says nothing, kept unless the step would not
  /// fit the platform's memory with them.
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

/// The number of chunks that a user asks for; without one, `auto`, it is left
/// to who chooses.
struct Degree {
  std::optional<int64_t> chunks;

  Degree() = default;
  Degree(int64_t chunks) : chunks(chunks) {}
};

/// `auto` or the number.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Degree &degree);

/// The number of sub-batches that a user asks for; without one it is chosen. If
/// the user says nothing, the schedule decides whether to choose.
struct SubBatchCount {
  Degree count;
  bool isDefault = true;

  SubBatchCount() = default;
  SubBatchCount(Degree count) : count(count), isDefault(false) {}
};

/// `default`, `auto` or the number.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const SubBatchCount &count);

} // namespace moe

/// Takes `auto` or a number in [1, PipelineOp::kMaxDegree].
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

/// Takes `default` too.
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
