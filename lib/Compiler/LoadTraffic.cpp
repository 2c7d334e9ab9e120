// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that attaches a routing trace to a module.

#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/TrafficUse.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace moe {
#define GEN_PASS_DEF_LOADTRAFFIC
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct LoadTraffic : public moe::impl::LoadTrafficBase<LoadTraffic> {
  using LoadTrafficBase::LoadTrafficBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  /// Keeps the module's own trace and applies the option `robust`.
  LogicalResult judgeOwn(ModuleOp module) {
    if (!robust)
      return emitError(module.getLoc())
             << getArgument() << ": expected file=FILE";
    if (!getTrafficAttr(module))
      return emitError(module.getLoc())
             << getArgument()
             << ": expected robust only with traffic, over whose steps it "
                "judges: a file, or the module's own";
    FailureOr<ModuleTraffic> own = loadTrafficOf(module);
    if (failed(own))
      return failure();
    own->isRobust = true;
    setTrafficAttr(module, *own);
    return success();
  }

  /// One of a layer's ops, and its routing.
  struct Layer {
    Operation *op = nullptr;
    traffic::RoutedLayer routed;
    bool exchangesRows = false;
  };

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (file.empty())
      return judgeOwn(module);
    cost::Result<ModuleTraffic> loaded = moe::loadTraffic(file);
    if (!loaded)
      return emitError(module.getLoc())
             << getArgument() << ": " << loaded.getError();
    loaded->isRobust = robust;
    llvm::MapVector<StringRef, Layer> layers = listLayers(module);
    for (const auto &[name, layer] : layers)
      if (failed(check(layer, *loaded)))
        return failure();
    auto options = remark::RemarkOpts::name("traffic").category(getArgument());
    for (const auto &[name, layer] : layers)
      if (!layer.exchangesRows)
        moe::missed(layer.op->getLoc(), options) << remark::reason(
            "traffic changes nothing of layer {0}: its buffers are padded, "
            "exchanged and computed whole",
            name);
    moe::passed(module.getLoc(), options)
        << remark::add("programs are judged by {0} (hash {1})",
                       loaded->describe(), loaded->hash);
    setTrafficAttr(module, *loaded);
    return success();
  }

  static llvm::MapVector<StringRef, Layer> listLayers(ModuleOp module) {
    llvm::MapVector<StringRef, Layer> layers;
    module.walk([&](Operation *op) {
      StringRef name = getLayerName(op);
      auto gate = dyn_cast<GateOp>(op);
      if (gate && !getRoutedExperts(gate))
        return;
      bool exchangesRows = isa<RoutedExchangeOpInterface>(op);
      if (name.empty() || (!gate && !exchangesRows))
        return;
      Layer &layer = layers[name];
      layer.routed.name = name.str();
      layer.op = layer.op ? layer.op : op;
      layer.exchangesRows |= exchangesRows;
      if (gate)
        layer.routed.numExperts = getRoutedExperts(gate);
    });
    return layers;
  }

  /// Checks that every iteration has counts of the layer.
  static LogicalResult check(const Layer &layer, const ModuleTraffic &traffic) {
    for (size_t step = 0; step < traffic.trace->steps.size(); ++step)
      if (auto problem = traffic::Routing(traffic.trace, traffic.file, step)
                             .check(layer.routed))
        return layer.op->emitError() << problem->message;
    return success();
  }
};

} // namespace
