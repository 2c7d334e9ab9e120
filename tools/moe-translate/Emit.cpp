// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules as object files and headers.

#include "Emit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/FileUtilities.h"
#include "moe/Dialect/MoE/ParseModule.h"
#include "moe/Execution/Compile.h"
#include "moe/Execution/Emit.h"
#include "moe/Interpreter/Program.h"
#include "moe/Support/OutputFile.h"
#include "moe/Support/Progress.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/OutputOption.h"
#include "moe/Tools/Register.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
enum ExitCode { kDone = 0, kWrongUse = 2 };
} // namespace

bool moe::asksToEmit(int argc, const char *const *argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--")
      return false;
    if (argument.consume_front("-")) {
      argument.consume_front("-");
      if (argument == "emit" || argument.starts_with("emit="))
        return true;
    }
  }
  return false;
}

int moe::runEmit(int argc, const char *const *argv) {
  // Defined here and not at file scope, because translations have options with
  // the same names and are not registered if this command is used.
  static cl::OptionCategory category("moe-translate --emit options");
  // Checked here instead of by the parser, so that messages give the expected
  // values.
  static cl::opt<std::string> input(cl::Positional, cl::desc("IN"),
                                    cl::cat(category));
  static cl::opt<std::string> emit(
      "emit", cl::value_desc("WHAT"),
      cl::desc("Output: object, an object file for this machine's CPU, to link "
               "with libmoert; header, its C header; llvm, its LLVM IR; ptx, "
               "its GPU kernels (--target=nccl)"),
      cl::cat(category));
  static OutputOption output(
      "o", cl::value_desc("OUT"),
      cl::desc("Output file, or - for stdout (default for text output)"),
      cl::cat(category));
  static cl::opt<std::string> entry(
      "entry", cl::value_desc("NAME"),
      cl::desc(
          "Function to compile (default: main, or the only public function)"),
      cl::cat(category));
  // An option does not copy its description.
  static const std::string targetWords =
      "Target backend: " + listEnumNames<CompileTarget>() + " (default: host)";
  static cl::opt<std::string> target("target", cl::value_desc("TARGET"),
                                     cl::init("host"), cl::desc(targetWords),
                                     cl::cat(category));
  static cl::opt<std::string> chip(
      "chip", cl::value_desc("ARCHITECTURE"),
      cl::desc("With --target=nccl: oldest GPU architecture to support "
               "(default: sm_75)"),
      cl::cat(category));
  static cl::opt<std::string> cubinChips(
      "cubin-chips", cl::value_desc("auto|none|ARCHITECTURE,..."),
      cl::desc("With --target=nccl: architectures to embed machine code for, "
               "in addition to PTX (default: auto, which is sm_80, sm_90 and "
               "sm_100 if ptxas supports them)"),
      cl::cat(category));
  static cl::opt<std::string> toolkit(
      "toolkit", cl::value_desc("FOLDER"),
      cl::desc("With --target=nccl: CUDA directory whose bin/ptxas assembles "
               "machine code (default: $CUDA_HOME, then the search path)"),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "moe-translate: compile a module to an "
                                   "object file, header or LLVM IR\n",
                                   &llvm::errs()))
    return kWrongUse;
  std::string wrong = checkGivenOnce();
  bool isKnown =
      emit == "object" || emit == "header" || emit == "llvm" || emit == "ptx";
  if (wrong.empty() && !isKnown)
    wrong = "--emit: expected object, header, llvm or ptx, got '" + emit + "'";
  else if (wrong.empty() && input.empty())
    wrong = "expected a module file, or - for stdin, got none";
  else if (wrong.empty() && output.empty() && emit != "object")
    output.setValue("-");
  else if (wrong.empty() && output.empty())
    wrong = "-o: expected a file, or - for stdout, got none";
  std::optional<CompileTarget> backend = parseEnumName<CompileTarget>(target);
  if (wrong.empty() && !backend)
    wrong = "--target: expected one of " + listEnumNames<CompileTarget>() +
            ", got '" + target + "'";
  for (auto [option, expected] :
       {std::pair(&chip, "an architecture such as sm_90"),
        std::pair(&cubinChips, "auto, none, or architectures"),
        std::pair(&toolkit, "a CUDA directory")}) {
    if (!wrong.empty() || option->getNumOccurrences() == 0)
      continue;
    std::string name = "--" + option->ArgStr.str();
    if (option->empty())
      wrong = name + ": expected " + expected + ", got nothing";
    else if (backend != CompileTarget::Nccl)
      wrong = name + " requires --target=nccl";
  }
  if (wrong.empty() && emit == "ptx" && backend != CompileTarget::Nccl)
    wrong = "--emit=ptx requires --target=nccl, got --target=" + target;
  // Neither contains machine code of kernels.
  if (wrong.empty() && (emit == "header" || emit == "ptx"))
    for (cl::opt<std::string> *option : {&cubinChips, &toolkit})
      if (option->getNumOccurrences() > 0 && wrong.empty())
        wrong = "--" + option->ArgStr.str() +
                " requires --emit=object or llvm, got --emit=" + emit +
                ", which contains no machine code of kernels";
  if (wrong.empty())
    wrong = checkOutputs();
  if (!wrong.empty()) {
    llvm::errs() << "moe-translate: error: " << wrong << "\n";
    return kWrongUse;
  }

  support::Activity activity("compiling " + input);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerCompilation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &error);
  if (!buffer) {
    llvm::errs() << "moe-translate: error: " << error << "\n";
    return kWrongUse;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseModule(sources, &context);
  ConvertMoERTToLLVMOptions lowering;
  lowering.target = *backend;
  lowering.toolkit = toolkit;
  if (!chip.empty())
    lowering.chip = chip;
  if (!cubinChips.empty())
    lowering.cubinChips = cubinChips;
  // Headers and PTX contain no machine code of kernels, so none is built.
  if (emit != "object" && backend == CompileTarget::Nccl &&
      cubinChips.getNumOccurrences() == 0)
    lowering.cubinChips = "none";
  if (!module || failed(completeLowered(*module, lowering)))
    return kWrongUse;
  FailureOr<Program> program =
      Program::load(*module, input, entry, /*ranks=*/std::nullopt,
                    /*maxBytes=*/std::numeric_limits<uint64_t>::max());
  if (failed(program))
    return kWrongUse;
  func::FuncOp function = program->getEntry();

  // Generates everything before writing anything. Object and header are useless
  // without each other, so each rejects the same programs as the other.
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  if ((emit == "object" || emit == "header") && failed(verifyHeader(function)))
    return kWrongUse;
  FailureOr<OwningOpRef<ModuleOp>> code = compileToLLVM(
      *module, function.getSymName(), /*onScheduled=*/{}, lowering);
  if (succeeded(code) && emit == "object")
    addDescription(*program, **code);
  if (failed(code) || (emit == "object" && failed(emitObject(**code, os))) ||
      (emit == "llvm" && failed(emitLLVM(**code, os))) ||
      (emit == "ptx" && failed(emitPTXText(**code, os))))
    return kWrongUse;
  if (emit == "header")
    emitHeader(*program, **code, os);
  auto failure = support::writeOutputFile(
      output, [&](raw_ostream &file) { file << text; });
  if (failure)
    llvm::errs() << "moe-translate: error: -o: " << failure->message << "\n";
  return failure ? kWrongUse : kDone;
}
