// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry functions as runtime calls.

#include "HostEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moert.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::run() {
  if (!host.getBody().hasOneBlock())
    return host.emitOpError() << "expected an entry function of one block, got "
                              << host.getBody().getBlocks().size();
  name = (rt::kCodePrefix + host.getSymName()).str();
  for (StringRef suffix : {"", "_enqueue", "_prepare", "_workspace_bytes"})
    if (symbols.lookup(name + suffix.str()))
      return host.emitOpError()
             << "expected no other symbol @" << name << suffix;
  numInputs =
      host->getAttrOfType<IntegerAttr>(rt::MoERTDialect::getInputsAttrName())
          .getInt();
  numRanks = countRanks();
  planMemory();
  if (mlir::failed(emitEnqueue()))
    return mlir::failure();
  describe();
  if (mlir::failed(emitPrepare()))
    return mlir::failure();
  emitRun();
  return success();
}

void HostEmitter::planMemory() {
  auto place = [&](int64_t &end, MemRefType type) {
    int64_t begin = llvm::alignTo(end, MOERT_WORKSPACE_ALIGNMENT);
    end = begin +
          type.getNumElements() * *rt::getElementBytes(type.getElementType());
    return begin;
  };
  host.walk([&](Operation *op) {
    if (auto arena = dyn_cast<rt::ArenaOp>(op))
      offsets[op] = place(workspaceBytes, arena.getMemory().getType());
    else if (auto buffer = dyn_cast<rt::HostBufferOp>(op);
             buffer && buffer.isWrittenByStream())
      offsets[op] = place(hostBytes, buffer.getMemory().getType());
  });
  if (device)
    planScratch();
}

/// Returns the maximum number of host waits in a block, over the regions that
/// branches can take.
static int64_t countWaits(Block &block) {
  int64_t count = 0;
  for (Operation &op : block) {
    int64_t most =
        isa<rt::AwaitOp, rt::SynchronizeOp, rt::OcsAwaitOp, rt::OcsSettleOp>(
            op);
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        most = std::max(most, countWaits(nested));
    count += most;
  }
  return count;
}

/// Returns true if the host communicates with a switch, or with the rank that
/// controls it.
static bool changesCircuits(Operation *op) {
  return isa<rt::OcsConfigureOp, rt::OcsAwaitOp, rt::OcsPlanOp, rt::OcsSetOp,
             rt::OcsSettleOp>(op);
}

/// Returns a description of the host's work in each run besides launching, with
/// the first op that needs it; empty if there is none.
static std::string describeHostPart(func::FuncOp host) {
  Operation *wait = nullptr, *reader = nullptr;
  host.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<rt::AwaitOp, rt::SynchronizeOp>(op)) {
      wait = wait ? wait : op;
      return WalkResult::advance();
    }
    // Finds ops that read host memory after a stream has written it.
    bool reads = wait && !isa<rt::CopyOp>(op) &&
                 llvm::any_of(op->getOperands(), [](Value operand) {
                   auto buffer = operand.getDefiningOp<rt::HostBufferOp>();
                   return buffer && buffer.isWrittenByStream();
                 });
    if (!reads && !changesCircuits(op))
      return WalkResult::advance();
    reader = op;
    return WalkResult::interrupt();
  });
  if (!reader && !wait)
    return "";
  Operation *op = reader ? reader : wait;
  std::string text = isa<memref::LoadOp>(op)
                         ? "a branch"
                         : ("'" + op->getName().getStringRef() + "'").str();
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += (" of " + place.getFilename().getValue() + ":" +
             Twine(place.getLine()) + ":" + Twine(place.getColumn()))
                .str();
  if (changesCircuits(op))
    return text + " talks to an optical switch";
  return text + (reader ? " needs the host to read what a stream computes"
                        : " lets the host wait");
}

LogicalResult HostEmitter::emitEnqueue() {
  Block *entry =
      begin(name + "_enqueue", i32Type,
            {pointerType, pointerType, pointerType, pointerType, pointerType});
  // Thousands of calls run once per step, so optimizing them would take seconds
  // without a benefit.
  markPart({builder.getStrArrayAttr({"noinline", "optnone"})});
  hostWaits = countWaits(host.getBody().front());
  hostPart = describeHostPart(host);
  function->setAttr(rt::MoERTDialect::getHostWaitsAttrName(),
                    builder.getI64IntegerAttr(hostWaits));
  context = entry->getArgument(0);
  values[host.getArgument(0)] = context;
  callerStream = entry->getArgument(1);
  Value inputs = entry->getArgument(2), results = entry->getArgument(3);
  workspace = entry->getArgument(4);
  hostMemory =
      create(rt::symbols::program_begin,
             {context, getProgram(), callerStream, inputs, results, workspace});
  for (auto [i, argument] : llvm::enumerate(host.getArguments().drop_front())) {
    bool isInput = static_cast<int64_t>(i) < numInputs;
    values[argument] = load(pointerType, isInput ? inputs : results,
                            isInput ? i : i - numInputs);
  }
  // The program's streams start after the caller's stream.
  begun = makeEvent();
  call(rt::symbols::event_record, {begun, callerStream});
  if (failed(emitBlock(host.getBody().front())))
    return mlir::failure();
  loc = host.getLoc();
  attributes.clear();
  // The caller may free the workspace after the run.
  for (const auto &[stream, own] : streamScratch)
    emitScratch(stream, /*isThere=*/false);
  // Later work on the caller's stream must wait for the whole program.
  for (Value stream : streams) {
    Value ended = makeEvent();
    call(rt::symbols::event_record, {ended, stream});
    call(rt::symbols::stream_wait_event, {callerStream, ended});
  }
  LLVM::ReturnOp::create(builder, loc, i32(0));
  withdrawScratchOnFailure();
  return success();
}

LogicalResult HostEmitter::emitPrepare() {
  Block *entry = begin(name + "_prepare", i32Type, {pointerType});
  markPart(builder.getStrArrayAttr({"noinline", "optnone"}));
  context = entry->getArgument(0);
  rank = nullptr;
  values[host.getArgument(0)] = context;
  call(rt::symbols::program_prepare, {context, getProgram()});
  for (Operation &op : host.getBody().front())
    if (isa<rt::StreamOp, rt::CommunicatorOp>(op) &&
        failed(emitCalls(cast<rt::RuntimeCallOpInterface>(op))))
      return mlir::failure();
  LLVM::ReturnOp::create(builder, loc, i32(0));
  return success();
}

void HostEmitter::emitRun() {
  begin(name + "_workspace_bytes", i64Type, {});
  markPart({});
  LLVM::ReturnOp::create(builder, loc, i64(workspaceBytes));
  Block *entry = begin(name, i32Type, {pointerType, pointerType, pointerType});
  // The signature of the program, and attributes of other dialects.
  for (NamedAttribute attr : host->getDiscardableAttrs())
    if (attr.getName() != rt::MoERTDialect::getInputsAttrName())
      function->setDiscardableAttr(attr.getName(), attr.getValue());
  call(rt::symbols::program_run,
       {entry->getArgument(0), getProgram(), entry->getArgument(1),
        entry->getArgument(2)});
  LLVM::ReturnOp::create(builder, loc, i32(0));
}

void HostEmitter::markPart(ArrayAttr passthrough) {
  function->setAttr(rt::MoERTDialect::getPartOfAttrName(),
                    host.getSymNameAttr());
  if (passthrough)
    function.setPassthroughAttr(passthrough);
}

Value HostEmitter::makeEvent() {
  return create(rt::symbols::event_get, {context, i32(numEvents++)});
}

int64_t HostEmitter::countRanks() {
  if (MeshOp mesh = MeshOp::lookup(host))
    return mesh.getNumRanks();
  int64_t count = 0;
  host.walk([&](Operation *op) {
    GroupAttrInterface group;
    if (auto comm = dyn_cast<rt::CommunicatorOp>(op))
      group = comm.getGroup();
    else if (auto position = dyn_cast<rt::GroupRankOp>(op))
      group = position.getGroup();
    if (auto lists = dyn_cast_if_present<ReplicaGroupsAttr>(group))
      count = lists.getRanks().getNumElements();
    return count ? WalkResult::interrupt() : WalkResult::advance();
  });
  return count;
}

LogicalResult HostEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    attributes.assign(op.getDiscardableAttrs().begin(),
                      op.getDiscardableAttrs().end());
    if (failed(emit(&op)))
      return mlir::failure();
  }
  return success();
}

LogicalResult HostEmitter::emit(Operation *op) {
  if (isa<memref::ViewOp, memref::SubViewOp, memref::TransposeOp,
          memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(op))
    return emitAddress(op);
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return emitNumber(op);
  if (auto read = dyn_cast<memref::LoadOp>(op))
    return emitRead(read);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return emitBranch(op);
  if (auto call = dyn_cast<rt::CallOp>(op))
    return emitHostCall(call);
  if (auto launch = dyn_cast<rt::LaunchFuncOp>(op); launch && device)
    return emitLaunches(launch);
  if (auto place = dyn_cast<rt::GroupRankOp>(op))
    return emitGroupRank(place);
  if (isa<rt::StreamOp, rt::EventOp, rt::ArenaOp, rt::HostBufferOp>(op))
    return emitObject(op);
  if (auto calls = dyn_cast<rt::RuntimeCallOpInterface>(op))
    return emitCalls(calls);
  return op->emitOpError()
         << "cannot stand in an entry function: expected ops of the moert "
            "dialect, views of buffers, branches and arithmetic on index";
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::emitRead(memref::LoadOp op) {
  Type type = op.getType();
  if (op.getMemRefType().getRank() != 0 ||
      !(type.isInteger(1) || type.isIndex()))
    return op.emitOpError() << "cannot stand in an entry function: expected to "
                               "read one i1 or index, got "
                            << op.getMemRefType();
  Value memory = get(op.getMemref());
  if (type.isIndex()) {
    values[op.getResult()] = load(i64Type, memory, 0);
    return success();
  }
  // A byte with the value in its lowest bit.
  values[op.getResult()] = LLVM::TruncOp::create(
      builder, loc, builder.getI1Type(), load(builder.getI8Type(), memory, 0));
  return success();
}

LogicalResult HostEmitter::emitBranch(Operation *op) {
  if (op->getNumResults() != 0)
    return op->emitOpError() << "cannot stand in an entry function: expected "
                                "branches without results";
  auto addBlock = [&] {
    auto *block = new Block();
    function.getBody().getBlocks().insert(Region::iterator(failure), block);
    return block;
  };
  Value condition = get(op->getOperand(0));
  Location branchLoc = loc;
  bool isOutermost = !outside;
  if (isOutermost)
    outside = builder.getInsertionBlock();
  Block *end = addBlock();
  // Regions in the order of their tests; the last one is the default.
  SmallVector<std::pair<Value, Region *>> ways;
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    for (auto [value, region] :
         llvm::zip_equal(choice.getCases(), choice.getCaseRegions()))
      ways.emplace_back(LLVM::ICmpOp::create(builder, loc,
                                             LLVM::ICmpPredicate::eq, condition,
                                             i64(value)),
                        &region);
    ways.emplace_back(Value(), &choice.getDefaultRegion());
  } else {
    ways.emplace_back(condition, &op->getRegion(0));
    ways.emplace_back(Value(), &op->getRegion(1));
  }
  for (auto [isTaken, region] : ways) {
    Block *other = end;
    if (isTaken) {
      Block *way = addBlock();
      other = addBlock();
      LLVM::CondBrOp::create(builder, branchLoc, isTaken, way, other);
      builder.setInsertionPointToStart(way);
    }
    if (!region->empty() && failed(emitBlock(region->front())))
      return mlir::failure();
    LLVM::BrOp::create(builder, branchLoc, end);
    builder.setInsertionPointToStart(other);
  }
  if (isOutermost)
    outside = nullptr;
  loc = branchLoc;
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers and addresses
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::emitNumber(Operation *op) {
  Value result;
  if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
    result = i64(constant.value());
  else if (auto mul = dyn_cast<arith::MulIOp>(op))
    result =
        LLVM::MulOp::create(builder, loc, get(mul.getLhs()), get(mul.getRhs()));
  else if (auto add = dyn_cast<arith::AddIOp>(op))
    result =
        LLVM::AddOp::create(builder, loc, get(add.getLhs()), get(add.getRhs()));
  if (!result || !op->getResult(0).getType().isIndex())
    return op->emitOpError() << "cannot stand in an entry function: expected "
                                "constants, sums and products of type index";
  values[op->getResult(0)] = result;
  return success();
}

LogicalResult HostEmitter::emitSubView(Operation *op) {
  auto view = cast<memref::SubViewOp>(op);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (mlir::failed(view.getSourceType().getStridesAndOffset(strides, offset)))
    return op->emitOpError() << "expected a strided source";
  int64_t bytes = *rt::getElementBytes(view.getType().getElementType());
  int64_t known = 0;
  Value address = get(view.getSource());
  for (auto [place, stride] :
       llvm::zip_equal(view.getMixedOffsets(), strides)) {
    if (auto dynamic = dyn_cast<Value>(place))
      address = advance(address, LLVM::MulOp::create(builder, loc, get(dynamic),
                                                     i64(stride * bytes)));
    else
      known += *getConstantIntValue(place) * stride * bytes;
  }
  values[view.getResult()] = known ? advance(address, i64(known)) : address;
  return success();
}

LogicalResult HostEmitter::emitAddress(Operation *op) {
  auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
  if (!type || !rt::isBuffer(type))
    return op->emitOpError() << "expected a view of static shape and strides, "
                                "got "
                             << op->getResult(0).getType();
  if (isa<memref::SubViewOp>(op))
    return emitSubView(op);
  Value source = get(op->getOperand(0));
  if (auto view = dyn_cast<memref::ViewOp>(op))
    source = advance(source, get(view.getByteShift()));
  // Other views change the layout but not the base address.
  values[op->getResult(0)] = source;
  return success();
}
