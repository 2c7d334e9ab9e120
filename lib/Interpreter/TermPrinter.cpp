// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints terms as text.

#include "moe/Interpreter/TermPrinter.h"
#include "Scalars.h"
#include "mlir/IR/BuiltinTypes.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace moe;

std::string moe::printIndex(uint64_t index, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<int64_t> factors) {
  llvm::SmallVector<std::string> parts(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    int64_t size = shape[d];
    int64_t place = size > 0 ? static_cast<int64_t>(index % size) : 0;
    index = size > 0 ? index / size : 0;
    int64_t factor = d < factors.size() ? factors[d] : 1;
    if (factor == 1)
      parts[d] = std::to_string(place);
    else if (size == 1)
      parts[d] = "*";
    else
      parts[d] = std::to_string(place * factor) + ".." +
                 std::to_string(place * factor + factor - 1);
  }
  std::string text = "[";
  for (auto [i, part] : llvm::enumerate(parts))
    text += (i ? "," : "") + part;
  return text + "]";
}

std::string ArgumentNames::name(uint32_t argument, uint32_t representative,
                                uint64_t index) const {
  std::string text = "arg" + std::to_string(argument);
  if (argument >= arguments.size())
    return text + "[" + std::to_string(index) + "]";
  const Argument &info = arguments[argument];
  if (!info.shape.empty())
    text += printIndex(index, info.shape, info.factors);
  if (info.byRank)
    return text + "@{rank=" + std::to_string(representative) + "}";
  if (info.axes.empty())
    return text;
  text += "@{";
  for (auto [i, axis] : llvm::enumerate(info.axes))
    text += (i ? "," : "") + axis.name + "=" +
            std::to_string(representative / axis.stride % axis.size);
  return text + "}";
}

namespace {
class Printer {
public:
  Printer(const TermTable &table, const ArgumentNames &names, size_t maxLength)
      : table(table), names(names), maxLength(maxLength) {}

  void print(Term term, unsigned depth);

  std::string text;

private:
  /// Prints children between separators: the first few, while the text is
  /// short.
  template <typename PrintOne>
  void printList(size_t count, llvm::StringRef separator, PrintOne one) {
    constexpr size_t kShown = 4;
    for (size_t i = 0; i < count; ++i) {
      if (i)
        text += separator;
      if (text.size() > maxLength || (i == kShown && count > kShown + 1)) {
        text += "... " + std::to_string(count - i) + " more";
        return;
      }
      one(i);
    }
  }

  void printMultiset(Term term, unsigned depth);

  const TermTable &table;
  const ArgumentNames &names;
  size_t maxLength;
};
} // namespace

void Printer::printMultiset(Term term, unsigned depth) {
  TermKind kind = table.getKind(term);
  llvm::ArrayRef<uint32_t> counted = table.getCounted(term);
  bool infix = kind == TermKind::Sum || kind == TermKind::Prod;
  text += infix ? "(" : kind == TermKind::Min ? "min(" : "max(";
  printList(counted.size() / 2,
            kind == TermKind::Sum    ? " + "
            : kind == TermKind::Prod ? " * "
                                     : ", ",
            [&](size_t i) {
              uint32_t count = counted[2 * i + 1];
              if (count != 1 && kind == TermKind::Sum)
                text += std::to_string(count) + "*";
              print(counted[2 * i], depth);
              if (count != 1 && kind == TermKind::Prod)
                text += "^" + std::to_string(count);
            });
  text += ")";
}

void Printer::print(Term term, unsigned depth) {
  TermKind kind = table.getKind(term);
  switch (kind) {
  case TermKind::Undefined:
    text += "undefined";
    return;
  case TermKind::Integer:
    text += std::to_string(static_cast<int64_t>(table.getPayload(term)));
    return;
  case TermKind::Real: {
    double value = toDouble(table.getPayload(term));
    text += cost::formatShortest(value);
    if (value == std::floor(value) && std::fabs(value) < 1e6)
      text += ".0"; // distinguishes it from an integer
    return;
  }
  case TermKind::Leaf:
    text +=
        names.name(table.getLeafArgument(term),
                   table.getLeafRepresentative(term), table.getPayload(term));
    return;
  default:
    break;
  }
  if (depth == 0) {
    text += "...";
    return;
  }
  switch (kind) {
  case TermKind::Apply: {
    llvm::ArrayRef<Term> children = table.getChildren(term);
    text += table.getSymbolName(table.getPayload(term));
    text += "(";
    printList(children.size(), ", ",
              [&](size_t i) { print(children[i], depth - 1); });
    text += ")";
    return;
  }
  case TermKind::Element:
    print(table.getChildren(term).front(), depth);
    text += "#" + std::to_string(table.getPayload(term));
    return;
  default:
    printMultiset(term, depth - 1);
  }
}

std::string moe::printTerm(const TermTable &table, Term term,
                           const ArgumentNames &names, unsigned maxDepth,
                           size_t maxLength) {
  Printer printer(table, names, maxLength);
  printer.print(term, maxDepth);
  return std::move(printer.text);
}

/// Returns how similar two terms are at their roots; 0 if they have nothing in
/// common.
static size_t getLikeness(const TermTable &table, Term a, Term b) {
  if (table.getKind(a) != table.getKind(b))
    return 0;
  if (table.getKind(a) != TermKind::Apply)
    return 1;
  llvm::ArrayRef<Term> left = table.getChildren(a);
  llvm::ArrayRef<Term> right = table.getChildren(b);
  if (table.getPayload(a) != table.getPayload(b) || left.size() != right.size())
    return 1;
  size_t likeness = 2;
  for (auto [x, y] : llvm::zip_equal(left, right))
    likeness += x == y;
  return likeness;
}

/// Returns a child of each multiset that the other one does not have with the
/// same count. If there are several such pairs, returns one of the most
/// similar.
static std::optional<std::pair<Term, Term>>
findDifferingChildren(const TermTable &table, Term a, Term b) {
  llvm::ArrayRef<uint32_t> left = table.getCounted(a);
  llvm::ArrayRef<uint32_t> right = table.getCounted(b);
  llvm::SmallVector<Term> onlyLeft, onlyRight;
  size_t i = 0, j = 0;
  while (i < left.size() || j < right.size()) {
    if (j == right.size() || (i < left.size() && left[i] < right[j])) {
      onlyLeft.push_back(left[i]);
      i += 2;
    } else if (i == left.size() || right[j] < left[i]) {
      onlyRight.push_back(right[j]);
      j += 2;
    } else {
      if (left[i + 1] != right[j + 1])
        return std::nullopt;
      i += 2;
      j += 2;
    }
  }
  std::optional<std::pair<Term, Term>> best;
  size_t bestLikeness = 0;
  // The number of candidates is bounded because the search compares all pairs.
  constexpr size_t kTried = 16;
  for (Term x : llvm::ArrayRef(onlyLeft).take_front(kTried))
    for (Term y : llvm::ArrayRef(onlyRight).take_front(kTried)) {
      size_t likeness = getLikeness(table, x, y);
      if (likeness > bestLikeness) {
        bestLikeness = likeness;
        best = {x, y};
      }
    }
  return best;
}

std::pair<Term, Term> moe::findDifference(const TermTable &table, Term a,
                                          Term b) {
  while (true) {
    TermKind kind = table.getKind(a);
    if (kind != table.getKind(b))
      return {a, b};
    if (kind == TermKind::Apply || kind == TermKind::Element) {
      llvm::ArrayRef<Term> left = table.getChildren(a);
      llvm::ArrayRef<Term> right = table.getChildren(b);
      if (table.getPayload(a) != table.getPayload(b) ||
          left.size() != right.size())
        return {a, b};
      auto [x, y] = std::mismatch(left.begin(), left.end(), right.begin());
      a = *x;
      b = *y;
      continue;
    }
    if (kind < TermKind::Sum)
      return {a, b};
    auto children = findDifferingChildren(table, a, b);
    if (!children)
      return {a, b};
    std::tie(a, b) = *children;
  }
}
