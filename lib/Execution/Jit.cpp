// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs in this process.

#include "Jit.h"
#include "Recorder.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moe/Execution/NativeSymbols.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace moe;

static SmallVector<NativeSymbol> &getNativeSymbols() {
  static SmallVector<NativeSymbol> symbols;
  return symbols;
}

void moe::registerNativeSymbols(ArrayRef<NativeSymbol> symbols) {
  getNativeSymbols().assign(symbols.begin(), symbols.end());
}

/// The functions compiled programs call, by the names they call them.
static llvm::orc::SymbolMap
getRuntimeSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
#define MOERT_OCS_CALL(name)
#define MOERT_CALL(name)                                                       \
  symbols[mangle(rt::symbols::name)] = {                                       \
      llvm::orc::ExecutorAddr::fromPtr(&moert_##name),                         \
      llvm::JITSymbolFlags::Exported};
#define MOERT_WORK(name) MOERT_CALL(name)
#define MOERT_KERNEL(name, Name, args) MOERT_CALL(name)
#include "moert_calls.def"
  for (const NativeSymbol &own : getNativeSymbols())
    symbols[mangle(own.name)] = {llvm::orc::ExecutorAddr::fromPtr(own.address),
                                 llvm::JITSymbolFlags::Exported};
  return symbols;
}

FailureOr<Jit> Jit::create(ModuleOp module, bool recorded) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0,
                                            /*targetMachine=*/nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options);
  if (!engine)
    return emitError(module.getLoc()) << "cannot be compiled for this machine: "
                                      << llvm::toString(engine.takeError());
  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols = getRuntimeSymbols(mangle);
    if (recorded)
      addRecordingSymbols(symbols, mangle);
    return symbols;
  });
  return Jit(std::move(*engine));
}

FailureOr<void *> Jit::find(Location loc, const std::string &name) const {
  auto address = engine->lookup(name);
  if (!address)
    return emitError(loc) << "cannot be linked: "
                          << llvm::toString(address.takeError());
  return *address;
}

FailureOr<EntryFunction> Jit::lookup(Location loc, StringRef entry) const {
  FailureOr<void *> found = find(loc, (rt::kCodePrefix + entry).str());
  if (failed(found))
    return failure();
  return reinterpret_cast<EntryFunction>(*found);
}

FailureOr<PrepareFunction> Jit::lookupPrepare(Location loc,
                                              StringRef entry) const {
  FailureOr<void *> found =
      find(loc, (rt::kCodePrefix + entry + "_prepare").str());
  if (failed(found))
    return failure();
  return reinterpret_cast<PrepareFunction>(*found);
}
