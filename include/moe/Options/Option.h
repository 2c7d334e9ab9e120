// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options as fields of the struct that they fill in.
//
// Each field is an entry of the option table with its name, help, range and
// value. Command lines, the C interface and Python read the table and set
// options from text; C++ assigns to the fields.

#ifndef MOE_OPTIONS_OPTION_H
#define MOE_OPTIONS_OPTION_H

#include "moe/Cost/Result.h"
#include "moe/Support/EnumNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace moe {

class Option;

/// A warning about the input of a question, with its location in a file.
struct InputWarning {
  std::string file;
  /// Line and column, counted from 1.
  int64_t line = 0, column = 0;
  std::string message;

  /// Returns "FILE:LINE:COLUMN: warning: MESSAGE".
  std::string format() const;
};

/// The options of a question, in the order of its fields.
class OptionTable {
public:
  OptionTable() = default;
  OptionTable(const OptionTable &) = delete;
  OptionTable &operator=(const OptionTable &) = delete;

  llvm::ArrayRef<Option *> getOptions() const { return options; }
  /// Returns the option with a name without dashes, or null.
  Option *find(llvm::StringRef name) const;
  /// Sets an option from text. Fails if the table has no such option, or if the
  /// option does not accept the text.
  std::optional<cost::Failure> give(llvm::StringRef name, llvm::StringRef text);

  /// Warnings about the input that the options name.
  std::vector<InputWarning> warnings;

private:
  friend class Option;
  std::vector<Option *> options;
};

/// An option that may have been given.
class Option {
public:
  enum class Kind { Flag, Value, List };

  /// A word that an option accepts, and its meaning.
  struct Word {
    llvm::StringRef word, meaning;
  };

  Option(const Option &) = delete;
  Option &operator=(const Option &) = delete;
  virtual ~Option() = default;

  Kind getKind() const { return kind; }
  llvm::StringRef getName() const { return name; }
  llvm::StringRef getHelp() const { return help; }
  /// Returns the placeholder of the value in help; empty for flags and words.
  llvm::StringRef getValueName() const { return valueName; }
  bool isSet() const { return isGiven; }
  /// Returns the origin of the effective value: "--name" or "default".
  std::string getOrigin() const {
    return isSet() ? "--" + getName().str() : "default";
  }

  /// Returns the accepted words; empty if the option accepts other texts.
  virtual std::vector<Word> listWords() const { return {}; }
  /// Returns the unit of a number, for example "bytes"; empty if it has none.
  virtual llvm::StringRef getUnit() const { return ""; }
  /// Describes the accepted numbers, for example "an integer in [1, 64]"; empty
  /// for texts.
  virtual std::string describeRange() const { return ""; }
  /// Returns the given values as texts, or the default.
  virtual std::vector<std::string> listTexts() const = 0;
  /// Sets the value from text. A number out of range is an error only when it
  /// is read, so that errors occur in the order of the reader.
  virtual std::optional<cost::Failure> give(llvm::StringRef text) = 0;

protected:
  Option(OptionTable &table, Kind kind, llvm::StringRef name,
         llvm::StringRef help, llvm::StringRef valueName = "");

  bool isGiven = false;

private:
  Kind kind;
  llvm::StringRef name, help, valueName;
};

/// Returns the failure "--name is required".
cost::Failure failMissing(llvm::StringRef option);

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

class FlagOption : public Option {
public:
  FlagOption(OptionTable &table, llvm::StringRef name, llvm::StringRef help)
      : Option(table, Kind::Flag, name, help) {}

  operator bool() const { return value; }
  FlagOption &operator=(bool newValue) {
    value = newValue;
    isGiven = true;
    return *this;
  }
  std::vector<std::string> listTexts() const override {
    return {value ? "true" : "false"};
  }
  /// Accepts "true", "false", "1" or "0".
  std::optional<cost::Failure> give(llvm::StringRef text) override;

private:
  bool value = false;
};

class TextOption : public Option {
public:
  TextOption(OptionTable &table, llvm::StringRef name, llvm::StringRef help,
             llvm::StringRef valueName, llvm::StringRef fallback = "")
      : Option(table, Kind::Value, name, help, valueName), value(fallback) {}

  /// Returns the given text, or the default.
  const std::string &get() const { return value; }
  operator const std::string &() const { return value; }
  TextOption &operator=(llvm::StringRef text) {
    value = text.str();
    isGiven = true;
    return *this;
  }
  friend bool operator==(const TextOption &option, llvm::StringRef text) {
    return option.value == text;
  }
  std::vector<std::string> listTexts() const override { return {value}; }
  std::optional<cost::Failure> give(llvm::StringRef text) override {
    *this = text;
    return std::nullopt;
  }

private:
  std::string value;
};

/// An option that may be given several times, with one text each.
class TextListOption : public Option {
public:
  TextListOption(OptionTable &table, llvm::StringRef name, llvm::StringRef help,
                 llvm::StringRef valueName)
      : Option(table, Kind::List, name, help, valueName) {}

  const std::vector<std::string> &get() const { return values; }
  std::vector<std::string> listTexts() const override { return values; }
  std::optional<cost::Failure> give(llvm::StringRef text) override {
    values.push_back(text.str());
    isGiven = true;
    return std::nullopt;
  }

private:
  std::vector<std::string> values;
};

/// An option that accepts the words of an enumeration.
template <typename EnumT> class WordOption : public Option {
public:
  WordOption(OptionTable &table, llvm::StringRef name, llvm::StringRef help,
             EnumT fallback)
      : Option(table, Kind::Value, name, help), value(fallback) {}

  operator EnumT() const { return value; }
  WordOption &operator=(EnumT newValue) {
    value = newValue;
    isGiven = true;
    return *this;
  }
  std::vector<Word> listWords() const override {
    std::vector<Word> words;
    for (const EnumName<EnumT> &choice : EnumNames<EnumT>::all)
      words.push_back({choice.word, choice.meaning});
    return words;
  }
  std::vector<std::string> listTexts() const override {
    return {getEnumName(value).str()};
  }
  std::optional<cost::Failure> give(llvm::StringRef text) override {
    std::optional<EnumT> known = parseEnumName<EnumT>(text);
    if (!known)
      return cost::Failure{"--" + getName().str() + ": expected one of " +
                           listEnumNames<EnumT>() + ", got '" + text.str() +
                           "'"};
    *this = *known;
    return std::nullopt;
  }

private:
  EnumT value;
};

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The integers that an option accepts. The default maximum of 2^31 - 1 is
/// sufficient for everything except bytes.
struct IntegerRange {
  using Number = int64_t;
  static constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1;
  static constexpr const char *kValueName = "N";

  int64_t min = 1, max = kMaxSize;
  const char *unit = "";
  /// True if the option accepts several integers separated by commas, which the
  /// tool reads as a list.
  bool takesList = false;

  bool contains(int64_t value) const { return value >= min && value <= max; }
  /// Returns false if the text is not an integer in this range.
  bool parse(llvm::StringRef text, int64_t &value) const;
  /// Returns, for example, "an integer in [1, 64]".
  std::string describe() const;
};

/// The finite numbers that an option accepts: positive ones, and possibly 0.
struct RealRange {
  using Number = double;
  static constexpr const char *kValueName = "X";

  bool mayBeZero = false;
  const char *unit = "";
  static constexpr bool takesList = false;
  /// A word that the option also accepts, which the tool reads from the text.
  std::string word = {};

  bool contains(double value) const;
  bool parse(llvm::StringRef text, double &value) const;
  /// Returns, for example, "a finite number above 0 or 'none'".
  std::string describe() const;
};

/// An option that accepts a number in a range. `read` reports a missing or
/// wrong number, so that errors occur in the order of the reader. The message
/// contains the option, the range and the text.
template <typename Range> class RangeOption : public Option {
public:
  using Number = typename Range::Number;

  RangeOption(OptionTable &table, llvm::StringRef name, llvm::StringRef help,
              Range range = {})
      : Option(table, Kind::Value, name, help, Range::kValueName),
        range(std::move(range)) {}

  RangeOption &operator=(Number newNumber);

  llvm::StringRef getUnit() const override { return range.unit; }
  std::string describeRange() const override { return range.describe(); }
  /// Returns the given text; empty if the option was not given.
  llvm::StringRef getText() const { return text; }

  std::vector<std::string> listTexts() const override { return {text}; }

  /// Returns the value, or the first value of a list. Returns `fallback` if the
  /// option is not given; without a fallback, the option is required.
  cost::Result<Number>
  read(std::optional<Number> fallback = std::nullopt) const {
    if (!isSet() && fallback)
      return *fallback;
    if (!isSet())
      return failMissing(getName());
    if (!isInRange)
      return cost::Failure{"--" + getName().str() + ": expected " +
                           range.describe() + ", got '" + text + "'"};
    return numbers.front();
  }

  /// Returns the unique values of an option that accepts a list, or `fallback`.
  cost::Result<std::vector<Number>>
  readList(std::vector<Number> fallback) const {
    if (!isSet())
      return fallback;
    cost::Result<Number> first = read();
    if (!first)
      return first.getFailure();
    return numbers;
  }

  /// Sets `value` if the option is given.
  std::optional<cost::Failure> readIfSet(std::optional<Number> &value) const {
    if (!isSet())
      return std::nullopt;
    cost::Result<Number> given = read();
    if (!given)
      return given.getFailure();
    value = *given;
    return std::nullopt;
  }

  std::optional<cost::Failure> give(llvm::StringRef newText) override;

private:
  Range range;
  /// At least one number; several for a list.
  std::vector<Number> numbers = {Number()};
  std::string text;
  bool isInRange = true;
};

using IntegerOption = RangeOption<IntegerRange>;
using NumberOption = RangeOption<RealRange>;

} // namespace moe

#endif // MOE_OPTIONS_OPTION_H
