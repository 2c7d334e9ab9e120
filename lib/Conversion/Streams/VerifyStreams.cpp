// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that verifies the order of all buffer accesses.

#include "StreamAccesses.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

namespace moe {
#define GEN_PASS_DEF_VERIFYSTREAMS
#include "moe/Conversion/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct VerifyStreams : public moe::impl::VerifyStreamsBase<VerifyStreams> {
  using VerifyStreamsBase::VerifyStreamsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(rt::MoERTDialect::getInputsAttrName()))
        continue;
      FailureOr<StreamFunction> streams = readStreams(function);
      if (failed(streams))
        return signalPassFailure();
      std::optional<schedule::Race> race = findRace(streams->program);
      if (!race)
        continue;
      InFlightDiagnostic diag =
          streams->works[race->second]->emitOpError()
          << "touches bytes " << race->bytes.begin << " to " << race->bytes.end
          << " of a memory that another op touches, one of them writing, and "
             "no events order the two";
      diag.attachNote(streams->works[race->first]->getLoc())
          << "the other op is here";
      return signalPassFailure();
    }
  }
};

} // namespace
