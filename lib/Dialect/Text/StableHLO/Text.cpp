// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers for attributes of Shardy and StableHLO.

#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

namespace {

/// Reads tokens from the front of a text. After the first mismatch, reads
/// nothing more.
class Reader {
public:
  explicit Reader(StringRef text) : rest(text) {}

  /// Consumes `token` if it is next, and returns whether it was.
  bool take(StringRef token) {
    if (!ok)
      return false;
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  void expect(StringRef token) { ok = take(token) && ok; }

  std::string name() {
    rest = rest.ltrim();
    if (!ok || !rest.consume_front("\""))
      return fail();
    size_t end = rest.find('"');
    // Escapes in axis names are not supported.
    if (end == StringRef::npos || rest.take_front(end).contains('\\'))
      return fail();
    std::string found = rest.take_front(end).str();
    rest = rest.drop_front(end + 1);
    return found;
  }

  /// Reads a symbol and returns its name without the `@`.
  std::string symbol() {
    expect("@");
    if (ok && rest.starts_with("\""))
      return name();
    StringRef found = rest.take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
    });
    if (!ok || found.empty())
      return fail();
    rest = rest.drop_front(found.size());
    return found.str();
  }

  int64_t number() {
    rest = rest.ltrim();
    int64_t value = 0;
    if (!ok || rest.consumeInteger(10, value))
      fail();
    return value;
  }

  std::string fail() {
    ok = false;
    return "";
  }
  bool isGood() const { return ok; }
  bool isDone() { return ok && rest.trim().empty(); }
  StringRef getRest() const { return rest; }

  /// Reads items separated by commas, up to `close`.
  template <typename Item> void list(StringRef close, Item item) {
    if (take(close))
      return;
    do
      item();
    while (take(","));
    expect(close);
  }

private:
  StringRef rest;
  bool ok = true;
};

} // namespace

static std::string print(Attribute attr) {
  std::string text;
  if (attr)
    llvm::raw_string_ostream(text) << attr;
  return text;
}

/// Reads `"ep"` or `"ep":(1)2`. With `whole`, the latter is a mismatch.
static std::string readAxis(Reader &reader, bool whole) {
  std::string axis = reader.name();
  if (!reader.take(":"))
    return axis;
  if (whole)
    return reader.fail();
  reader.expect("(");
  reader.number();
  reader.expect(")");
  reader.number();
  return axis;
}

Value moe::skipConstraints(Value value) {
  // In a graph region, constraints may form a cycle, so the steps are bounded.
  for (int step = 0; step < 64; ++step) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getName().getStringRef() != kConstraintName ||
        op->getNumOperands() != 1)
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<ShardyMesh> moe::parseShardyMesh(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  reader.expect("#sdy.mesh<");
  reader.expect("[");
  ShardyMesh mesh;
  reader.list("]", [&] {
    mesh.names.push_back(reader.name());
    reader.expect("=");
    mesh.sizes.push_back(reader.number());
  });
  if (reader.take(",")) {
    reader.expect("device_ids");
    reader.expect("=");
    reader.expect("[");
    reader.list("]", [&] { reader.number(); });
    mesh.hasDeviceIds = true;
  }
  reader.expect(">");
  if (!reader.isDone())
    return std::nullopt;
  return mesh;
}

/// Reads the text from `<` to `>`.
static ShardySharding readSharding(Reader &reader) {
  ShardySharding sharding;
  StringRef begin = reader.getRest();
  reader.expect("<");
  sharding.mesh = reader.symbol();
  reader.expect(",");
  reader.expect("[");
  reader.list("]", [&] {
    auto &axes = sharding.dims.emplace_back();
    bool isOpen = false;
    reader.expect("{");
    reader.list("}", [&] {
      if (reader.take("?"))
        isOpen = true;
      else
        axes.push_back(readAxis(reader, /*whole=*/false));
    });
    sharding.isOpen.push_back(isOpen);
    // Skips a propagation priority, because propagation is finished.
    if (reader.isGood() && reader.getRest().starts_with("p") &&
        reader.take("p"))
      reader.number();
  });
  while (reader.take(",")) {
    bool isSum = reader.take("unreduced");
    if (!isSum)
      reader.expect("replicated");
    reader.expect("=");
    reader.expect("{");
    reader.list("}", [&] {
      std::string axis = readAxis(reader, /*whole=*/false);
      if (isSum)
        sharding.unreduced.push_back(axis);
    });
  }
  reader.expect(">");
  sharding.text = begin.drop_back(reader.getRest().size()).trim().str();
  return sharding;
}

std::optional<SmallVector<ShardySharding>> moe::parseShardings(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  reader.expect("#sdy.sharding_per_value<");
  reader.expect("[");
  SmallVector<ShardySharding> shardings;
  reader.list("]", [&] { shardings.push_back(readSharding(reader)); });
  reader.expect(">");
  if (!reader.isDone())
    return std::nullopt;
  return shardings;
}

std::optional<ShardySharding> moe::parseSharding(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  reader.expect("#sdy.sharding");
  ShardySharding sharding = readSharding(reader);
  if (!reader.isDone())
    return std::nullopt;
  return sharding;
}

std::optional<SmallVector<std::string>> moe::parseAxes(Attribute attr,
                                                       StringRef keyword) {
  std::string text = print(attr);
  Reader reader(text);
  reader.expect("#sdy<");
  reader.expect(keyword);
  reader.expect("{");
  SmallVector<std::string> axes;
  reader.list("}", [&] { axes.push_back(readAxis(reader, /*whole=*/true)); });
  reader.expect(">");
  if (!reader.isDone())
    return std::nullopt;
  return axes;
}

std::optional<ShardyMove> moe::parseMove(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  ShardyMove move;
  reader.expect("#sdy<");
  reader.expect("all_to_all_param_list");
  reader.expect("[");
  reader.expect("{");
  reader.list("}",
              [&] { move.axes.push_back(readAxis(reader, /*whole=*/true)); });
  reader.expect(":");
  move.from = reader.number();
  reader.expect("->");
  move.to = reader.number();
  reader.expect("]");
  reader.expect(">");
  if (!reader.isDone())
    return std::nullopt;
  return move;
}

std::optional<SmallVector<SmallVector<std::string>>>
moe::parseAxisLists(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  SmallVector<SmallVector<std::string>> lists;
  reader.expect("#sdy<");
  reader.expect("list_of_axis_ref_lists");
  reader.expect("[");
  reader.list("]", [&] {
    auto &axes = lists.emplace_back();
    reader.expect("{");
    reader.list("}", [&] { axes.push_back(readAxis(reader, /*whole=*/true)); });
  });
  reader.expect(">");
  if (!reader.isDone())
    return std::nullopt;
  return lists;
}

std::optional<MeshAxesGroups> moe::parseMeshAxesGroups(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  MeshAxesGroups groups;
  reader.expect("#stablehlo.replica_group_mesh_axes<");
  reader.expect("mesh");
  reader.expect("=");
  groups.mesh = reader.symbol();
  reader.expect(",");
  reader.expect("axes");
  reader.expect("=");
  reader.expect("[");
  reader.list("]", [&] {
    reader.expect("#stablehlo.axis_ref<");
    reader.expect("name");
    reader.expect("=");
    groups.axes.push_back(reader.name());
    reader.expect(">");
  });
  reader.expect(">");
  if (!reader.isDone())
    return std::nullopt;
  return groups;
}

std::string moe::parseComparison(Attribute attr) {
  std::string text = print(attr);
  StringRef word(text);
  if (!word.consume_front("#stablehlo<comparison_direction ") ||
      !word.consume_back(">"))
    return "";
  return word.str();
}

std::optional<int64_t> moe::parseChannel(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  reader.expect("#stablehlo.channel_handle<");
  reader.expect("handle");
  reader.expect("=");
  int64_t handle = reader.number();
  reader.expect(",");
  reader.expect("type");
  reader.expect("=");
  reader.number();
  reader.expect(">");
  if (!reader.isDone())
    return std::nullopt;
  return handle;
}

std::optional<DotDims> moe::parseDotDims(Attribute attr) {
  std::string text = print(attr);
  Reader reader(text);
  DotDims dims;
  reader.expect("#stablehlo.dot<");
  reader.list(">", [&] {
    int side = reader.take("lhs") ? 0 : 1;
    if (side == 1)
      reader.expect("rhs");
    bool isBatch = reader.take("_batching_dimensions");
    if (!isBatch)
      reader.expect("_contracting_dimensions");
    auto &listed = isBatch ? dims.batch[side] : dims.contracting[side];
    reader.expect("=");
    reader.expect("[");
    reader.list("]", [&] { listed.push_back(reader.number()); });
  });
  if (!reader.isDone())
    return std::nullopt;
  return dims;
}
