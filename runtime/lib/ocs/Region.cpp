// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits that follow demand.

#include "ocs/Region.h"
#include "moert_extend.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace moert;

/// The report of each rank before a decision, followed by its bytes to each
/// server if demand is to be summed.
struct moert_ocs_region::Hello {
  /// On a controlling rank, the maximum time that the others may have to wait.
  int64_t lookUs = 0;
  /// The controlling rank of the region, and this rank's server.
  int32_t controller = -1, server = -1;
};

/// The report of a controlling rank, followed by its links; the reports of
/// other ranks are ignored.
struct moert_ocs_region::Word {
  struct Head {
    moert_ocs_decision decision = {};
    /// The maximum remaining time of the change.
    int64_t limitUs = 0;
    /// An error that fails the call on all ranks, not a fallback.
    int32_t error = MOERT_OK, numLinks = 0;
    char words[256] = "";
  } head;
  std::vector<RegionLink> links;
};

/// The result of a change, followed by one byte per link that is nonzero if the
/// switch has denied it.
struct moert_ocs_region::Outcome {
  double elapsedUs = 0;
  int32_t status = MOERT_OK, padding = 0;
  char why[256] = "";
};

static_assert(std::is_trivially_copyable_v<moert_ocs_decision>);

moert_ocs_region::moert_ocs_region(moert_context *context,
                                   RegionOptions regionOptions,
                                   std::string name, int32_t controller,
                                   int32_t server)
    : context(context), options(std::move(regionOptions)),
      name(std::move(name)), controller(controller), server(server),
      controls(moert_rank(context) == controller),
      history(options.numServers) {
  options.failed.assign(
      static_cast<size_t>(options.numServers * options.getNics()), false);
}

void moert_ocs_region::report() const {
  if (fallbacks > 1 && controls)
    std::fprintf(stderr,
                 "moert: region of switch '%s': %" PRId32 " of %" PRId64
                 " decisions took packets alone\n",
                 name.c_str(), fallbacks, epochs);
}

void moert_ocs_region::takeOut(int32_t of, int32_t nic) {
  options.failed[static_cast<size_t>(of * options.getNics() + nic)] = true;
}

Status moert_ocs_region::exchange(const char *what, const void *own,
                                  size_t bytes, void *all,
                                  int64_t deadlineUs) const {
  std::string label =
      format("%s #%" PRId64 " of regions of switches", what, epochs);
  moert_status status =
      moert_exchange(context, label.c_str(), own, bytes, all, deadlineUs);
  return status == MOERT_OK ? Status()
                            : Status(status, moert_last_error(context));
}

//===----------------------------------------------------------------------===//
// The switch
//===----------------------------------------------------------------------===//

Status moert_ocs_region::findSwitch(SwitchController *&own) const {
  moert_ocs *device = nullptr;
  moert_status status =
      moert_ocs_find(context, name.c_str(), controller, &device);
  if (status != MOERT_OK)
    return Status(status, moert_last_error(context));
  own = device->job->own->controller.get();
  return {};
}

Status moert_ocs_region::look(SwitchController &own,
                              std::vector<RegionLink> &up) const {
  auto request = std::make_shared<SwitchRequest>(std::nullopt);
  own.submit(request);
  Status status = waitFor(*request, Deadline::inMicroseconds(INT64_MAX),
                          own.getOptions().address);
  if (!status.ok())
    return status;
  // Find the NICs of the ports, and skip circuits that are not the region's.
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

void moert_ocs_region::start(SwitchController &own, Word &word) {
  std::vector<Circuit> wanted;
  for (const RegionLink &link : word.links)
    wanted.push_back(options.getCircuit(link));
  Status status = verifyCircuits(wanted, own.getOptions().ports);
  if (!status.ok()) {
    word.head.decision.action = MOERT_OCS_FALL_BACK;
    word.head.decision.status = status.getCode();
    std::snprintf(word.head.decision.why, sizeof(word.head.decision.why), "%s",
                  status.getMessage().c_str());
    word.links.clear();
    return;
  }
  request = std::make_shared<SwitchRequest>(std::move(wanted), wasRefused);
  own.submit(request);
  word.head.limitUs = own.getLongestUs();
}

void moert_ocs_region::blame(const SwitchRequest &done) {
  wasRefused = !done.status.ok();
  if (wasRefused || done.refused.empty())
    return;
  // The switch does not report the end that it denies.
  std::string nics;
  for (const RegionLink &link : links) {
    if (std::find(done.refused.begin(), done.refused.end(),
                  options.getCircuit(link)) == done.refused.end())
      continue;
    takeOut(link.server, link.nic);
    takeOut(link.peer, link.peerNic);
    nics += format("%s%" PRId32 ":%" PRId32 " and %" PRId32 ":%" PRId32,
                   nics.empty() ? "" : ", ", link.server, link.nic, link.peer,
                   link.peerNic);
  }
  std::fprintf(stderr,
               "moert: region of switch '%s': without the optical NICs %s "
               "(server:NIC) from decision %" PRId64 " on: %s\n",
               name.c_str(), nics.c_str(), epochs, done.refusal.c_str());
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

void moert_ocs_region::fallBack(moert_status status, const std::string &why) {
  last.action = MOERT_OCS_FALL_BACK;
  last.status = status;
  std::snprintf(last.why, sizeof(last.why), "%s", why.c_str());
  links.clear();
  last.fallbacks = ++fallbacks;
  // Print only the first fallback; decisions count the others.
  if (fallbacks == 1 && controls)
    std::fprintf(stderr,
                 "moert: region of switch '%s': over packets from decision "
                 "%" PRId64 " on, until the switch is well again: %s\n",
                 name.c_str(), last.epoch, why.c_str());
}

Status moert_ocs_region::plan(const RegionWish &wish,
                              const std::vector<double> &demand, Word &word) {
  SwitchController *own = nullptr;
  std::vector<RegionLink> up;
  Status status = findSwitch(own);
  if (status.ok())
    status = look(*own, up);
  bool isLost = !status.ok();
  std::string why = status.getMessage();
  moert_status code = status.getCode();
  double linkUpUs = own ? own->getOptions().linkUpUs : 0;
  RegionPlan plan;
  // If there is no switch, no circuit is up and none can change.
  if (wish.circuits)
    status = placeRegion(options, wish.circuits, up, linkUpUs, plan);
  else
    status = planRegion(options, demand, up, isLost ? 0 : wish.exchanges,
                        wish.slackUs, linkUpUs, plan);
  if (!status.ok())
    return status;
  moert_ocs_decision &decision = word.head.decision;
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
  // All ranks have arrived, so none of their traffic uses circuits.
  if (decision.action == MOERT_OCS_CHANGE)
    start(*own, word);
  return {};
}

Status moert_ocs_region::gather(const RegionWish &wish,
                                std::vector<double> &demand) {
  auto n = static_cast<size_t>(options.numServers);
  auto numRanks = static_cast<size_t>(moert_world_size(context));
  // A known demand needs no sum.
  bool adds = !wish.demand && !wish.circuits;
  size_t size = sizeof(Hello) + (adds ? n * sizeof(double) : 0);
  std::vector<unsigned char> own(size), all(size * numRanks);
  Hello hello;
  hello.controller = controller;
  hello.server = wish.bytes ? server : -1;
  SwitchController *device = nullptr;
  if (controls && findSwitch(device).ok()) {
    constexpr int64_t kLongestUs = INT64_C(1) << 50;
    hello.lookUs = std::min(
        device->getLongestUs() + device->getOptions().deadlineUs, kLongestUs);
  }
  std::memcpy(own.data(), &hello, sizeof(hello));
  if (adds && wish.bytes)
    std::memcpy(own.data() + sizeof(hello), wish.bytes, n * sizeof(double));
  Status status =
      exchange("demand", own.data(), size, all.data(), MOERT_DEADLINE_DEFAULT);
  if (!status.ok())
    return status;

  demand.assign(n * n, 0);
  controllers.clear();
  longestUs = 0;
  for (size_t rank = 0; rank < numRanks; ++rank) {
    Hello told;
    std::memcpy(&told, all.data() + rank * size, sizeof(told));
    if (told.controller == static_cast<int32_t>(rank)) {
      controllers.push_back(told.controller);
      longestUs = std::max(longestUs, told.lookUs);
    }
    if (!adds || told.controller != controller || told.server < 0 ||
        told.server >= options.numServers)
      continue;
    std::vector<double> row(n);
    std::memcpy(row.data(), all.data() + rank * size + sizeof(told),
                n * sizeof(double));
    for (size_t j = 0; j < n; ++j)
      demand[static_cast<size_t>(told.server) * n + j] += row[j];
  }
  return {};
}

Status moert_ocs_region::tell(const Word &word) {
  auto n = static_cast<size_t>(options.numServers);
  // Serialize the decision, then the links.
  size_t most = n * static_cast<size_t>(options.opticalDegree) / 2;
  size_t size = sizeof(Word::Head) + most * sizeof(RegionLink);
  std::vector<unsigned char> own(size);
  std::vector<unsigned char> all(
      size * static_cast<size_t>(moert_world_size(context)));
  std::memcpy(own.data(), &word.head, sizeof(word.head));
  // The pointer is null if there are no links.
  if (!word.links.empty())
    std::memcpy(own.data() + sizeof(word.head), word.links.data(),
                word.links.size() * sizeof(RegionLink));
  Status status = exchange("decision", own.data(), size, all.data(),
                           moert_deadline_us(context) + longestUs);
  if (!status.ok())
    return status;
  ++epochs;
  changesAny = false;
  longestUs = 0;
  Word::Head head;
  for (int32_t rank : controllers) {
    const unsigned char *told = all.data() + static_cast<size_t>(rank) * size;
    std::memcpy(&head, told, sizeof(head));
    if (head.error != MOERT_OK) {
      head.words[sizeof(head.words) - 1] = '\0';
      request = nullptr;
      return Status(static_cast<moert_status>(head.error), head.words);
    }
    changesAny |= head.decision.action == MOERT_OCS_CHANGE;
    longestUs = std::max(longestUs, head.limitUs);
    if (rank != controller)
      continue;
    last = head.decision;
    last.why[sizeof(last.why) - 1] = '\0';
    last.fallbacks = fallbacks;
    links.resize(static_cast<size_t>(head.numLinks));
    if (!links.empty())
      std::memcpy(links.data(), told + sizeof(head),
                  links.size() * sizeof(RegionLink));
  }
  return {};
}

Status moert_ocs_region::decide(const RegionWish &wish,
                                moert_ocs_decision &decision) {
  if (isOpen)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected moert_ocs_settle after decision %" PRId64
                 ", got another one",
                 last.epoch);
  // All ranks have arrived, and none of their traffic uses circuits.
  std::vector<double> demand;
  Status status = gather(wish, demand);
  if (!status.ok())
    return status;
  Word word;
  if (controls)
    if (status = plan(wish, wish.demand ? *wish.demand : demand, word);
        !status.ok()) {
      word.head.error = status.getCode();
      std::snprintf(word.head.words, sizeof(word.head.words), "%s",
                    status.getMessage().c_str());
    }
  word.head.decision.epoch = epochs;
  word.head.numLinks = static_cast<int32_t>(word.links.size());
  if (status = tell(word); !status.ok())
    return status;
  isOpen = true;
  if (last.action == MOERT_OCS_FALL_BACK)
    fallBack(last.status, last.why);
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
  auto n = static_cast<size_t>(options.numServers);
  // If no region changes, there is no wait.
  if (changesAny) {
    size_t most = n * static_cast<size_t>(options.opticalDegree) / 2;
    size_t size = sizeof(Outcome) + most;
    std::vector<unsigned char> own(size);
    std::vector<unsigned char> all(
        size * static_cast<size_t>(moert_world_size(context)));
    Outcome outcome;
    if (request) {
      Status status =
          waitFor(*request, Deadline::inMicroseconds(INT64_MAX), name);
      outcome.status = status.getCode();
      outcome.elapsedUs = makeResult(*request).elapsed_us;
      std::snprintf(outcome.why, sizeof(outcome.why), "%s",
                    status.getMessage().c_str());
      for (size_t k = 0; status.ok() && k < links.size(); ++k)
        own[sizeof(outcome) + k] =
            std::find(request->refused.begin(), request->refused.end(),
                      options.getCircuit(links[k])) != request->refused.end();
      blame(*request);
      request = nullptr;
    }
    std::memcpy(own.data(), &outcome, sizeof(outcome));
    Status status = exchange("change", own.data(), size, all.data(),
                             moert_deadline_us(context) + longestUs);
    if (!status.ok())
      return status;
    if (last.action == MOERT_OCS_CHANGE) {
      const unsigned char *told =
          all.data() + static_cast<size_t>(controller) * size;
      std::memcpy(&outcome, told, sizeof(outcome));
      outcome.why[sizeof(outcome.why) - 1] = '\0';
      last.elapsed_us = outcome.elapsedUs;
      std::vector<RegionLink> up;
      for (size_t k = 0; k < links.size(); ++k)
        if (!told[sizeof(outcome) + k])
          up.push_back(links[k]);
      links = std::move(up);
      if (outcome.status != MOERT_OK)
        fallBack(static_cast<moert_status>(outcome.status), outcome.why);
    }
  }
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
