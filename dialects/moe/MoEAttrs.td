// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the moe dialect.

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
    Axes of size 1 change nothing; canonicalization leaves them out.

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
    - every rank from 0 to the number of entries - 1 is in it exactly once;
    - with a mesh in the module, as many entries as the mesh has ranks; without
      one, as many as every other `#moe.replica_groups` of an op.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DenseIntElementsAttr", "rank lists">:$ranks
  );
  let assemblyFormat = "`<` $ranks `>`";
  let genVerifyDecl = 1;
}

def MoE_PlatformAttr : AttrDef<MoE_Dialect, "Platform"> {
  let mnemonic = "platform";
  let summary = "the machine a module is compiled for";
  let description = [{
    Names the platform that passes read. It is on a module,
    as `moe.platform`; `moe-load-platform` puts it there. Measurements
    stay in the file: passes load the file again and refuse it when it is
    not the one this attribute was made from.

    ```
    module attributes {moe.platform = #moe.platform<"two-nodes",
        levels ["nvlink": 8, "infiniband": 16], file "two-nodes.json",
        hash "af63dc4c8601ec8c">} { ... }
    ```

    - the name the description gives itself;
    - its levels from the innermost outward, each with the ranks that one
      instance of it spans;
    - the path it was loaded from, or the bare name of one that ships, as
      `platform=` options take them;
    - the FNV-1a hash (64 bits, hexadecimal) of the file's bytes: it tells
      that a file has changed, not who changed it.

    **Constraints:**
    - name and file are not empty;
    - at least one level, each with a name of its own; each spans more ranks
      than the level before it, and a multiple of them (the first more than 1);
    - the hash has 16 digits out of 0-9 and a-f;
    - the attribute is on a `builtin.module`.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::StringAttr", "name of the platform">:$name,
    ArrayRefParameter<"::mlir::StringAttr", "names of the levels">:$levels,
    ArrayRefParameter<"int64_t", "ranks a level spans">:$ranks,
    AttrParameter<"::mlir::StringAttr", "path or name of the file">:$file,
    AttrParameter<"::mlir::StringAttr", "hash of the file's bytes">:$hash
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // MOE_ATTRS_TD
