// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners by name.

#include "moe/Planning/Planner.h"
#include "moe/Support/ReportPage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

const Planner *moe::planning::findPlanner(StringRef name) {
  ArrayRef<Planner> planners = listPlanners();
  const auto *it = llvm::find_if(
      planners, [&](const Planner &planner) { return planner.name == name; });
  return it == planners.end() ? nullptr : it;
}

Result<std::string> moe::planning::plan(StringRef name,
                                        ArrayRef<GivenOption> options,
                                        std::vector<InputWarning> &warnings) {
  const Planner *planner = findPlanner(name);
  if (!planner)
    return Failure{"expected one of the planners " +
                   join(map_range(listPlanners(),
                                  [](const Planner &known) -> StringRef {
                                    return known.name;
                                  }),
                        ", ") +
                   ", got '" + name.str() + "'"};
  std::unique_ptr<Question> question = planner->ask();
  OptionTable &table = question->getTable();
  for (const auto &[option, text] : options) {
    const Option *known = table.find(option);
    if (known && known->isSet() && known->getKind() != Option::Kind::List)
      return Failure{"--" + option + ": expected it once, got it twice"};
    if (auto failure = table.give(option, text))
      return *failure;
  }
  std::optional<Failure> failure = question->answer();
  append_range(warnings, table.warnings);
  if (failure)
    return *failure;
  return support::escapeForPage(question->format().json);
}

std::string moe::planning::formatPlanners() {
  static constexpr const char *kKinds[] = {"flag", "value", "list"};
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream, 2);
  auto printOption = [&](const Option &option) {
    out.object([&] {
      out.attribute("name", option.getName());
      out.attribute("kind", kKinds[size_t(option.getKind())]);
      out.attribute("help", option.getHelp());
      if (std::string range = option.describeRange(); !range.empty())
        out.attribute("range", range);
      if (!option.getUnit().empty())
        out.attribute("unit", option.getUnit());
      std::vector<Option::Word> words = option.listWords();
      if (!words.empty())
        out.attributeObject("words", [&] {
          for (const Option::Word &word : words)
            out.attribute(word.word, word.meaning);
        });
    });
  };
  out.array([&] {
    for (const Planner &planner : listPlanners())
      out.object([&] {
        out.attribute("planner", StringRef(planner.name));
        out.attribute("tool", planner.subject == Subject::Fabrics ? "moe-fabric"
                                                                  : "moe-plan");
        out.attribute("description", StringRef(planner.description));
        std::unique_ptr<Question> question = planner.ask();
        out.attributeArray("options", [&] {
          for (const Option *option : question->getTable().getOptions())
            printOption(*option);
        });
      });
  });
  return text;
}
