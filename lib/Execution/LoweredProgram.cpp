// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs in the phase `runtime` or `llvm`.

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Compiler/Compile.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/NameAttr.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Execution/Compile.h"

using namespace mlir;
using namespace moe;

/// Checks that a function can be the entry of a program and returns its
/// signature.
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

/// Checks that the module's mesh equals the mesh of the signature, and creates
/// it if it is missing.
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

/// Adds a function on values with the signature. Its body is meaningless,
/// because the code has the computation.
static void addShell(StringRef name, Location loc,
                     const rt::ProgramSignature &signature,
                     OpBuilder &builder) {
  SmallVector<Type> arguments, types;
  for (const rt::ProgramSignature::Argument &argument : signature.arguments)
    arguments.push_back(argument.type);
  for (const rt::ProgramSignature::Result &result : signature.results)
    types.push_back(result.type);
  auto shell = func::FuncOp::create(builder, loc, name,
                                    builder.getFunctionType(arguments, types));
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (argument.varying)
      shell.setArgAttr(i, MoEDialect::getVaryingAttrName(), argument.varying);
    if (argument.name)
      shell.setArgAttr(i, kNameAttrName, argument.name);
    if (argument.range)
      shell.setArgAttr(i, rt::MoERTDialect::getRangeAttrName(),
                       builder.getDenseI64ArrayAttr(
                           {argument.range->first, argument.range->second}));
  }
  for (auto [i, result] : llvm::enumerate(signature.results))
    if (result.name)
      shell.setResultAttr(i, kNameAttrName, result.name);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(shell.addEntryBlock());
  SmallVector<Value> results;
  for (Type type : types)
    results.push_back(
        UnrealizedConversionCastOp::create(builder, loc, type, ValueRange())
            .getResult(0));
  func::ReturnOp::create(builder, loc, results);
}

LogicalResult moe::completeLowered(ModuleOp module,
                                   const ConvertMoERTToLLVMOptions &target) {
  bool hasHosts = false;
  for (Operation &op : module.getOps()) {
    if (!isHostProgram(&op))
      continue;
    hasHosts = true;
    if (failed(readSignature(&op)))
      return failure();
  }
  if (hasHosts) {
    CompileOptions options(target);
    options.from = CompilePhase::LLVM;
    if (failed(compileTo(module, CompilePhase::LLVM, options)))
      return failure();
  }
  SmallVector<LLVM::LLVMFuncOp> entries;
  for (Operation &op : module.getOps())
    if (isEntryPoint(&op))
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

/// Returns true if a global is an image of kernels in PTX, which is text.
static bool isPTX(LLVM::GlobalOp global) {
  auto text = dyn_cast_or_null<StringAttr>(global.getValueOrNull());
  return text && text.getValue().contains(".target sm_");
}

/// Returns the target that a program was compiled for; nullopt if its code fits
/// all targets, because it enqueues no bodies on streams.
static std::optional<CompileTarget> findTarget(ModuleOp module,
                                               StringRef entry) {
  bool launchesFunctions = false, launchesKernels = false;
  std::string name = (rt::kCodePrefix + entry).str();
  for (auto code : module.getOps<LLVM::LLVMFuncOp>()) {
    auto part =
        code->getAttrOfType<StringAttr>(rt::MoERTDialect::getPartOfAttrName());
    if (part ? part.getValue() != entry : code.getSymName() != name)
      continue;
    code.walk([&](LLVM::CallOp call) {
      StringRef callee = call.getCallee().value_or("");
      launchesKernels |= callee == "moert_launch_kernel";
      launchesFunctions |=
          callee == "moert_launch" || callee == "moert_launch_packed";
    });
  }
  if (launchesKernels)
    return llvm::any_of(module.getOps<LLVM::GlobalOp>(), isPTX)
               ? CompileTarget::Nccl
               : CompileTarget::NcclStandIns;
  if (launchesFunctions)
    return CompileTarget::Host;
  return std::nullopt;
}

static StringRef describe(CompileTarget target) {
  switch (target) {
  case CompileTarget::Host:
    return "functions of the processor (target=host)";
  case CompileTarget::Nccl:
    return "PTX for GPUs (target=nccl)";
  case CompileTarget::NcclStandIns:
    return "functions for the CUDA stand-ins (target=nccl-stand-ins)";
  }
  llvm_unreachable("a target of another kind");
}

LogicalResult moe::verifyTarget(ModuleOp module, StringRef entry,
                                CompileTarget target) {
  std::optional<CompileTarget> found = findTarget(module, entry);
  if (!found || *found == target)
    return success();
  Operation *code =
      SymbolTable::lookupSymbolIn(module, (rt::kCodePrefix + entry).str());
  return code->emitOpError()
         << "was compiled for another backend: expected its bodies as "
         << describe(target) << ", got " << describe(*found)
         << "; give moe-run the program as it was before the phase llvm, which "
            "it compiles by itself, or one that was compiled for this target";
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
             : isEntryPoint(code) && code.getSymName() != name)
      code.setLinkage(LLVM::Linkage::Internal);
  }
  return copy;
}
