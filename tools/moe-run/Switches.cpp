//===- Switches.cpp - Optical switches that programs control ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Switches.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
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
// The command line
//===----------------------------------------------------------------------===//

/// Appends the ports A to B of "A-B".
static bool readPorts(StringRef text, std::vector<int32_t> &ports) {
  constexpr int32_t kMostPorts = 1 << 16;
  auto [first, last] = text.split('-');
  int32_t from, to;
  if (first.getAsInteger(10, from) || last.getAsInteger(10, to) || from < 1 ||
      to < from || to > kMostPorts)
    return false;
  for (int32_t port = from; port <= to; ++port)
    ports.push_back(port);
  return true;
}

/// Reads one KEY=VALUE; empty when all is well.
static std::string readKey(StringRef text, SwitchOptions &options) {
  auto [key, value] = text.split('=');
  if (key == "dialect") {
    options.dialect =
        value == "calient" ? MOERT_OCS_CALIENT : MOERT_OCS_POLATIS;
    if (value == "calient" || value == "polatis")
      return "";
    return "expected dialect=polatis or dialect=calient";
  }
  if (key == "user") {
    options.user = value.str();
    return value.empty() ? "expected a name after user=" : "";
  }
  if (key == "link-up-us")
    return value.getAsDouble(options.linkUpUs)
               ? "expected microseconds after link-up-us="
               : "";
  if (key == "ports")
    return readPorts(value, options.ports)
               ? ""
               : "expected ports=A-B with 1 <= A <= B <= 65536";
  return "expected dialect=, user=, link-up-us= or ports=";
}

std::string SwitchOptions::parse(StringRef text, SwitchOptions &options) {
  auto [name, rest] = text.split('=');
  SmallVector<StringRef> parts;
  rest.split(parts, ',');
  if (name.empty() || parts.front().empty())
    return ("--ocs: expected NAME=HOST:PORT, got '" + text + "'").str();
  options.name = name.str();
  options.address = parts.front().str();
  for (StringRef part : ArrayRef(parts).drop_front())
    if (std::string problem = readKey(part, options); !problem.empty())
      return ("--ocs=" + name + ": " + problem + ", got '" + part + "'").str();
  return "";
}

//===----------------------------------------------------------------------===//
// The programs
//===----------------------------------------------------------------------===//

namespace {
/// The ranks that control a switch, by its name.
using Controllers = std::map<std::string, std::set<int64_t>>;
} // namespace

/// Adds the switches that a program asks for. Only code does, which says so by
/// calls of the runtime; programs on values have no word for switches.
static void addControllers(const Program &program, Controllers &controllers) {
  ModuleOp module = program.getModule();
  auto code = module.lookupSymbol<LLVM::LLVMFuncOp>(
      (moe::rt::kCodePrefix + func::FuncOp(program.getEntry()).getSymName())
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

bool Switches::open(const Programs &programs, std::optional<int32_t> rank,
                    llvm::raw_ostream &messages) {
  Controllers controllers;
  addControllers(programs.getProgram(), controllers);
  if (programs.hasOther())
    addControllers(programs.getOther(), controllers);
  for (const SwitchOptions &own : options) {
    if (controllers.count(own.name))
      continue;
    messages << "moe-run: error: --ocs=" << own.name
             << ": expected an optical switch that the program knows";
    llvm::interleaveComma(llvm::make_first_range(controllers), messages << " (",
                          [&](const std::string &name) { messages << name; });
    messages << (controllers.empty() ? "none)\n" : ")\n");
    return false;
  }
  for (const auto &[name, ranks] : controllers) {
    if (rank ? !ranks.count(*rank) : ranks.empty())
      continue;
    auto own = llvm::find_if(
        options, [&](const SwitchOptions &some) { return some.name == name; });
    if (own == options.end()) {
      messages << "moe-run: error: expected --ocs=" << name
               << "=HOST:PORT, where the optical switch is that rank "
               << *ranks.begin() << " of the program controls\n";
      return false;
    }
    if (!connect(*own, messages))
      return false;
  }
  return true;
}

bool Switches::connect(const SwitchOptions &own, llvm::raw_ostream &messages) {
  const char *password = std::getenv(kPasswordVariable);
  if (!own.user.empty() && !password) {
    messages << "moe-run: error: --ocs=" << own.name
             << ": expected the password of user '" << own.user << "' in the "
             << "environment variable " << kPasswordVariable << ", got none\n";
    return false;
  }
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
  moert_ocs *ocs = nullptr;
  moert_status status = moert_ocs_open(&config, &ocs);
  if (status != MOERT_OK) {
    messages << "moe-run: error: --ocs=" << own.name << ": "
             << moert_status_name(status) << ": " << moert_last_error(nullptr)
             << "\n";
    return false;
  }
  opened.emplace_back(own.name, ocs);
  return true;
}

std::optional<Failure> Switches::attach(Job &job) const {
  for (auto &[name, ocs] : opened)
    if (moert_status status =
            moert_ocs_attach(job.getContext(), name.c_str(), ocs);
        status != MOERT_OK)
      return job.getFailure(status);
  return std::nullopt;
}
