// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners by name.
//
// A planner `X` consists of a struct `XInput` with its options as fields (their
// help has the units), a struct `XAnswer`, and a function `planX` that computes
// the answer or fails. Planners neither print nor parse a command line. C++
// code calls `planX`; callers with names and texts (moe-plan, C, Python) use
// the list of planners, which reads and writes the same fields.

#ifndef MOE_PLANNING_PLANNER_H
#define MOE_PLANNING_PLANNER_H

#include "moe/Options/Option.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace moe::planning {

using cost::Failure;
using cost::Result;

/// The base of planner inputs. It is a base class so that the table exists
/// before the fields that register themselves in it.
struct Input {
  OptionTable table;
};

/// The title and JSON of an answer, for callers that do not know its type.
struct FormattedAnswer {
  std::string title, json;
};

/// A planner's input, and its answer after `answer` succeeded.
class Question {
public:
  virtual ~Question() = default;

  virtual OptionTable &getTable() = 0;
  /// Runs the planner. A failure names the option or file, the expected value
  /// and the value found.
  virtual std::optional<Failure> answer() = 0;
  /// Formats the answer. Requires that `answer` succeeded.
  virtual FormattedAnswer format() const = 0;
};

/// Formats an answer as a JSON object with the members that `printJSON` writes.
/// `kJsonIndent` is the indentation; 0 prints a single line.
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

/// The domain of a planner.
enum class Subject { Training, Fabrics };

/// An entry in the list of planners.
struct Planner {
  llvm::StringLiteral name, description;
  Subject subject;
  std::unique_ptr<Question> (*ask)();
};

/// Creates a question for a planner with these types.
template <typename InputT, typename AnswerT, Result<AnswerT> (*plan)(InputT &)>
std::unique_ptr<Question> ask() {
  return std::make_unique<TypedQuestion<InputT, AnswerT>>(plan);
}

/// Returns all planners, sorted by name.
llvm::ArrayRef<Planner> listPlanners();
/// Adds the planners of an optional component. Must be called before the list
/// is first read.
void registerPlanners(llvm::ArrayRef<Planner> planners);
/// Returns the planner with this name, or null.
const Planner *findPlanner(llvm::StringRef name);

/// The name of an option without dashes, and its value as text: "true" or
/// "false" for a flag. A list option is repeated for each item.
using GivenOption = std::pair<std::string, std::string>;

/// Runs a planner and returns its answer as JSON, as `moe-plan NAME --json`
/// prints it. Appends warnings about the input to `warnings`.
Result<std::string> plan(llvm::StringRef name,
                         llvm::ArrayRef<GivenOption> options,
                         std::vector<InputWarning> &warnings);

/// Returns the planners and their options as JSON: names, help, ranges and
/// units of numbers, allowed words, and the tool of each planner.
std::string formatPlanners();

} // namespace moe::planning

#endif // MOE_PLANNING_PLANNER_H
