// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about invalid option values.

#ifndef MOE_SUPPORT_OPTIONVALUES_H
#define MOE_SUPPORT_OPTIONVALUES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CommandLine.h"
#include <cstdint>
#include <string>

namespace moe {

/// Collects the messages of option parsers on this thread during its lifetime.
/// LLVM's options print to stderr, but programs that embed the compiler need
/// the message in the returned error.
class CollectedProblems {
public:
  CollectedProblems();
  ~CollectedProblems();
  CollectedProblems(const CollectedProblems &) = delete;
  CollectedProblems &operator=(const CollectedProblems &) = delete;

  /// Returns the messages, for example "strategy: expected one of auto, drop,
  /// got 'o9'"; empty if none.
  const std::string &getText() const { return text; }

private:
  friend bool refuseValue(llvm::cl::Option &, const llvm::Twine &);

  std::string text;
  CollectedProblems *outer;
};

/// Reports a problem with the value of an option, to the collector of this
/// thread if any, otherwise to stderr like LLVM's tools. Returns true, which
/// parsers return on an error.
bool refuseValue(llvm::cl::Option &option, const llvm::Twine &problem);

/// Visits the options in the text of a pass's options, each with its name and
/// its value as written: "max-chunks", "=4", or an empty value.
void forEachOption(
    llvm::StringRef options,
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> visit);

/// An integer option of a pass.
struct Integer {
  int64_t number = 0;

  Integer() = default;
  Integer(int64_t number) : number(number) {}
  operator int64_t() const { return number; }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Integer &integer);

} // namespace moe

/// Like LLVM's parser of an int64_t, but an error states the expected values.
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
