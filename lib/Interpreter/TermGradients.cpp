// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients on terms.

#include "Gates.h"
#include "Gradients.h"
#include "Scalars.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace mlir;
using namespace moe;

/// Prints the sizes and the element type of a tensor.
static void printType(raw_ostream &os, Value value, unsigned firstDim = 0) {
  printSizes(os, value, firstDim);
  os << cast<RankedTensorType>(value.getType()).getElementType();
}

unsigned moe::getKeptSymbol(TermTable &table, Value firstWeight) {
  std::string name = "inner products";
  llvm::raw_string_ostream os(name);
  printType(os, firstWeight, 1);
  return table.getSymbol(name);
}

void moe::forBetween(TermTable &table, const KeptCells &cells, Term term,
                     int64_t parts,
                     llvm::function_ref<void(size_t, Term)> use) {
  size_t width = cells.getWidth();
  for (int64_t part = 0; part < parts; ++part)
    for (size_t h = 0; h < width; ++h)
      use(cells.find(part) + h, table.getElement(term, part * width + h));
}

namespace {

/// Intermediate results of experts that a gradient reads instead of recomputing
/// them. If they equal the recomputed values, the gradient's term is the same
/// as without them.
class ReadBetween {
public:
  ReadBetween(TermTable &table, const LocalTensor &tensor, int64_t parts)
      : table(table), tensor(tensor), cells(&tensor), parts(parts) {}

  /// Compares the next row with its recomputed value `term`. If they differ,
  /// appends the row as one more operand and returns true.
  bool addOthers(Term term, SmallVectorImpl<Term> &children) {
    bool isSame = true;
    SmallVector<Cell> read;
    forBetween(table, cells, term, parts, [&](size_t at, Term expected) {
      read.push_back(tensor.getCells()[at]);
      isSame &= read.back() == static_cast<Cell>(expected);
    });
    cells.advance();
    if (!isSame)
      children.push_back(pack(table, read));
    return !isSame;
  }

private:
  TermTable &table;
  const LocalTensor &tensor;
  KeptCells cells;
  int64_t parts;
};

} // namespace

template <typename OpT>
static void buildExperts(TermTable &table, OpT op,
                         ArrayRef<LocalTensor> operands, const ExpertRows &rows,
                         MutableArrayRef<LocalTensor> results) {
  constexpr bool ofTokens = std::is_same_v<OpT, ExpertsDgradOp>;
  auto getSymbol = [&](StringRef what) {
    std::string name = (what + " " + stringifyExpertsKind(op.getKind())).str();
    llvm::raw_string_ostream os(name);
    if (op.getKind() == ExpertsKind::GPT)
      os << " "
         << stringifyActivation(op.getActivation().value_or(Activation::Gelu));
    printType(os, op.getExpertsWeights().front(), 1);
    return table.getSymbol(name);
  };
  StringRef opName = op->getName().stripDialect();
  unsigned symbol = getSymbol(opName);
  unsigned otherSymbol = getSymbol((opName + " of other products").str());
  unsigned handedSymbol = getSymbol("handed on");
  unsigned keptSymbol = getKeptSymbol(table, op.getExpertsWeights().front());
  int64_t inner = countInnerProducts(op.getKind());
  KeptCells handed(static_cast<const LocalTensor *>(nullptr));
  std::optional<ReadBetween> read;
  if constexpr (ofTokens) {
    if (op.getKept())
      read.emplace(table, operands[op.getKeptMutable()[0].getOperandNumber()],
                   inner);
    if (op.getHanded())
      handed = KeptCells(&results[1]);
  } else if (op.getHanded()) {
    read.emplace(table, operands[op.getHandedMutable()[0].getOperandNumber()],
                 inner + 1);
  }
  size_t numWeights = op.getExpertsWeights().size();
  const LocalTensor &tokens = operands.front();
  const LocalTensor &cotangent = operands[1 + numWeights];
  ArrayRef<LocalTensor> weights = operands.slice(1, numWeights);
  size_t hidden = tokens.getShape().back();
  size_t cotangentHidden = cotangent.getShape().back();
  auto isZero = [zero = Cell(table.getReal(0.0))](ArrayRef<Cell> cells) {
    return llvm::all_of(cells, [&](Cell cell) { return cell == zero; });
  };
  SmallVector<Term> children(numWeights + 2), terms;
  for (auto [e, own] : llvm::enumerate(rows)) {
    terms.clear();
    children.resize(numWeights + 2);
    for (auto [i, weight] : llvm::enumerate(weights)) {
      size_t size = weight.getDimSize(1) * weight.getDimSize(2);
      children[i + 1] = pack(table, weight.getCells().slice(e * size, size));
    }
    for (int64_t row : own) {
      ArrayRef<Cell> x = tokens.getCells().slice(row * hidden, hidden);
      ArrayRef<Cell> dy =
          cotangent.getCells().slice(row * cotangentHidden, cotangentHidden);
      children.resize(numWeights + 2);
      children.front() = pack(table, x);
      children.back() = pack(table, dy);
      bool isOther = false;
      if (read) {
        Term expected =
            ofTokens
                ? table.getApply(keptSymbol, ArrayRef(children).drop_back(2))
                : table.getApply(handedSymbol, children);
        isOther = read->addOthers(expected, children);
      }
      // A free slot of a padded buffer adds nothing
      // (docs/reference/equality.md).
      if (!ofTokens && !isOther && isZero(x) && isZero(dy))
        continue;
      terms.push_back(table.getApply(isOther ? otherSymbol : symbol, children));
      if (handed.exists()) {
        forBetween(table, handed, table.getApply(handedSymbol, children),
                   inner + 1, [&](size_t at, Term element) {
                     results[1].getMutableCells()[at] = element;
                   });
        handed.advance();
      }
      if constexpr (ofTokens) {
        size_t width = results[0].getShape().back();
        for (size_t m = 0; m < width; ++m)
          results[0].getMutableCells()[row * width + m] =
              table.getElement(terms.back(), m);
      }
    }
    if constexpr (!ofTokens) {
      SmallVector<Term> summands(terms.size());
      for (auto [i, result] : llvm::enumerate(results)) {
        size_t size = result.getDimSize(1) * result.getDimSize(2);
        for (size_t j = 0; j < size; ++j) {
          for (auto [summand, term] : llvm::zip_equal(summands, terms))
            summand = table.getElement(table.getElement(term, i), j);
          result.getMutableCells()[e * size + j] =
              table.getSumFromZero(summands);
        }
      }
    }
  }
}

static void buildScatter(TermTable &table, ArrayRef<LocalTensor> operands,
                         ArrayRef<int64_t> slots, LocalTensor &result) {
  int64_t hidden = operands[0].getDimSize(1);
  int64_t topK = operands[1].getDimSize(1);
  unsigned weighted = table.getSymbol("weighted");
  MutableArrayRef<Cell> buffer = result.getMutableCells();
  std::fill(buffer.begin(), buffer.end(), table.getReal(0.0));
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (slot < 0)
      continue;
    const Cell *source = operands[0].getCells().data() + i / topK * hidden;
    for (int64_t m = 0; m < hidden; ++m) {
      Term value = static_cast<Term>(source[m]);
      if (operands.size() > 2) {
        Term factors[] = {static_cast<Term>(operands[2].getCells()[i]), value};
        value = table.getApply(weighted, factors);
      }
      buffer[slot * hidden + m] = value;
    }
  }
}

/// Returns the dot product of two rows as a function. `rows` is the tensor that
/// contains the first row.
static unsigned getDotSymbol(TermTable &table, Value rows, Value result) {
  std::string name = "dot";
  llvm::raw_string_ostream os(name);
  printType(os, rows, 1);
  os << cast<RankedTensorType>(result.getType()).getElementType();
  return table.getSymbol(name);
}

static void buildUnpermuteWeights(TermTable &table, UnpermuteWgradOp op,
                                  ArrayRef<LocalTensor> operands,
                                  ArrayRef<int64_t> slots,
                                  LocalTensor &result) {
  size_t width = operands[0].getDimSize(1);
  size_t hidden = operands[1].getShape().back();
  int64_t topK = operands[2].getDimSize(1);
  unsigned symbol = getDotSymbol(table, op.getCotangent(), op.getResult());
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (slot < 0) {
      result.getMutableCells()[i] = table.getReal(0.0);
      continue;
    }
    Term rows[] = {
        pack(table, operands[0].getCells().slice(i / topK * width, width)),
        pack(table, operands[1].getCells().slice(slot * hidden, hidden))};
    // The sum starts with 0, so that another 0 may be added to it.
    result.getMutableCells()[i] =
        table.getSumFromZero(table.getApply(symbol, rows));
  }
}

static void buildMixWeights(TermTable &table, SoftWgradOp op,
                            ArrayRef<LocalTensor> operands,
                            LocalTensor &result) {
  size_t width = operands[0].getDimSize(1);
  size_t hidden = operands[1].getShape().back();
  size_t numSlots = result.getDimSize(1) * result.getDimSize(2);
  unsigned symbol = getDotSymbol(table, op.getRows(), op.getResult());
  for (auto [i, cell] : llvm::enumerate(result.getMutableCells())) {
    Term rows[] = {
        pack(table, operands[0].getCells().slice(i / numSlots * width, width)),
        pack(table,
             operands[1].getCells().slice(i % numSlots * hidden, hidden))};
    cell = table.getSumFromZero(table.getApply(symbol, rows));
  }
}

/// Writes element `number` of the tokens' terms to each cell of a parameter's
/// gradient, as a sum over the tokens.
static void sumOverTokens(TermTable &table, ArrayRef<Term> tokens,
                          uint64_t number, LocalTensor &gradient) {
  SmallVector<Term> summands(tokens.size());
  for (auto [j, cell] : llvm::enumerate(gradient.getMutableCells())) {
    for (auto [summand, term] : llvm::zip_equal(summands, tokens))
      summand = table.getElement(table.getElement(term, number), j);
    cell = table.getSumFromZero(summands);
  }
}

static void buildGateGradient(TermTable &table, GateGradOp op,
                              ArrayRef<LocalTensor> operands,
                              MutableArrayRef<LocalTensor> results) {
  std::string name = ("gate_grad " + stringifyGateKind(op.getKind())).str();
  llvm::raw_string_ostream os(name);
  auto print = [&](StringRef what, const APFloat &value) {
    os << " " << what << " "
       << printNumber(fromDouble(value.convertToDouble()),
                      op.getScaleAttr().getType());
  };
  if (op.getNormalize())
    os << " normalize";
  print("scale", op.getScale());
  if (op.getJitter())
    print("jitter", *op.getJitter());
  if (op.getTemperature())
    print("temperature", *op.getTemperature());
  printType(os, op.getRouter());
  for (Value further : {op.getNoise(), op.getProjection()})
    if (further)
      printType(os, further);
  unsigned symbol = table.getSymbol(name);
  GateOperands own(op, operands);
  const LocalTensor &tokens = *own.tokens;
  int64_t numTokens = tokens.getDimSize(0);
  size_t hidden = tokens.getDimSize(1), topK = operands[2].getDimSize(1);
  size_t width = results[0].getDimSize(1);
  SmallVector<Term> terms;
  // The token, its ids and their gradient are the first three children, which
  // the loop sets.
  SmallVector<Term> children{0, 0, 0, pack(table, own.router->getCells())};
  for (const LocalTensor *more : {own.noise, own.projection})
    if (more)
      children.push_back(pack(table, more->getCells()));
  // The noise depends on the token's number.
  if (own.seed) {
    children.push_back(static_cast<Term>(own.seed->getScalar()));
    children.push_back(0);
  }
  for (int64_t s = 0; s < numTokens; ++s) {
    children[0] = pack(table, tokens.getCells().slice(s * hidden, hidden));
    children[1] = pack(table, operands[2].getCells().slice(s * topK, topK));
    children[2] = pack(table, operands[3].getCells().slice(s * topK, topK));
    if (own.seed)
      children.back() = table.getInteger(s);
    terms.push_back(table.getApply(symbol, children));
    Term ofToken = table.getElement(terms.back(), 0);
    for (size_t m = 0; m < width; ++m)
      results[0].getMutableCells()[s * width + m] =
          table.getElement(ofToken, m);
  }
  for (unsigned r = 1; r < results.size(); ++r)
    sumOverTokens(table, terms, r, results[r]);
}

/// Builds gradients of gates with competing tokens, which are functions of all
/// operands.
static void buildCompeting(TermTable &table, Operation *op,
                           ArrayRef<LocalTensor> operands,
                           MutableArrayRef<LocalTensor> results) {
  std::string name = op->getName().stripDialect().str();
  llvm::raw_string_ostream os(name);
  if (auto choice = dyn_cast<ExpertChoiceGradOp>(op))
    os << " over " << stringifyChoiceScores(choice.getScores());
  SmallVector<Term> children;
  for (auto [value, operand] : llvm::zip_equal(op->getOperands(), operands)) {
    printType(os, value);
    children.push_back(pack(table, operand.getCells()));
  }
  Term whole = table.getApply(table.getSymbol(name), children);
  Term ofTokens = table.getElement(whole, 0);
  for (auto [j, cell] : llvm::enumerate(results[0].getMutableCells()))
    cell = table.getElement(ofTokens, j);
  sumOverTokens(table, whole, 1, results[1]);
}

/// Returns a name that identifies the function of a dense op. It contains the
/// cost per sequence, because each part of a batch applies the same function to
/// its sequences.
template <typename OpT> static std::string describeDense(OpT op) {
  std::string name;
  llvm::raw_string_ostream os(name);
  int64_t sequences = op.getSequences();
  int64_t divisor = std::gcd(int64_t(op.getMacs()), sequences);
  os << op->getName().stripDialect() << " " << op.getName() << " macs "
     << op.getMacs() / divisor << "/" << sequences / divisor << " gemms "
     << op.getGemms() << " shards " << op.getShards();
  if constexpr (!std::is_same_v<OpT, DenseWgradOp>)
    os << " parts " << op.getParts();
  // Printed as a float, because a fraction of a time is rounded.
  if (std::optional<APFloat> us = op.getUs())
    os << " us " << float(us->convertToDouble() / double(sequences));
  for (NamedAttribute more : op->getDiscardableAttrs())
    if (!isScheduleHint(more.getName()))
      os << " " << more.getName().getValue() << " " << more.getValue();
  return name;
}

template <typename OpT>
static void buildDense(TermTable &table, OpT op, ArrayRef<LocalTensor> operands,
                       LocalTensor &result) {
  constexpr bool isSum = std::is_same_v<OpT, DenseWgradOp>;
  int64_t sequences = op.getSequences(), shards = op.getShards();
  // Rows per sequence and shard.
  int64_t length = operands[0].getDimSize(0) / (sequences * shards);
  std::string name = describeDense(op);
  llvm::raw_string_ostream os(name);
  os << " rows " << length;
  for (Value value : op->getOperands())
    printType(os, value, 1);
  printType(os, op->getResult(0), isSum ? 0 : 1);
  unsigned symbol = table.getSymbol(name);
  auto getRow = [&](int64_t shard, int64_t sequence) {
    return (shard * sequences + sequence) * length;
  };
  SmallVector<Term> terms, children;
  for (int64_t sequence = 0; sequence < sequences; ++sequence) {
    children.clear();
    for (const LocalTensor &operand : operands) {
      // The cells of an operand are packed together, because it may be
      // collapsed in one program and not in the other.
      int64_t width = operand.getDimSize(1);
      SmallVector<Cell> cells;
      for (int64_t shard = 0; shard < shards; ++shard)
        llvm::append_range(
            cells, operand.getCells().slice(getRow(shard, sequence) * width,
                                            length * width));
      children.push_back(pack(table, cells));
    }
    terms.push_back(table.getApply(symbol, children));
    if constexpr (!isSum) {
      int64_t width = result.getDimSize(1);
      int64_t index = 0;
      for (int64_t shard = 0; shard < shards; ++shard)
        for (Cell &cell : result.getMutableCells().slice(
                 getRow(shard, sequence) * width, length * width))
          cell = table.getElement(terms.back(), index++);
    }
  }
  if constexpr (isSum) {
    SmallVector<Term> summands(terms.size());
    for (auto [j, cell] : llvm::enumerate(result.getMutableCells())) {
      for (auto [summand, term] : llvm::zip_equal(summands, terms))
        summand = table.getElement(term, j);
      cell = table.getSumFromZero(summands);
    }
  }
}

void moe::buildGradient(TermTable &table, Operation *op,
                        ArrayRef<LocalTensor> operands,
                        ArrayRef<int64_t> indices, const ExpertRows &rows,
                        MutableArrayRef<LocalTensor> results) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<ExpertsDgradOp, ExpertsWgradOp>(
          [&](auto op) { buildExperts(table, op, operands, rows, results); })
      .Case([&](ScatterOp) {
        buildScatter(table, operands, indices, results[0]);
      })
      .Case([&](UnpermuteWgradOp op) {
        buildUnpermuteWeights(table, op, operands, indices, results[0]);
      })
      .Case([&](GateGradOp op) {
        buildGateGradient(table, op, operands, results);
      })
      .Case<ExpertChoiceGradOp, SoftGateGradOp>([&](Operation *gate) {
        buildCompeting(table, gate, operands, results);
      })
      .Case([&](SoftWgradOp op) {
        buildMixWeights(table, op, operands, results[0]);
      })
      .Case<DenseOp, DenseDgradOp, DenseWgradOp>(
          [&](auto op) { buildDense(table, op, operands, results[0]); });
}
