// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces for the cost models of ops.

#ifndef MOE_MODEL_INTERFACES_TD
#define MOE_MODEL_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MoE_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    The time of an op on a machine. Implemented for the local ops of this
    dialect and of `tensor`; an op of another dialect implements it itself, by
    an external model, or by its dialect's `getRegisteredInterfaceForOp`, which
    also serves ops that are not registered. An op that only exchanges data
    needs `ExchangeOpInterface` alone: its time follows from its traffic.
  }];
  let methods = [
    InterfaceMethod<[{
        The time of one execution on one rank on the machine of the context. Report
        sizes to the context at which the machine was not measured. Emits an error and
        fails if a shape is dynamic or the machine lacks a figure that the op uses.
      }],
      "::llvm::FailureOr<::moe::cost::Microseconds>", "getTime",
      (ins "::moe::CostContext &":$context)>,
    InterfaceMethod<[{
        The resource of a rank that the op keeps busy, which is its task's stream.
      }],
      "::moe::cost::Resource", "getResource", (ins), "", [{
        return ::moe::cost::Resource::Compute;
      }]>
  ];
}

def MoE_ExchangeOpInterface : OpInterface<"ExchangeOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    The data that the ranks of groups send each other when an op runs. The volumes that
    `moe-print-volumes` counts and the time of an op without
    `CostOpInterface` follow from it.
  }];
  let methods = [
    InterfaceMethod<[{
        The exchange of one execution (SPEC CC-2). `getBytes` says how large
        operands and results are; the op asks for no other sizes, so that
        dynamic ones can be told. Fails when `getBytes` does or the group does
        not resolve.
      }],
      "::llvm::FailureOr<::moe::OpTraffic>", "getExchange",
      (ins "::llvm::function_ref<::llvm::FailureOr<int64_t>(::mlir::Value)>":
           $getBytes)>
  ];
}

def MoE_RoutedExchangeOpInterface : OpInterface<"RoutedExchangeOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    An op with `ExchangeOpInterface` that sends rows according to the choices of
    a gate.
  }];
  let methods = [
    InterfaceMethod<[{
        The exchange of one execution where it is known which experts the tokens
        of the op's layer go to; all else as in `getExchange`, which
        assumes even routing. Also emits an error and fails if the routing is of other
        experts or ranks.
      }],
      "::llvm::FailureOr<::moe::OpTraffic>", "getRoutedExchange",
      (ins "::llvm::function_ref<::llvm::FailureOr<int64_t>(::mlir::Value)>":
           $getBytes, "const ::moe::traffic::Routing &":$routing)>
  ];
}

def MoE_ChainOpInterface : OpInterface<"ChainOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    An op of one result that may be part of a chain that runs in chunks: a clone
    of it with other sizes of the dims that it maps one to one
    (`DimMapOpInterface`) is the same function of smaller tensors. Pure
    elementwise ops may without saying so.
  }];
  let methods = [
    InterfaceMethod<"The shortest kind of chain that may contain the op.",
      "::moe::ChainScope", "getChainScope", (ins), "", [{
        return ::moe::ChainScope::Layer;
      }]>,
    InterfaceMethod<"The operand that the op passes on.",
      "unsigned", "getChainedOperand", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
        True for the work of a layer that the exchanges around it wait for:
        its experts, or their gradient.
      }],
      "bool", "appliesExperts", (ins), "", [{ return false; }]>
  ];
}

def MoE_IndexOpInterface : OpInterface<"IndexOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    An op that takes numbers of experts or slots. Whoever draws arguments for a
    program draws such that these are numbers of something.
  }];
  let methods = [
    InterfaceMethod<[{
        The least and the greatest number that elements of an operand may be;
        nullopt for an operand of something else.
      }],
      "::std::optional<::moe::IndexRange>", "getIndexRange",
      (ins "unsigned":$operand)>
  ];
}

#endif // MOE_MODEL_INTERFACES_TD
