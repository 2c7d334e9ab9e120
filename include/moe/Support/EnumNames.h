// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of enumeration values in options and text.

#ifndef MOE_SUPPORT_ENUMNAMES_H
#define MOE_SUPPORT_ENUMNAMES_H

#include "moe/Support/OldNames.h"
#include "moe/Support/OptionValues.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>
#include <string>

namespace moe {

/// A value of an enumeration, its name for users, its meaning, and its name in
/// the previous release if that differs.
template <typename EnumT> struct EnumName {
  EnumT value;
  llvm::StringLiteral word;
  llvm::StringLiteral meaning;
  llvm::StringLiteral old = "";
};

/// The values of an enumeration that users choose from, declared once, next to
/// the enumeration: specializations have an array `all` of `EnumName`. The
/// reference pages list options from these declarations.
template <typename EnumT> struct EnumNames;

template <typename EnumT> llvm::StringRef getEnumName(EnumT value) {
  for (const EnumName<EnumT> &choice : EnumNames<EnumT>::all)
    if (choice.value == value)
      return choice.word;
  llvm_unreachable("expected a value that has a word");
}

template <typename EnumT> llvm::StringRef getEnumMeaning(EnumT value) {
  for (const EnumName<EnumT> &choice : EnumNames<EnumT>::all)
    if (choice.value == value)
      return choice.meaning;
  llvm_unreachable("expected a value that has a word");
}

/// Returns the value with this name; nullopt if none. Warns about an old name.
template <typename EnumT>
std::optional<EnumT> parseEnumName(llvm::StringRef word) {
  for (const EnumName<EnumT> &choice : EnumNames<EnumT>::all) {
    if (choice.word == word)
      return choice.value;
    if (!word.empty() && choice.old == word) {
      warnRenamed(("'" + word + "'").str(), choice.word);
      return choice.value;
    }
  }
  return std::nullopt;
}

/// Returns all names for messages: "one, two, three".
template <typename EnumT> std::string listEnumNames() {
  std::string words;
  for (const EnumName<EnumT> &choice : EnumNames<EnumT>::all)
    words += (words.empty() ? "" : ", ") + choice.word.str();
  return words;
}

} // namespace moe

/// Like LLVM's parser, but an error lists the possible values.
template <typename EnumT>
requires(sizeof(moe::EnumNames<EnumT>) > 0) class llvm::cl::parser<EnumT>
    : public generic_parser_base {
protected:
  struct OptionInfo : public GenericOptionInfo {
    OptionInfo(StringRef name, EnumT value, StringRef meaning)
        : GenericOptionInfo(name, meaning), V(value) {}
    OptionValue<EnumT> V;
  };
  SmallVector<OptionInfo, 8> Values;

public:
  using parser_data_type = EnumT;

  parser(Option &option) : generic_parser_base(option) {}

  unsigned getNumOptions() const override { return unsigned(Values.size()); }
  StringRef getOption(unsigned i) const override { return Values[i].Name; }
  StringRef getDescription(unsigned i) const override {
    return Values[i].HelpStr;
  }
  const GenericOptionValue &getOptionValue(unsigned i) const override {
    return Values[i].V;
  }

  bool parse(Option &option, StringRef name, StringRef given, EnumT &value) {
    StringRef word = Owner.hasArgStr() ? given : name;
    if (std::optional<EnumT> known = moe::parseEnumName<EnumT>(word)) {
      value = *known;
      return false;
    }
    return moe::refuseValue(option, "expected one of " +
                                        moe::listEnumNames<EnumT>() +
                                        ", got '" + word + "'");
  }

  template <typename T>
  void addLiteralOption(StringRef name, const T &value, StringRef meaning) {
    Values.push_back(OptionInfo(name, static_cast<EnumT>(value), meaning));
    AddLiteralOption(Owner, name);
  }
};

namespace moe {

/// Counterpart of `llvm::cl::values` for a list of values: the modifier of an
/// option that takes the names of an enumeration.
template <typename EnumT> struct EnumValues {
  template <typename OptionT> void apply(OptionT &option) const {
    for (const EnumName<EnumT> &choice : EnumNames<EnumT>::all)
      option.getParser().addLiteralOption(choice.word, choice.value,
                                          choice.meaning);
  }
};

} // namespace moe

#endif // MOE_SUPPORT_ENUMNAMES_H
