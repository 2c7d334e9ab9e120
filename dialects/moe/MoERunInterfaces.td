// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces for rows on paths with several steps.

#ifndef MOE_RUN_INTERFACES_TD
#define MOE_RUN_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MoE_RunsOpInterface : OpInterface<"RunsOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    An op that finds by counts in which runs rows go that reach their experts in
    several exchanges, none of which sends each rank the rows of its experts. Its
    first operand are the counts, `[G, E]` of G ranks. Along dim 0 of its results
    are the offsets and sizes of the sent rows, then of the received rows; results of
    three dims have an exchange for each place along dim 1.
  }];
  let methods = [
    InterfaceMethod<[{
        The bytes that the exchange `turn` by a result sends to the experts, by
        the places of its group, where the ranks have so many bytes for each
        other; if groups differ, of the group with the busiest rank.
        Fails if these bytes cannot be sent in this way.
      }],
      "::moe::cost::Result<::std::vector<::moe::cost::Message>>",
      "getMessages",
      (ins "unsigned":$result, "int64_t":$turn,
           "const ::moe::cost::Matrix<double> &":$bytes)>,
    InterfaceMethod<[{
        All ranks whose counts are given, and by whose places the results differ;
        null if they are not known.
      }],
      "::moe::GroupAttrInterface", "getCountsGroup">
  ];
}

#endif // MOE_RUN_INTERFACES_TD
