// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions on a fabric.

#include "moe/Circuits/FabricNetwork.h"
#include "moe/Circuits/FabricReport.h"
#include "moe/Compiler/Prediction.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "moe/Fabric/LinkLoads.h"
#include "moe/Support/Fields.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace moe;
using moe::fabric::FabricKind;
using CircuitPlans = moe::fabric::FabricPricer::CircuitUse;
using cost::formatTime;

//===----------------------------------------------------------------------===//
// The section of a report
//===----------------------------------------------------------------------===//

namespace {

/// The fabric of a program, and the loads of its links during exchanges.
class FabricSection : public NetworkSection {
public:
  void write(support::FieldWriter &io) override;
  void read(support::FieldReader &io) override;
  void printSummary(raw_ostream &os) const override;
  void printTables(raw_ostream &os) const override;

  /// The network has the properties that `describeFabric` prints.
  fabric::FabricOptions options;
  /// Number of concurrent copies of the program.
  int64_t copies = 1;
  /// "each", "once" or "given" if there are circuits; see
  /// `FabricPricer::CircuitUse`.
  std::string circuits;
  /// Loads of the busiest links only.
  fabric::LinkLoads loads;
};

} // namespace

/// Visits the utilization, from which `most`, the possible bytes, is restored.
template <typename IO>
static void visitUse(IO &io, StringRef key, double bytes, double &most) {
  double use = most > 0 ? bytes / most : 0;
  io.required(key, use);
  most = use > 0 ? bytes / use : 0;
}

namespace moe::fabric {

template <typename IO> void visitFields(IO &io, ClassLoad &load) {
  io.required("class", load.name);
  io.required("links", load.links, 1);
  io.required("bytes", load.bytes);
  visitUse(io, "mean_utilisation", load.bytes, load.most);
  io.required("busiest_utilisation", load.busiest);
}

template <typename IO> void visitFields(IO &io, LinkLoad &load) {
  io.required("link", load.name);
  io.required("bytes", load.bytes);
  visitUse(io, "utilisation", load.bytes, load.most);
}

} // namespace moe::fabric

template <typename IO> static void visitFields(IO &io, FabricSection &fabric) {
  fabric::NetworkOptions &network = fabric.options.network;
  std::string kind(fabric::getName(network.kind));
  io.required("kind", kind);
  if (auto known = fabric::parseFabricKind(kind))
    network.kind = *known;
  else
    io.check("kind", false, "expected a kind of fabric, got '" + kind + "'");
  io.required("servers", network.servers, 1);
  io.required("ranks_per_server", fabric.options.serverRanks, 1);
  io.required("nics_per_server", network.nics, 1);
  // Converts bytes/us to Gb/s.
  double rateGbps = network.nicRate / 125;
  io.required("rate_gbps", rateGbps, support::Range::Positive);
  network.nicRate = 125 * rateGbps;
  io.required("oversubscription", network.oversubscription,
              support::Range::Positive);
  io.required("copies", fabric.copies, 1);
  io.optional("circuits", fabric.circuits);
  io.optional("before_failure_us", fabric.beforeFailureUs);
  io.required("classes", fabric.loads.classes);
  io.required("busiest", fabric.loads.links);
}

void FabricSection::write(support::FieldWriter &io) { visitFields(io, *this); }

void FabricSection::read(support::FieldReader &io) { visitFields(io, *this); }

void FabricSection::printSummary(raw_ostream &os) const {
  os << "fabric       " << describeFabric(options);
  if (copies > 1)
    os << ", " << copies << " copies of the program";
  os << "\n";
  if (!circuits.empty())
    os << "             "
       << (circuits == "each"
               ? "circuits planned for each all-to-all, there when it begins"
           : circuits == "once"
               ? "circuits planned once for all that the program sends"
               : "circuits as the program changes them")
       << "\n";
  if (beforeFailureUs)
    os << "             " << formatTime(*beforeFailureUs)
       << " before the failure\n";
}

void FabricSection::printTables(raw_ostream &os) const {
  os << "\n";
  if (loads.links.empty()) {
    os << "no exchange leaves a server\n";
    return;
  }
  makeClassReport(loads).printTable(os);
  os << "\n";
  makeBusiestReport(loads, loads.links.size()).printTable(os);
}

void moe::registerFabricSection() {
  registerNetworkSection([]() -> std::shared_ptr<NetworkSection> {
    return std::make_shared<FabricSection>();
  });
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// Adds the traffic of all tasks of a schedule to a pricer.
static LogicalResult addDemand(fabric::FabricPricer &pricer,
                               func::FuncOp function, OpTimer &timer) {
  Operation *known = nullptr;
  for (const CollectiveVolume &volume : computeVolumes(function)) {
    // The traffic of an op includes all of its stages.
    if (volume.op == known || !isTimedByLevels(volume))
      continue;
    known = volume.op;
    FailureOr<OpTraffic> traffic =
        timer.getTraffic(cast<ExchangeOpInterface>(volume.op));
    if (failed(traffic))
      return failure();
    for (const TrafficStage &stage : traffic->stages) {
      cost::Result<cost::RankGroups> groups =
          getRankGroups(volume.op, stage.group);
      if (!groups)
        return volume.op->emitOpError() << groups.getError();
      if (auto failure = pricer.addDemand(*groups, stage.traffic,
                                          static_cast<double>(volume.times)))
        return volume.op->emitOpError() << failure->message;
    }
  }
  return success();
}

/// Returns true if a function changes circuits itself, or states which ones it
/// uses.
static bool hasCircuits(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<ocs::ReconfigureOp, ocs::RouteOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult FabricNetwork::use(func::FuncOp function, OpTimer &timer) {
  bool isGiven = hasCircuits(function);
  if (isGiven && given.plansOnce)
    return function.emitError()
           << "expected a program without circuits of its own to plan them "
              "once, got one that changes them";
  pricer.emplace(given.options, getNumRanks(function),
                 isGiven           ? CircuitPlans::Given
                 : given.plansOnce ? CircuitPlans::Once
                                   : CircuitPlans::Each);
  timer.setPricer(&*pricer);
  if (pricer->getCircuitUse() != CircuitPlans::Once)
    return success();
  if (failed(addDemand(*pricer, function, timer)))
    return failure();
  if (auto failure = pricer->planOnce())
    return function.emitError() << "has no circuits: " << failure->message;
  return success();
}

static constexpr size_t kBusiestLinks = 10;

std::shared_ptr<NetworkSection>
FabricNetwork::summarize(ArrayRef<TaskExchange> exchanges) const {
  auto section = std::make_shared<FabricSection>();
  section->options = pricer->getOptions();
  section->copies = pricer->getNumCopies();
  FabricKind kind = section->options.network.kind;
  CircuitPlans plans = pricer->getCircuitUse();
  if (kind == FabricKind::MFabric || kind == FabricKind::TopoOpt)
    section->circuits = plans == CircuitPlans::Each   ? "each"
                        : plans == CircuitPlans::Once ? "once"
                                                      : "given";
  // Equal exchanges share their flows.
  llvm::MapVector<const fabric::FabricExchange *, double> times;
  for (const TaskExchange &own : exchanges)
    if (own.cost.details)
      times[static_cast<const fabric::FabricExchange *>(
          own.cost.details.get())] += static_cast<double>(own.volume.times);
  fabric::LinkLoadSum loads;
  for (auto [flows, count] : times)
    loads.add(*flows, count);
  section->loads = loads.get();
  if (section->loads.links.size() > kBusiestLinks)
    section->loads.links.resize(kBusiestLinks);
  return section;
}

std::unique_ptr<NetworkModel> FabricNetwork::getWhole() const {
  if (!given.whole)
    return nullptr;
  return std::make_unique<FabricNetwork>(
      FabricUse{*given.whole, given.plansOnce});
}
