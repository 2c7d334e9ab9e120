// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners by name.
//
// A planner `X` is a struct `XInput`, whose fields are its options (their help
// states units), a struct `XAnswer`, and a function `planX` that computes the
// answer or fails. No planner prints or reads a command line. C++ calls
// `planX`; callers with names and texts (moe-plan, C, Python) use the list of
// planners, which reads and writes the same fields.

#ifndef MOE_PLANNING_PLANNER_H
#define MOE_PLANNING_PLANNER_H

#include "moe/Options/Option.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace moe::planning {

using cost::Failure;
using cost::Result;

/// What a planner is asked. A base, so that the table is there before the
/// fields that add themselves to it.
struct Input {
  OptionTable table;
};

/// An answer of a planner that is known by name alone. Its page has the title.
struct FormattedAnswer {
  std::string title, json;
};

/// A planner with its input, and its answer once it is asked.
class Question {
public:
  virtual ~Question() = default;

  virtual OptionTable &getTable() = 0;
  /// Plans. A failure names the option or file, the expected value and the
  /// value found.
  virtual std::optional<Failure> answer() = 0;
  /// The answer of a question that has one.
  virtual FormattedAnswer format() const = 0;
};

/// How an answer is written as JSON: an object of the members that
/// `printJSON(out, answer)` writes, on lines with so many blanks, or on one
/// line.
template <typename Answer> std::string formatJSON(const Answer &answer) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream out(stream, Answer::kJsonIndent);
  out.object([&] { printJSON(out, answer); });
  return text;
}

/// A question with the types of its planner.
template <typename InputT, typename AnswerT>
class TypedQuestion : public Question {
public:
  using Plan = Result<AnswerT> (*)(InputT &);

  explicit TypedQuestion(Plan plan) : plan(plan) {}

  const InputT &getInput() const { return input; }
  const AnswerT &getAnswer() const { return *given; }

  OptionTable &getTable() override { return input.table; }
  std::optional<Failure> answer() override {
    Result<AnswerT> planned = plan(input);
    if (!planned)
      return planned.getFailure();
    given.emplace(std::move(*planned));
    return std::nullopt;
  }
  FormattedAnswer format() const override {
    return {getTitle(*given), formatJSON(*given)};
  }

private:
  Plan plan;
  InputT input;
  std::optional<AnswerT> given;
};

/// What a planner plans for.
enum class Subject { Training, Fabrics };

/// An entry in the list of planners.
struct Planner {
  llvm::StringLiteral name, description;
  Subject subject;
  std::unique_ptr<Question> (*ask)();
};

/// A new question of a planner with these types.
template <typename InputT, typename AnswerT, Result<AnswerT> (*plan)(InputT &)>
std::unique_ptr<Question> ask() {
  return std::make_unique<TypedQuestion<InputT, AnswerT>>(plan);
}

/// All of them, by name.
llvm::ArrayRef<Planner> listPlanners();
/// Adds the planners of an optional component to the list, which must not have
/// been read yet.
void registerPlanners(llvm::ArrayRef<Planner> planners);
/// The planner of a name; null if there is none.
const Planner *findPlanner(llvm::StringRef name);

/// A name of an option, without dashes, and its value as text: "true" or
/// "false" for a flag. A list is given once for each item.
using GivenOption = std::pair<std::string, std::string>;

/// Asks a planner and returns its answer as JSON, the same text as
/// `moe-plan NAME --json` prints. Appends warnings about the input to
/// `warnings`.
Result<std::string> plan(llvm::StringRef name,
                         llvm::ArrayRef<GivenOption> options,
                         std::vector<InputWarning> &warnings);

/// The planners with their options as JSON: names, help, ranges and units of
/// numbers, words, and the tool of each planner.
std::string formatPlanners();

} // namespace moe::planning

#endif // MOE_PLANNING_PLANNER_H
