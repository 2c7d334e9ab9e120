// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-to-alls through delegates.

#include "DelegatedExchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "moe/Dialect/MoE/CarryOver.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

namespace {

/// A block from place `p` of server `i` to place `q` of server `j`.
struct Block {
  int64_t i, p, j, q;
};

/// Fills in the steps of the ranks in a region. Each step sorts the rank's
/// blocks by destination, and then in an order that the peer knows.
class Planner {
public:
  Planner(DelegatedExchange &exchange, const fabric::DelegateMap &map)
      : exchange(exchange), map(map), n(map.getNumServers()),
        b(map.getNumPlaces()) {}

  void run() {
    exchange.ranks.resize(n * b);
    gathered.resize(n * b);
    received.resize(n * b);
    scattered.resize(n * b);
    for (DelegatedRank &rank : exchange.ranks) {
      rank.gatherSent.resize(b);
      rank.gatherReceived.resize(b);
      rank.betweenSent.resize(n * b);
      rank.betweenReceived.resize(n * b);
      rank.scatterSent.resize(b);
      rank.scatterReceived.resize(b);
    }
    forEach([&](int64_t i, int64_t p) { gather(i, p); });
    forEach([&](int64_t i, int64_t p) { exchangeBetween(i, p); });
    forEach([&](int64_t i, int64_t p) { scatter(i, p); });
    forEach([&](int64_t i, int64_t p) { finish(i, p); });
  }

private:
  void forEach(function_ref<void(int64_t, int64_t)> visit) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t p = 0; p < b; ++p)
        visit(i, p);
  }
  DelegatedRank &at(int64_t server, int64_t place) {
    return exchange.ranks[server * b + place];
  }

  /// Ranks are visited in ascending order, so a delegate's blocks are in the
  /// order of the ranks that sent them.
  void gather(int64_t i, int64_t p) {
    DelegatedRank &rank = at(i, p);
    for (int64_t delegate = 0; delegate < b; ++delegate)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t q = 0; q < b; ++q) {
          if (j == i || map.at(i, j, q).sends != delegate)
            continue;
          rank.gatherSlots.push_back(j * b + q);
          ++rank.gatherSent[delegate];
          ++at(i, delegate).gatherReceived[p];
          gathered[i * b + delegate].push_back({i, p, j, q});
        }
  }

  void exchangeBetween(int64_t i, int64_t p) {
    DelegatedRank &rank = at(i, p);
    const std::vector<Block> &blocks = gathered[i * b + p];
    exchange.gathered =
        std::max(exchange.gathered, static_cast<int64_t>(blocks.size()));
    for (int64_t to = 0; to < n * b; ++to)
      for (auto [row, block] : llvm::enumerate(blocks)) {
        if (block.j * b + map.at(i, block.j, block.q).receives != to)
          continue;
        rank.betweenSlots.push_back(row);
        ++rank.betweenSent[to];
        ++exchange.ranks[to].betweenReceived[i * b + p];
        received[to].push_back(block);
      }
    exchange.busiest = std::max(exchange.busiest,
                                static_cast<int64_t>(rank.betweenSlots.size()));
  }

  void scatter(int64_t j, int64_t r) {
    DelegatedRank &rank = at(j, r);
    const std::vector<Block> &blocks = received[j * b + r];
    exchange.received =
        std::max(exchange.received, static_cast<int64_t>(blocks.size()));
    for (int64_t q = 0; q < b; ++q)
      for (auto [row, block] : llvm::enumerate(blocks)) {
        if (block.q != q)
          continue;
        rank.scatterSlots.push_back(row);
        ++rank.scatterSent[q];
        ++at(j, q).scatterReceived[r];
        scattered[j * b + q].push_back(block);
      }
  }

  void finish(int64_t j, int64_t q) {
    DelegatedRank &rank = at(j, q);
    rank.resultSlots.resize(n * b);
    for (auto [row, block] : llvm::enumerate(scattered[j * b + q]))
      rank.resultSlots[block.i * b + block.p] = row;
    for (int64_t p = 0; p < b; ++p)
      rank.resultSlots[j * b + p] = (n - 1) * b + p;
  }

  DelegatedExchange &exchange;
  const fabric::DelegateMap &map;
  int64_t n, b;
  /// Blocks that each step brings, by rank.
  std::vector<std::vector<Block>> gathered, received, scattered;
};

} // namespace

DelegatedExchange::DelegatedExchange(const fabric::DelegateMap &map)
    : servers(map.getNumServers()), places(map.getNumPlaces()) {
  Planner(*this, map).run();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {

class ExchangeBuilder {
public:
  ExchangeBuilder(OpBuilder &builder, AllToAllOp op, ocs::FabricOp fabric,
                  const DelegatedExchange &exchange)
      : builder(builder), op(op), loc(op.getLoc()), exchange(exchange) {
    auto mesh = fabric.getMeshAttr();
    server = GroupAttr::get(mesh, getNames(fabric.getServer()));
    between = GroupAttr::get(mesh, getNames(fabric.getRegion()));
    region = op.getGroup();
    place = GroupRankOp::create(builder, loc, builder.getIndexType(), region);
    auto type = cast<RankedTensorType>(op.getType());
    element = type.getElementType();
    width = type.getNumElements() / exchange.getNumRanks();
  }

  Value run() {
    int64_t n = exchange.servers, b = exchange.places;
    auto type = cast<RankedTensorType>(op.getType());
    Value x = reshape(op.getOperand(), {n * b, width});
    Value away = select(x, &DelegatedRank::gatherSlots);
    away = send(away, empty(exchange.gathered), server,
                &DelegatedRank::gatherSent, &DelegatedRank::gatherReceived);
    away = select(away, &DelegatedRank::betweenSlots);
    away = send(away, empty(exchange.received), region,
                &DelegatedRank::betweenSent, &DelegatedRank::betweenReceived);
    away = select(away, &DelegatedRank::scatterSlots);
    // The blocks from the own server follow the blocks from the scatter.
    Value all = tensor::InsertSliceOp::create(
        builder, loc, exchangeInside(x), empty(n * b),
        getIndices({(n - 1) * b, 0}), getIndices({b, width}),
        getIndices({1, 1}));
    all = send(away, all, server, &DelegatedRank::scatterSent,
               &DelegatedRank::scatterReceived);
    return reshape(select(all, &DelegatedRank::resultSlots), type.getShape());
  }

private:
  using Numbers = std::vector<int64_t> DelegatedRank::*;

  static SmallVector<StringRef> getNames(ArrayAttr names) {
    return llvm::to_vector(names.getAsValueRange<StringAttr>());
  }
  SmallVector<OpFoldResult> getIndices(ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  }
  Value empty(int64_t rows) {
    SmallVector<int64_t> shape{rows, width};
    return tensor::EmptyOp::create(builder, loc, shape, element);
  }

  /// Reshapes a value to another static shape.
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getShape() == shape)
      return value;
    auto getRow = [](int64_t rank) {
      return SmallVector<ReassociationIndices>{
          llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
    };
    if (type.getRank() > 1)
      value = tensor::CollapseShapeOp::create(builder, loc, value,
                                              getRow(type.getRank()));
    if (shape.size() > 1)
      value = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                            value, getRow(shape.size()));
    return value;
  }

  /// Returns this rank's row of a table, with `shape` after the rank's dim.
  Value pick(function_ref<std::vector<int64_t>(const DelegatedRank &)> get,
             ArrayRef<int64_t> shape) {
    std::vector<int32_t> numbers;
    for (const DelegatedRank &rank : exchange.ranks)
      llvm::append_range(numbers, get(rank));
    SmallVector<int64_t> all{exchange.getNumRanks()}, one{1};
    llvm::append_range(all, shape);
    llvm::append_range(one, shape);
    auto type = RankedTensorType::get(all, builder.getI32Type());
    Value table = arith::ConstantOp::create(
        builder, loc, DenseIntElementsAttr::get(type, ArrayRef(numbers)));
    SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0)),
        strides(all.size(), builder.getIndexAttr(1));
    offsets.front() = place;
    return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape),
                                          table, offsets, getIndices(one),
                                          strides);
  }

  /// Returns rows of `value` in the order of slots, as a permutation by their
  /// new places; the remaining rows, which are unused, follow.
  Value select(Value value, Numbers slots) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t rows = type.getDimSize(0);
    Value places = pick(
        [&](const DelegatedRank &rank) {
          std::vector<int64_t> places(rows, -1);
          for (auto [place, row] : llvm::enumerate(rank.*slots))
            places[row] = place;
          return places;
        },
        {rows, 1});
    return PermuteRowsOp::create(builder, loc, type, places.getType(),
                                 OrderKind::Choice, value, places, rows)
        .getRows();
  }

  /// Exchanges runs that are contiguous on both sides.
  Value send(Value value, Value init, GroupAttrInterface group, Numbers sent,
             Numbers received) {
    auto peers = static_cast<int64_t>((exchange.ranks.front().*sent).size());
    auto getSizes = [&](Numbers sizes) {
      return pick([&](const DelegatedRank &rank) { return rank.*sizes; },
                  peers);
    };
    auto getOffsets = [&](Numbers sizes) {
      return pick(
          [&](const DelegatedRank &rank) {
            std::vector<int64_t> offsets;
            int64_t next = 0;
            for (int64_t size : rank.*sizes) {
              offsets.push_back(next);
              next += size;
            }
            return offsets;
          },
          peers);
    };
    Value sendOffsets = getOffsets(sent), sendSizes = getSizes(sent);
    Value recvOffsets = getOffsets(received), recvSizes = getSizes(received);
    auto made = RaggedAllToAllOp::create(builder, loc, init.getType(), value,
                                         init, sendOffsets, sendSizes,
                                         recvOffsets, recvSizes, group);
    carryOver(op, made);
    return made;
  }

  /// Exchanges the blocks that stay on the server.
  Value exchangeInside(Value x) {
    int64_t n = exchange.servers, b = exchange.places;
    Value own =
        GroupRankOp::create(builder, loc, builder.getIndexType(), between);
    x = reshape(x, {n, b, width});
    auto type = RankedTensorType::get({b, width}, element);
    SmallVector<OpFoldResult> offsets = getIndices({0, 0, 0});
    offsets.front() = own;
    x = tensor::ExtractSliceOp::create(builder, loc, type, x, offsets,
                                       getIndices({1, b, width}),
                                       getIndices({1, 1, 1}));
    auto made = AllToAllOp::create(builder, loc, x, server, 0, 0, b);
    carryOver(op, made);
    return made;
  }

  OpBuilder &builder;
  AllToAllOp op;
  Location loc;
  const DelegatedExchange &exchange;
  GroupAttrInterface server, between, region;
  /// The number of this rank in its region.
  Value place;
  Type element;
  int64_t width;
};

} // namespace

Value moe::buildDelegatedExchange(OpBuilder &builder, AllToAllOp op,
                                  ocs::FabricOp fabric,
                                  const DelegatedExchange &exchange) {
  return ExchangeBuilder(builder, op, fabric, exchange).run();
}
