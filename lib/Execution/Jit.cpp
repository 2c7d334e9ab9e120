//===- Jit.cpp - Compiled programs in this process --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jit.h"
#include "Recorder.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace moe;

/// The functions compiled programs call, by the names they call them.
static llvm::orc::SymbolMap
getRuntimeSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
#define MOE_SYMBOL(name)                                                       \
  symbols[mangle(#name)] = {llvm::orc::ExecutorAddr::fromPtr(&name),           \
                            llvm::JITSymbolFlags::Exported}
  MOE_SYMBOL(moert_all_gather);
  MOE_SYMBOL(moert_all_reduce);
  MOE_SYMBOL(moert_all_to_all);
  MOE_SYMBOL(moert_buffer_create);
  MOE_SYMBOL(moert_buffer_data);
  MOE_SYMBOL(moert_buffer_destroy);
  MOE_SYMBOL(moert_comm_get);
  MOE_SYMBOL(moert_copy);
  MOE_SYMBOL(moert_copy_strided);
  MOE_SYMBOL(moert_dense);
  MOE_SYMBOL(moert_dense_wgrad);
  MOE_SYMBOL(moert_event_create);
  MOE_SYMBOL(moert_event_destroy);
  MOE_SYMBOL(moert_event_record);
  MOE_SYMBOL(moert_expert_choice);
  MOE_SYMBOL(moert_experts);
  MOE_SYMBOL(moert_experts_dgrad);
  MOE_SYMBOL(moert_experts_wgrad);
  MOE_SYMBOL(moert_gate);
  MOE_SYMBOL(moert_gate_grad);
  MOE_SYMBOL(moert_launch);
  MOE_SYMBOL(moert_ocs_await);
  MOE_SYMBOL(moert_ocs_change_destroy);
  MOE_SYMBOL(moert_ocs_configure);
  MOE_SYMBOL(moert_ocs_find);
  MOE_SYMBOL(moert_order);
  MOE_SYMBOL(moert_program_check);
  MOE_SYMBOL(moert_ragged_all_to_all);
  MOE_SYMBOL(moert_rank);
  MOE_SYMBOL(moert_reduce_scatter);
  MOE_SYMBOL(moert_scatter);
  MOE_SYMBOL(moert_soft_gate);
  MOE_SYMBOL(moert_soft_order);
  MOE_SYMBOL(moert_soft_unorder);
  MOE_SYMBOL(moert_stream_get);
  MOE_SYMBOL(moert_stream_synchronize);
  MOE_SYMBOL(moert_stream_wait_event);
  MOE_SYMBOL(moert_unorder);
  MOE_SYMBOL(moert_unorder_wgrad);
  MOE_SYMBOL(moert_world_size);
#undef MOE_SYMBOL
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
    return module.emitError() << "cannot be compiled for this machine: "
                              << llvm::toString(engine.takeError());
  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols = getRuntimeSymbols(mangle);
    if (recorded)
      addRecordingSymbols(symbols, mangle);
    return symbols;
  });
  return Jit(std::move(*engine));
}

FailureOr<EntryFunction> Jit::lookup(Location loc, StringRef entry) const {
  auto address = engine->lookup((rt::kCodePrefix + entry).str());
  if (!address)
    return emitError(loc) << "cannot be linked: "
                          << llvm::toString(address.takeError());
  return reinterpret_cast<EntryFunction>(*address);
}
