// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mappings of operand dims to result dims.

#ifndef MOE_DIALECT_MOE_DIMMAP_H
#define MOE_DIALECT_MOE_DIMMAP_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace moe {

/// A one-to-one relation between a dim of an operand and a dim of a result: the
/// slice of the result at index `i` of its dim depends only on the slice of
/// this operand at index `i`.
struct DimLink {
  unsigned operand;
  unsigned operandDim;
  unsigned result;
  unsigned resultDim;

  bool operator==(const DimLink &other) const = default;
};

/// The use that an op makes of a dim that it does not pass through.
enum class DimUse {
  /// The op is an opaque function along the dim: it reads or writes the dim as
  /// a whole, for example the hidden dim of gates and experts. If the op is
  /// taken as an uninterpreted function, the dim may be treated as one element,
  /// because nothing is known of single elements.
  Opaque,
  /// The op cuts, joins, reorders, reduces or indexes along the dim, or its
  /// size matters in another way.
  Touched
};

/// The mapping of an op's operand dims to its result dims. Each dim of an
/// operand or result is linked, opaque or touched. A linked dim may have
/// several links, for example token dims that reach two results. A dim that is
/// neither linked nor opaque is touched.
struct DimMap {
  llvm::SmallVector<DimLink> links;
  /// (operand, dim) pairs the op reads opaquely.
  llvm::SmallVector<std::pair<unsigned, unsigned>> opaqueOperandDims;
  /// (result, dim) pairs the op writes opaquely.
  llvm::SmallVector<std::pair<unsigned, unsigned>> opaqueResultDims;
  /// All elements of a result are equal, so one element along each opaque dim
  /// represents all of them, for any size.
  bool isUniform = false;
  /// The op is the same function on every rank, and for other sizes of linked
  /// dims in operands and results alike. Parts of its results may therefore be
  /// computed separately, each from the corresponding parts of its operands,
  /// and joined. False for collectives and for ops that depend on the rank.
  bool isPartwise = false;

  /// Returns the dim of the given result that an operand dim is linked to.
  std::optional<unsigned> getResultDim(unsigned operand, unsigned operandDim,
                                       unsigned result) const;
  /// Returns the dim of the given operand that a result dim is linked to.
  std::optional<unsigned> getOperandDim(unsigned result, unsigned resultDim,
                                        unsigned operand) const;
  bool isOpaqueOperandDim(unsigned operand, unsigned dim) const;
  bool isOpaqueResultDim(unsigned result, unsigned dim) const;

  /// Returns the map of an elementwise op, which links every dim of every
  /// ranked operand of the results' rank to the same dim of every result.
  static DimMap elementwise(mlir::Operation *op);
};

/// Returns the dim map of any op. Uses `DimMapOpInterface` if implemented, also
/// for upstream constants, slices, and reshapes of unit or equal dims.
/// Elementwise ops have elementwise maps, which are partwise if the op has no
/// effects, and structured ops have the map of their loops. Returns nullopt for
/// ops that nothing is known about. Scalar operands have no dims and therefore
/// no links.
std::optional<DimMap> getDimMap(mlir::Operation *op);

/// Returns true for a structured op (`linalg`) that has a dim map and depends
/// on its operands alone, so that it computes the same function on parts as on
/// the whole.
bool isStructuredOfParts(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_MOE_DIMMAP_H
