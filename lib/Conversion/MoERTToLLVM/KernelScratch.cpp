// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory of device kernels.

#include "HostEmitter.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moert_scratch.h"

using namespace mlir;
using namespace moe;
using rt::CallArgument;

namespace {
/// The argument struct of a kernel with the members that are known at compile
/// time: sizes, types, kinds, and which pointers are set.
class KnownArguments {
public:
  /// `findType` returns the `moert_type` of an element type.
  KnownArguments(const CallArgument &argument,
                 function_ref<std::optional<int32_t>(Type)> findType) {
    add<int32_t>(argument.bytes);
    for (const CallArgument &member : argument.members)
      add(member, findType);
    // The struct may end with padding.
    bytes.resize(argument.bytes);
  }
  template <typename Args> Args get() const {
    assert(bytes.size() == sizeof(Args) && "expected the struct of the kernel");
    Args args;
    std::memcpy(&args, bytes.data(), sizeof(Args));
    return args;
  }

private:
  template <typename T> void add(T value) {
    size_t at = llvm::alignTo(bytes.size(), sizeof(T));
    bytes.resize(at + sizeof(T));
    std::memcpy(&bytes[at], &value, sizeof(T));
  }
  void add(const CallArgument &member,
           function_ref<std::optional<int32_t>(Type)> findType) {
    switch (member.kind) {
    case CallArgument::Int32:
      return add<int32_t>(member.number);
    case CallArgument::ElementType:
    case CallArgument::MovedType:
      // Only the size of moved types matters here, and the call itself reports
      // errors.
      return add<int32_t>(findType(member.elementType).value_or(MOERT_I8));
    case CallArgument::Int64:
      return add<int64_t>(member.number);
    case CallArgument::Float64: {
      auto number = cast_if_present<FloatAttr>(member.attribute);
      return add<double>(number ? number.getValueAsDouble() : 0.0);
    }
    default:
      return add<int64_t>(member.value || member.attribute);
    }
  }

  SmallVector<char> bytes;
};
} // namespace

/// Returns the maximum scratch bytes of a kernel of the runtime.
static int64_t
getKernelBytes(rt::KernelOpInterface kernel,
               function_ref<std::optional<int32_t>(Type)> findType) {
  rt::RuntimeCalls calls(kernel.getContext());
  cast<rt::RuntimeCallOpInterface>(*kernel).addRuntimeCalls(calls);
  const rt::RuntimeCall &call = calls.get().front();
  KnownArguments known(call.arguments.back(), findType);
  StringRef symbol = call.function.symbol;
#define MOERT_DEVICE_KERNEL(name, Name, args)                                  \
  if (symbol == rt::symbols::name)                                             \
    return moert::scratch::name(known.get<moert_##args##_args>());
#include "moert_calls.def"
  llvm_unreachable("every kernel has a form on devices");
}

/// Returns the scratch bytes of device reductions, because NCCL does not reduce
/// 16-bit integers.
template <typename OpT> static int64_t getReductionBytes(OpT op) {
  auto type = cast<MemRefType>(op.getTarget().getType());
  return type.getElementType().isInteger(16)
             ? moert::scratch::reduceSmallIntegers(
                   cast<rt::CommType>(op.getComm().getType()).getSize(),
                   type.getNumElements())
             : 0;
}

void HostEmitter::planScratch() {
  // Work on one stream is sequential, so it can share memory.
  llvm::MapVector<Value, int64_t> most;
  auto need = [&](Value stream, int64_t bytes) {
    if (bytes)
      most[stream] = std::max(most.lookup(stream), bytes);
  };
  auto needForKernel = [&](Value stream, int64_t bytes) {
    need(stream, bytes);
    if (bytes) {
      int64_t &own = streamScratch[stream].kernelBytes;
      own = std::max(own, bytes);
    }
  };
  auto needForReduction = [&](auto op) {
    if (auto comm = op.getComm().template getDefiningOp<rt::CommunicatorOp>())
      needForKernel(comm.getStream(), getReductionBytes(op));
  };
  host.walk([&](Operation *op) {
    if (auto launch = dyn_cast<rt::LaunchFuncOp>(op)) {
      auto body = device->bodies.find(launch.getBody());
      if (body != device->bodies.end())
        need(launch.getStream(), body->second.scratchBytes);
    } else if (auto kernel = dyn_cast<rt::KernelOpInterface>(op)) {
      // The stream is the first operand of every kernel.
      needForKernel(op->getOperand(0), getKernelBytes(kernel, findType));
    } else if (auto scatter = dyn_cast<rt::ReduceScatterOp>(op)) {
      needForReduction(scatter);
    } else if (auto reduce = dyn_cast<rt::AllReduceOp>(op)) {
      needForReduction(reduce);
    }
  });
  for (auto [stream, bytes] : most) {
    int64_t begin = llvm::alignTo(workspaceBytes, MOERT_WORKSPACE_ALIGNMENT);
    streamScratch[stream].offset = begin;
    workspaceBytes = begin + bytes;
  }
}

void HostEmitter::emitScratch(Value stream, bool isThere) {
  StreamScratch own = streamScratch.lookup(stream);
  if (own.kernelBytes == 0)
    return;
  call(rt::symbols::stream_set_scratch,
       {get(stream), isThere ? advance(workspace, i64(own.offset)) : null(),
        i64(isThere ? own.kernelBytes : 0)});
  if (!isThere)
    return;
  // A failure may occur before the stream exists.
  OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
  Value one = LLVM::ConstantOp::create(top, loc, i64Type, 1);
  Value slot = LLVM::AllocaOp::create(top, loc, pointerType, pointerType, one);
  Value none = LLVM::ZeroOp::create(top, loc, pointerType);
  LLVM::StoreOp::create(top, loc, none, slot);
  store(get(stream), slot, 0);
  streamsWithScratch.push_back(slot);
}

void HostEmitter::withdrawScratchOnFailure() {
  if (streamsWithScratch.empty())
    return;
  Value status = failure->getArgument(0);
  failure->getTerminator()->erase();
  Block *last = failure;
  for (Value slot : streamsWithScratch) {
    builder.setInsertionPointToEnd(last);
    Value stream = load(pointerType, slot, 0);
    Value isThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                         stream, null());
    auto *withdraw = new Block(), *next = new Block();
    function.getBody().push_back(withdraw);
    function.getBody().push_back(next);
    LLVM::CondBrOp::create(builder, loc, isThere, withdraw, next);
    builder.setInsertionPointToEnd(withdraw);
    // The first failure is the result.
    callPlain(rt::symbols::stream_set_scratch, i32Type,
              {stream, null(), i64(0)});
    LLVM::BrOp::create(builder, loc, next);
    last = next;
  }
  builder.setInsertionPointToEnd(last);
  LLVM::ReturnOp::create(builder, loc, status);
}
