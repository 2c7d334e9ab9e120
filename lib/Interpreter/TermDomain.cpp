// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The domain of terms.

#include "Gates.h"
#include "Gradients.h"
#include "Identities.h"
#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Dialect/Text/Ops.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Hashing.h"
#include "moe/Interpreter/Sampling.h"
#include "moe/Interpreter/TermPrinter.h"
#include "moe/Interpreter/TermTable.h"
#include <cmath>

using namespace mlir;
using namespace moe;

namespace {
class Terms : public TermDomain {
public:
  Terms(uint64_t seed, unsigned sample, MemoryBudget &budget,
        const ArgumentNames &names)
      : seed(seed), sample(sample), budget(budget), names(names), table(budget),
        identities(table), tuple(table.getSymbol("")) {}

  Cell getInteger(int64_t value) override { return table.getInteger(value); }
  Cell getFloat(double value) override { return table.getReal(value); }
  Cell getUndefined(Type) override { return table.getUndefined(); }
  std::optional<int64_t> asInteger(Cell cell) const override {
    Term term = static_cast<Term>(cell);
    if (table.getKind(term) != TermKind::Integer)
      return std::nullopt;
    return static_cast<int64_t>(table.getPayload(term));
  }

  void drawArgument(unsigned argument, int64_t representative, Type elementType,
                    MutableArrayRef<Cell> cells) override;
  void reduce(Reduction reduction, Type elementType,
              ArrayRef<ArrayRef<Cell>> members,
              MutableArrayRef<Cell> result) override;
  LogicalResult elementwise(Operation *op, unsigned number,
                            ArrayRef<ArrayRef<Cell>> operands,
                            MutableArrayRef<Cell> result) override;
  LogicalResult gate(GateOp op, ArrayRef<LocalTensor> operands,
                     LocalTensor &ids, LocalTensor &weights) override {
    sampleUsed = true;
    buildGate(table, seed, sample, op, GateOperands(op, operands), ids,
              weights);
    addToRouting(ids.getCells());
    return success();
  }
  LogicalResult mix(Operation *op, ArrayRef<LocalTensor> operands,
                    MutableArrayRef<LocalTensor> results) override {
    sampleUsed |= isa<ExpertChoiceOp>(op);
    buildMix(table, seed, sample, op, operands, results);
    if (isa<ExpertChoiceOp>(op))
      addToRouting(results[0].getCells());
    return success();
  }
  LogicalResult experts(ExpertsOp op, const LocalTensor &tokens,
                        ArrayRef<LocalTensor> weights, const ExpertRows &rows,
                        MutableArrayRef<LocalTensor> results) override;
  LogicalResult unpermute(UnpermuteOp op, const LocalTensor &buffer,
                          ArrayRef<int64_t> slots, const LocalTensor &weights,
                          LocalTensor &result) override;
  LogicalResult gradient(Operation *op, ArrayRef<LocalTensor> operands,
                         ArrayRef<int64_t> indices, const ExpertRows &rows,
                         MutableArrayRef<LocalTensor> results) override {
    buildGradient(table, op, operands, indices, rows, results);
    return success();
  }
  LogicalResult unknown(Operation *op, ArrayRef<LocalTensor> operands,
                        MutableArrayRef<LocalTensor> results) override;
  bool interpretsUnknown() const override { return true; }

  LogicalResult check(Operation *op) override {
    if (!table.isExhausted())
      return success();
    return op->emitOpError() << "needs more terms than fit: " << table.size()
                             << " terms are held and the limit is "
                             << budget.getLimit() << " bytes (--max-bytes)";
  }

  uint64_t getContentHash(Cell cell) const override {
    return table.getHash(static_cast<Term>(cell));
  }
  std::string print(Cell cell, Type elementType) const override {
    if (std::optional<int64_t> known = asInteger(cell))
      return printNumber(fromInteger(*known), elementType);
    return printTerm(table, static_cast<Term>(cell), names);
  }

  const std::map<std::string, unsigned> &getUninterpreted() const override {
    return uninterpreted;
  }
  bool usedSample() const override { return sampleUsed; }
  uint64_t getRouting() const override { return routing; }
  const TermTable &getTable() const override { return table; }

private:
  Term pack(ArrayRef<Cell> cells) {
    SmallVector<Term> children(cells.begin(), cells.end());
    return table.getApply(tuple, children);
  }

  /// Returns a name that identifies the function of an op: op name, attributes
  /// (including fast-math flags) and element types of the results.
  std::string describe(Operation *op) {
    std::string name = op->getName().getStringRef().str();
    llvm::raw_string_ostream os(name);
    describeAttributes(os, op);
    for (Type type : op->getResultTypes())
      os << ":" << getElementTypeOrSelf(type);
    llvm::DenseMap<Value, unsigned> numbers;
    for (Region &region : op->getRegions())
      describe(os, region, numbers);
    if (isTextFunction(op))
      describeCalled(os, op, numbers);
    return name;
  }

  static void describeAttributes(llvm::raw_ostream &os, Operation *op) {
    // The properties of an unregistered op are not in the attribute dictionary.
    if (!op->isRegistered())
      if (Attribute own = op->getPropertiesAsAttribute())
        os << "<" << own << ">";
    // Default values of fast-math and overflow flags are omitted.
    SmallVector<NamedAttribute> kept;
    for (NamedAttribute attr : op->getAttrDictionary()) {
      if (isScheduleHint(attr.getName()))
        continue;
      // Written programs name the task of each op, which is not a part of its
      // function.
      if (auto marks = dyn_cast<DictionaryAttr>(attr.getValue());
          marks && attr.getName() == kFrontendAttr) {
        NamedAttrList others(marks);
        others.erase(kTaskMark);
        if (others.empty())
          continue;
        attr.setValue(others.getDictionary(op->getContext()));
      }
      if (auto fastmath = dyn_cast<arith::FastMathFlagsAttr>(attr.getValue()))
        if (fastmath.getValue() == arith::FastMathFlags::none)
          continue;
      if (auto overflow =
              dyn_cast<arith::IntegerOverflowFlagsAttr>(attr.getValue()))
        if (overflow.getValue() == arith::IntegerOverflowFlags::none)
          continue;
      kept.push_back(attr);
    }
    if (!kept.empty())
      os << DictionaryAttr::get(op->getContext(), kept);
  }

  /// Describes the function that an op calls by its body, because another
  /// module may use the same name for another function. The recursion ends,
  /// because an op that calls recursive functions is not known to be a
  /// function.
  static void describeCalled(llvm::raw_ostream &os, Operation *op,
                             llvm::DenseMap<Value, unsigned> &numbers) {
    if (Block *called = getCalledBlock(op))
      describe(os, *called->getParent(), numbers);
  }

  /// Describes the computation of a region: its ops, with values numbered in
  /// order of appearance.
  static void describe(llvm::raw_ostream &os, Region &region,
                       llvm::DenseMap<Value, unsigned> &numbers) {
    auto number = [&](Value value) {
      return numbers.try_emplace(value, numbers.size()).first->second;
    };
    for (Block &block : region) {
      os << " {";
      for (Value argument : block.getArguments())
        os << number(argument) << ":" << argument.getType() << ";";
      for (Operation &op : block) {
        os << op.getName();
        describeAttributes(os, &op);
        for (Value operand : op.getOperands()) {
          // A value whose first occurrence is a use comes from outside of the
          // region.
          Operation *outside =
              numbers.contains(operand) ? nullptr : operand.getDefiningOp();
          os << " " << number(operand);
          if (outside)
            describeAttributes(os << "=" << outside->getName(), outside);
        }
        for (Value result : op.getResults())
          os << ">" << number(result) << ":" << result.getType();
        for (Region &nested : op.getRegions())
          describe(os, nested, numbers);
        describeCalled(os, &op, numbers);
        os << ";";
      }
      os << "}";
    }
  }

  /// Adds integers that were chosen or drawn to the hash that distinguishes
  /// routings.
  void addToRouting(ArrayRef<Cell> cells) {
    for (Cell cell : cells)
      routing = combineHash(routing, table.getPayload(static_cast<Term>(cell)));
  }
  /// Counts an op as uninterpreted, once per op of the program.
  void countUninterpreted(Operation *op) {
    if (counted.insert(op).second)
      ++uninterpreted[op->getName().getStringRef().str()];
  }

  uint64_t seed;
  unsigned sample;
  MemoryBudget &budget;
  const ArgumentNames &names;
  TermTable table;
  Identities identities;
  unsigned tuple;
  bool sampleUsed = false;
  uint64_t routing = 0;
  std::map<std::string, unsigned> uninterpreted;
  llvm::DenseSet<Operation *> counted;
};
} // namespace

void Terms::drawArgument(unsigned argument, int64_t representative,
                         Type elementType, MutableArrayRef<Cell> cells) {
  if (isa<FloatType>(elementType)) {
    for (auto [i, cell] : llvm::enumerate(cells))
      cell = table.getLeaf(argument, static_cast<uint32_t>(representative), i);
    return;
  }
  // Integers control where rows are sent, how many there are, and which branch
  // is taken. Therefore they are known numbers and part of the sample.
  sampleUsed = true;
  uint64_t hash = hashArgument(seed + sample, argument, representative);
  for (auto [i, cell] : llvm::enumerate(cells))
    cell = table.getInteger(
        drawInteger(hash, i, elementType, getIntegerRange(argument)));
  addToRouting(cells);
}

static TermKind kindOf(Reduction reduction) {
  switch (reduction) {
  case Reduction::Sum:
    return TermKind::Sum;
  case Reduction::Prod:
    return TermKind::Prod;
  case Reduction::Min:
    return TermKind::Min;
  case Reduction::Max:
    return TermKind::Max;
  }
  llvm_unreachable("unknown reduction");
}

void Terms::reduce(Reduction reduction, Type elementType,
                   ArrayRef<ArrayRef<Cell>> members,
                   MutableArrayRef<Cell> result) {
  TermKind kind = kindOf(reduction);
  bool isInteger = !isa<FloatType>(elementType);
  auto fold = getReductionFunction(reduction, elementType);
  SmallVector<Term, 16> children(members.size());
  for (size_t i = 0; i < result.size(); ++i) {
    bool known = isInteger;
    for (auto [m, member] : llvm::enumerate(members)) {
      children[m] = static_cast<Term>(member[i]);
      known &= table.getKind(children[m]) == TermKind::Integer;
    }
    if (!known) {
      result[i] = table.getMultiset(kind, children);
      continue;
    }
    Cell value = table.getPayload(children.front());
    for (Term child : ArrayRef(children).drop_front())
      value = fold(value, table.getPayload(child));
    result[i] = table.getInteger(toInteger(value));
  }
}

LogicalResult Terms::elementwise(Operation *op, unsigned number,
                                 ArrayRef<ArrayRef<Cell>> operands,
                                 MutableArrayRef<Cell> result) {
  ScalarFunction function = getScalarFunction(op, number);
  if (!function)
    countUninterpreted(op);
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(op->getResult(number)));
  std::string name = describe(op);
  if (op->getNumResults() > 1)
    name += " " + std::to_string(number);
  Identities::Rule rule(identities, op, name);
  SmallVector<Term, 4> children(operands.size());
  SmallVector<Cell, 4> numbers(operands.size());
  for (size_t i = 0; i < result.size(); ++i) {
    bool known = static_cast<bool>(function);
    for (auto [j, operand] : llvm::enumerate(operands)) {
      children[j] =
          static_cast<Term>(operand.size() == 1 ? operand[0] : operand[i]);
      TermKind kind = table.getKind(children[j]);
      known &= kind == TermKind::Integer || kind == TermKind::Real;
      numbers[j] = table.getPayload(children[j]);
    }
    if (!known) {
      result[i] = rule.apply(children);
      continue;
    }
    Cell value;
    if (const char *why = function(numbers.data(), value))
      return op->emitOpError()
             << "is undefined: " << why << " at element " << i;
    result[i] = isFloat ? table.getReal(toDouble(value))
                        : table.getInteger(toInteger(value));
  }
  return success();
}

LogicalResult Terms::experts(ExpertsOp op, const LocalTensor &tokens,
                             ArrayRef<LocalTensor> weights,
                             const ExpertRows &rows,
                             MutableArrayRef<LocalTensor> results) {
  std::string name = ("experts " + stringifyExpertsKind(op.getKind())).str();
  if (op.getKind() == ExpertsKind::GPT)
    name += (" " +
             stringifyActivation(op.getActivation().value_or(Activation::Gelu)))
                .str();
  llvm::raw_string_ostream os(name);
  printSizes(os, op.getExpertsWeights().front(), 1);
  unsigned symbol = table.getSymbol(name);
  if (tokens.getCells().empty())
    return success();
  size_t hidden = tokens.getShape().back();
  int64_t width = results[0].getShape().back();
  unsigned keptSymbol = getKeptSymbol(table, op.getExpertsWeights().front());
  KeptCells kept(op.getKept() ? &results[1] : nullptr);
  SmallVector<Term, 4> children(1 + weights.size());
  for (auto [e, own] : llvm::enumerate(rows)) {
    for (auto [i, weight] : llvm::enumerate(weights)) {
      int64_t size = weight.getDimSize(1) * weight.getDimSize(2);
      children[i + 1] = pack(weight.getCells().slice(e * size, size));
    }
    for (int64_t row : own) {
      children[0] = pack(tokens.getCells().slice(row * hidden, hidden));
      Cell *target = results[0].getMutableCells().data() + row * width;
      Term term = table.getApply(symbol, children);
      for (int64_t m = 0; m < width; ++m)
        target[m] = table.getElement(term, m);
      if (!kept.exists())
        continue;
      term = table.getApply(keptSymbol, ArrayRef(children).drop_back());
      forBetween(table, kept, term, countInnerProducts(op.getKind()),
                 [&](size_t at, Term element) {
                   results[1].getMutableCells()[at] = element;
                 });
      kept.advance();
    }
  }
  return success();
}

LogicalResult Terms::unpermute(UnpermuteOp op, const LocalTensor &buffer,
                               ArrayRef<int64_t> slots,
                               const LocalTensor &weights,
                               LocalTensor &result) {
  int64_t hidden = buffer.getShape().back();
  int64_t numTokens = weights.getDimSize(0), topK = weights.getDimSize(1);
  unsigned weighted = table.getSymbol("weighted");
  Term one = table.getReal(1.0);
  SmallVector<Term, 8> children;
  for (int64_t s = 0; s < numTokens; ++s)
    for (int64_t m = 0; m < hidden; ++m) {
      children.clear();
      for (int64_t j = 0; j < topK; ++j) {
        int64_t slot = slots[s * topK + j];
        if (slot < 0)
          continue;
        Term factors[] = {
            static_cast<Term>(weights.getCells()[s * topK + j]),
            static_cast<Term>(buffer.getCells()[slot * hidden + m])};
        // A factor of 1 is omitted, so that partial sums merge with the other
        // summands into one sum.
        children.push_back(
            factors[0] == one ? factors[1] : table.getApply(weighted, factors));
      }
      result.getMutableCells()[s * hidden + m] = table.getSumFromZero(children);
    }
  return success();
}

LogicalResult Terms::unknown(Operation *op, ArrayRef<LocalTensor> operands,
                             MutableArrayRef<LocalTensor> results) {
  countUninterpreted(op);
  // The name includes the types, because cells may be collapsed and sizes may
  // be dynamic.
  //
  // The op must be a function of its operands only and the same function on
  // every rank. This is assumed for undeclared ops, and ops that are known to
  // differ are rejected.
  StringRef dialect = op->getName().getDialectNamespace();
  if (op->isRegistered() && !isMemoryEffectFree(op))
    return op->emitOpError() << "has no reference semantics: it has side "
                                "effects";
  if (llvm::is_contained({"shard", "mpi", "gpu", "nvgpu"}, dialect))
    return op->emitOpError() << "has no reference semantics: what it gives "
                                "depends on the rank";
  if (isTextDialect(dialect) && !isTextFunction(op))
    return op->emitOpError() << "has no reference semantics: what it gives may "
                                "depend on the rank";
  std::string name = describe(op);
  llvm::raw_string_ostream os(name);
  // Functions of independent parts do not depend on the size of the whole.
  std::optional<DimMap> parts;
  if (isTextFunction(op) || isa<QuantizeOp, DequantizeOp>(op) ||
      isStructuredOfParts(op))
    parts = moe::getDimMap(op);
  auto printType = [&](Type type, auto isLinked) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !parts || !parts->isPartwise) {
      os << type;
      return;
    }
    for (auto [d, size] : llvm::enumerate(tensor.getShape()))
      if (isLinked(d))
        os << "?x";
      else
        os << size << "x";
    os << tensor.getElementType();
  };
  for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
    os << " -> ";
    printType(type, [&, i = i](unsigned d) {
      return llvm::any_of(parts->links, [&](const DimLink &link) {
        return link.result == i && link.resultDim == d;
      });
    });
  }
  SmallVector<Term, 4> children;
  for (auto [i, operand, value] :
       llvm::enumerate(operands, op->getOperands())) {
    os << ", ";
    printType(value.getType(), [&, i = i](unsigned d) {
      return llvm::any_of(parts->links, [&](const DimLink &link) {
        return link.operand == i && link.operandDim == d;
      });
    });
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && !type.hasStaticShape() && !(parts && parts->isPartwise)) {
      os << "=";
      llvm::interleave(operand.getShape(), os, "x");
    }
    children.push_back(pack(operand.getCells()));
  }
  // Each result is a function of the operands that it depends on; an empty pack
  // replaces the other operands.
  SmallVector<llvm::SmallBitVector> dependencies;
  if (op->getNumRegions() != 0 && isTextFunction(op))
    dependencies = getTextDependencies(op);
  unsigned symbol = table.getSymbol(name);
  for (auto [i, result] : llvm::enumerate(results)) {
    SmallVector<Term, 4> own = children;
    if (!dependencies.empty())
      for (auto [j, child] : llvm::enumerate(own))
        if (!dependencies[i].test(j))
          child = pack({});
    Term term = table.getApply(symbol, own);
    Term whole = results.size() == 1 ? term : table.getElement(term, i);
    for (auto [j, cell] : llvm::enumerate(result.getMutableCells()))
      cell = table.getElement(whole, j);
  }
  return success();
}

std::unique_ptr<TermDomain> moe::createTermDomain(uint64_t seed,
                                                  unsigned sample,
                                                  MemoryBudget &budget,
                                                  const ArgumentNames &names) {
  return std::make_unique<Terms>(seed, sample, budget, names);
}
