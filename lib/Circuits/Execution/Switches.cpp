// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optical switches that programs control.

#include "moe/Circuits/Switches.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <map>
#include <set>

using namespace mlir;
using namespace moe;
using namespace moe::run;
using cost::Failure;

/// The password is read from the environment, because all users can see command
/// lines.
static constexpr char kPasswordVariable[] = "MOERT_OCS_PASSWORD";

//===----------------------------------------------------------------------===//
// The programs
//===----------------------------------------------------------------------===//

namespace {
struct Controllers {
  /// The ranks that control each switch, by its name.
  std::map<std::string, std::set<int64_t>> ranks;
  /// The switches that are required.
  std::set<std::string> needed;
};
} // namespace

/// Adds the regions of a fabric; their switches are optional.
static void addRegions(StringRef name, ArrayRef<int64_t> ranks,
                       Controllers &controllers) {
  for (auto [number, rank] : llvm::enumerate(ranks)) {
    std::string own = name.str();
    if (ranks.size() > 1)
      own += "." + std::to_string(number);
    controllers.ranks[own].insert(rank);
  }
}

/// Returns the contents of a table or text in compiled code; null if none.
static Attribute getGlobal(ModuleOp module, Value value) {
  auto address = value.getDefiningOp<LLVM::AddressOfOp>();
  auto global =
      address ? module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName())
              : LLVM::GlobalOp();
  return global ? global.getValueOrNull() : Attribute();
}

static std::optional<StringRef> getText(ModuleOp module, Value value) {
  auto text = dyn_cast_if_present<StringAttr>(getGlobal(module, value));
  if (!text)
    return std::nullopt;
  StringRef word = text.getValue();
  word.consume_back(StringRef("\0", 1));
  return word;
}

static std::optional<int64_t> getNumber(Value value) {
  auto constant = value.getDefiningOp<LLVM::ConstantOp>();
  auto number =
      constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return number ? std::optional(number.getInt()) : std::nullopt;
}

/// Adds the switches requested by `moert_ocs_region_find`: for each region, the
/// controller is a position among the members, which are ordered by region.
static void addFoundRegions(ModuleOp module, LLVM::CallOp call,
                            Controllers &controllers) {
  auto args = call.getArgOperands();
  if (args.size() < 7)
    return;
  auto name = getText(module, args[1]);
  auto begin = args[2].getDefiningOp<LLVM::GEPOp>();
  auto members = begin ? dyn_cast_if_present<DenseIntElementsAttr>(
                             getGlobal(module, begin.getBase()))
                       : DenseIntElementsAttr();
  auto count = getNumber(args[3]), place = getNumber(args[4]);
  if (!name || !members || !count || !place || *count < 1)
    return;
  SmallVector<int64_t> ranks;
  for (auto [i, rank] : llvm::enumerate(members.getValues<APInt>()))
    if (static_cast<int64_t>(i) % *count == *place)
      ranks.push_back(rank.getSExtValue());
  addRegions(*name, ranks, controllers);
}

/// Adds the switches that a program uses: in compiled code through calls of the
/// runtime, in schedules through the fabric with the circuits they change.
static void addControllers(const Program &program, Controllers &controllers) {
  ModuleOp module = program.getModule();
  auto entry = func::FuncOp(program.getEntry());
  auto fabric = ocs::FabricOp::lookup(module);
  if (fabric &&
      entry.walk([](ocs::ReconfigureOp) { return WalkResult::interrupt(); })
          .wasInterrupted()) {
    SmallVector<int64_t> ranks(fabric.getNumRegions());
    if (auto lists = fabric.getRegionGroup().getRankLists(fabric);
        succeeded(lists))
      for (const auto &members : *lists)
        ranks[fabric.getPlace(members.front()).region] =
            members[fabric.getController()];
    addRegions(fabric.getSwitchName(), ranks, controllers);
  }
  auto code = module.lookupSymbol<LLVM::LLVMFuncOp>(
      (moe::rt::kCodePrefix + entry.getSymName() + "_enqueue").str());
  if (!code)
    return;
  code.walk([&](LLVM::CallOp call) {
    if (call.getCallee() == rt::symbols::ocs_region_find)
      addFoundRegions(module, call, controllers);
    if (call.getCallee() != rt::symbols::ocs_find ||
        call.getArgOperands().size() != 4)
      return;
    auto name = getText(module, call.getArgOperands()[1]);
    auto rank = getNumber(call.getArgOperands()[2]);
    if (!name || !rank)
      return;
    controllers.ranks[name->str()].insert(*rank);
    controllers.needed.insert(name->str());
  });
}

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

Switches::~Switches() {
  for (auto &[name, ocs] : opened)
    moert_ocs_close(ocs);
}

std::optional<Failure> Switches::open(const Programs &programs,
                                      std::optional<int32_t> rank) {
  Controllers controllers;
  addControllers(programs.getProgram(), controllers);
  if (programs.hasOther())
    addControllers(programs.getOther(), controllers);
  for (const SwitchOptions &own : options) {
    if (controllers.ranks.count(own.name))
      continue;
    std::string known =
        llvm::join(llvm::make_first_range(controllers.ranks), ", ");
    return Failure{"--ocs=" + own.name +
                   ": expected an optical switch that the program knows (" +
                   (known.empty() ? "none" : known) + ")"};
  }
  for (const auto &[name, ranks] : controllers.ranks) {
    if (rank ? !ranks.count(*rank) : ranks.empty())
      continue;
    auto own = llvm::find_if(
        options, [&](const SwitchOptions &some) { return some.name == name; });
    // Regions use packets if there is no switch, and report that.
    bool isNeeded = controllers.needed.count(name);
    if (own == options.end() && !isNeeded)
      continue;
    if (own == options.end())
      return Failure{"expected --ocs=" + name +
                     "=HOST:PORT, where the optical switch is that rank " +
                     std::to_string(*ranks.begin()) +
                     " of the program controls"};
    if (auto failure = connect(*own, isNeeded))
      return failure;
  }
  return std::nullopt;
}

std::optional<Failure> Switches::connect(const SwitchOptions &own,
                                         bool isNeeded) {
  const char *password = std::getenv(kPasswordVariable);
  if (!own.user.empty() && !password)
    return Failure{"--ocs=" + own.name + ": expected the password of user '" +
                   own.user + "' in the environment variable " +
                   kPasswordVariable + ", got none"};
  moert_ocs_config config;
  moert_ocs_config_default(&config);
  config.address = own.address.c_str();
  config.dialect = own.dialect;
  config.user = own.user.empty() ? nullptr : own.user.c_str();
  config.password = own.user.empty() ? nullptr : password;
  config.deadline_us = deadlineUs;
  config.link_up_us = own.linkUpUs;
  config.ports = own.ports.data();
  config.num_ports = static_cast<int32_t>(own.ports.size());
  config.all_ports = own.allPorts;
  moert_ocs *ocs = nullptr;
  moert_status status = moert_ocs_open(&config, &ocs);
  if (status != MOERT_OK) {
    std::string words = "--ocs=" + own.name + ": " + moert_status_name(status) +
                        ": " + moert_last_error(nullptr);
    if (isNeeded || status == MOERT_INVALID_ARGUMENT)
      return Failure{words};
    llvm::errs() << "moe-run: warning: " << words
                 << ": exchanges take packets\n";
    return std::nullopt;
  }
  opened.emplace_back(own.name, ocs);
  return std::nullopt;
}

std::optional<Failure> Switches::attach(Job &job) const {
  for (auto &[name, ocs] : opened)
    if (moert_status status =
            moert_ocs_attach(job.getContext(), name.c_str(), ocs);
        status != MOERT_OK)
      return job.getFailure(status);
  return std::nullopt;
}
