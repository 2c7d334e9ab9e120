// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options for tokens beyond an expert's even share.
//
// moe-translate and the planners of whole jobs share these options.

#ifndef MOE_OPTIONS_ROUTINGOPTIONS_H
#define MOE_OPTIONS_ROUTINGOPTIONS_H

#include "moe/Options/JobOptions.h"
#include "moe/Support/EnumNames.h"

namespace moe {

template <> struct EnumNames<Routing> {
  static constexpr EnumName<Routing> all[] = {
      {Routing::Padded, "padded",
       "send padded buffers and drop tokens beyond an expert's capacity "
       "(--capacity-factor; default)"},
      {Routing::Dropless, "dropless",
       "send every token in ragged exchanges (--receive-factor)"}};
};

class RoutingOptions {
public:
  explicit RoutingOptions(OptionTable &table)
      : routing(table, "routing",
                "How layers treat tokens beyond an expert's even share",
                Routing::Padded),
        receiveFactor(
            table, "receive-factor",
            "Buffer headroom F of dropless layers, a decimal: a rank can "
            "receive ceil(F * S * k) rows for S tokens per rank and k "
            "experts per token, at most ep * S * min(k, E/ep) (default: "
            "that maximum, which cannot overflow). On overflow, every rank "
            "of the group stops with the same error",
            "F"),
        capacityFactor(table, "capacity-factor",
                       "Capacity of an expert over its even share of tokens, a "
                       "decimal (default: 1)",
                       "F", "1"),
        capacityMultiple(
            table, "capacity-multiple",
            "Round the capacity of an expert up to a multiple of N (default: "
            "1; with --sequence-parallel 8, or 4 or 2 if 8 adds more than "
            "1/16, so that chunks have equal sizes)") {}

  /// Sets the given options; fails for options that this kind of routing does
  /// not have.
  std::optional<cost::Failure> read(ImportOptions &options) const;

  /// Returns the given options as command-line text: " --routing dropless".
  std::string getWords() const;

private:
  WordOption<Routing> routing;
  TextOption receiveFactor, capacityFactor;
  IntegerOption capacityMultiple;
};

} // namespace moe

#endif // MOE_OPTIONS_ROUTINGOPTIONS_H
