// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The platform of a module.

#include "moe/Transforms/ModulePlatform.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Dialect/MoE/NcclAttr.h"
#include "moe/Platform/Lookup.h"

using namespace mlir;
using namespace moe;

PlatformAttr moe::getPlatformAttr(ModuleOp module) {
  return module->getAttrOfType<PlatformAttr>(MoEDialect::getPlatformAttrName());
}

FailureOr<platform::Platform>
moe::loadPlatform(Location loc, StringRef pathOrName, StringRef user,
                  const platform::LoadOptions &options) {
  cost::Result<platform::Platform> loaded =
      platform::findAndLoadPlatform(pathOrName.str(), "platform", options);
  if (!loaded)
    return emitError(loc) << user << ": " << loaded.getError();
  return std::move(*loaded);
}

PlatformAttr moe::makePlatformAttr(MLIRContext *context,
                                   const platform::Platform &platform,
                                   StringRef file) {
  Builder builder(context);
  SmallVector<StringAttr> levels;
  SmallVector<int64_t> ranks;
  for (const cost::Level &level : platform.machine.levels) {
    levels.push_back(builder.getStringAttr(level.name));
    ranks.push_back(level.ranks);
  }
  // The attribute accepts every platform that the loader accepts.
  return PlatformAttr::get(
      context, builder.getStringAttr(platform.machine.name), levels, ranks,
      builder.getStringAttr(file), builder.getStringAttr(platform.hash));
}

void moe::attachPlatform(ModuleOp module, const platform::Platform &platform,
                         StringRef file) {
  MLIRContext *context = module.getContext();
  module->setAttr(MoEDialect::getPlatformAttrName(),
                  makePlatformAttr(context, platform, file));
  Builder builder(context);
  NamedAttrList nccl;
  auto add = [&](StringRef name, std::optional<int64_t> number) {
    if (number)
      nccl.append(name, builder.getI32IntegerAttr(*number));
  };
  add("min_ctas", platform.nccl.minCtas);
  add("max_ctas", platform.nccl.maxCtas);
  add("cga_cluster_size", platform.nccl.cgaClusterSize);
  if (platform.nccl.registerBuffers)
    nccl.append("register_buffers", builder.getI32IntegerAttr(1));
  if (nccl.empty())
    module->removeAttr(kNcclAttrName);
  else
    module->setAttr(kNcclAttrName, nccl.getDictionary(context));
}

FailureOr<platform::Platform>
moe::loadPlatformOf(ModuleOp module, StringRef given, StringRef user,
                    StringRef option, const platform::LoadOptions &options) {
  Location loc = module.getLoc();
  if (!given.empty())
    return loadPlatform(loc, given, user, options);
  PlatformAttr attr = getPlatformAttr(module);
  if (!attr)
    return emitError(loc) << user << ": expected " << option
                          << " or a module with '"
                          << MoEDialect::getPlatformAttrName()
                          << "' (moe-load-platform attaches it), got neither";
  StringRef file = attr.getFile(), hash = attr.getHash();
  cost::Result<platform::Platform> loaded =
      platform::findAndLoadPlatform(file.str(), "platform", options);
  if (!loaded) {
    InFlightDiagnostic diag = emitError(loc)
                              << user << ": " << loaded.getError();
    diag.attachNote(loc) << "the module is compiled for " << attr.getName()
                         << " from '" << file << "' with hash " << hash;
    return diag;
  }
  if (loaded->hash != hash)
    return emitError(loc) << user << ": " << loaded->file
                          << ": expected the file that the module is compiled "
                             "for, with hash "
                          << hash << ", got a file with hash " << loaded->hash;
  // Passes read the levels from the module, so they must match the file.
  if (PlatformAttr expected =
          makePlatformAttr(module.getContext(), *loaded, file);
      expected != attr)
    return emitError(loc) << user << ": expected '"
                          << MoEDialect::getPlatformAttrName() << "' to be "
                          << expected << ", as " << loaded->file
                          << " has it, got " << attr;
  return std::move(*loaded);
}
