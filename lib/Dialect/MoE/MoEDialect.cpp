// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration, bytecode and attribute verification of the moe dialect.

#include "moe/Dialect/MoE/MoEDialect.h"
#include "Models.h"
#include "PlanAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moe/Dialect/MoE/MoEDialectVersion.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelWork.h"
#include "moe/Dialect/MoE/NameAttr.h"
#include "moe/Dialect/MoE/NcclAttr.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"

using namespace mlir;
using namespace moe;

#include "moe/Dialect/MoE/MoEDialect.cpp.inc"

namespace {
/// Writes the dialect's version, and rejects versions that this build cannot
/// read.
struct MoEBytecodeInterface : public BytecodeDialectInterface {
  MoEBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    MoEDialectVersion version(MoEDialect::kMajorVersion,
                              MoEDialect::kMinorVersion);
    FailureOr<const DialectVersion *> asked =
        writer.getDialectVersion<MoEDialect>();
    if (succeeded(asked))
      version = *static_cast<const MoEDialectVersion *>(*asked);
    writer.writeVarInt(version.major);
    writer.writeVarInt(version.minor);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t major = 0, minor = 0;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
      return nullptr;
    // This check is not in upgradeFromVersion because that runs only after all
    // ops have been read.
    if (major != static_cast<uint64_t>(MoEDialect::kMajorVersion) ||
        minor > static_cast<uint64_t>(MoEDialect::kMinorVersion)) {
      reader.emitError() << "expected moe dialect version "
                         << MoEDialect::kMajorVersion << "."
                         << MoEDialect::kMinorVersion
                         << " or an older minor version of it, got " << major
                         << "." << minor
                         << "; print the program as text with the release that "
                            "wrote it, and read the text";
      return nullptr;
    }
    return std::make_unique<MoEDialectVersion>(major, minor);
  }

  LogicalResult upgradeFromVersion(Operation *topLevelOp,
                                   const DialectVersion &version) const final {
    // Version 1.0 is the first one, so there is nothing to upgrade.
    return success();
  }
};
} // namespace

/// Returns true if a schedule may be inlined into a region: a function's own
/// region without another schedule.
static bool takesSchedule(Region *target) {
  auto function = dyn_cast<FunctionOpInterface>(target->getParentOp());
  return function &&
         !function->walk([](ScheduleOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

namespace {
/// Ops of the dialect may be inlined anywhere, with three exceptions. A
/// function has only one schedule. Other ops must not be inlined between the
/// tasks of a schedule. Regions of layers, pipelines and tasks accept only
/// callees with one block.
struct MoEInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *target, bool,
                       IRMapping &) const final {
    return !isa<ScheduleOp>(op) || takesSchedule(target);
  }
  bool isLegalToInline(Region *target, Region *source, bool,
                       IRMapping &) const final {
    return source->hasOneBlock() && !isa<ScheduleOp>(target->getParentOp());
  }
};
} // namespace

void MoEDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "moe/Dialect/MoE/MoEOps.cpp.inc"
      >();
  registerBytecode();
  addInterfaces<MoEInliner>();
  attachDimMaps(*getContext());
  attachComputeCosts(*getContext());
  attachMovementCosts(*getContext());
  attachExchanges(*getContext());
  attachChains(*getContext());
  attachIndexRanges(*getContext());
}

void MoEDialect::registerBytecode() { addInterfaces<MoEBytecodeInterface>(); }

Operation *MoEDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// Verifies `moe.name` of an argument or result of a function.
static LogicalResult verifyName(Operation *op, StringRef what, unsigned index,
                                Attribute attr) {
  auto name = dyn_cast<StringAttr>(attr);
  if (name && isValidName(name.getValue()))
    return success();
  return op->emitError() << "expected '" << kNameAttrName << "' of " << what
                         << " " << index
                         << " to have letters, digits, '_' and '.', got "
                         << attr;
}

LogicalResult MoEDialect::verifyRegionArgAttribute(Operation *op,
                                                   unsigned regionIndex,
                                                   unsigned argIndex,
                                                   NamedAttribute attr) {
  if (attr.getName() == kNameAttrName)
    return verifyName(op, "argument", argIndex, attr.getValue());
  if (attr.getName() != getVaryingAttrName())
    return op->emitError() << "unknown argument attribute '"
                           << attr.getName().getValue() << "', expected '"
                           << getVaryingAttrName() << "' or '" << kNameAttrName
                           << "'";
  auto axes = dyn_cast<ArrayAttr>(attr.getValue());
  if (!axes || !llvm::all_of(axes, llvm::IsaPred<StringAttr>))
    return op->emitError() << "expected '" << getVaryingAttrName()
                           << "' of argument " << argIndex
                           << " to be an array of axis names, got "
                           << attr.getValue();
  if (axes.empty())
    return success();
  MeshOp mesh = MeshOp::lookup(op);
  if (!mesh)
    return op->emitError() << "'" << getVaryingAttrName() << "' of argument "
                           << argIndex
                           << " names axes, but the module has no moe.mesh";
  llvm::SmallDenseSet<StringRef> seen;
  for (StringAttr axis : axes.getAsRange<StringAttr>()) {
    if (!mesh.getAxisIndex(axis.getValue())) {
      InFlightDiagnostic diag =
          op->emitError() << "'" << getVaryingAttrName() << "' of argument "
                          << argIndex << " names unknown axis " << axis;
      diag.attachNote(mesh.getLoc()) << "the mesh has axes " << mesh.getAxes();
      return diag;
    }
    if (!seen.insert(axis.getValue()).second)
      return op->emitError() << "'" << getVaryingAttrName() << "' of argument "
                             << argIndex << " names axis " << axis << " twice";
  }
  return success();
}

LogicalResult MoEDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                      unsigned resultIndex,
                                                      NamedAttribute attr) {
  if (attr.getName() == kNameAttrName)
    return verifyName(op, "result", resultIndex, attr.getValue());
  return op->emitError() << "unknown attribute '" << attr.getName().getValue()
                         << "' of result " << resultIndex << ", expected '"
                         << kNameAttrName << "'";
}

LogicalResult MoEDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  // The error is not attached to the op itself, because it would print a whole
  // module or function.
  auto error = [&] { return emitError(op->getLoc()); };
  if (attr.getName() == getPlatformAttrName()) {
    if (!isa<ModuleOp>(op))
      return error() << "expected '" << getPlatformAttrName()
                     << "' on a builtin.module, got it on " << op->getName();
    if (!isa<PlatformAttr>(attr.getValue()))
      return error() << "expected '" << getPlatformAttrName()
                     << "' to be a #moe.platform, got " << attr.getValue();
    return success();
  }
  if (attr.getName() == getDivergentAttrName()) {
    if (!isa<FunctionOpInterface>(op))
      return error() << "expected '" << getDivergentAttrName()
                     << "' on a function, got it on " << op->getName();
    auto axes = dyn_cast<ArrayAttr>(attr.getValue());
    if (!axes || !llvm::all_of(axes, llvm::IsaPred<StringAttr>))
      return error() << "expected '" << getDivergentAttrName()
                     << "' to be an array of axis names, got "
                     << attr.getValue();
    MeshOp mesh = MeshOp::lookup(op);
    for (StringAttr axis : axes.getAsRange<StringAttr>())
      if (!mesh || !mesh.getAxisIndex(axis.getValue()))
        return error() << "'" << getDivergentAttrName()
                       << "' names unknown axis " << axis;
    return success();
  }
  if (attr.getName() == kStatedTimeAttrName) {
    auto time = dyn_cast<FloatAttr>(attr.getValue());
    if (!time || !time.getType().isF64() || !time.getValue().isFinite() ||
        time.getValue().isNegative())
      return error() << "expected '" << kStatedTimeAttrName
                     << "' to be an f64 of at least 0, got " << attr.getValue();
    return success();
  }
  if (attr.getName() == kModelWorkAttrName) {
    if (!isa<FunctionOpInterface>(op))
      return error() << "expected '" << kModelWorkAttrName
                     << "' on a function, got it on " << op->getName();
    if (!parseModelWork(attr.getValue()))
      return error() << "expected '" << kModelWorkAttrName
                     << "' to be {flops = F : f64, tokens = N : i64}, both "
                        "above 0, got "
                     << attr.getValue();
    return success();
  }
  if (attr.getName() == kPlanAttrName)
    return verifyPlanAttr(op, attr);
  // The code that reads these attributes verifies their contents.
  if (attr.getName() == kNcclAttrName ||
      attr.getName() == getTrafficAttrName()) {
    if (!isa<ModuleOp>(op))
      return error() << "expected '" << attr.getName().getValue()
                     << "' on a builtin.module, got it on " << op->getName();
    if (!isa<DictionaryAttr>(attr.getValue()))
      return error() << "expected '" << attr.getName().getValue()
                     << "' to be a dictionary, got " << attr.getValue();
    return success();
  }
  if (attr.getName() == kExpertProductsAttrName) {
    auto word = dyn_cast<StringAttr>(attr.getValue());
    if (!isa<ModuleOp>(op) || !word ||
        (word.getValue() != "keep" && word.getValue() != "recompute"))
      return error() << "expected '" << kExpertProductsAttrName
                     << "' to be \"keep\" or \"recompute\" on a "
                        "builtin.module, got "
                     << attr.getValue() << " on " << op->getName();
    return success();
  }
  // Such modules are internal and never reach users.
  if (attr.getName() == kPartOfStepAttrName && isa<ModuleOp>(op))
    return success();
  if (attr.getName() == kSubBatchAttrName) {
    auto part = dyn_cast<IntegerAttr>(attr.getValue());
    if (!part || !part.getType().isInteger(64) || part.getInt() < 0)
      return error() << "expected '" << kSubBatchAttrName
                     << "' to be an i64 of at least 0, got " << attr.getValue();
    return success();
  }
  if (attr.getName() == kOverlapAttrName) {
    std::string problem = checkOverlap(op, attr.getValue());
    return problem.empty() ? success()
                           : LogicalResult(error() << "'" << kOverlapAttrName
                                                   << "': " << problem);
  }
  return error() << "unknown attribute '" << attr.getName().getValue()
                 << "': of operations outside it the moe dialect has "
                    "only '"
                 << getPlatformAttrName() << "', '" << getDivergentAttrName()
                 << "', '" << kModelWorkAttrName << "', '" << kSubBatchAttrName
                 << "' and '" << kStatedTimeAttrName << "'";
}
