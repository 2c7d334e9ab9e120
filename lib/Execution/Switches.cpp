//===- Switches.cpp - Optical switches that programs control ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Execution/Switches.h"
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

/// What a password is read from: command lines are seen by all users.
static constexpr char kPasswordVariable[] = "MOERT_OCS_PASSWORD";

//===----------------------------------------------------------------------===//
// The programs
//===----------------------------------------------------------------------===//

namespace {
/// The ranks that control a switch, by its name.
using Controllers = std::map<std::string, std::set<int64_t>>;
} // namespace

/// Adds the switches that a program asks for. Code says so by calls of the
/// runtime; schedules by the fabric whose circuits they change.
static void addControllers(const Program &program, Controllers &controllers) {
  ModuleOp module = program.getModule();
  if (auto fabric = ocs::FabricOp::lookup(module))
    func::FuncOp(program.getEntry()).walk([&](ocs::ReconfigureOp op) {
      auto ranks = fabric.getRegionGroup().getRankLists(op);
      if (succeeded(ranks))
        controllers[fabric.getSwitchName().str()].insert(
            ranks->front()[fabric.getController()]);
    });
  auto code = module.lookupSymbol<LLVM::LLVMFuncOp>(
      (moe::rt::kCodePrefix + func::FuncOp(program.getEntry()).getSymName() +
       "_enqueue")
          .str());
  if (!code)
    return;
  code.walk([&](LLVM::CallOp call) {
    if (call.getCallee() != rt::symbols::ocs_find ||
        call.getArgOperands().size() != 4)
      return;
    auto text = call.getArgOperands()[1].getDefiningOp<LLVM::AddressOfOp>();
    auto rank = call.getArgOperands()[2].getDefiningOp<LLVM::ConstantOp>();
    auto global =
        text ? module.lookupSymbol<LLVM::GlobalOp>(text.getGlobalName())
             : LLVM::GlobalOp();
    auto name = global
                    ? dyn_cast_if_present<StringAttr>(global.getValueOrNull())
                    : StringAttr();
    auto number = rank ? dyn_cast<IntegerAttr>(rank.getValue()) : IntegerAttr();
    if (!name || !number)
      return;
    StringRef word = name.getValue();
    word.consume_back(StringRef("\0", 1));
    controllers[word.str()].insert(number.getInt());
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
    if (controllers.count(own.name))
      continue;
    std::string known = llvm::join(llvm::make_first_range(controllers), ", ");
    return Failure{"--ocs=" + own.name +
                   ": expected an optical switch that the program knows (" +
                   (known.empty() ? "none" : known) + ")"};
  }
  for (const auto &[name, ranks] : controllers) {
    if (rank ? !ranks.count(*rank) : ranks.empty())
      continue;
    auto own = llvm::find_if(
        options, [&](const SwitchOptions &some) { return some.name == name; });
    if (own == options.end())
      return Failure{"expected --ocs=" + name +
                     "=HOST:PORT, where the optical switch is that rank " +
                     std::to_string(*ranks.begin()) +
                     " of the program controls"};
    if (auto failure = connect(*own))
      return failure;
  }
  return std::nullopt;
}

std::optional<Failure> Switches::connect(const SwitchOptions &own) {
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
  if (status != MOERT_OK)
    return Failure{"--ocs=" + own.name + ": " + moert_status_name(status) +
                   ": " + moert_last_error(nullptr)};
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
