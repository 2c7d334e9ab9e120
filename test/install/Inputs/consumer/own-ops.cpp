// A user's program with an op of its own: user.shift, which describes the
// messages of its ranks. The op of examples/my-opt describes its time, its dim
// map, and that it has no effects.
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "moe/Analysis/Timing.h"
#include "moe/Analysis/Volumes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

/// Sends its operand to the next rank of the axis that it names.
class ShiftOp
    : public Op<ShiftOp, OpTrait::ZeroRegions, OpTrait::OneResult,
                OpTrait::OneOperand, moe::ExchangeOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShiftOp)
  using Op::Op;
  static StringRef getOperationName() { return "user.shift"; }
  static ArrayRef<StringRef> getAttributeNames() {
    static const StringRef names[] = {"over"};
    return names;
  }

  FailureOr<moe::OpTraffic>
  getExchange(llvm::function_ref<FailureOr<int64_t>(Value)> getBytes) {
    FailureOr<int64_t> bytes = getBytes(getOperation()->getOperand(0));
    if (failed(bytes))
      return failure();
    auto group = cast<moe::GroupAttrInterface>(getOperation()->getAttr("over"));
    return moe::OpTraffic{{{group, moe::cost::RingTraffic{{0, *bytes}}}}};
  }
};

class UserDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UserDialect)
  explicit UserDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<UserDialect>()) {
    addOperations<ShiftOp>();
  }
  static constexpr StringLiteral getDialectNamespace() { return "user"; }
};

} // namespace

static constexpr llvm::StringLiteral text = R"(
  moe.mesh @mesh axes ["ep"] shape [4]
  %x = tensor.empty() : tensor<8x1000xf32>
  %y = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<8x1000xf32> -> tensor<8x1000xf32>
  %z = "user.shift"(%y) {over = #moe.group<@mesh, ["ep"]>}
     : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
)";

/// Returns nodes of two ranks at 100 GB/s, with 10 GB/s between nodes.
static moe::cost::Machine makeMachine() {
  moe::cost::Machine machine;
  machine.name = "pairs";
  machine.levels.resize(2);
  machine.levels[0].name = "node";
  machine.levels[0].ranks = 2;
  machine.levels[0].bandwidth = moe::cost::GBps(100);
  machine.levels[1].name = "network";
  machine.levels[1].ranks = 4;
  machine.levels[1].bandwidth = moe::cost::GBps(10);
  machine.copy.emplace();
  machine.copy->bandwidth = moe::cost::GBps(100);
  return machine;
}

int main() {
  MLIRContext context;
  context.loadDialect<moe::MoEDialect, UserDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return 1;
  for (const moe::CollectiveVolume &volume : moe::computeVolumes(*module))
    llvm::outs() << volume.op->getName() << " over " << volume.axes << ": "
                 << *volume.getTotalBytes() << " bytes\n";
  moe::cost::Machine machine = makeMachine();
  moe::OpTimer timer(machine);
  bool failed = false;
  module->walk([&](Operation *op) {
    if (op->getNumResults() == 0)
      return;
    FailureOr<moe::cost::Microseconds> time = timer.getTime(op);
    failed |= mlir::failed(time);
    if (!mlir::failed(time))
      llvm::outs() << op->getName() << ": "
                   << llvm::format("%.2f us\n", time->value());
  });
  module->walk([&](Operation *op) {
    if (isa_and_nonnull<UserDialect>(op->getDialect()))
      llvm::outs() << op->getName() << ": "
                   << (isMemoryEffectFree(op) ? "no effects" : "effects")
                   << "\n";
  });
  return failed;
}
