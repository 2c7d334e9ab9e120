// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners, without any IR.

#include "Commands.h"
#include "moe/Support/OldNames.h"
#include "moe/Support/Progress.h"
#include "moe/Tools/FrameworkFlags.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe::plan;

int main(int argc, char **argv) {
  moe::handleWriteErrors("moe-plan", kWrongUse, argc, argv);
  std::unique_ptr<Command> commands[] = {
      createAllToAllCommand(),   createCircuitsCommand(),
      createCollectiveCommand(), createConflictsCommand(),
      createCostCommand(),       createDegreeCommand(),
      createDispatchCommand(),   createDispatchKernelCommand(),
      createExpandCommand(),     createFabricCommand(),
      createFlagsCommand(),      createGemmCommand(),
      createGradientsCommand(),  createJobCommand(),
      createMemoryCommand(),     createPredictCommand(),
      createStepCommand(),       createSweepCommand(),
      createTrafficCommand()};
  cl::AddExtraVersionPrinter(
      [](raw_ostream &os) { os << "moe-plan of moe-mlir " MOE_VERSION "\n"; });

  // LLVM's libraries bring hundreds of options along that mean nothing here.
  cl::OptionCategory none("Options of moe-plan");
  cl::HideUnrelatedOptions(none);

  // The command-line parser would take the first word for an argument without
  // a place; say what there is instead.
  StringRef first = argc > 1 ? argv[1] : "";
  auto isFirst = [&](const std::unique_ptr<Command> &command) {
    return command->getName() == first;
  };
  auto *command = llvm::find_if(commands, isFirst);
  if (!first.starts_with("-") && command == std::end(commands)) {
    errs() << "moe-plan: error: expected one of the subcommands "
           << llvm::join(llvm::map_range(commands,
                                         [](const auto &command) {
                                           return command->getName();
                                         }),
                         ", ")
           << ", got "
           << (argc > 1 ? "'" + first.str() + "'" : std::string("none"))
           << "\n";
    return kWrongUse;
  }
  if (std::string problem = moe::checkFrameworkFlags(
          argc, argv,
          command == std::end(commands) ? cl::SubCommand::getTopLevel()
                                        : (*command)->getSubCommand());
      !problem.empty()) {
    errs() << "moe-plan: error: " << problem << "\n";
    return kWrongUse;
  }
  auto arguments = moe::renameArguments(argc, argv);
  if (!cl::ParseCommandLineOptions(
          argc, arguments.data(),
          "moe-plan: plan the communication of MoE training\n", &errs()))
    return kWrongUse;

  for (const std::unique_ptr<Command> &command : commands) {
    if (!command->isChosen())
      continue;
    if (std::string problem = moe::checkGivenOnce(command->getSubCommand());
        !problem.empty()) {
      errs() << "moe-plan: error: " << problem << "\n";
      return kWrongUse;
    }
    if (std::string problem = moe::checkOutputs(); !problem.empty()) {
      errs() << "moe-plan: error: " << problem << "\n";
      return kWrongUse;
    }
    // An answer is printed whole or not at all.
    std::string answer;
    raw_string_ostream os(answer);
    std::optional<Failure> failure;
    {
      moe::support::Activity activity("moe-plan " + command->getName().str());
      failure = command->run(os);
    }
    if (failure) {
      errs() << "moe-plan: error: " << failure->message << "\n";
      return kWrongUse;
    }
    outs() << answer;
    return command->getExitCode();
  }
  errs() << "moe-plan: error: expected a subcommand before the options\n";
  return kWrongUse;
}
