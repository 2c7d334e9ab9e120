// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How result dims come from operand dims.

#ifndef MOE_DIALECT_MOE_DIMMAP_H
#define MOE_DIALECT_MOE_DIMMAP_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace moe {

/// One-to-one relation between a dim of an operand and a dim of a result:
/// the slice of the result at index `i` of its dim depends, as far as this
/// operand goes, on nothing but the slice of the operand at index `i`.
struct DimLink {
  unsigned operand;
  unsigned operandDim;
  unsigned result;
  unsigned resultDim;

  bool operator==(const DimLink &other) const = default;
};

/// What an op does with its dims, apart from passing them through.
enum class DimUse {
  /// The op is an opaque function along the dim: reads or writes it as a
  /// whole (the hidden dim of a gate or an expert). Nothing is known of single
  /// elements, so the dim may be treated as one element when the op is taken
  /// as an uninterpreted function.
  Opaque,
  /// The op cuts, joins, reorders, reduces or indexes along the dim, or its
  /// size matters in another way.
  Touched
};

/// How the dims of an op's results come from the dims of its operands. A dim
/// of an operand or result is linked, opaque or touched; a linked dim may have
/// several links (a token dim that reaches two results). A dim that is
/// neither linked nor opaque is touched.
struct DimMap {
  llvm::SmallVector<DimLink> links;
  /// (operand, dim) pairs the op reads opaquely.
  llvm::SmallVector<std::pair<unsigned, unsigned>> opaqueOperandDims;
  /// (result, dim) pairs the op writes opaquely.
  llvm::SmallVector<std::pair<unsigned, unsigned>> opaqueResultDims;
  /// All elements of a result are the same: one along each opaque dim stands
  /// for all, whatever the size.
  bool isUniform = false;
  /// With other sizes of linked dims, of operands and results alike, the op is
  /// the same function, and on every rank: parts of its results may be computed
  /// apart, each from the parts of its operands, and put together. Not so for
  /// a collective, nor for what depends on the rank.
  bool isPartwise = false;

  /// The result dim an operand dim is linked to in the given result.
  std::optional<unsigned> getResultDim(unsigned operand, unsigned operandDim,
                                       unsigned result) const;
  /// The operand dim a result dim is linked to in the given operand.
  std::optional<unsigned> getOperandDim(unsigned result, unsigned resultDim,
                                        unsigned operand) const;
  bool isOpaqueOperandDim(unsigned operand, unsigned dim) const;
  bool isOpaqueResultDim(unsigned result, unsigned dim) const;

  /// Links every dim of every ranked operand of the results' rank to the same
  /// dim of every result: an elementwise op.
  static DimMap elementwise(mlir::Operation *op);
};

/// The dim map of any op: of `DimMapOpInterface` where implemented (constants,
/// reshapes of unit or equal dims and slices of upstream have it too), of an
/// elementwise op what that says (partwise, where it has no effects), of a
/// structured one what its loops say, nullopt for an op nothing is known about.
/// Scalar operands have no dims and so no links.
std::optional<DimMap> getDimMap(mlir::Operation *op);

/// Whether an op is a structured one (`linalg`) that has a dim map: a function
/// of its operands alone, of parts the same as of the whole.
bool isStructuredOfParts(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_MOE_DIMMAP_H
