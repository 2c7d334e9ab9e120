// A planner called from C++ with the installed libraries.
#include "moe/Planning/AllToAll.h"

int main() {
  moe::planning::AllToAllInput input;
  input.platform.platform = "fsmoe-b";
  input.bytes = 1 << 26;
  input.job.job.ep = 8;
  input.job.job.tp = 4;
  auto answer = moe::planning::planAllToAll(input);
  if (!answer) {
    llvm::errs() << answer.getError() << "\n";
    return 1;
  }
  llvm::outs() << "all-to-all: "
               << moe::schedule::getName(answer->choice.plan.chosen) << "\n";
  return 0;
}
