// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches the platform that a module is compiled for.

#include "mlir/IR/Remarks.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_LOADPLATFORM
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct LoadPlatform : public moe::impl::LoadPlatformBase<LoadPlatform> {
  using LoadPlatformBase::LoadPlatformBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (file.empty()) {
      emitError(module.getLoc()) << getArgument() << ": expected file=FILE";
      return signalPassFailure();
    }
    FailureOr<platform::Platform> loaded =
        moe::loadPlatform(module.getLoc(), file, getArgument());
    if (failed(loaded))
      return signalPassFailure();

    PlatformAttr attr = makePlatformAttr(&getContext(), *loaded, file);

    auto options = remark::RemarkOpts::name("platform").category(getArgument());
    PlatformAttr before = getPlatformAttr(module);
    if (before && before != attr)
      remark::passed(module.getLoc(), options) << remark::add(
          "{0} from '{1}' (hash {2}) replaces {3} from '{4}' "
          "(hash {5})",
          attr.getName().getValue(), attr.getFile().getValue(),
          attr.getHash().getValue(), before.getName().getValue(),
          before.getFile().getValue(), before.getHash().getValue());
    else
      remark::passed(module.getLoc(), options)
          << remark::add("{0} from '{1}' (hash {2})", attr.getName().getValue(),
                         attr.getFile().getValue(), attr.getHash().getValue());
    attachPlatform(module, *loaded, file);
  }
};

} // namespace
