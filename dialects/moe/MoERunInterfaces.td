// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows on ways of several steps.

#ifndef MOE_RUN_INTERFACES_TD
#define MOE_RUN_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MoE_RunsOpInterface : OpInterface<"RunsOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    An op that finds by counts in which runs rows go that reach their experts in
    several exchanges, none of which sends each rank what its experts get. Its
    first operand are the counts, `[G, E]` of G ranks. Along dim 0 of its results
    are the offsets and sizes of what is sent, then those of what is received; of
    results of three dims there is an exchange for each place along dim 1.
  }];
  let methods = [
    InterfaceMethod<[{
        What the exchange `turn` by a result sends on the way to the experts, by
        the places of its group, where the ranks have so many bytes for each
        other; where groups differ, that of the group with the busiest rank.
        Fails where these bytes cannot go so.
      }],
      "::moe::cost::Result<::std::vector<::moe::cost::Message>>",
      "getMessages",
      (ins "unsigned":$result, "int64_t":$turn,
           "const ::moe::traffic::RowMatrix &":$bytes)>,
    InterfaceMethod<[{
        All ranks whose counts are given, and by whose places the results differ;
        null if they are not known.
      }],
      "::moe::GroupAttrInterface", "getCountsGroup">
  ];
}

#endif // MOE_RUN_INTERFACES_TD
