// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of rows whose counts a PyTorch program computes.
//
// The file cuts the ops of a chain (TorchRowChain.h) into one op per chunk. It
// follows each chunk of rows through the order of the exchange and the orders
// that the program sorts the rows by.

#include "TorchRowChunks.h"
#include "TorchRowChain.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"

using namespace mlir;
using namespace moe;

namespace {

/// The chunk of each op. An op without an entry belongs to the last chunk of
/// its operands, or to the first chunk.
using ChunkNumbers = llvm::DenseMap<Operation *, int64_t>;

/// Creates PyTorch ops that are functions, with their constants, before an op,
/// and records their chunk.
class Maker {
public:
  Maker(Operation *at, ChunkNumbers &numbers, int64_t chunk = 0)
      : b(at), loc(at->getLoc()), like(at), numbers(numbers), chunk(chunk) {}

  Operation *create(StringRef name, ValueRange operands, TypeRange types,
                    ArrayRef<std::pair<unsigned, Attribute>> constants = {}) {
    StringRef own = name;
    own.consume_front("torch.");
    OperationState state(loc, name);
    state.addOperands(operands);
    state.addTypes(types);
    if (!constants.empty()) {
      NamedAttrList said;
      for (auto [place, value] : constants)
        said.append(std::to_string(place), value);
      state.addAttribute(kTorchConstantsAttr,
                         said.getDictionary(b.getContext()));
    }
    Operation *made = b.create(state);
    if (!isTorchFunction(made)) {
      // The compiler does not know the op, but it is a function.
      made->erase();
      state.name =
          OperationName((kTorchFunctionPrefix + own).str(), b.getContext());
      made = b.create(state);
    }
    numbers[made] = chunk;
    made->setAttr(kTorchFunctionAttr, b.getUnitAttr());
    if (Attribute node = like->getAttr(kTorchNodeAttr))
      made->setAttr(kTorchOriginAttr, node);
    for (StringRef fact : {"fx.layer", "fx.backward"})
      if (Attribute attr = like->getAttr(fact))
        made->setAttr(fact, attr);
    return made;
  }
  Value createOne(StringRef name, ValueRange operands, Type type,
                  ArrayRef<std::pair<unsigned, Attribute>> constants = {}) {
    return create(name, operands, type, constants)->getResult(0);
  }

  Value list(ValueRange items) {
    OperationState state(loc, "torch.prim.ListConstruct");
    state.addOperands(items);
    state.addTypes(getOpaque(isa<RankedTensorType>(items.front().getType())
                                 ? "list<vtensor>"
                                 : "list<int>"));
    return b.create(state)->getResult(0);
  }
  Value number(int64_t value) {
    OperationState state(loc, "torch.constant.int");
    state.propertiesAttr = b.getDictionaryAttr(
        b.getNamedAttr("value", b.getI64IntegerAttr(value)));
    state.addTypes(getInt());
    return b.create(state)->getResult(0);
  }
  Value compute(StringRef name, Value left, Value right) {
    return createOne(("torch.python." + name).str(), {left, right}, getInt());
  }
  Value join(ValueRange parts, Type type) {
    return createOne("torch.aten.cat", list(parts), type,
                     {{1, b.getI64IntegerAttr(0)}});
  }
  /// Returns the rows of a tensor at indices along its first dim.
  Value take(Value rows, Value indices) {
    return createOne("torch.aten.index.Tensor", {rows, list(indices)},
                     withOpenRows(rows.getType()));
  }
  /// Creates the sorted values of a tensor with one dim, and their indices.
  Operation *sort(Value values) {
    return create("torch.aten.sort.stable", values,
                  {values.getType(), values.getType()},
                  {{1, b.getBoolAttr(true)},
                   {2, b.getI64IntegerAttr(-1)},
                   {3, b.getBoolAttr(false)}});
  }
  Type getInt() { return getOpaque("int"); }
  Type getOpaque(StringRef name) {
    return OpaqueType::get(b.getStringAttr("torch"), name);
  }

  OpBuilder b;
  Location loc;

private:
  Operation *like;
  ChunkNumbers &numbers;
  int64_t chunk;
};

/// Runs of rows whose sizes are the splits of an exchange. Each run is cut into
/// one piece per chunk.
struct Runs {
  SmallVector<Value> splits;
  /// Sizes of the pieces: [run][chunk].
  SmallVector<SmallVector<Value>> sizes;
  int64_t degree = 0;

  Runs() = default;
  Runs(Maker &make, ArrayRef<Value> of, int64_t degree)
      : splits(of), degree(degree) {
    Value count = make.number(degree);
    for (Value split : splits) {
      Value even = make.compute("floordiv", split, count);
      SmallVector<Value> &pieces = sizes.emplace_back(degree - 1, even);
      // The last piece has the remaining rows.
      Value others = degree == 2
                         ? even
                         : make.compute("mul", even, make.number(degree - 1));
      pieces.push_back(make.compute("sub", split, others));
    }
  }

  SmallVector<Value> getSizes(int64_t chunk) const {
    return llvm::map_to_vector(
        sizes, [&](const SmallVector<Value> &run) { return run[chunk]; });
  }
  SmallVector<Value> split(Maker &make, Value rows, ArrayRef<Value> by) const {
    Type type = withOpenRows(rows.getType());
    Operation *made = make.create(
        "torch.aten.split_with_sizes", {rows, make.list(by)},
        SmallVector<Type>(by.size(), type), {{2, make.b.getI64IntegerAttr(0)}});
    return llvm::to_vector_of<Value>(made->getResults());
  }
  /// Cuts rows into chunks.
  SmallVector<Value> cut(Maker &make, Value rows) const {
    SmallVector<Value> all;
    for (const SmallVector<Value> &run : sizes)
      llvm::append_range(all, run);
    SmallVector<Value> pieces = split(make, rows, all), chunks;
    for (int64_t c = 0; c < degree; ++c) {
      SmallVector<Value> of;
      for (size_t run = 0; run < sizes.size(); ++run)
        of.push_back(pieces[run * degree + c]);
      chunks.push_back(make.join(of, withOpenRows(rows.getType())));
    }
    return chunks;
  }
  /// Joins chunks, the inverse of `cut`.
  Value join(Maker &make, ArrayRef<Value> chunks, Type type) const {
    SmallVector<Value> pieces(sizes.size() * degree);
    for (int64_t c = 0; c < degree; ++c)
      for (auto [run, piece] :
           llvm::enumerate(split(make, chunks[c], getSizes(c))))
        pieces[run * degree + c] = piece;
    return make.join(pieces, type);
  }
};

/// An order of the rows that a rank receives: the order of the exchange, or an
/// order sorted by a permutation.
struct Order {
  /// Null for the order of the exchange, and for an order that was dropped.
  Value permutation;
  /// For a sorted order, per chunk: the ascending numbers of the chunk's rows,
  /// and the permutation of these rows.
  SmallVector<Value> rows, permutations;
  /// The inverses of `permutations`.
  SmallVector<Value> inverses;
  /// The permutation from the joined chunks to the original rows.
  Value back;
  /// The ends of groups of rows in each chunk, by their ends in all rows.
  llvm::DenseMap<Value, SmallVector<Value>> ends;
};

/// The rows that exchanges with equal splits receive.
struct Rows {
  Runs sent, received;
  SmallVector<Order> orders;
  /// The chunks of each value that has been cut.
  llvm::DenseMap<Value, std::pair<unsigned, SmallVector<Value>>> chunks;
};

/// Cuts the exchanges of one block.
class Chunker {
public:
  Chunker(int64_t degree, const ReplicationInfo &replication)
      : degree(degree), finder(replication) {}

  TorchRowChunks run(RaggedAllToAllOp dispatch) {
    TorchRowChunks made{dispatch.getLoc(), 0, ""};
    std::optional<RowChain> chain = finder.find(dispatch, made.reason);
    if (chain) {
      made.ops = chain->ops.size();
      done.insert_range(chain->ops);
      build(*chain);
    }
    return made;
  }
  /// Returns true if the chain of another exchange has cut this exchange.
  bool isDone(Operation *op) const { return done.contains(op); }

private:
  Rows &getRows(Maker &make, RaggedAllToAllOp dispatch);
  void dropLater(Rows &rows, Operation *at);
  unsigned getOrderIndex(Maker &make, Rows &rows, Value permutation);
  SmallVector<Value> cut(Maker &make, Rows &rows, unsigned order, Value value);
  SmallVector<Value> getPermutations(Maker &make, Order &order, bool isInverse);
  ArrayRef<Value> getEnds(Maker &make, Order &order, Value ends);
  Value join(Maker &make, Rows &rows, unsigned order, ArrayRef<Value> chunks,
             Type type);
  SmallVector<Value> exchange(Maker &make, RaggedAllToAllOp op,
                              ArrayRef<Value> operands, const Runs &sent,
                              const Runs &received);
  SmallVector<Value> clone(Maker &make, Operation *op, Rows &rows,
                           const RowChain &chain);
  void build(const RowChain &chain);
  /// Moves the ops of each chunk after the ops of the previous chunks.
  void order(Block::iterator from, Operation *to);

  int64_t degree;
  RowChainFinder finder;
  llvm::DenseSet<Operation *> done;
  std::vector<std::pair<Block *, std::unique_ptr<Rows>>> known;
  ChunkNumbers chunkOf;
};

} // namespace

Rows &Chunker::getRows(Maker &make, RaggedAllToAllOp dispatch) {
  auto sent = *getTorchSplits(dispatch.getSendSizes()),
       received = *getTorchSplits(dispatch.getRecvSizes());
  for (auto &[block, rows] : known)
    if (block == dispatch->getBlock() && rows->sent.splits == sent &&
        rows->received.splits == received)
      return *rows;
  auto made = std::make_unique<Rows>();
  made->sent = Runs(make, sent, degree);
  made->received = Runs(make, received, degree);
  made->orders.emplace_back();
  return *known.emplace_back(dispatch->getBlock(), std::move(made)).second;
}

/// Drops the chunks and orders that an earlier chain computes after `at`,
/// because ops of the next chain may come before them.
void Chunker::dropLater(Rows &rows, Operation *at) {
  auto isLater = [&](Value value) {
    Operation *op = value ? value.getDefiningOp() : nullptr;
    return op && op->getBlock() == at->getBlock() && at->isBeforeInBlock(op);
  };
  for (Order &order : llvm::drop_begin(rows.orders)) {
    bool isDropped = isLater(order.back);
    for (ArrayRef<Value> values :
         {ArrayRef(order.rows), ArrayRef(order.permutations),
          ArrayRef(order.inverses)})
      isDropped |= llvm::any_of(values, isLater);
    for (const auto &[ends, values] : order.ends)
      isDropped |= llvm::any_of(values, isLater);
    if (isDropped)
      order = Order();
  }
  llvm::DenseMap<Value, std::pair<unsigned, SmallVector<Value>>> kept;
  for (auto &[value, chunks] : rows.chunks)
    if (!llvm::any_of(chunks.second, isLater) &&
        (chunks.first == 0 || rows.orders[chunks.first].permutation))
      kept.try_emplace(value, std::move(chunks));
  rows.chunks = std::move(kept);
}

unsigned Chunker::getOrderIndex(Maker &make, Rows &rows, Value permutation) {
  for (auto [i, order] : llvm::enumerate(rows.orders))
    if (order.permutation == permutation)
      return i;
  Order made;
  made.permutation = permutation;
  // The position in the sorted order of each row of the exchange's order.
  Value places = make.sort(permutation)->getResult(1);
  for (Value chunk : rows.received.cut(make, places)) {
    Operation *sorted = make.sort(chunk);
    made.rows.push_back(sorted->getResult(0));
    made.permutations.push_back(sorted->getResult(1));
  }
  rows.orders.push_back(std::move(made));
  return rows.orders.size() - 1;
}

SmallVector<Value> Chunker::cut(Maker &make, Rows &rows, unsigned order,
                                Value value) {
  auto it = rows.chunks.find(value);
  if (it != rows.chunks.end() && it->second.first == order)
    return it->second.second;
  SmallVector<Value> made;
  if (order == 0)
    made = rows.received.cut(make, value);
  else
    for (Value indices : rows.orders[order].rows)
      made.push_back(make.take(value, indices));
  rows.chunks[value] = {order, made};
  return made;
}

SmallVector<Value> Chunker::getPermutations(Maker &make, Order &order,
                                            bool isInverse) {
  if (!isInverse)
    return order.permutations;
  if (order.inverses.empty())
    for (Value permutation : order.permutations)
      order.inverses.push_back(make.sort(permutation)->getResult(1));
  return order.inverses;
}

/// The end of a group in a chunk: the number of rows of the chunk that come
/// before the end of the whole group.
ArrayRef<Value> Chunker::getEnds(Maker &make, Order &order, Value ends) {
  SmallVector<Value> &made = order.ends[ends];
  if (!made.empty())
    return made;
  auto type = cast<RankedTensorType>(ends.getType());
  Attribute none = make.b.getUnitAttr();
  constexpr int64_t kInt64 = 4; // of PyTorch's ScalarType
  Value places = ends;
  if (!type.getElementType().isInteger(64))
    places = make.createOne("torch.aten._to_copy", ends,
                            type.clone(make.b.getI64Type()),
                            {{1, make.b.getI64IntegerAttr(kInt64)},
                             {2, none},
                             {3, none},
                             {4, none},
                             {5, make.b.getBoolAttr(false)},
                             {6, none}});
  bool isShort = type.getElementType().isInteger(32);
  for (Value rows : order.rows)
    made.push_back(make.createOne("torch.aten.searchsorted.Tensor",
                                  {rows, places}, type,
                                  {{2, make.b.getBoolAttr(isShort)},
                                   {3, make.b.getBoolAttr(false)},
                                   {4, none},
                                   {5, none}}));
  return made;
}

Value Chunker::join(Maker &make, Rows &rows, unsigned order,
                    ArrayRef<Value> chunks, Type type) {
  if (order == 0)
    return rows.received.join(make, chunks, type);
  Order &of = rows.orders[order];
  if (!of.back)
    of.back =
        make.sort(make.join(of.rows, of.rows.front().getType()))->getResult(1);
  return make.take(make.join(chunks, type), of.back);
}

SmallVector<Value> Chunker::exchange(Maker &make, RaggedAllToAllOp op,
                                     ArrayRef<Value> operands, const Runs &sent,
                                     const Runs &received) {
  auto list =
      RankedTensorType::get({int64_t(sent.splits.size())}, make.b.getI64Type());
  RankedTensorType type = withOpenRows(op.getType());
  SmallVector<Value> made;
  for (int64_t c = 0; c < degree; ++c) {
    auto state = [&](const Runs &runs) {
      Value sizes = make.createOne(kTorchSizes, runs.getSizes(c), list);
      return std::pair(make.createOne(kTorchOffsets, sizes, list), sizes);
    };
    auto [sendOffsets, sendSizes] = state(sent);
    auto [recvOffsets, recvSizes] = state(received);
    Value count = make.createOne(kTorchRows, recvSizes, make.b.getIndexType());
    Value init = tensor::EmptyOp::create(make.b, make.loc, type, count);
    auto one = RaggedAllToAllOp::create(make.b, make.loc, type, operands[c],
                                        init, sendOffsets, sendSizes,
                                        recvOffsets, recvSizes, op.getGroup());
    carryOver(op, one);
    done.insert(one);
    made.push_back(one.getResult());
  }
  return made;
}

SmallVector<Value> Chunker::clone(Maker &make, Operation *op, Rows &rows,
                                  const RowChain &chain) {
  Value result = op->getResult(0);
  auto getChunks = [&](Value value) {
    return rows.chunks.find(value)->second.second;
  };
  auto finish = [&](int64_t chunk, IRMapping &mapping) {
    Operation *made = make.b.clone(*op, mapping);
    chunkOf[made] = chunk;
    return made->getResult(0);
  };
  SmallVector<Value> made;
  if (std::optional<RowMove> move = getRowMove(op)) {
    Value values = op->getOperand(move->rows);
    // Either the result or the values are sorted.
    Value sorted = chain.orders.lookup(result);
    bool isInverse = bool(sorted) == move->puts;
    if (!sorted)
      sorted = chain.orders.lookup(values);
    unsigned order = getOrderIndex(make, rows, sorted);
    SmallVector<Value> permutations =
        getPermutations(make, rows.orders[order], isInverse);
    for (auto [c, chunk] : llvm::enumerate(getChunks(values))) {
      IRMapping mapping;
      mapping.map(values, chunk);
      Value indices = op->getOperand(move->indices);
      mapping.map(indices, isa<RankedTensorType>(indices.getType())
                               ? permutations[c]
                               : make.list(permutations[c]));
      if (move->puts) {
        SmallVector<std::pair<unsigned, Attribute>> none;
        for (unsigned place = 1; place < 6; ++place)
          none.emplace_back(place, make.b.getUnitAttr());
        mapping.map(op->getOperand(0),
                    make.createOne("torch.aten.zeros_like", chunk,
                                   chunk.getType(), none));
      }
      made.push_back(finish(c, mapping));
    }
    return made;
  }
  unsigned order = getOrderIndex(make, rows, chain.orders.lookup(result));
  std::optional<DimMap> map = getDimMap(op);
  bool groups = isTorchOp(op, "torch.aten._grouped_mm");
  for (int64_t c = 0; c < degree; ++c) {
    IRMapping mapping;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      if (chain.orders.contains(operand)) {
        mapping.map(operand, getChunks(operand)[c]);
      } else if (groups && i == 2) {
        mapping.map(operand, getEnds(make, rows.orders[order], operand)[c]);
      } else if (!groups && map->getOperandDim(0, 0, i)) {
        mapping.map(operand, cut(make, rows, order, operand)[c]);
      }
    }
    made.push_back(finish(c, mapping));
  }
  return made;
}

void Chunker::build(const RowChain &chain) {
  RaggedAllToAllOp dispatch = chain.dispatch;
  Maker make(dispatch, chunkOf);
  Rows &rows = getRows(make, dispatch);
  dropLater(rows, dispatch);
  SmallVector<Value> operands = rows.sent.cut(make, dispatch.getOperand());
  rows.chunks[dispatch.getResult()] = {
      0, exchange(make, dispatch, operands, rows.sent, rows.received)};
  Operation *first =
      rows.chunks[dispatch.getResult()].second.front().getDefiningOp();
  for (Operation *op : chain.ops) {
    Maker next(op, chunkOf);
    if (auto back = dyn_cast<RaggedAllToAllOp>(op)) {
      SmallVector<Value> made =
          exchange(next, back, rows.chunks[back.getOperand()].second,
                   rows.received, rows.sent);
      for (auto [c, one] : llvm::enumerate(made))
        chunkOf[one.getDefiningOp()] = c;
      Maker end(op, chunkOf, degree);
      back.getResult().replaceAllUsesWith(
          rows.sent.join(end, made, withOpenRows(back.getType())));
      continue;
    }
    SmallVector<Value> made = clone(next, op, rows, chain);
    Value result = op->getResult(0);
    unsigned order = getOrderIndex(next, rows, chain.orders.lookup(result));
    rows.chunks[result] = {order, made};
  }
  Operation *last = chain.ops.back();
  // Other ops read all rows, if they need more than their number.
  SmallVector<Operation *> old(chain.ops.begin(), chain.ops.end());
  SmallVector<std::pair<Operation *, Value>> results{
      {dispatch, dispatch.getResult()}};
  for (Operation *op : old)
    if (!isa<RaggedAllToAllOp>(op))
      results.emplace_back(op, op->getResult(0));
  for (auto [op, result] : results)
    for (Operation *user : llvm::to_vector(result.getUsers()))
      if (isTorchOp(user, "torch.aten.sym_size.int") &&
          getTorchInt(TorchArguments(user).getConstant(1)) == 0) {
        Maker next(user, chunkOf);
        user->getResult(0).replaceAllUsesWith(
            next.createOne("torch.python.sym_sum",
                           next.list(rows.received.splits), next.getInt()));
        user->erase();
      }
  auto isOld = [&](Operation *op) { return chain.ops.contains(op); };
  for (auto [op, result] : results) {
    // Tensors that an op of the chain wrote rows to.
    for (Operation *user : llvm::to_vector(result.getUsers()))
      if (user->getNumResults() == 1 &&
          (isTorchZeros(user->getResult(0)) ||
           isTorchEmpty(user->getResult(0))) &&
          llvm::all_of(user->getUsers(), isOld)) {
        user->getResult(0).dropAllUses();
        user->erase();
      }
    if (llvm::all_of(result.getUsers(), isOld))
      continue;
    Maker end(op, chunkOf, degree);
    auto chunks = rows.chunks.lookup(result);
    Value all = join(end, rows, chunks.first, chunks.second, result.getType());
    result.replaceUsesWithIf(
        all, [&](OpOperand &use) { return !isOld(use.getOwner()); });
    // Later chains reuse these chunks.
    rows.chunks[all] = chunks;
    finder.addJoined(all, rows.received.splits);
  }
  Block::iterator end(last);
  ++end;
  for (Operation *op : llvm::reverse(old)) {
    rows.chunks.erase(op->getResult(0));
    op->dropAllUses();
    op->erase();
  }
  rows.chunks.erase(dispatch.getResult());
  dispatch.erase();
  order(Block::iterator(first), &*end);
}

void Chunker::order(Block::iterator from, Operation *to) {
  Block *block = to->getBlock();
  SmallVector<SmallVector<Operation *>> ops(degree + 1);
  for (auto it = from; it != Block::iterator(to); ++it) {
    Operation *op = &*it;
    int64_t chunk = chunkOf.lookup(op);
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && def->getBlock() == block)
          chunk = std::max(chunk, chunkOf.lookup(def));
    });
    chunkOf[op] = chunk;
    ops[chunk].push_back(op);
  }
  for (const SmallVector<Operation *> &ofChunk : ops)
    for (Operation *op : ofChunk)
      op->moveBefore(to);
  // The ops of the next chain come after all of these.
  chunkOf.clear();
}

SmallVector<TorchRowChunks>
moe::chunkTorchRows(ArrayRef<RaggedAllToAllOp> exchanges, int64_t degree,
                    const ReplicationInfo &replication) {
  Chunker chunker(degree, replication);
  SmallVector<TorchRowChunks> made;
  for (RaggedAllToAllOp op : exchanges)
    if (!chunker.isDone(op))
      made.push_back(chunker.run(op));
  return made;
}
