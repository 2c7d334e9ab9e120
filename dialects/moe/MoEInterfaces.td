// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of the moe dialect.

#ifndef MOE_INTERFACES_TD
#define MOE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MoE_GroupAttrInterface : AttrInterface<"GroupAttrInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    Which ranks take part in a collective together. The groups of one
    attribute partition the ranks of the job into groups of equal size; a
    rank's position in its group orders the data it sends and receives.
  }];
  let methods = [
    InterfaceMethod<[{
        Number of ranks in each group. `from` is any op inside the module,
        used to look the mesh up; fails when the group does not resolve.
      }],
      "::llvm::FailureOr<int64_t>", "getGroupSize",
      (ins "::mlir::Operation *":$from)>,
    InterfaceMethod<[{
        The rank lists of all groups, each in group order. Fails when the
        group does not resolve, or has more than `kMaxListedRanks` ranks in
        all: a mesh of any size is a few characters, its lists are not.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::llvm::SmallVector<int64_t>>>",
      "getRankLists", (ins "::mlir::Operation *":$from)>,
    InterfaceMethod<[{
        The mesh axes the group runs along, slowest first, or nullopt when
        the group is not stated by axes.
      }],
      "::std::optional<::llvm::SmallVector<::llvm::StringRef>>", "getAxisNames">,
    InterfaceMethod<[{
        Checks the group against the module around `from`: known mesh, known
        axes, rank lists that cover the mesh. Emits an error at `from`.
      }],
      "::llvm::LogicalResult", "verifyInModule",
      (ins "::mlir::Operation *":$from)>
  ];
}

def MoE_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    An op at which all ranks of a group meet and exchange data.
  }];
  let methods = [
    InterfaceMethod<"The group of ranks that meet.",
      "::moe::GroupAttrInterface", "getGroup">,
    InterfaceMethod<"The kind of the collective.",
      "::moe::CollectiveKind", "getCollectiveKind", (ins), "", [{
        return ConcreteOp::kCollectiveKind;
      }]>,
    InterfaceMethod<[{
        Bytes one rank sends to other ranks (SPEC CC-2): all_to_all (n-1)/n of
        the operand, all_gather (n-1)/n of the result, reduce_scatter (n-1)/n
        of the operand, all_reduce 2(n-1)/n of the operand; for a ragged
        all-to-all the upper bound of its whole operand (0 in a group of one);
        collective_permute the operand (0 if no rank sends to another).
        Fails when a shape is dynamic, a size overflows or the group does not
        resolve.
      }],
      "::llvm::FailureOr<int64_t>", "getSendBytes">,
    InterfaceMethod<[{
        Builds the transpose of the collective as a linear map: the op that
        carries the gradient of its result back to its operand (SPEC 2).
        Fails for a collective that is not linear (a min or max reduction) and
        for a ragged all-to-all, whose unwritten rows have a gradient too.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildTranspose",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$cotangent)>
  ];
}

def MoE_DimMapOpInterface : OpInterface<"DimMapOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    How the dims of an op's results come from the dims of its operands. Read
    by chunking, by the rewrites that move collectives across an op, and by
    the symbolic interpreter; see `moe/Dialect/MoE/DimMap.h`.
  }];
  let methods = [
    InterfaceMethod<"The dim map of this op.", "::moe::DimMap", "getDimMap">
  ];
}

#endif // MOE_INTERFACES_TD
