//===- MoEAttrs.td - Attributes of the moe dialect ---------*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_ATTRS_TD
#define MOE_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "moe/MoEDialect.td"
include "moe/MoEInterfaces.td"

def MoE_GroupAttr : AttrDef<MoE_Dialect, "Group", [
    DeclareAttrInterfaceMethods<MoE_GroupAttrInterface>]> {
  let mnemonic = "group";
  let summary = "a group of ranks along mesh axes";
  let description = [{
    The ranks that differ only in the given axes form one group, ordered with
    the last axis given fastest. No axis at all means groups of one rank.

    ```
    moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]     // ranks 0..5

    #moe.group<@mesh, ["tp"]>        {0 1 2} {3 4 5}
    #moe.group<@mesh, ["ep"]>        {0 3} {1 4} {2 5}
    #moe.group<@mesh, ["tp", "ep"]>  {0 3 1 4 2 5}
    ```

    **Constraints:**
    - every axis is an axis of the mesh (checked where the group is used);
    - no axis is listed twice.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::FlatSymbolRefAttr", "the mesh">:$mesh,
    AttrParameter<"::mlir::ArrayAttr", "axis names, slowest first">:$axes
  );
  let builders = [
    AttrBuilderWithInferredContext<(ins "::mlir::FlatSymbolRefAttr":$mesh,
        "::llvm::ArrayRef<::llvm::StringRef>":$axes), [{
      ::mlir::Builder b(mesh.getContext());
      return $_get(mesh.getContext(), mesh, b.getStrArrayAttr(axes));
    }]>
  ];
  let assemblyFormat = "`<` $mesh `,` $axes `>`";
  let genVerifyDecl = 1;
}

def MoE_ReplicaGroupsAttr : AttrDef<MoE_Dialect, "ReplicaGroups", [
    DeclareAttrInterfaceMethods<MoE_GroupAttrInterface>]> {
  let mnemonic = "replica_groups";
  let summary = "groups given as explicit rank lists";
  let description = [{
    Row `g` of the matrix lists the ranks of group `g` in group order.
    Canonicalization turns it into `#moe.group` when some mesh axes give the
    same groups.

    ```
    #moe.replica_groups<dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>>
    ```

    **Constraints:**
    - a non-empty matrix of 64-bit integers;
    - every rank from 0 to the number of entries - 1 stands in it exactly once;
    - with a mesh in the module, as many entries as the mesh has ranks; without
      one, as many as every other `#moe.replica_groups` of an op.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DenseIntElementsAttr", "rank lists">:$ranks
  );
  let assemblyFormat = "`<` $ranks `>`";
  let genVerifyDecl = 1;
}

#endif // MOE_ATTRS_TD
