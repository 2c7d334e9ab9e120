// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that may be left to the compiler.

#ifndef MOE_COMPILER_DEGREE_H
#define MOE_COMPILER_DEGREE_H

#include "llvm/Support/CommandLine.h"
#include <optional>

namespace moe {

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

#endif // MOE_COMPILER_DEGREE_H
