// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import and export of StableHLO.

#ifndef MOE_CONVERSION_STABLEHLO_PASSES_TD
#define MOE_CONVERSION_STABLEHLO_PASSES_TD

include "moe/Support/PassBase.td"

def ConvertStableHLOToMoE
    : MoEPass<"convert-stablehlo-to-moe", "::mlir::ModuleOp"> {
  let summary = "Convert the communication of a JAX program to moe";
  let description = [{
    *Preserving*. Takes StableHLO in generic text. Every
    `sdy.manual_computation` (`jax.shard_map`) becomes a function of its local
    tensors, which a `sdy.body` names in its place, over one `moe.mesh`; the
    equal meshes of the module are one; a program that names no mesh, as JAX
    without Shardy writes it, has a mesh of its devices. Collectives become
    collectives of `moe`, one for each operand:
    `all_to_all`, `all_gather`, `reduce_scatter`, `all_reduce`,
    `collective_permute` and JAX's
    `ragged_all_to_all`, whose output offsets are the sender's, so that the
    receiver's are exchanged first. An asynchronous one becomes an op at the
    place of its start, and a loop around collectives that counts to a constant
    becomes `scf.for`. The pass warns about communication that it leaves. A `dynamic_slice` at the place of this
    device in a group becomes `moe.drop`. All other ops stay as they are;
    remarks report why. docs/how-to/jax.md is about JAX's
    side.

    `moe.varying` of the arguments follows from their in-shardings. A value that
    passes directly from one computation to another of the same sharding varies
    as the first one determines.

    With `layers`, an all-to-all of floats, the next one and all that is computed
    from the one for the other are a `moe.layer`, whose form `moe-compile` may
    then choose: of the name that `moe_mlir.layer` has marked it with, its
    second one in a program being the backward pass, or of a number. Calls there
    are inlined.

    ```mlir
    // moe-opt in.mlir --convert-stablehlo-to-moe
    "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=2, "tp"=2]>, sym_name = "mesh"}>
    %r = "sdy.manual_computation"(%x)
    %a = "stablehlo.all_to_all"(%l)
    // becomes
    moe.mesh @moe_mesh axes ["ep", "tp"] shape [2, 2]
    %r = "sdy.manual_computation"(%x)
    }) {sdy.body = "main_body"}
    func.func @main_body(%l: tensor<2x4xf32> {moe.varying = ["ep"]})
    %a = moe.all_to_all %l on <@moe_mesh, ["ep"]> split 0 concat 0
    ```
  }];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [Option<"layers", "layers", "bool", "false",
                        "Recognize MoE layers around the exchanges">];
}

def ConvertMoEToStableHLO
    : MoEPass<"convert-moe-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "Convert a program that was read from JAX back to StableHLO";
  let description = [{
    *Preserving*. The reverse of `convert-stablehlo-to-moe`, for a rewritten
    program: bodies return to their places, pipelines and
    schedules become their chunks in the order in which they are launched, and
    all ops of `moe` and `tensor` become StableHLO that JAX reads
    (`--mlir-print-op-generic` prints all of it in one form). Groups are lists
    of devices, unless they are unchanged since the text was read. The
    task of a schedule is a frontend attribute of its collectives and
    products, `moe_task`, which XLA keeps. An op that StableHLO has not is an
    error that names it. Arguments, results and shardings of functions of the
    program are those that were read.

    ```mlir
    // moe-opt in.mlir --convert-moe-to-stablehlo
    %r = moe.all_gather %x on <@moe_mesh, ["tp"]> dim 0
    // becomes
    %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 ... replica_groups = dense<[[0, 1], [2, 3]]>
    ```
  }];
}

#endif // MOE_CONVERSION_STABLEHLO_PASSES_TD
