//===- Lowered.cpp - Modules that have passed the phase runtime -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Compiler/Compile.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Execution/Compile.h"

using namespace mlir;
using namespace moe;

/// Checks that a function can be called as the entry of a program.
static FailureOr<rt::ProgramSignature> readSignature(Operation *function) {
  Attribute attr = function->getAttr(rt::MoERTDialect::getProgramAttrName());
  if (!attr)
    return function->emitOpError()
           << "lacks '" << rt::MoERTDialect::getProgramAttrName()
           << "': expected the types of the program's arguments and results, "
              "which convert-moe-to-moert leaves on the functions it makes; "
              "buffers and pointers alone do not say what to call it with";
  if (auto code = dyn_cast<LLVM::LLVMFuncOp>(function)) {
    auto pointer = LLVM::LLVMPointerType::get(function->getContext());
    auto expected = LLVM::LLVMFunctionType::get(
        IntegerType::get(function->getContext(), 32),
        {pointer, pointer, pointer});
    if (code.getFunctionType() != expected)
      return function->emitOpError()
             << "expected a function of type " << expected << ", got "
             << code.getFunctionType();
  }
  return rt::ProgramSignature::parse(function, attr);
}

/// The module's mesh is the signature's, or none is needed.
static LogicalResult restoreMesh(Operation *function,
                                 const rt::ProgramSignature &signature,
                                 OpBuilder &builder) {
  auto module = function->getParentOfType<ModuleOp>();
  MeshOp known = MeshOp::lookup(module);
  SmallVector<StringRef> axes(signature.axes.begin(), signature.axes.end());
  if (!known) {
    if (axes.empty())
      return success();
    std::string name = "mesh";
    while (SymbolTable::lookupSymbolIn(module, name))
      name += "_";
    MeshOp::create(builder, function->getLoc(), builder.getStringAttr(name),
                   builder.getStrArrayAttr(axes),
                   builder.getDenseI64ArrayAttr(signature.shape));
    return success();
  }
  if (known.getAxes() == builder.getStrArrayAttr(axes) &&
      known.getShape() == ArrayRef<int64_t>(signature.shape))
    return success();
  InFlightDiagnostic diag = function->emitOpError()
                            << "expected programs of one mesh, got another one";
  diag.attachNote(known.getLoc()) << "the mesh is here";
  return diag;
}

/// A function on values with the signature: what it computes is in the code.
static void addShell(StringRef name, Location loc,
                     const rt::ProgramSignature &signature,
                     OpBuilder &builder) {
  SmallVector<Type> arguments;
  for (const rt::ProgramSignature::Argument &argument : signature.arguments)
    arguments.push_back(argument.type);
  auto shell = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(arguments, signature.results));
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (argument.varying)
      shell.setArgAttr(i, MoEDialect::getVaryingAttrName(), argument.varying);
    if (argument.range)
      shell.setArgAttr(i, rt::MoERTDialect::getRangeAttrName(),
                       builder.getDenseI64ArrayAttr(
                           {argument.range->first, argument.range->second}));
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(shell.addEntryBlock());
  SmallVector<Value> results;
  for (Type type : signature.results)
    results.push_back(
        UnrealizedConversionCastOp::create(builder, loc, type, ValueRange())
            .getResult(0));
  func::ReturnOp::create(builder, loc, results);
}

LogicalResult moe::completeLowered(ModuleOp module, CompileTarget target) {
  bool hasHosts = false;
  for (Operation &op : module.getOps()) {
    if (!isHost(&op))
      continue;
    hasHosts = true;
    if (failed(readSignature(&op)))
      return failure();
  }
  if (hasHosts) {
    CompileOptions options;
    options.from = CompilePhase::LLVM;
    options.target = target;
    if (failed(compileTo(module, CompilePhase::LLVM, options)))
      return failure();
  }
  SmallVector<LLVM::LLVMFuncOp> entries;
  for (Operation &op : module.getOps())
    if (isCode(&op))
      entries.push_back(cast<LLVM::LLVMFuncOp>(op));
  if (!entries.empty())
    module.getContext()->loadDialect<func::FuncDialect, MoEDialect>();
  for (LLVM::LLVMFuncOp code : entries) {
    FailureOr<rt::ProgramSignature> signature = readSignature(code);
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    if (failed(signature) || failed(restoreMesh(code, *signature, builder)))
      return failure();
    StringRef name = code.getSymName().drop_front(rt::kCodePrefix.size());
    if (Operation *other = SymbolTable::lookupSymbolIn(module, name)) {
      InFlightDiagnostic diag = code.emitOpError()
                                << "expected no other symbol @" << name;
      diag.attachNote(other->getLoc()) << "the other one";
      return diag;
    }
    addShell(name, code.getLoc(), *signature, builder);
  }
  return success();
}

bool moe::isLowered(ModuleOp module, StringRef entry) {
  auto code = dyn_cast_or_null<LLVM::LLVMFuncOp>(
      SymbolTable::lookupSymbolIn(module, (rt::kCodePrefix + entry).str()));
  return code && !code.isExternal();
}

OwningOpRef<ModuleOp> moe::takeLowered(ModuleOp module, StringRef entry) {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  for (Operation &op :
       llvm::make_early_inc_range(copy->getBody()->getOperations()))
    if (isa<func::FuncOp, MeshOp, ModuleOp>(op))
      op.erase();
  std::string name = (rt::kCodePrefix + entry).str();
  for (auto code : copy->getOps<LLVM::LLVMFuncOp>()) {
    auto part =
        code->getAttrOfType<StringAttr>(rt::MoERTDialect::getPartOfAttrName());
    if (part ? part.getValue() != entry
             : isCode(code) && code.getSymName() != name)
      code.setLinkage(LLVM::Linkage::Internal);
  }
  return copy;
}
