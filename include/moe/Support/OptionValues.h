// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong values of options, in words.

#ifndef MOE_SUPPORT_OPTIONVALUES_H
#define MOE_SUPPORT_OPTIONVALUES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CommandLine.h"
#include <cstdint>
#include <string>

namespace moe {

/// What parsers of options' values say on this thread while it lives: LLVM's
/// options print on stderr, and programs that hold the compiler as a library
/// want what is wrong in the error that they get.
class CollectedProblems {
public:
  CollectedProblems();
  ~CollectedProblems();
  CollectedProblems(const CollectedProblems &) = delete;
  CollectedProblems &operator=(const CollectedProblems &) = delete;

  /// "strategy: expected one of auto, drop, got 'o9'"; empty when nothing was
  /// said.
  const std::string &getText() const { return text; }

private:
  friend bool refuseValue(llvm::cl::Option &, const llvm::Twine &);

  std::string text;
  CollectedProblems *outer;
};

/// Says what is wrong with the value of an option: to who collects it on this
/// thread, else on stderr as LLVM's tools do. True, as parsers return then.
bool refuseValue(llvm::cl::Option &option, const llvm::Twine &problem);

/// Visits the options in the text of a pass's options, each with its name and
/// its value as written: "max-chunks", "=4", or an empty value.
void forEachOption(
    llvm::StringRef options,
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> visit);

/// An integer that an option of a pass takes.
struct Integer {
  int64_t number = 0;

  Integer() = default;
  Integer(int64_t number) : number(number) {}
  operator int64_t() const { return number; }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Integer &integer);

} // namespace moe

/// As LLVM's of an int64_t, but an error says what is expected.
template <>
class llvm::cl::parser<moe::Integer>
    : public llvm::cl::basic_parser<moe::Integer> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text,
             moe::Integer &integer);
  StringRef getValueName() const override { return "int"; }
  void printOptionDiff(const Option &option, const moe::Integer &integer,
                       const OptionValue<moe::Integer> &initial,
                       size_t width) const;
};

#endif // MOE_SUPPORT_OPTIONVALUES_H
