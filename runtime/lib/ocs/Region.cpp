//===- Region.cpp - Circuits that follow demand -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ocs/Region.h"
#include "moert_extend.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace moert;

/// What each rank tells before a decision: this, and its bytes to each server.
struct moert_ocs_region::Demand {
  /// Of the controlling rank: how long the others may have to wait.
  int64_t lookUs = 0;
  int32_t server = -1, padding = 0;
};

/// What the controlling rank tells: this, and as many links; of the others it
/// is not looked at.
struct moert_ocs_region::Word {
  moert_ocs_decision decision = {};
  /// Not a fallback: the call fails on all ranks.
  int32_t error = MOERT_OK, numLinks = 0;
  std::vector<RegionLink> links;
  char words[256] = "";
};

static_assert(std::is_trivially_copyable_v<moert_ocs_decision>);

moert_ocs_region::moert_ocs_region(moert_context *context,
                                   RegionOptions regionOptions,
                                   std::string name, int32_t controller,
                                   int32_t server)
    : context(context), options(std::move(regionOptions)),
      name(std::move(name)), controller(controller), server(server) {
  options.failed.assign(
      static_cast<size_t>(options.numServers * options.getNics()), false);
  moert_status status =
      moert_ocs_find(context, this->name.c_str(), controller, &device);
  if (status != MOERT_OK) {
    missingDevice = Status(status, moert_last_error(context));
    device = nullptr;
  }
}

moert_ocs_region::~moert_ocs_region() {
  if (change)
    moert_ocs_change_destroy(change);
}

void moert_ocs_region::takeOut(int32_t of, int32_t nic) {
  options.failed[static_cast<size_t>(of * options.getNics() + nic)] = true;
}

int64_t moert_ocs_region::getLookUs() const {
  const moert_ocs *own = device ? device->job->own : nullptr;
  if (!own)
    return 0;
  constexpr int64_t kLongestUs = INT64_C(1) << 50;
  return std::min(own->controller->getLongestUs() +
                      own->controller->getOptions().deadlineUs,
                  kLongestUs);
}

Status moert_ocs_region::exchange(const char *what, const void *own,
                                  size_t bytes, void *all,
                                  int64_t deadlineUs) const {
  std::string label = format("%s #%" PRId64 " of the region of switch '%s'",
                             what, epochs, name.c_str());
  moert_status status =
      moert_exchange(context, label.c_str(), own, bytes, all, deadlineUs);
  return status == MOERT_OK ? Status()
                            : Status(status, moert_last_error(context));
}

Status moert_ocs_region::look(std::vector<RegionLink> &up) {
  auto request = std::make_shared<SwitchRequest>(std::nullopt);
  SwitchController &own = *device->job->own->controller;
  own.submit(request);
  Status status = waitFor(*request, Deadline::inMicroseconds(INT64_MAX),
                          own.getOptions().address);
  if (!status.ok())
    return status;
  // Whose ports these are; also what circuits of others are not.
  auto findNic = [&](int32_t port, int32_t &of, int32_t &nic) {
    auto it = std::find(options.ports.begin(), options.ports.end(), port);
    auto index = static_cast<int32_t>(it - options.ports.begin());
    of = options.opticalDegree ? index / options.opticalDegree : 0;
    nic = options.opticalDegree ? index % options.opticalDegree : 0;
    return it != options.ports.end();
  };
  for (const Circuit &circuit : request->present) {
    RegionLink link = {};
    if (findNic(circuit.in, link.server, link.nic) &&
        findNic(circuit.out, link.peer, link.peerNic) &&
        link.server < link.peer)
      up.push_back(link);
  }
  return {};
}

void moert_ocs_region::fallBack(moert_status status, const std::string &why) {
  last.action = MOERT_OCS_FALL_BACK;
  last.status = status;
  std::snprintf(last.why, sizeof(last.why), "%s", why.c_str());
  links.clear();
  last.fallbacks = ++fallbacks;
  // Once: the decisions count the rest.
  if (fallbacks == 1 && controls())
    std::fprintf(stderr,
                 "moert: region of switch '%s': over packets from decision "
                 "%" PRId64 " on, until the switch is well again: %s\n",
                 name.c_str(), last.epoch, why.c_str());
}

Status moert_ocs_region::plan(const std::vector<double> &bytes,
                              double exchanges, double slackUs, Word &word) {
  std::vector<RegionLink> up;
  Status status = device ? look(up) : missingDevice;
  bool isLost = !status.ok();
  std::string why = status.getMessage();
  moert_status code = status.getCode();
  double linkUpUs =
      device ? device->job->own->controller->getOptions().linkUpUs : 0;
  RegionPlan plan;
  // Without a switch nothing is up, and nothing changes.
  status = planRegion(options, bytes, up, isLost ? 0 : exchanges, slackUs,
                      linkUpUs, plan);
  if (!status.ok())
    return status;
  moert_ocs_decision &decision = word.decision;
  decision.action = isLost ? MOERT_OCS_FALL_BACK : plan.action;
  decision.status = isLost ? code : MOERT_OK;
  std::snprintf(decision.why, sizeof(decision.why), "%s",
                isLost ? why.c_str() : "");
  decision.time_us = isLost ? plan.keptUs : plan.timeUs;
  decision.kept_us = plan.keptUs;
  decision.change_us = plan.changeUs;
  decision.changed = plan.changed;
  if (!isLost)
    word.links = std::move(plan.links);
  return {};
}

Status moert_ocs_region::decide(const double *bytes, double exchanges,
                                double slackUs, moert_ocs_decision &decision) {
  if (isOpen)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected moert_ocs_settle after decision %" PRId64
                 ", got another one",
                 last.epoch);
  auto n = static_cast<size_t>(options.numServers);
  auto numRanks = static_cast<size_t>(moert_world_size(context));
  // All are here, and no traffic of theirs is on circuits.
  size_t size = sizeof(Demand) + n * sizeof(double);
  std::vector<unsigned char> own(size), all(size * numRanks);
  Demand demand;
  demand.server = bytes ? server : -1;
  demand.lookUs = controls() ? getLookUs() : 0;
  std::memcpy(own.data(), &demand, sizeof(demand));
  if (demand.server >= 0)
    std::memcpy(own.data() + sizeof(demand), bytes, n * sizeof(double));
  Status status =
      exchange("demand", own.data(), size, all.data(), MOERT_DEADLINE_DEFAULT);
  if (!status.ok())
    return status;

  std::vector<double> sum(n * n);
  int64_t lookUs = 0;
  for (size_t rank = 0; rank < numRanks; ++rank) {
    Demand told;
    std::memcpy(&told, all.data() + rank * size, sizeof(told));
    if (static_cast<int32_t>(rank) == controller)
      lookUs = told.lookUs;
    std::vector<double> row(n);
    std::memcpy(row.data(), all.data() + rank * size + sizeof(told),
                n * sizeof(double));
    if (told.server >= 0 && told.server < options.numServers)
      for (size_t j = 0; j < n; ++j)
        sum[static_cast<size_t>(told.server) * n + j] += row[j];
  }

  Word word;
  if (controls())
    if (status = plan(sum, exchanges, slackUs, word); !status.ok()) {
      word.error = status.getCode();
      std::snprintf(word.words, sizeof(word.words), "%s",
                    status.getMessage().c_str());
    }
  // As bytes: what was decided, whether it is an error, then the links.
  struct Head {
    moert_ocs_decision decision;
    int32_t error, numLinks;
    char words[256];
  } head = {};
  head.decision = word.decision;
  head.decision.epoch = epochs;
  head.error = word.error;
  head.numLinks = static_cast<int32_t>(word.links.size());
  std::memcpy(head.words, word.words, sizeof(head.words));
  size_t most = n * static_cast<size_t>(options.opticalDegree) / 2;
  size = sizeof(head) + most * sizeof(RegionLink);
  own.assign(size, 0);
  all.assign(size * numRanks, 0);
  std::memcpy(own.data(), &head, sizeof(head));
  // Of no links there is nothing to point at.
  if (!word.links.empty())
    std::memcpy(own.data() + sizeof(head), word.links.data(),
                word.links.size() * sizeof(RegionLink));
  status = exchange("decision", own.data(), size, all.data(),
                    moert_deadline_us(context) + lookUs);
  if (!status.ok())
    return status;
  const unsigned char *told =
      all.data() + static_cast<size_t>(controller) * size;
  std::memcpy(&head, told, sizeof(head));
  if (head.error != MOERT_OK) {
    head.words[sizeof(head.words) - 1] = '\0';
    ++epochs;
    return Status(static_cast<moert_status>(head.error), head.words);
  }
  last = head.decision;
  last.why[sizeof(last.why) - 1] = '\0';
  last.fallbacks = fallbacks;
  links.resize(static_cast<size_t>(head.numLinks));
  if (!links.empty())
    std::memcpy(links.data(), told + sizeof(head),
                links.size() * sizeof(RegionLink));
  ++epochs;
  isOpen = true;
  if (last.action == MOERT_OCS_FALL_BACK)
    fallBack(last.status, last.why);
  if (last.action == MOERT_OCS_CHANGE) {
    std::vector<moert_ocs_circuit> wanted;
    for (const RegionLink &link : links) {
      Circuit circuit = options.getCircuit(link);
      wanted.push_back({circuit.in, circuit.out});
    }
    moert_status started = moert_ocs_configure(
        device, wanted.data(), static_cast<int32_t>(wanted.size()), &change);
    if (started != MOERT_OK)
      return Status(started, moert_last_error(context));
  }
  decision = last;
  return {};
}

Status moert_ocs_region::settle(int32_t *circuits,
                                moert_ocs_decision &decision) {
  if (!isOpen)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected moert_ocs_decide before, got none since the last "
                 "decision was settled");
  isOpen = false;
  if (change) {
    moert_status status = moert_ocs_await(change, MOERT_DEADLINE_DEFAULT);
    std::string why = moert_last_error(nullptr);
    // What the switch has made of it is known on all ranks, or the job is over.
    bool isKnown = change->known;
    last.elapsed_us = change->result.elapsed_us;
    moert_ocs_change_destroy(change);
    change = nullptr;
    if (!isKnown)
      return Status(status, why);
    if (status != MOERT_OK)
      fallBack(status, why);
  }
  auto n = static_cast<size_t>(options.numServers);
  std::fill(circuits, circuits + n * n, 0);
  for (const RegionLink &link : links) {
    ++circuits[static_cast<size_t>(link.server) * n +
               static_cast<size_t>(link.peer)];
    ++circuits[static_cast<size_t>(link.peer) * n +
               static_cast<size_t>(link.server)];
  }
  decision = last;
  return {};
}
