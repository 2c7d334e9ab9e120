// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks and their groups.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_MESH_OPS_TD
#define MOE_MESH_OPS_TD

def OpGroupRanks : OpDocGroup {
  let summary = "Ranks";
  let description = "Ops that state which ranks there are.";
}

let opDocGroup = OpGroupRanks in {

def MoE_MeshOp : MoE_Op<"mesh", [
    DeclareOpInterfaceMethods<Symbol, ["canDiscardOnUseEmpty"]>]> {
  let summary = "the ranks of the job, arranged along named axes";
  let description = [{
    Declares `product(shape)` ranks. Ranks are numbered with the last axis
    fastest, so consecutive ranks share a place on all other axes.

    ```mlir
    moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
    // rank:   0      1      2      3      4      5
    // ep,tp:  0,0    0,1    0,2    1,0    1,1    1,2
    ```

    A mesh is kept even when no symbol names it: rank lists and `moe.varying`
    rely on it too.

    **Constraints:** a name that is not empty; 1 to 64 axes, their names
    distinct and not empty; one size an axis, each at least 1; at most
    2^31 - 1 ranks; the only mesh of its module.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes,
                       DenseI64ArrayAttr:$shape);
  let assemblyFormat = "$sym_name `axes` $axes `shape` $shape attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of ranks: the product of the shape.
    int64_t getNumRanks();
    /// Position of the axis, or nullopt when there is none of that name.
    ::std::optional<unsigned> getAxisIndex(::llvm::StringRef name);
    /// Name of the axis at a position.
    ::llvm::StringRef getAxisName(unsigned index) {
      return ::llvm::cast<::mlir::StringAttr>(getAxes()[index]).getValue();
    }
    /// The mesh a module around `from` declares, or null.
    static MeshOp lookup(::mlir::Operation *from);
  }];
}

def MoE_GroupRankOp : MoE_Op<"group_rank", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "this rank's position in its group";
  let description = [{
    The position, from 0 to the group's size - 1, of the executing rank among
    the ranks of its group.

    ```mlir
    %i = moe.group_rank on <@mesh, ["tp"]> : index
    // mesh ep 2 x tp 3, rank:  0  1  2  3  4  5
    //                   %i  :  0  1  2  0  1  2
    ```
  }];
  let arguments = (ins MoE_GroupAttrInterface:$group);
  let results = (outs Index:$result);
  let assemblyFormat = "`on` custom<Group>($group) attr-dict `:` type($result)";
  let hasFolder = 1;
}

} // opDocGroup

#endif // MOE_MESH_OPS_TD
