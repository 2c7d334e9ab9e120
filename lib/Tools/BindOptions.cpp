// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Option tables on the command line.

#include "moe/Tools/BindOptions.h"
#include "moe/Support/OptionValues.h"

using namespace llvm;
using namespace moe;

namespace {

/// Lists the possible values of an option in the help and rejects others.
class WordParser : public cl::generic_parser_base {
public:
  using parser_data_type = std::string;

  explicit WordParser(cl::Option &owner) : generic_parser_base(owner) {}

  void setOption(moe::Option &newOption) {
    option = &newOption;
    words = option->listWords();
  }

  unsigned getNumOptions() const override { return unsigned(words.size()); }
  StringRef getOption(unsigned i) const override { return words[i].word; }
  StringRef getDescription(unsigned i) const override {
    return words[i].meaning;
  }
  const cl::GenericOptionValue &getOptionValue(unsigned) const override {
    return value;
  }

  bool parse(cl::Option &owner, StringRef, StringRef given, std::string &) {
    std::optional<cost::Failure> failure = option->give(given);
    if (!failure)
      return false;
    StringRef problem = failure->message;
    problem.consume_front(("--" + option->getName() + ": ").str());
    return refuseValue(owner, problem.str());
  }

private:
  moe::Option *option = nullptr;
  std::vector<moe::Option::Word> words;
  cl::OptionValue<std::string> value;
};

using WordsOption = cl::opt<std::string, false, WordParser>;

} // namespace

template <typename Place>
static std::unique_ptr<cl::Option> bind(moe::Option &option, Place place) {
  // The option itself parses its value from text.
  auto give = cl::cb<void, const std::string &>(
      [&option](const std::string &text) { (void)option.give(text); });
  cl::desc help(option.getHelp());
  cl::value_desc valueName(option.getValueName());
  switch (option.getKind()) {
  case moe::Option::Kind::Flag:
    return std::make_unique<cl::opt<bool>>(
        option.getName(), help, place,
        cl::cb<void, const bool &>([&option](const bool &value) {
          (void)option.give(value ? "true" : "false");
        }));
  case moe::Option::Kind::List:
    return std::make_unique<cl::list<std::string>>(option.getName(), help,
                                                   valueName, place, give);
  case moe::Option::Kind::Value:
    break;
  }
  if (option.listWords().empty())
    return std::make_unique<cl::opt<std::string>>(option.getName(), help,
                                                  valueName, place, give);
  auto words = std::make_unique<WordsOption>(option.getName(), help, place);
  words->getParser().setOption(option);
  return words;
}

BoundOptions::BoundOptions(OptionTable &table, cl::SubCommand &command) {
  for (moe::Option *option : table.getOptions())
    options.push_back(bind(*option, cl::sub(command)));
}

BoundOptions::BoundOptions(OptionTable &table, cl::OptionCategory &category) {
  for (moe::Option *option : table.getOptions())
    options.push_back(bind(*option, cl::cat(category)));
}

BoundOptions::~BoundOptions() = default;

bool moe::hasOption(cl::SubCommand &command, StringRef name) {
  return cl::getRegisteredOptions(command).count(name) > 0;
}
