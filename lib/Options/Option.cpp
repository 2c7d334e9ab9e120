// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options as fields of the struct that they fill in.

#include "moe/Options/Option.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;

std::string InputWarning::format() const {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) +
         ": warning: " + message;
}

Option *OptionTable::find(StringRef name) const {
  auto it = llvm::find_if(
      options, [&](const Option *option) { return option->getName() == name; });
  return it == options.end() ? nullptr : *it;
}

std::optional<cost::Failure> OptionTable::give(StringRef name, StringRef text) {
  Option *option = find(name);
  if (option)
    return option->give(text);
  return cost::Failure{
      "--" + name.str() + ": expected one of the options " +
      join(map_range(options,
                     [](const Option *known) { return known->getName(); }),
           ", ")};
}

Option::Option(OptionTable &table, Kind kind, StringRef name, StringRef help,
               StringRef valueName)
    : kind(kind), name(name), help(help), valueName(valueName) {
  assert(!table.find(name) && "expected a name for each option");
  table.options.push_back(this);
}

cost::Failure moe::failMissing(StringRef option) {
  return {("--" + option + " is required").str()};
}

std::optional<cost::Failure> FlagOption::give(StringRef text) {
  if (text == "true" || text == "1")
    *this = true;
  else if (text == "false" || text == "0")
    *this = false;
  else
    return cost::Failure{"--" + getName().str() +
                         ": expected true or false, got '" + text.str() + "'"};
  return std::nullopt;
}

bool IntegerRange::parse(StringRef text, int64_t &value) const {
  return !text.getAsInteger(10, value) && contains(value);
}

std::string IntegerRange::describe() const {
  return "an integer in [" + std::to_string(min) + ", " + std::to_string(max) +
         "]" + (takesList ? ", or a list of them with commas" : "");
}

bool RealRange::contains(double value) const {
  return std::isfinite(value) && (mayBeZero ? value >= 0 : value > 0);
}

bool RealRange::parse(StringRef text, double &value) const {
  return !text.getAsDouble(value) && contains(value);
}

std::string RealRange::describe() const {
  return std::string("a finite number ") +
         (mayBeZero ? "of at least 0" : "above 0") +
         (word.empty() ? "" : " or '" + word + "'");
}

template <typename Range>
RangeOption<Range> &RangeOption<Range>::operator=(Number newNumber) {
  numbers = {newNumber};
  if constexpr (std::is_same_v<Number, double>)
    text = cost::formatNumber(newNumber);
  else
    text = std::to_string(newNumber);
  isInRange = range.contains(newNumber);
  isGiven = true;
  return *this;
}

template <typename Range>
std::optional<cost::Failure> RangeOption<Range>::give(StringRef newText) {
  text = newText.str();
  isGiven = true;
  isInRange = true;
  numbers.clear();
  SmallVector<StringRef> words = {text};
  if (range.takesList) {
    words.clear();
    StringRef(text).split(words, ',');
  }
  for (StringRef word : words) {
    Number number{};
    isInRange &= range.parse(range.takesList ? word.trim() : word, number);
    if (!is_contained(numbers, number))
      numbers.push_back(number);
  }
  return std::nullopt;
}

template class moe::RangeOption<IntegerRange>;
template class moe::RangeOption<RealRange>;
