// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs that moe-run executes.

#ifndef MOE_EXECUTION_PROGRAMS_H
#define MOE_EXECUTION_PROGRAMS_H

#include "mlir/IR/OwningOpRef.h"
#include "moe/Conversion/CompileTarget.h"
#include "moe/Execution/Replay.h"
#include "moe/Interpreter/Arrays.h"
#include "llvm/Support/SourceMgr.h"

namespace moe::run {

/// Exit codes; scripts of users depend on them.
enum ExitCode { kDone = 0, kUnequal = 1, kWrongUse = 2 };

/// The files of the programs, and the options of both.
struct Inputs {
  std::string file;
  /// The file of the program to compare with; empty if there is none.
  std::string against;
  std::string entry;
  /// The number of ranks, if the user specified it.
  std::optional<int64_t> ranks;
  uint64_t maxBytes = 0;
  /// The targets that the programs are compiled for; nullopt for the
  /// interpreter. `againstTarget` applies to the program to compare with, which
  /// is the same program if `against` is empty.
  std::optional<CompileTarget> target, againstTarget;
  /// Arguments that are read from files instead of drawn.
  std::vector<ArrayInput> arrays;
  /// A trace that the gates' choices are taken from, and its step; empty if
  /// gates choose by themselves.
  std::string traffic;
  std::optional<int64_t> step;
};

/// Both programs. Errors are written to a stream with their source lines;
/// errors without a location begin with the name of the tool.
class Programs {
public:
  Programs(mlir::MLIRContext &context, llvm::raw_ostream &messages,
           llvm::StringRef tool)
      : context(context), messages(messages), tool(tool) {}

  /// Parses the files and compiles modules that are no longer on values.
  /// Returns false after an error message.
  bool parse(const Inputs &inputs);
  /// Finds the entry functions, applies the trace, and checks that the programs
  /// can be compared. Returns false after an error message.
  bool load(const Inputs &inputs);
  /// Reads and creates the arguments of the program that are not drawn. `load`
  /// must have succeeded. Returns false after an error message.
  bool give(const Inputs &inputs, ArgumentOptions &arguments);

  mlir::ModuleOp getModule() const { return *module; }
  const Program &getProgram() const { return *program; }
  bool hasOther() const { return static_cast<bool>(other); }
  /// Returns the program to compare with: from another file, or from the same
  /// file for another target.
  const Program &getOther() const { return *otherProgram; }
  /// Returns the trace that the gates' choices are taken from, if any.
  const std::optional<Replay> &getReplay() const { return replay; }
  const traffic::Routing *getRouting() const {
    return replay ? &replay->getRouting() : nullptr;
  }
  /// Returns the program to compare with, which is the program itself if there
  /// is no other one.
  const Program &getAgainst() const {
    return hasOther() ? *otherProgram : *program;
  }

private:
  mlir::OwningOpRef<mlir::ModuleOp> parseFile(llvm::StringRef path,
                                              llvm::SourceMgr &sources);

  /// Compiles a module of phase `runtime` or `llvm` for a target.
  bool complete(mlir::ModuleOp parsed, const std::string &file,
                std::optional<CompileTarget> target);

  mlir::MLIRContext &context;
  llvm::raw_ostream &messages;
  std::string tool;
  llvm::SourceMgr sources, otherSources;
  mlir::OwningOpRef<mlir::ModuleOp> module, other;
  std::optional<Program> program, otherProgram;
  std::optional<Replay> replay;
  /// Handles the errors of both programs; it opens the other file by name.
  std::optional<mlir::SourceMgrDiagnosticHandler> handler;
};

} // namespace moe::run

#endif // MOE_EXECUTION_PROGRAMS_H
