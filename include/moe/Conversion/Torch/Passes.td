// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch in.

#ifndef MOE_CONVERSION_TORCH_PASSES_TD
#define MOE_CONVERSION_TORCH_PASSES_TD

include "moe/Support/PassBase.td"

def ConvertTorchToMoE : MoEPass<"convert-torch-to-moe", "::mlir::ModuleOp"> {
  let summary = "Convert the communication of a PyTorch program to moe";
  let description = [{
    *Preserving*. Takes the output of torch-mlir's importer for a `torch.export`
    program (`output_type="raw"`). Functional collectives become collectives of `moe`:
    `all_to_all_single` of equal splits, `all_gather_into_tensor`,
    `reduce_scatter_tensor` and `all_reduce`, in the order of the text;
    `wait_tensor` is its operand, as all values of this dialect are waited for.
    A coalesced collective becomes one collective for each tensor of its list,
    and DTensor's `shard_dim_alltoall` an `all_to_all`. The pass warns about
    communication that it leaves: broadcasts, reductions other than sum, avg,
    product, min and max, and all other functions of c10d.
    docs/how-to/import-a-pytorch-program.md is about PyTorch's side.

    `split`, `chunk`, `unbind`, `cat` and `stack` become slices and
    `moe.assemble`, through which chunks pass. Where PyTorch restacks pieces
    around a collective of dim 0, to gather or scatter along another dim, the
    collective names that dim.

    The text names groups of processes: `groups` says which axes of `mesh`, or
    which lists of ranks, they are. It is one rank's text, taken as that of all:
    splits that differ cannot be so, and are an error, as are sizes that are not
    those of the mesh.

    `!torch.vtensor` becomes `tensor`, integers without their signs. Constants of
    known ops become attributes, so that all operands are data. Parameters that
    the text holds as resources are one rank's: they become arguments behind the
    others. All else stays as it is. `varying` says over which axes arguments
    differ; of others nothing is known. Known ops are timed: products by their
    sizes, others by the bytes that they read and write. For an op that
    it does not know, the pass reads two attributes, which hold facts from
    PyTorch's schemas and tags: `fx.function` (the results depend on the operands
    only) and `fx.pointwise` (an elementwise op that broadcasts its operands).

    An `all_to_all_single` whose splits are computed (`.tolist()` of counts)
    becomes `moe.ragged_all_to_all`. Its rows are contiguous in both
    buffers, so `torch.moe.sizes` is the vector of the list's integers,
    `torch.moe.offsets` their offsets, and `torch.moe.rows` their sum, the rows
    of the result. Sizes that the text does not know (`?`) stay unknown. A
    coalesced collective of such sizes stays, with its wait, and the pass warns
    about it.

    With `layers`, an all-to-all of floats, the next one and all that is computed
    from the one for the other are a `moe.layer`, whose form `moe-compile` may
    then choose: of the name that `fx.layer` marks it with, or of a number, and
    backward if it has `fx.backward`.

    ```mlir
    // moe-opt in.mlir --convert-torch-to-moe="mesh=ep=2,tp=2 groups=0=ep varying=0=ep"
    func.func @main(%x: !torch.vtensor<[4,8],f32>)
    %str0 = "torch.constant.str"() <{value = "0"}>
    %0 = "torch.operator"(%x, %sizes, %sizes, %str0) <{name = "torch._c10d_functional.all_to_all_single"}>
    %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}>
    // becomes
    moe.mesh @moe_mesh axes ["ep", "tp"] shape [2, 2]
    func.func @main(%x: tensor<4x8xf32> {moe.varying = ["ep"]})
    %0 = moe.all_to_all %x on <@moe_mesh, ["ep"]> split 0 concat 0
    ```
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", "",
           "Mesh axes and their sizes, fastest-varying last, as "
           "dp=1,ep=4,tp=2">,
    Option<"groups", "groups", "std::string", "",
           "Mesh axes or rank lists of each process group, by the group's "
           "name in the program: 0=ep,1=ep+tp,2=[[0,1],[2,3]]">,
    Option<"varying", "varying", "std::string", "",
           "Mesh axes over which each argument varies, by argument number: "
           "0=ep,2=ep+tp,3=">,
    Option<"layers", "layers", "bool", "false",
           "Recognize MoE layers around the exchanges">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertMoEToTorch : MoEPass<"convert-moe-to-torch", "::mlir::ModuleOp"> {
  let summary = "Convert a program that was read from PyTorch back to PyTorch";
  let description = [{
    *Preserving*. The inverse of `convert-torch-to-moe`, for a rewritten program.
    Layers, pipelines and schedules become their chunks, in launch order. Ops of
    `moe` and `tensor` become ATen ops and functional collectives, and constants
    become operands again. `--mlir-print-op-generic` prints the result in one
    form. Tensors keep builtin types, and a group is a list of rank lists.

    PyTorch's collectives split and concatenate dim 0. For other dims, the pass
    adds `reshape` and `permute`. A `moe.drop` becomes `torch.moe.drop`, a slice
    at the rank's position in its group, so the text stays equal on all ranks.
    A `moe.ragged_all_to_all` must have the operands that
    `convert-torch-to-moe` creates: PyTorch has no offsets.

    The pass moves each collective up to its operand, keeping the order of
    collectives, and each wait down to the first use. An op that was in the
    original text keeps `fx.node`. A new op has `fx.from`, the node that it was
    created for, and `fx.task`, its task in the schedule. The pass reports an
    error for an op that PyTorch does not have.

    ```mlir
    // moe-opt in.mlir --convert-moe-to-torch
    %r = moe.all_gather %x on <@moe_mesh, ["tp"]> dim 0
    // becomes
    %n = "torch.constant.int"() <{value = 2 : i64}>
    %g = "torch.constant.str"() <{value = "[[0,1],[2,3]]"}>
    %l = "torch._c10d_functional.all_gather_into_tensor"(%x, %n, %g)
    %r = "torch._c10d_functional.wait_tensor"(%l)
    ```
  }];
}

#endif // MOE_CONVERSION_TORCH_PASSES_TD
