// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs that are run.

#ifndef MOE_EXECUTION_PROGRAMS_H
#define MOE_EXECUTION_PROGRAMS_H

#include "mlir/IR/OwningOpRef.h"
#include "moe/Conversion/CompileTarget.h"
#include "moe/Execution/Replay.h"
#include "moe/Interpreter/Arrays.h"
#include "llvm/Support/SourceMgr.h"

namespace moe::run {

/// Exit codes users' scripts depend on.
enum ExitCode { kDone = 0, kUnequal = 1, kWrongUse = 2 };

/// The files and what is asked of both.
struct Inputs {
  std::string file;
  /// To be compared with it; empty when it is not.
  std::string against;
  std::string entry;
  /// Where the user says how many.
  std::optional<int64_t> ranks;
  uint64_t maxBytes = 0;
  /// What code is executed, nullopt for the interpreter: of the file, and of
  /// what it is compared with, which is the file itself without `against`.
  std::optional<CompileTarget> target, againstTarget;
  /// Arguments that are not drawn.
  std::vector<ArrayInput> arrays;
  /// A trace whose choices the gates take, at a step of it; empty without.
  std::string traffic;
  std::optional<int64_t> step;
};

/// Both programs; errors go to a stream with their lines, those of no line with
/// the name of the tool.
class Programs {
public:
  Programs(mlir::MLIRContext &context, llvm::raw_ostream &messages,
           llvm::StringRef tool)
      : context(context), messages(messages), tool(tool) {}

  /// Parses the files and brings modules that are past values to code. False
  /// when a message says why not.
  bool parse(const Inputs &inputs);
  /// Finds the entries, gives them what traffic says, and checks that programs
  /// can be compared. False when a message says why not.
  bool load(const Inputs &inputs);
  /// Reads and makes the arguments of the program that are not drawn, once it
  /// is loaded. False when a message says why not.
  bool give(const Inputs &inputs, ArgumentOptions &arguments);

  mlir::ModuleOp getModule() const { return *module; }
  const Program &getProgram() const { return *program; }
  bool hasOther() const { return static_cast<bool>(other); }
  /// The one to compare with: of another file, or the same file's made for
  /// another target.
  const Program &getOther() const { return *otherProgram; }
  /// What the gates choose, where that is not theirs.
  const std::optional<Replay> &getReplay() const { return replay; }
  const traffic::Routing *getRouting() const {
    return replay ? &replay->getRouting() : nullptr;
  }
  /// What the program is compared with: itself where there is no other.
  const Program &getAgainst() const {
    return hasOther() ? *otherProgram : *program;
  }

private:
  mlir::OwningOpRef<mlir::ModuleOp> parseFile(llvm::StringRef path,
                                              llvm::SourceMgr &sources);

  /// Brings a module of phase `runtime` or `llvm` to code for a target.
  bool complete(mlir::ModuleOp parsed, const std::string &file,
                std::optional<CompileTarget> target);

  mlir::MLIRContext &context;
  llvm::raw_ostream &messages;
  std::string tool;
  llvm::SourceMgr sources, otherSources;
  mlir::OwningOpRef<mlir::ModuleOp> module, other;
  std::optional<Program> program, otherProgram;
  std::optional<Replay> replay;
  /// Errors of either program: it opens the other file by its name.
  std::optional<mlir::SourceMgrDiagnosticHandler> handler;
};

} // namespace moe::run

#endif // MOE_EXECUTION_PROGRAMS_H
