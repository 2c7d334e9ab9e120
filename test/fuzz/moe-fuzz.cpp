//===- moe-fuzz.cpp - Fuzzes the parser, verifiers and passes -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is checked of any text:
// - parsing and verifying it ends, without a crash;
// - a module that verifies survives printing and reading in the pretty form,
//   the generic form and bytecode, and prints the same again;
// - canonicalization and CSE leave it valid;
// - the passes end, and leave it valid where they succeed.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "moe/IR/MoEOps.h"
#include "moe/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <memory>

using namespace mlir;

namespace {

/// Inputs one context serves: types and attributes live as long as their
/// context, so it must be replaced, but making one for each input is slow.
constexpr unsigned inputsPerContext = 200;

std::unique_ptr<MLIRContext> makeContext() {
  auto context =
      std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  // Only what modules of ours consist of: crashes of upstream parsers of
  // other dialects are not ours to find.
  context->loadDialect<moe::MoEDialect, arith::ArithDialect, func::FuncDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
  // The handler is part of the context and swallows what is reported.
  context->getDiagEngine().registerHandler(
      [](Diagnostic &) { return success(); });
  return context;
}

MLIRContext &getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned served = 0;
  if (served++ % inputsPerContext == 0)
    context = makeContext();
  return *context;
}

[[noreturn]] void report(StringRef what, StringRef text) {
  llvm::errs() << "moe-fuzz: " << what << "\n" << text << "\n";
  std::abort();
}

/// Text on which upstream's own parser is known to crash (MLIR 22.1): not ours
/// to find again and again.
bool isKnownUpstreamCrash(StringRef text) {
  // A dense array of anything but the element types it can hold.
  for (StringRef rest = text.split("array<").second; !rest.empty();
       rest = rest.split("array<").second) {
    StringRef element = rest.ltrim().take_while(llvm::isAlnum);
    if (!llvm::is_contained({"i1", "i8", "i16", "i32", "i64", "f32", "f64"},
                            element))
      return true;
  }
  return false;
}

std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

void checkRoundTrip(ModuleOp module) {
  MLIRContext *context = module.getContext();
  for (bool generic : {false, true}) {
    std::string text = print(module, generic);
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, context);
    if (!again)
      report("a valid module does not parse again", text);
    std::string second = print(*again, generic);
    if (second != text)
      report("a module prints differently after parsing", text + second);
  }

  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(module, os)))
    report("a valid module has no bytecode", print(module, false));
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(bytes, context);
  if (!again)
    report("bytecode does not read back", print(module, false));
  if (print(*again, false) != print(module, false))
    report("bytecode reads back differently", print(module, false));
}

/// Runs passes on a copy. They may refuse (`mayFail`), but what they leave
/// behind when they succeed is valid.
void checkPasses(ModuleOp module, bool mayFail,
                 llvm::function_ref<void(OpPassManager &)> build) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(copy->getContext());
  manager.enableVerifier(false);
  build(manager);
  if (failed(manager.run(*copy))) {
    if (!mayFail)
      report("a pass failed on a valid module", print(module, false));
    return;
  }
  if (failed(verify(*copy)))
    report("a pass left an invalid module", print(module, false));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The lexer wants a terminating zero, and stops at one.
  std::string text(reinterpret_cast<const char *>(data), size);
  if (isKnownUpstreamCrash(text))
    return 0;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &getContext());
  if (!module)
    return 0;
  checkRoundTrip(*module);
  checkPasses(*module, /*mayFail=*/false, [](OpPassManager &manager) {
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
  });
  checkPasses(*module, /*mayFail=*/true, [](OpPassManager &manager) {
    manager.addPass(moe::createVerifyCollectives());
  });
  checkPasses(*module, /*mayFail=*/true, [](OpPassManager &manager) {
    manager.addPass(moe::createDecomposeAllToAll());
    manager.addPass(createCanonicalizerPass());
  });
  return 0;
}

static size_t copyOut(StringRef text, uint8_t *data, size_t maxSize) {
  size_t size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::string text(reinterpret_cast<char *>(data), size);
  return copyOut(moe::fuzz::Mutator(seed).mutate(std::move(text)), data,
                 maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  std::string text(reinterpret_cast<const char *>(first), firstSize);
  std::string other(reinterpret_cast<const char *>(second), secondSize);
  return copyOut(moe::fuzz::Mutator(seed).splice(text, other), out, maxSize);
}
