// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The routing trace of a module.

#include "moe/Compiler/ModuleTraffic.h"
#include "mlir/IR/Builders.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Platform/Load.h"
#include "moe/Support/TextFile.h"
#include <mutex>

using namespace mlir;
using namespace moe;

static constexpr llvm::StringLiteral kFile = "file", kHash = "hash",
                                     kRobust = "robust";

std::string ModuleTraffic::describe() const {
  return std::string(isRobust ? "the 95th percentile" : "the mean") + " over " +
         std::to_string(trace->steps.size()) + " steps of " + file;
}

Attribute moe::getTrafficAttr(ModuleOp module) {
  return module->getAttr(MoEDialect::getTrafficAttrName());
}

void moe::setTrafficAttr(ModuleOp module, const ModuleTraffic &traffic) {
  Builder builder(module.getContext());
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr(kFile, builder.getStringAttr(traffic.file)),
      builder.getNamedAttr(kHash, builder.getStringAttr(traffic.hash))};
  if (traffic.isRobust)
    entries.push_back(builder.getNamedAttr(kRobust, builder.getUnitAttr()));
  module->setAttr(MoEDialect::getTrafficAttrName(),
                  builder.getDictionaryAttr(entries));
}

cost::Result<ModuleTraffic> moe::loadTraffic(const std::string &file) {
  cost::Result<std::string> text =
      support::readTextFile(file, "a file of tokens per expert");
  if (!text)
    return text.getFailure();
  ModuleTraffic traffic;
  traffic.file = file;
  traffic.hash = platform::hashText(*text);
  // A search loads the same file once per layer, and traces may be large.
  static std::mutex mutex;
  static ModuleTraffic last;
  std::lock_guard<std::mutex> lock(mutex);
  if (last.trace && last.file == file && last.hash == traffic.hash)
    return last;
  cost::Result<traffic::Trace> trace = traffic::parseTraceFile(*text, file);
  if (!trace)
    return trace.getFailure();
  traffic.trace = std::make_shared<traffic::Trace>(std::move(*trace));
  return last = traffic;
}

FailureOr<ModuleTraffic> moe::loadTrafficOf(ModuleOp module) {
  Attribute attr = getTrafficAttr(module);
  auto error = [&] {
    return emitError(module.getLoc())
           << "expected '" << MoEDialect::getTrafficAttrName() << "' ";
  };
  auto entries = dyn_cast_or_null<DictionaryAttr>(attr);
  auto file = entries ? entries.getAs<StringAttr>(kFile) : StringAttr();
  auto hash = entries ? entries.getAs<StringAttr>(kHash) : StringAttr();
  bool isRobust = entries && entries.getAs<UnitAttr>(kRobust);
  if (!file || !hash || entries.size() != 2 + size_t(isRobust))
    return error() << "to be a dictionary of the strings '" << kFile
                   << "' and '" << kHash << "', and '" << kRobust
                   << "' without a value or none, got " << attr;
  cost::Result<ModuleTraffic> loaded = loadTraffic(file.str());
  if (!loaded)
    return emitError(module.getLoc()) << "'" << MoEDialect::getTrafficAttrName()
                                      << "': " << loaded.getError();
  if (loaded->hash != hash.getValue())
    return error() << "to name the file that the module is compiled for, with "
                      "hash "
                   << hash << ", got '" << file.getValue() << "' with hash "
                   << loaded->hash;
  loaded->isRobust = isRobust;
  return std::move(*loaded);
}

LogicalResult moe::refuseRobustTraffic(ModuleOp module, StringRef pass) {
  if (!getTrafficAttr(module))
    return success();
  FailureOr<ModuleTraffic> traffic = loadTrafficOf(module);
  if (failed(traffic))
    return failure();
  if (traffic->isRobust)
    return emitError(module.getLoc())
           << pass
           << ": robust is not supported with a schedule, which plans the "
              "chunk counts of all layers for all iterations of a trace "
              "together";
  return success();
}
