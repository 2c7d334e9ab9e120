// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of PyTorch to moe.

#include "../Program.h"
#include "Torch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Conversion/Torch/Passes.h"
#include "moe/Dialect/Text/Communication.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTTORCHTOMOE
#include "moe/Conversion/Torch/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

static bool isTorch(Operation *op) {
  return op->getName().getDialectNamespace() == "torch";
}

//===----------------------------------------------------------------------===//
// Tensors and constants
//===----------------------------------------------------------------------===//

static Type toTensor(Type type) {
  RankedTensorType tensor = parseVTensor(type);
  return tensor ? tensor : type;
}

/// Gives all tensors of the module built-in tensor types.
static void retype(ModuleOp module) {
  auto retypeAll = [](ValueRange values) {
    for (Value value : values)
      value.setType(toTensor(value.getType()));
  };
  module.walk([&](Operation *op) {
    retypeAll(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        retypeAll(block.getArguments());
    auto function = dyn_cast<FunctionOpInterface>(op);
    auto type = function ? dyn_cast<FunctionType>(function.getFunctionType())
                         : FunctionType();
    if (type)
      function.setType(FunctionType::get(
          op->getContext(), llvm::map_to_vector(type.getInputs(), toTensor),
          llvm::map_to_vector(type.getResults(), toTensor)));
  });
}

/// Replaces the constant operands of a function op by an attribute. A reshape
/// with a static result needs no attribute, because its type states the sizes.
static void foldConstants(Operation *op) {
  llvm::BitVector constant(op->getNumOperands());
  NamedAttrList said;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (Attribute value = getTorchConstant(operand)) {
      constant.set(i);
      said.append(std::to_string(i), value);
    }
  if (constant.none())
    return;
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  op->eraseOperands(constant);
  if (!isTorchReshape(op) || !to || !to.hasStaticShape())
    op->setDiscardableAttr(kTorchConstantsAttr,
                           said.getDictionary(op->getContext()));
}

static bool isConstant(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name.starts_with("torch.constant.") ||
         name == "torch.prim.ListConstruct";
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertTorchToMoE
    : public moe::impl::ConvertTorchToMoEBase<ConvertTorchToMoE> {
  using ConvertTorchToMoEBase::ConvertTorchToMoEBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (MeshOp other = MeshOp::lookup(module)) {
      other.emitOpError() << "expected a program as torch-mlir writes it, got "
                             "one with a mesh of this dialect already";
      return signalPassFailure();
    }
    WalkResult found = module.walk([](Operation *op) {
      return isTorch(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found.wasInterrupted() && mesh.empty())
      return;
    FailureOr<TorchJob> job = readTorchJob(module, mesh, groups, varying);
    if (failed(job))
      return signalPassFailure();
    retype(module);
    hoistParameters(module);
    nameTorchOperators(module);
    readTorchLists(module);
    llvm::DenseMap<Operation *, std::string> reasons;
    if (failed(readTorchCollectives(module, *job, reasons)) ||
        failed(stateFacts(module, *job)))
      return signalPassFailure();
    moveTorchDims(module);
    warnOfUnreadCommunication(
        module, [&](Operation *op) { return reasons.lookup(op); });
    SmallVector<Operation *> functions, constants;
    module.walk([&](Operation *op) {
      if (isTorch(op) && isConstant(op))
        constants.push_back(op);
      else if (isTorch(op) && op->getNumResults() != 0 && isTorchFunction(op))
        functions.push_back(op);
    });
    llvm::for_each(functions, foldConstants);
    for (Operation *op : llvm::reverse(constants))
      if (op->use_empty())
        op->erase();
    if (layers)
      readLayers(llvm::to_vector(module.getOps<func::FuncOp>()), getLayerMark,
                 [&](Operation *op, const Twine &why) {
                   remark::missed(
                       op->getLoc(),
                       remark::RemarkOpts::name("read").category(getArgument()))
                       << remark::reason("{0}", why.str());
                 });
  }

private:
  static LayerMark getLayerMark(Operation *op) {
    auto name = op->getAttrOfType<StringAttr>("fx.layer");
    return {name ? name.getValue() : StringRef(),
            op->hasAttr("fx.backward") ? Phase::Backward : Phase::Forward};
  }

  /// Converts literals kept as resources to arguments. They are the parameters
  /// and buffers of the exported rank; only the caller knows the values of
  /// others.
  void hoistParameters(ModuleOp module) {
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (function.isExternal() ||
          !SymbolTable::symbolKnownUseEmpty(function, module))
        continue;
      SmallVector<Operation *> literals;
      function.walk([&](Operation *op) {
        if (op->getName().getStringRef() == "torch.vtensor.literal" &&
            isa_and_nonnull<DenseResourceElementsAttr>(op->getAttr("value")) &&
            isa<RankedTensorType>(op->getResult(0).getType()))
          literals.push_back(op);
      });
      for (Operation *op : literals) {
        auto value = cast<DenseResourceElementsAttr>(op->getAttr("value"));
        unsigned number = function.getNumArguments();
        auto key =
            StringAttr::get(&getContext(), value.getRawHandle().getKey());
        (void)function.insertArgument(
            number, op->getResult(0).getType(),
            DictionaryAttr::get(
                &getContext(),
                NamedAttribute(StringAttr::get(&getContext(), "torch.literal"),
                               key)),
            op->getLoc());
        remark::analysis(
            op->getLoc(),
            remark::RemarkOpts::name("parameter").category(getArgument()))
            << remark::metric("argument", number)
            << remark::metric("literal", key.getValue());
        op->getResult(0).replaceAllUsesWith(function.getArgument(number));
        op->erase();
      }
    }
  }

  LogicalResult stateFacts(ModuleOp module, const TorchJob &job) {
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (function.isExternal() || function.isPrivate())
        continue;
      for (const auto &[argument, axes] : job.varying) {
        if (argument >= function.getNumArguments())
          return function.emitOpError()
                 << "expected varying to name one of its "
                 << function.getNumArguments() << " arguments, got "
                 << argument;
        SmallVector<StringRef> names(axes.begin(), axes.end());
        function.setArgAttr(argument, MoEDialect::getVaryingAttrName(),
                            Builder(&getContext()).getStrArrayAttr(names));
      }
    }
    return success();
  }
};

} // namespace
