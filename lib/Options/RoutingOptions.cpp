// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options for tokens beyond an expert's even share.

#include "moe/Options/RoutingOptions.h"

using namespace moe;

std::optional<cost::Failure>
RoutingOptions::read(ImportOptions &options) const {
  options.routing = routing;
  bool isDropless = routing == Routing::Dropless;
  if (isDropless && capacityFactor.isSet())
    return cost::Failure{"--capacity-factor requires --routing=padded; "
                         "dropless layers drop no tokens"};
  if (auto failure = capacityMultiple.readIfSet(options.capacityMultiple))
    return failure;
  if (isDropless && options.capacityMultiple)
    return cost::Failure{"--capacity-multiple requires --routing=padded; "
                         "dropless layers have no capacity slots"};
  if (!isDropless && receiveFactor.isSet())
    return cost::Failure{"--receive-factor requires --routing=dropless; the "
                         "capacity limits padded buffers"};
  llvm::Expected<CapacityFactor> factor =
      CapacityFactor::parse(capacityFactor.get(), "capacity-factor");
  if (!factor)
    return cost::Failure{llvm::toString(factor.takeError())};
  options.capacityFactor = *factor;
  if (!receiveFactor.isSet())
    return std::nullopt;
  llvm::Expected<CapacityFactor> receive =
      CapacityFactor::parse(receiveFactor.get(), "receive-factor");
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
  if (routing.isSet())
    add(routing.getName(), getEnumName<Routing>(routing));
  for (const TextOption *factor : {&receiveFactor, &capacityFactor})
    if (factor->isSet())
      add(factor->getName(), factor->get());
  if (capacityMultiple.isSet())
    add(capacityMultiple.getName(), capacityMultiple.getText());
  return words;
}
