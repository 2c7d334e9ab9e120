// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs that moe-run executes.

#include "moe/Execution/Programs.h"
#include "mlir/Support/FileUtilities.h"
#include "moe/Compiler/Phase.h"
#include "moe/Dialect/MoE/ParseModule.h"
#include "moe/Execution/Compile.h"

using namespace mlir;
using namespace moe;
using namespace moe::run;

OwningOpRef<ModuleOp> Programs::parseFile(StringRef path,
                                          llvm::SourceMgr &fileSources) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
  if (!buffer) {
    messages << tool << ": error: " << error << "\n";
    return nullptr;
  }
  fileSources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler parsing(fileSources, &context, messages);
  return parseModule(fileSources, &context);
}

bool Programs::parse(const Inputs &inputs) {
  module = parseFile(inputs.file, sources);
  if (!module)
    return false;
  if (!inputs.against.empty()) {
    other = parseFile(inputs.against, otherSources);
    if (!other)
      return false;
  }
  handler.emplace(sources, &context, messages);
  if (other)
    return complete(*module, inputs.file, inputs.target) &&
           complete(*other, inputs.against, inputs.againstTarget);
  // If there is no other program, both backends execute this one.
  if (!inputs.target || !inputs.againstTarget)
    return complete(*module, inputs.file, std::nullopt);
  // A program on buffers is compiled for one target, so another target needs a
  // copy.
  if (inputs.target != inputs.againstTarget &&
      findPhase(*module) == CompilePhase::Runtime) {
    other = cast<ModuleOp>((*module)->clone());
    if (!complete(*other, inputs.file, inputs.againstTarget))
      return false;
  }
  return complete(*module, inputs.file, inputs.target);
}

bool Programs::complete(ModuleOp parsed, const std::string &file,
                        std::optional<CompileTarget> target) {
  CompilePhase phase = findPhase(parsed);
  if (phase < CompilePhase::Runtime || target) {
    CompileTarget chosen = target.value_or(CompileTarget::Host);
    return succeeded(completeLowered(parsed, getOptionsToRun(chosen)));
  }
  messages << tool << ": error: " << file << ": expected a program on values, "
           << "which the interpreter executes, got phase " << getName(phase)
           << ": run it with --backend=host, mpi or nccl, and let the "
              "interpreter have the one on values that it was made from "
              "(--against)\n";
  return false;
}

bool Programs::load(const Inputs &inputs) {
  auto loadOne = [&](OwningOpRef<ModuleOp> &from, StringRef file,
                     std::optional<Program> &to) {
    FailureOr<Program> loaded =
        Program::load(*from, file, inputs.entry, inputs.ranks, inputs.maxBytes);
    if (failed(loaded))
      return false;
    to.emplace(std::move(*loaded));
    return !replay || succeeded(replay->apply(*to));
  };
  if (!inputs.traffic.empty()) {
    cost::Result<Replay> loaded = Replay::load(inputs.traffic, inputs.step);
    if (!loaded) {
      messages << tool << ": error: " << loaded.getError() << "\n";
      return false;
    }
    replay.emplace(std::move(*loaded));
  }
  if (!loadOne(module, inputs.file, program))
    return false;
  if (!other)
    return true;
  StringRef otherFile = inputs.against.empty() ? inputs.file : inputs.against;
  return loadOne(other, otherFile, otherProgram) &&
         succeeded(verifyComparable(*program, *otherProgram));
}

bool Programs::give(const Inputs &inputs, ArgumentOptions &arguments) {
  std::optional<cost::Failure> failure =
      loadArrays(inputs.arrays, *program, sources, arguments);
  if (!failure && replay)
    failure = replay->give(*program, arguments);
  if (failure)
    messages << tool << ": error: " << failure->message << "\n";
  else if (replay)
    messages << tool << ": " << replay->describe() << "\n";
  return !failure;
}
