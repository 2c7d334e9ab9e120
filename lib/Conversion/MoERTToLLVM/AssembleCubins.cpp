// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly of kernels into machine code of GPUs.

#include "Kernels.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

namespace {

/// The assembler of CUDA.
struct Assembler {
  std::string path;
  /// The source of the path, for errors and remarks.
  std::string origin;
  /// CUDA version, 100 * major + minor.
  unsigned version = 0;
};

/// The output of a program, and whether it succeeded.
struct Answer {
  bool isDone = false;
  std::string words;
};

} // namespace

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

/// Runs a tool with stdout and stderr redirected to one file.
static Answer runTool(StringRef path, ArrayRef<StringRef> arguments) {
  // A generous limit: ptxas takes some seconds for larger kernels than these.
  constexpr unsigned kMostSeconds = 600;
  Answer answer;
  SmallString<128> said;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("moe-ptxas", "txt", said)) {
    answer.words = "no temporary file can be made: " + error.message();
    return answer;
  }
  llvm::FileRemover remover(said);
  SmallVector<StringRef> command = {path};
  command.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(), said.str(), said.str()};
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(path, command, /*Env=*/std::nullopt,
                                       redirects, kMostSeconds,
                                       /*MemoryLimit=*/0, &problem);
  answer.isDone = code == 0;
  if (auto text = llvm::MemoryBuffer::getFile(said))
    answer.words = (*text)->getBuffer().trim().str();
  if (code != 0 && (answer.words.empty() || code < 0))
    answer.words +=
        (answer.words.empty() ? "" : "; ") +
        (problem.empty() ? "exit code " + std::to_string(code) : problem);
  return answer;
}

/// Parses the version after "release 13.0"; returns 0 if there is none.
static unsigned parseVersion(StringRef text) {
  StringRef rest = text.split("release ").second;
  unsigned major = 0, minor = 0;
  if (rest.consumeInteger(10, major) || !rest.consume_front(".") ||
      rest.consumeInteger(10, minor))
    return 0;
  return 100 * major + minor;
}

static std::string findIn(StringRef toolkit) {
  SmallString<128> folder(toolkit);
  llvm::sys::path::append(folder, "bin");
  auto found = llvm::sys::findProgramByName("ptxas", {folder});
  return found ? *found : "";
}

/// Finds `ptxas`; the path is empty if it is not found.
static FailureOr<Assembler> findAssembler(Operation *op, StringRef toolkit) {
  Assembler found;
  if (!toolkit.empty()) {
    found = {findIn(toolkit), "toolkit"};
    if (found.path.empty())
      return emitError(op->getLoc())
             << "toolkit: expected a folder of CUDA with "
                "bin/ptxas, got '"
             << toolkit << "'";
  }
  if (std::optional<std::string> home = llvm::sys::Process::GetEnv("CUDA_HOME");
      found.path.empty() && home && !home->empty())
    found = {findIn(*home), "CUDA_HOME"};
  if (found.path.empty()) {
    auto onPath = llvm::sys::findProgramByName("ptxas");
    if (!onPath)
      return Assembler();
    found = {*onPath, "the path"};
  }
  Answer answer = runTool(found.path, {"--version"});
  found.version = answer.isDone ? parseVersion(answer.words) : 0;
  if (found.version == 0)
    return emitError(op->getLoc())
           << found.path << " (of " << found.origin
           << "): expected a ptxas that tells its release by --version, got '"
           << answer.words << "'; cubin-chips=none does without";
  return found;
}

//===----------------------------------------------------------------------===//
// Architectures
//===----------------------------------------------------------------------===//

/// Parses names like sm_90; returns nullopt for names with a suffix, for
/// example sm_90a.
static std::optional<int32_t> parseArchitecture(StringRef chip) {
  int32_t number = 0;
  // Rejects sm_0080, so that names are unique.
  if (!chip.consume_front("sm_") || chip.starts_with("0") ||
      chip.getAsInteger(10, number) || number < 10)
    return std::nullopt;
  return number;
}

/// Returns the first data center architecture of each generation that this
/// version supports and that runs PTX for the chip.
static SmallVector<int32_t> getDefaults(unsigned version, StringRef chip) {
  struct Known {
    int32_t architecture;
    /// The first CUDA version that supports it.
    unsigned since;
  };
  constexpr Known all[] = {{80, 1100}, {90, 1108}, {100, 1208}};
  std::optional<int32_t> first = parseArchitecture(chip);
  SmallVector<int32_t> defaults;
  for (const Known &known : all)
    if (first && *first <= known.architecture && known.since <= version)
      defaults.push_back(known.architecture);
  return defaults;
}

static FailureOr<SmallVector<int32_t>>
parseArchitectures(Operation *op, const ConvertMoERTToLLVMOptions &options) {
  SmallVector<StringRef> words;
  StringRef(options.cubinChips).split(words, ',');
  std::optional<int32_t> first = parseArchitecture(options.chip);
  SmallVector<int32_t> architectures;
  for (StringRef word : words) {
    std::optional<int32_t> architecture = parseArchitecture(word);
    if (!architecture)
      return emitError(op->getLoc())
             << "cubin-chips: expected auto, none, or architectures without a "
                "letter such as sm_80,sm_90; got '"
             << options.cubinChips << "'";
    if (!first || *architecture < *first)
      return emitError(op->getLoc())
             << "cubin-chips: expected architectures that run PTX for "
             << options.chip << ", got sm_" << *architecture;
    if (llvm::is_contained(architectures, *architecture))
      return emitError(op->getLoc())
             << "cubin-chips: expected each architecture once, "
                "got sm_"
             << *architecture << " twice";
    architectures.push_back(*architecture);
  }
  return architectures;
}

//===----------------------------------------------------------------------===//
// Cubins
//===----------------------------------------------------------------------===//

/// Finds the kernel that an error of `ptxas` names, or that contains its line.
static Operation *findKernel(gpu::GPUModuleOp kernels, StringRef ptx,
                             StringRef words) {
  for (Operation &kernel : *kernels.getBody()) {
    auto name = SymbolTable::getSymbolName(&kernel);
    if (words.contains(("'" + name.getValue() + "'").str()))
      return &kernel;
  }
  unsigned line = 0;
  if (words.split(", line ").second.consumeInteger(10, line))
    return nullptr;
  Operation *found = nullptr;
  while (line-- > 0 && !ptx.empty()) {
    auto [text, rest] = ptx.split('\n');
    StringRef name = text.split(".entry ").second;
    if (Operation *kernel = kernels.lookupSymbol(
            name.take_until([](char c) { return c == '(' || c == ' '; })))
      found = kernel;
    ptx = rest;
  }
  return found;
}

static FailureOr<std::string> assemble(gpu::GPUModuleOp kernels,
                                       const Assembler &assembler,
                                       StringRef ptx, StringRef input,
                                       int32_t architecture) {
  SmallString<128> output;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("moe-kernels", "cubin", output))
    return emitError(kernels.getLoc())
           << "no temporary file for cubins can be made: " << error.message();
  llvm::FileRemover remover(output);
  std::string chip = "sm_" + std::to_string(architecture);
  Answer answer =
      runTool(assembler.path, {"-arch=" + chip, input, "-o", output});
  if (!answer.isDone) {
    Operation *kernel = findKernel(kernels, ptx, answer.words);
    InFlightDiagnostic diag =
        kernel ? emitError(kernel->getLoc())
                     << "the kernel @"
                     << SymbolTable::getSymbolName(kernel).getValue()
                     << " of a 'moert.launch'"
               : emitError(kernels.getLoc()) << "kernels";
    diag << " cannot be assembled for " << chip << " by " << assembler.path
         << ": " << answer.words;
    return diag;
  }
  auto code = llvm::MemoryBuffer::getFile(output);
  StringRef elf = "\x7f"
                  "ELF";
  if (!code || !(*code)->getBuffer().starts_with(elf))
    return emitError(kernels.getLoc())
           << "expected a cubin for " << chip << " of " << assembler.path
           << ", got none";
  return (*code)->getBuffer().str();
}

FailureOr<SmallVector<Cubin>>
moe::assembleCubins(gpu::GPUModuleOp kernels, StringRef ptx,
                    const ConvertMoERTToLLVMOptions &options) {
  SmallVector<Cubin> cubins;
  if (options.cubinChips == "none")
    return cubins;
  bool isAuto = options.cubinChips == "auto";
  SmallVector<int32_t> architectures;
  if (!isAuto) {
    auto parsed = parseArchitectures(kernels, options);
    if (failed(parsed))
      return failure();
    architectures = std::move(*parsed);
  }
  FailureOr<Assembler> assembler = findAssembler(kernels, options.toolkit);
  if (failed(assembler))
    return failure();
  auto remark = [&] {
    return remark::passed(
        kernels.getLoc(),
        remark::RemarkOpts::name("cubins").category("convert-moert-to-llvm"));
  };
  if (assembler->path.empty()) {
    if (!isAuto)
      return emitError(kernels.getLoc())
             << "cubin-chips=" << options.cubinChips
             << ": expected a ptxas in bin of a toolkit, of CUDA_HOME, or on "
                "the path, got none";
    remark() << remark::add("none: no ptxas in CUDA_HOME or on the path");
    return cubins;
  }
  if (isAuto)
    architectures = getDefaults(assembler->version, options.chip);
  // The terminating zero is not part of the assembler's input.
  ptx = ptx.rtrim('\0');
  SmallString<128> input;
  int file = -1;
  std::error_code error =
      llvm::sys::fs::createTemporaryFile("moe-kernels", "ptx", file, input);
  if (error)
    return emitError(kernels.getLoc())
           << "no temporary file for PTX can be made: " << error.message();
  llvm::FileRemover remover(input);
  llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
  os << ptx;
  os.close();
  if (os.has_error()) {
    error = os.error();
    os.clear_error();
    return emitError(kernels.getLoc())
           << "cannot write " << input << ": " << error.message();
  }
  std::string chips;
  for (int32_t architecture : architectures) {
    FailureOr<std::string> code =
        assemble(kernels, *assembler, ptx, input, architecture);
    if (failed(code))
      return failure();
    cubins.push_back({architecture, std::move(*code)});
    chips += (chips.empty() ? "sm_" : ", sm_") + std::to_string(architecture);
  }
  remark() << remark::add("{0} by {1} {2}.{3} (of {4})",
                          chips.empty() ? "none" : chips, assembler->path,
                          assembler->version / 100, assembler->version % 100,
                          assembler->origin);
  return cubins;
}
