// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of the moert dialect.

#ifndef MOERT_INTERFACES_TD
#define MOERT_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MoERT_RuntimeCallOpInterface : OpInterface<"RuntimeCallOpInterface"> {
  let cppNamespace = "::moe::rt";
  let description = [{
    An op that becomes calls of the runtime's C interface. `MoERT_RuntimeOp`
    implements it from the op's `calls` (MoERTCall.td).
  }];
  let methods = [
    StaticInterfaceMethod<"All functions that such ops call, without an op.",
                          "::llvm::ArrayRef<::moe::rt::RuntimeFunction>",
                          "getRuntimeFunctions">,
    InterfaceMethod<"Appends the calls of this op, in their order.", "void",
                    "addRuntimeCalls", (ins "::moe::rt::RuntimeCalls &":$calls)>
  ];
}

def MoERT_KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::moe::rt";
  let description = [{
    A kernel of the runtime: a function of its C interface that takes a stream
    and a struct of arguments. `MoERT_KernelOp` implements it from an op's
    entry in the table (MoERTKernelOps.td, MoERTGradientOps.td).
  }];
  let methods = [
    StaticInterfaceMethod<"The entry in the table, without an op.",
                          "::moe::rt::KernelInfo", "getKernelInfo">,
    InterfaceMethod<"Buffers in the places of `MoERT_In` and its like.",
                    "::mlir::OperandRange", "getInputs">,
    InterfaceMethod<"Buffers in the places of `MoERT_Out` and its like.",
                    "::mlir::OperandRange", "getOutputs">,
    InterfaceMethod<"Buffers behind their names; null where not given.",
                    "::llvm::SmallVector<::mlir::Value>", "getNamedInputs">,
    InterfaceMethod<"Appends the members of the struct, in their order.",
                    "void", "addKernelMembers",
                    (ins "::moe::rt::KernelArguments &":$args)>
  ];
}

#endif // MOERT_INTERFACES_TD
