// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and passes.

#include "Handles.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "moe/Dialect/MoE/ParseModule.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

MoeModule *moeModuleParse(MoeContext *context, const char *text, size_t length,
                          const char *name) {
  if (!text) {
    context->fail("expected the text of a module, got NULL");
    return nullptr;
  }
  llvm::SourceMgr sources;
  // A copy is needed because the lexer expects a terminating 0.
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy({text, length}, name ? name : ""),
      llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseModule(sources, &context->context);
  if (!module)
    return nullptr;
  return new MoeModule{*context, std::move(module)};
}

MoeModule *moeModuleClone(const MoeModule *module) {
  return new MoeModule{module->context,
                       OwningOpRef(cast<ModuleOp>((*module->module)->clone()))};
}

void moeModuleDestroy(MoeModule *module) { delete module; }

char *moeModulePrint(const MoeModule *module, int flags) {
  OpPrintingFlags printing;
  if (flags & MOE_PRINT_GENERIC)
    printing.printGenericOpForm();
  if (flags & MOE_PRINT_LOCATIONS)
    printing.enableDebugInfo();
  std::string text;
  llvm::raw_string_ostream os(text);
  ModuleOp(*module->module)->print(os, printing);
  if (!StringRef(text).ends_with("\n"))
    os << "\n";
  return moe::capi::makeString(text);
}

MoeStatus moeModuleRunPipeline(MoeModule *module, const char *pipeline) {
  MoeContext &context = module->context;
  if (!pipeline) {
    context.fail("expected a pipeline of passes, got NULL");
    return MOE_FAILURE;
  }
  PassManager manager(&context.context);
  StringRef text(pipeline);
  // Like in MLIR's tools, the anchor may be part of the text.
  if (text.trim().starts_with("builtin.module(") && text.trim().ends_with(")"))
    text = text.trim().drop_front(strlen("builtin.module(")).drop_back();
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (failed(parsePassPipeline(text, manager, os))) {
    context.fail("expected a pipeline of passes, got '" + StringRef(pipeline) +
                 "': " + StringRef(problem).trim());
    return MOE_FAILURE;
  }
  return succeeded(manager.run(*module->module)) ? MOE_SUCCESS : MOE_FAILURE;
}
