// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL settings that programs request.

#include "moe/Dialect/MoE/NcclAttr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace moe;

FailureOr<NcclWishes> moe::readNcclWishes(ModuleOp module) {
  NcclWishes wishes;
  auto attr = module->getAttrOfType<DictionaryAttr>(kNcclAttrName);
  if (!attr)
    return wishes;
  auto error = [&] {
    return emitError(module.getLoc()) << "'" << kNcclAttrName << "': ";
  };
  struct Member {
    StringRef name;
    int32_t NcclWishes::*member;
    int64_t most;
  };
  const Member members[] = {
      {"min_ctas", &NcclWishes::minCtas, INT32_MAX},
      {"max_ctas", &NcclWishes::maxCtas, INT32_MAX},
      {"cga_cluster_size", &NcclWishes::cgaClusterSize, 8},
      {"register_buffers", &NcclWishes::registerBuffers, 1}};
  for (NamedAttribute entry : attr) {
    const Member *known = llvm::find_if(members, [&](const Member &member) {
      return member.name == entry.getName().getValue();
    });
    if (known == std::end(members))
      return error() << "expected min_ctas, max_ctas, cga_cluster_size or "
                        "register_buffers, got "
                     << entry.getName();
    auto number = dyn_cast<IntegerAttr>(entry.getValue());
    if (!number || !number.getType().isInteger(32) || number.getInt() < 0 ||
        number.getInt() > known->most)
      return error() << "expected " << known->name << " to be an i32 "
                     << (known->most == 1   ? "of 0 or 1"
                         : known->most == 8 ? "in [0, 8]"
                                            : "of at least 0")
                     << ", got " << entry.getValue();
    wishes.*known->member = static_cast<int32_t>(number.getInt());
  }
  if (wishes.maxCtas && wishes.minCtas > wishes.maxCtas)
    return error() << "expected min_ctas <= max_ctas, got " << wishes.minCtas
                   << " and " << wishes.maxCtas;
  return wishes;
}
