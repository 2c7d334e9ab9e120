// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers on the command line.

#ifndef MOE_TOOLS_NUMBEROPTIONS_H
#define MOE_TOOLS_NUMBEROPTIONS_H

#include "moe/Tools/GivenOnce.h"
#include "llvm/Support/CommandLine.h"
#include <cstdint>
#include <optional>

namespace moe {

/// The integers that an option takes; 2^31 - 1 is enough for everything but
/// bytes.
struct IntegerRange {
  using Number = int64_t;
  static constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1;
  static constexpr const char *kValueName = "N";

  int64_t min = 1, max = kMaxSize;

  /// False when the text is none of them.
  bool parse(llvm::StringRef text, int64_t &value) const;
  /// "an integer in [1, 64]".
  std::string describe() const;
};

/// The finite numbers that an option takes: those above 0, or 0 too.
struct RealRange {
  using Number = double;
  static constexpr const char *kValueName = "X";

  bool mayBeZero = false;
  /// What else the option takes, which its tool reads from the text.
  std::string word = {};

  bool parse(llvm::StringRef text, double &value) const;
  /// "a finite number above 0 or 'none'".
  std::string describe() const;
};

/// A number that was given, or a text that is none of the range.
template <typename Range> struct GivenNumber {
  typename Range::Number number{};
  std::string text;
  bool isInRange = true;
};

} // namespace moe

/// What is not in the range is kept and not reported: LLVM's words say neither
/// what was expected nor which of several wrong values is the first, and end
/// tools that do not read the command line themselves with 1.
template <typename Range>
class llvm::cl::parser<moe::GivenNumber<Range>>
    : public basic_parser<moe::GivenNumber<Range>> {
  using Given = moe::GivenNumber<Range>;

public:
  using basic_parser<Given>::basic_parser;

  bool parse(Option &, StringRef, StringRef text, Given &given) {
    given.text = text.str();
    given.isInRange = range.parse(text, given.number);
    return false;
  }
  void printOptionDiff(const Option &option, const Given &,
                       const OptionValue<Given> &, size_t width) const {
    this->printOptionNoValue(option, width);
  }

  Range range;
};

namespace moe {

/// An option that takes a number of a range. A missing or wrong one is refused
/// when it is read, in the order in which a tool wants them, and in words that
/// say what is expected, what was found, and in which option.
template <typename Range> class RangeOption {
public:
  using Number = typename Range::Number;

  RangeOption(llvm::StringRef name, llvm::StringRef description,
              llvm::cl::SubCommand &command, Range range = {})
      : RangeOption(name, description, std::move(range),
                    llvm::cl::sub(command)) {}
  RangeOption(llvm::StringRef name, llvm::StringRef description,
              llvm::cl::OptionCategory &category, Range range = {})
      : RangeOption(name, description, std::move(range),
                    llvm::cl::cat(category)) {}

  bool isSet() const { return option.getNumOccurrences() > 0; }
  llvm::StringRef getName() const { return option.ArgStr; }
  /// As it was given; empty when it was not.
  llvm::StringRef getText() const { return option.text; }
  /// "--name", or "default": where the effective value is from.
  std::string getOrigin() const {
    return isSet() ? "--" + getName().str() : "default";
  }

  /// The value, or `fallback` when the option is not given; without one the
  /// option is required.
  cost::Result<Number>
  read(std::optional<Number> fallback = std::nullopt) const {
    if (!isSet() && fallback)
      return *fallback;
    if (!isSet())
      return failMissing(getName());
    if (!option.isInRange)
      return cost::Failure{"--" + getName().str() + ": expected " + range +
                           ", got '" + option.text + "'"};
    return option.number;
  }

  /// Leaves `value` as it is when the option is not given.
  std::optional<cost::Failure> readIfSet(std::optional<Number> &value) const {
    if (!isSet())
      return std::nullopt;
    cost::Result<Number> given = read();
    if (!given)
      return given.getFailure();
    value = *given;
    return std::nullopt;
  }

private:
  template <typename Place>
  RangeOption(llvm::StringRef name, llvm::StringRef description, Range range,
              Place place)
      : option(name, llvm::cl::desc(description),
               llvm::cl::value_desc(Range::kValueName), place),
        range(range.describe()) {
    option.getParser().range = std::move(range);
  }

  llvm::cl::opt<GivenNumber<Range>> option;
  /// In words.
  std::string range;
};

using IntegerOption = RangeOption<IntegerRange>;
using NumberOption = RangeOption<RealRange>;

} // namespace moe

#endif // MOE_TOOLS_NUMBEROPTIONS_H
