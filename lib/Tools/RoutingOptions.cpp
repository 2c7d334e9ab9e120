// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of copies of tokens.

#include "moe/Tools/RoutingOptions.h"

using namespace moe;

std::optional<cost::Failure>
RoutingOptions::read(ImportOptions &options) const {
  options.routing = routing;
  bool isDropless = routing == Routing::Dropless;
  if (isDropless && capacityFactor.getNumOccurrences() > 0)
    return cost::Failure{"--capacity-factor requires --routing=padded; "
                         "dropless layers drop no tokens"};
  if (auto failure = capacityMultiple.readIfSet(options.capacityMultiple))
    return failure;
  if (isDropless && options.capacityMultiple)
    return cost::Failure{"--capacity-multiple requires --routing=padded; "
                         "dropless layers have no capacity slots"};
  if (!isDropless && receiveFactor.getNumOccurrences() > 0)
    return cost::Failure{"--receive-factor requires --routing=dropless; the "
                         "capacity limits padded buffers"};
  llvm::Expected<CapacityFactor> factor =
      CapacityFactor::parse(capacityFactor, "capacity-factor");
  if (!factor)
    return cost::Failure{llvm::toString(factor.takeError())};
  options.capacityFactor = *factor;
  if (receiveFactor.getNumOccurrences() == 0)
    return std::nullopt;
  llvm::Expected<CapacityFactor> receive =
      CapacityFactor::parse(receiveFactor, "receive-factor");
  if (!receive)
    return cost::Failure{llvm::toString(receive.takeError())};
  options.receiveFactor = *receive;
  return std::nullopt;
}

std::string RoutingOptions::getWords() const {
  std::string words;
  auto add = [&](llvm::StringRef name, llvm::StringRef value) {
    words += (" --" + name + " " + value).str();
  };
  if (routing.getNumOccurrences() > 0)
    add(routing.ArgStr, getEnumName(routing.getValue()));
  for (const llvm::cl::opt<std::string> *factor :
       {&receiveFactor, &capacityFactor})
    if (factor->getNumOccurrences() > 0)
      add(factor->ArgStr, *factor);
  if (capacityMultiple.isSet())
    add(capacityMultiple.getName(), capacityMultiple.getText());
  return words;
}
