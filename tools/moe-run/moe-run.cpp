//===- moe-run.cpp - Executes a program, or proves two equal ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "moe/Execution/Compile.h"
#include "moe/Execution/HostExecution.h"
#include "moe/Interpreter/Interpreter.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
namespace cl = llvm::cl;

namespace {
/// Exit codes users' scripts depend on.
enum ExitCode { kDone = 0, kUnequal = 1, kWrongUse = 2 };

cl::OptionCategory category("moe-run options");
cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("IN"),
                           cl::cat(category));
cl::opt<std::string>
    backend("backend", cl::init("interp"), cl::value_desc("NAME"),
            cl::desc("What executes: interp, the reference interpreter "
                     "(default), or host, compiled code with a thread for "
                     "each rank"),
            cl::cat(category));
cl::opt<double> deadline("deadline", cl::init(60), cl::value_desc("SECONDS"),
                         cl::desc("Longest wait of a rank for another "
                                  "(--backend=host; default 60)"),
                         cl::cat(category));
cl::opt<int64_t>
    ranks("ranks", cl::init(0), cl::value_desc("N"),
          cl::desc("Number of ranks; must be the module's where it has a mesh "
                   "or replica groups"),
          cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::init(0), cl::value_desc("S"),
                       cl::desc("What arguments and routings are drawn from "
                                "(default 0)"),
                       cl::cat(category));
cl::opt<std::string>
    against("against", cl::value_desc("IN2"),
            cl::desc("Execute this program on the same arguments too: exit 0 "
                     "when all results are equal, 1 with the first difference"),
            cl::cat(category));
cl::opt<bool> symbolic("symbolic",
                       cl::desc("Execute on terms: with --against a proof for "
                                "all data"),
                       cl::cat(category));
cl::opt<unsigned> samples("samples", cl::init(4), cl::value_desc("N"),
                          cl::desc("Routings to try with --symbolic "
                                   "(default 4)"),
                          cl::cat(category));
cl::opt<std::string> entry("entry", cl::value_desc("NAME"),
                           cl::desc("Function to execute (default: main, or "
                                    "the only public one)"),
                           cl::cat(category));
cl::opt<bool> printValues("print-values",
                          cl::desc("Print all elements of the results"),
                          cl::cat(category));
cl::opt<uint64_t> maxBytes("max-bytes", cl::value_desc("N"),
                           cl::desc("Memory for tensors and terms (default: "
                                    "half of this machine's, at most 8 GiB)"),
                           cl::cat(category));
} // namespace

/// Half of the memory that the machine has and that the process may take, at
/// most 8 GiB: a program that needs more is told so instead of being killed.
static uint64_t getDefaultMaxBytes() {
  uint64_t limit = uint64_t(8) << 30;
  long pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
  if (pages > 0 && pageSize > 0)
    limit = std::min(limit, uint64_t(pages) * uint64_t(pageSize) / 2);
  rlimit addresses;
  if (getrlimit(RLIMIT_AS, &addresses) == 0 &&
      addresses.rlim_cur != RLIM_INFINITY)
    limit = std::min<uint64_t>(limit, addresses.rlim_cur / 2);
  return limit;
}

/// Ends the process when an allocation fails; nothing here may allocate.
static void endOutOfMemory(void *, const char *, bool) {
  static constexpr char message[] =
      "moe-run: error: out of memory; --max-bytes=N bounds what tensors and "
      "terms may take\n";
  // Should stderr not take it, the exit code still says it.
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, message, sizeof(message) - 1);
  _exit(kWrongUse);
}

/// Parses a file; errors go to stderr with their line.
static OwningOpRef<ModuleOp> parse(StringRef path, MLIRContext &context,
                                   llvm::SourceMgr &sources) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
  if (!buffer) {
    llvm::errs() << "moe-run: error: " << error << "\n";
    return nullptr;
  }
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  return parseSourceFile<ModuleOp>(sources, &context);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(endOutOfMemory);
  moe::handleWriteErrors("moe-run", kWrongUse, argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-run of moe-mlir " MOE_VERSION "\n";
  });
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "moe-run: executes the program of all ranks, or compares two\n",
          &llvm::errs()))
    return kWrongUse;
  auto wrongUse = [](const Twine &message) {
    llvm::errs() << "moe-run: error: " << message << "\n";
    return kWrongUse;
  };
  bool onHost = backend == "host";
  if (backend != "interp" && !onHost)
    return wrongUse("--backend: expected interp or host, got " + backend);
  if (onHost && symbolic)
    return wrongUse("--symbolic goes with --backend=interp");
  if (deadline.getNumOccurrences() && !onHost)
    return wrongUse("--deadline goes with --backend=host");
  // The runtime counts microseconds; a year is as good as forever.
  if (!(deadline >= 1e-6 && deadline <= 3.2e7))
    return wrongUse("--deadline: expected seconds in [1e-6, 3.2e7], got " +
                    std::to_string(deadline));
  if (samples < 1)
    return wrongUse("--samples: expected at least 1, got 0");
  if (ranks.getNumOccurrences() && ranks < 1)
    return wrongUse("--ranks: expected at least 1, got " + Twine(ranks));
  if (samples.getNumOccurrences() && !symbolic)
    return wrongUse("--samples goes with --symbolic");
  if (against.getNumOccurrences() && against.empty())
    return wrongUse("expected a file after --against=, got nothing");
  if (entry.getNumOccurrences() && entry.empty())
    return wrongUse("expected a function's name after --entry=, got nothing");
  if (printValues && !against.empty())
    return wrongUse("--print-values does not go with --against");

  DialectRegistry registry;
  moe::registerAllDialects(registry);
  if (onHost)
    moe::registerCompilation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Ops nobody registered are uninterpreted functions on terms.
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);

  std::optional<int64_t> wantedRanks;
  if (ranks.getNumOccurrences())
    wantedRanks = ranks;
  moe::InterpreterOptions options;
  options.seed = seed;
  options.symbolic = symbolic;
  options.samples = samples;
  options.maxBytes =
      maxBytes.getNumOccurrences() ? maxBytes : getDefaultMaxBytes();
  options.printValues = printValues;
  if (onHost) {
    options.backend = backend;
    options.executor = [](const moe::Program &program, moe::Domain &domain,
                          moe::MemoryBudget &budget) {
      moe::HostExecutionOptions host;
      host.deadlineUs = static_cast<int64_t>(deadline * 1e6);
      return moe::executeOnHost(program, domain, budget, host);
    };
  }

  llvm::SourceMgr sources, otherSources;
  OwningOpRef<ModuleOp> module = parse(input, context, sources);
  if (!module)
    return kWrongUse;
  OwningOpRef<ModuleOp> other;
  if (!against.empty()) {
    other = parse(against, context, otherSources);
    if (!other)
      return kWrongUse;
  }
  // Errors of either program; the handler opens the other file by its name.
  SourceMgrDiagnosticHandler handler(sources, &context);
  FailureOr<moe::Program> program =
      moe::Program::load(*module, input, entry, wantedRanks, options.maxBytes);
  if (failed(program))
    return kWrongUse;
  if (!other)
    return succeeded(moe::interpret(*program, options, llvm::outs()))
               ? kDone
               : kWrongUse;
  FailureOr<moe::Program> otherProgram =
      moe::Program::load(*other, against, entry, wantedRanks, options.maxBytes);
  if (failed(otherProgram) ||
      failed(moe::verifyComparable(*program, *otherProgram)))
    return kWrongUse;
  FailureOr<bool> equal =
      moe::compare(*program, *otherProgram, options, llvm::outs());
  if (failed(equal))
    return kWrongUse;
  return *equal ? kDone : kUnequal;
}
