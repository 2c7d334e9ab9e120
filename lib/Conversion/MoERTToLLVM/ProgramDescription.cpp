// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's description in `moert_program`.

#include "HostEmitter.h"
#include "moert.h"

using namespace mlir;
using namespace moe;

// The struct below must have the C layout of this one.
static_assert(sizeof(moert_program) == 136 &&
              offsetof(moert_program, name) == 24 &&
              offsetof(moert_program, num_events) == 64 &&
              offsetof(moert_program, enqueue) == 72 &&
              offsetof(moert_program, image) == 80 &&
              offsetof(moert_program, host_part) == 96 &&
              offsetof(moert_program, cubins) == 104 &&
              offsetof(moert_program, min_ctas) == 120);

Value HostEmitter::getProgram() {
  if (!program) {
    // Its members are set after the function has been emitted.
    Type number = i32Type, count = i64Type, pointer = pointerType;
    auto type = LLVM::LLVMStructType::getLiteral(
        host.getContext(),
        {number,  number, number, number, number,  number,  pointer, pointer,
         pointer, count,  count,  count,  pointer, pointer, count,   pointer,
         pointer, count,  number, number, number,  number});
    OpBuilder module(host);
    program = LLVM::GlobalOp::create(module, loc, type, /*isConstant=*/true,
                                     LLVM::Linkage::Internal, name + "_program",
                                     Attribute());
    symbols.insert(program);
  }
  return LLVM::AddressOfOp::create(builder, loc, program);
}

void HostEmitter::describe() {
  SmallVector<int64_t> bytes;
  for (Type type : host.getArgumentTypes().drop_front()) {
    auto buffer = cast<MemRefType>(type);
    bytes.push_back(*rt::getElementBytes(buffer.getElementType()) *
                    buffer.getNumElements());
  }
  auto getBytes = [&](ArrayRef<int64_t> some) {
    return some.empty() ? LLVM::GlobalOp()
                        : getGlobal(builder.getI64TensorAttr(some));
  };
  ArrayRef<int64_t> all = bytes;
  LLVM::GlobalOp text = getTextGlobal(host.getSymName()),
                 inputBytes = getBytes(all.take_front(numInputs)),
                 resultBytes = getBytes(all.drop_front(numInputs));

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(
      &program.getInitializerRegion().emplaceBlock());
  auto addressOf = [&](LLVM::GlobalOp global) -> Value {
    return global ? LLVM::AddressOfOp::create(builder, loc, global).getResult()
                  : null();
  };
  bool hasKernels = device && device->imageBytes;
  auto findKernels = [&](bool isThere, StringRef name) {
    return addressOf(isThere ? symbols.lookup<LLVM::GlobalOp>(name)
                             : LLVM::GlobalOp());
  };
  NcclWishes wishes = device ? device->wishes : NcclWishes();
  int64_t numCubins = hasKernels ? device->numCubins : 0;
  Value members[] = {
      i32(sizeof(moert_program)),
      i32(MOERT_ABI_VERSION),
      i32(numRanks),
      i32(hostWaits),
      i32(numInputs),
      i32(all.size() - numInputs),
      addressOf(text),
      addressOf(inputBytes),
      addressOf(resultBytes),
      i64(workspaceBytes),
      i64(hostBytes),
      i64(numEvents),
      LLVM::AddressOfOp::create(builder, loc, function),
      findKernels(hasKernels, kImageName),
      i64(hasKernels ? device->imageBytes : 0),
      addressOf(hostPart.empty() ? LLVM::GlobalOp() : getTextGlobal(hostPart)),
      findKernels(numCubins != 0, kCubinsName),
      i64(numCubins),
      i32(wishes.minCtas),
      i32(wishes.maxCtas),
      i32(wishes.cgaClusterSize),
      i32(wishes.registerBuffers),
  };
  Value filled = LLVM::UndefOp::create(builder, loc, program.getGlobalType());
  for (auto [i, member] : llvm::enumerate(members))
    filled = LLVM::InsertValueOp::create(builder, loc, filled, member,
                                         ArrayRef<int64_t>(i));
  LLVM::ReturnOp::create(builder, loc, filled);
}
