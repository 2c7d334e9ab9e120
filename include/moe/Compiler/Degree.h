// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number of chunks, or auto.

#ifndef MOE_COMPILER_DEGREE_H
#define MOE_COMPILER_DEGREE_H

#include "llvm/Support/CommandLine.h"
#include <optional>

namespace moe {

/// The number of chunks that a user asks for; without one, `auto`, it is left
/// to who chooses.
struct Degree {
  std::optional<int64_t> chunks;
};

/// `auto` or the number.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Degree &degree);

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

#endif // MOE_COMPILER_DEGREE_H
