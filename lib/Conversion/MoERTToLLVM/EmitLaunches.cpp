// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of bodies as device kernels.

#include "HostEmitter.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moert.h"

using namespace mlir;
using namespace moe;

// Checks of the layout that is built below.
static_assert(sizeof(moert_kernel_args) == 120 &&
              offsetof(moert_kernel_args, name) == 8 &&
              offsetof(moert_kernel_args, image) == 16 &&
              offsetof(moert_kernel_args, image_bytes) == 24 &&
              offsetof(moert_kernel_args, grid) == 32 &&
              offsetof(moert_kernel_args, block) == 56 &&
              offsetof(moert_kernel_args, arguments) == 80 &&
              offsetof(moert_kernel_args, num_arguments) == 88 &&
              offsetof(moert_kernel_args, shared_bytes) == 96 &&
              offsetof(moert_kernel_args, cubins) == 104);

void HostEmitter::emitLaunch(const KernelLaunch &launch, rt::LaunchFuncOp op) {
  int64_t count = launch.operands.size();
  Value pointers = null();
  if (count != 0) {
    Value values = getScratch(i64Type, count);
    pointers = getScratch(pointerType, count);
    for (auto [i, operand] : llvm::enumerate(launch.operands)) {
      Value value;
      if (operand.kind == KernelOperand::Scratch)
        value =
            advance(workspace, i64(streamScratch.lookup(op.getStream()).offset +
                                   operand.number));
      else
        // The stream is operand 0.
        value = get(op->getOperand(operand.number + 1));
      store(value, values, i);
      store(advance(values, i64(8 * i)), pointers, i);
    }
  }
  auto addressOf = [&](StringRef name) -> Value {
    return LLVM::AddressOfOp::create(builder, loc,
                                     symbols.lookup<LLVM::GlobalOp>(name));
  };
  Value image = addressOf(kImageName), one = i64(1);
  Value args =
      getStruct({i32(sizeof(moert_kernel_args)), getText(launch.name), image,
                 i64(device->imageBytes), i64(launch.numBlocks), one, one,
                 i64(launch.numThreads), one, one, pointers, i32(count), i64(0),
                 device->numCubins ? addressOf(kCubinsName) : null(),
                 i64(device->numCubins)});
  call(rt::symbols::launch_kernel, {get(op.getStream()), args});
}

LogicalResult HostEmitter::emitLaunches(rt::LaunchFuncOp op) {
  auto body = device->bodies.find(op.getBody());
  if (body == device->bodies.end())
    return op.emitOpError() << "expected a body that has been cut into "
                               "kernels, got "
                            << op.getBodyAttr();
  for (const KernelLaunch &launch : body->second.launches)
    emitLaunch(launch, op);
  return success();
}
