// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: optical circuit switches.

#include "core/AbiStructs.h"
#include "extend/Call.h"
#include "ocs/Handles.h"
#include <algorithm>
#include <cmath>

using namespace moert;

moert_ocs::~moert_ocs() {
  for (moert_ocs_change *change : changes)
    delete change;
}

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

moert_status moert_ocs_config_default_sized(moert_ocs_config *config,
                                            size_t size) {
  return answer(nullptr, "moert_ocs_config_default", [&]() -> Status {
    if (!config)
      return missing("a configuration");
    moert_ocs_config own = {};
    own.struct_size = size;
    own.dialect = MOERT_OCS_POLATIS;
    own.deadline_us = INT64_C(10000000);
    return giveSized(own, size, "moert_ocs_config", *config);
  });
}

// The parentheses prevent expansion of the header's macro.
moert_status(moert_ocs_config_default)(moert_ocs_config *config) {
  return moert_ocs_config_default_sized(config, kFirstSize<moert_ocs_config>);
}

static Status readConfig(const moert_ocs_config &given,
                         SwitchOptions &options) {
  moert_ocs_config config;
  Status status =
      takeSized(given, given.struct_size, "moert_ocs_config", config);
  if (!status.ok())
    return status;
  if (!config.address)
    return missing("an address");
  if (config.dialect != MOERT_OCS_POLATIS &&
      config.dialect != MOERT_OCS_CALIENT)
    return error(MOERT_INVALID_ARGUMENT, "expected a dialect, got %d",
                 static_cast<int>(config.dialect));
  if (!config.user != !config.password)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected both a user and a password, or neither");
  for (const char *word : {config.user, config.password})
    if (word && !isPlainWord(word))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a user and a password that are not empty, "
                   "without blanks and any of \":;,&<>\\");
  if (config.deadline_us <= 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a deadline greater than 0 us, got %lld",
                 static_cast<long long>(config.deadline_us));
  // An hour; the comparison below also refuses NaN.
  constexpr double kMostUs = 3.6e9;
  if (!(config.link_up_us >= 0 && config.link_up_us <= kMostUs))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected links to come up in 0 to %g us, got %g", kMostUs,
                 config.link_up_us);
  if (config.num_ports < 0 || (config.num_ports > 0 && !config.ports))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a list of ports, got %d at %p", config.num_ports,
                 static_cast<const void *>(config.ports));
  if (config.all_ports != 0 && config.all_ports != 1)
    return error(MOERT_INVALID_ARGUMENT, "expected all_ports of 0 or 1, got %d",
                 config.all_ports);
  if (config.all_ports && config.num_ports > 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a list of ports or all_ports, got both");
  for (int32_t i = 0; i < config.num_ports; ++i)
    if (config.ports[i] < 1 ||
        !options.ports.listed.insert(config.ports[i]).second)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected different ports from 1 on, got %d",
                   config.ports[i]);
  options.ports.all = config.all_ports;
  options.address = config.address;
  options.dialect = config.dialect;
  options.user = config.user ? config.user : "";
  options.password = config.password ? config.password : "";
  options.deadlineUs = config.deadline_us;
  options.linkUpUs = config.link_up_us;
  return {};
}

moert_status moert_ocs_open(const moert_ocs_config *config, moert_ocs **ocs) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!config)
      return missing("a configuration");
    if (!ocs)
      return missing("a place for the switch");
    SwitchOptions options;
    Status status = readConfig(*config, options);
    if (!status.ok())
      return status;
    auto made = std::make_unique<moert_ocs>(std::move(options));
    status = made->controller->open();
    if (status.ok())
      *ocs = made.release();
    return status;
  });
}

moert_status moert_ocs_close(moert_ocs *ocs) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!ocs)
      return missing("a switch");
    // Switches that a job has found are destroyed with the job.
    if (!ocs->job)
      delete ocs;
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Circuits
//===----------------------------------------------------------------------===//

Status moert::makeWait(int64_t deadlineUs, Deadline &deadline) {
  if (deadlineUs < 0 && deadlineUs != MOERT_DEADLINE_DEFAULT)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a deadline of at least 0 us, got %lld",
                 static_cast<long long>(deadlineUs));
  deadline = Deadline::inMicroseconds(
      deadlineUs == MOERT_DEADLINE_DEFAULT ? INT64_MAX : deadlineUs);
  return {};
}

Status moert::waitFor(SwitchRequest &request, Deadline deadline,
                      const std::string &address) {
  if (!request.signal.wait([&] { return request.isDone(); }, deadline))
    return error(MOERT_DEADLINE_EXCEEDED,
                 "switch at %s: not done before the deadline of this wait",
                 address.c_str());
  return request.status;
}

moert_ocs_result moert::makeResult(const SwitchRequest &request) {
  // After a failure, only the switch knows the effect.
  if (!request.status.ok()) {
    int32_t done = request.wasTold ? -1 : 0;
    return {done, done, request.elapsedUs};
  }
  return {static_cast<int32_t>(request.difference.removed.size()),
          static_cast<int32_t>(request.difference.added.size()),
          request.elapsedUs};
}

moert_status moert_ocs_circuits(moert_ocs *ocs, moert_ocs_circuit *circuits,
                                int32_t capacity, int32_t *count) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!ocs)
      return missing("a switch");
    if (!count)
      return missing("a place for the number of circuits");
    if (capacity < 0 || (capacity > 0 && !circuits))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected room for circuits, got %d at %p", capacity,
                   static_cast<const void *>(circuits));
    const moert_ocs *own = ocs->job ? ocs->job->own : ocs;
    if (!own)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a switch that this rank controls");
    auto request = std::make_shared<SwitchRequest>(std::nullopt);
    own->controller->submit(request);
    Status status = waitFor(*request, Deadline::inMicroseconds(INT64_MAX),
                            own->controller->getOptions().address);
    if (!status.ok())
      return status;
    *count = static_cast<int32_t>(request->present.size());
    for (int32_t i = 0; i < std::min(capacity, *count); ++i)
      circuits[i] = {request->present[i].in, request->present[i].out};
    return {};
  });
}

moert_status moert_ocs_configure(moert_ocs *ocs,
                                 const moert_ocs_circuit *circuits,
                                 int32_t count, moert_ocs_change **change) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!ocs)
      return missing("a switch");
    if (!change)
      return missing("a place for the change");
    if (count < 0 || (count > 0 && !circuits))
      return error(MOERT_INVALID_ARGUMENT, "expected circuits, got %d at %p",
                   count, static_cast<const void *>(circuits));
    std::vector<Circuit> wanted;
    for (int32_t i = 0; i < count; ++i)
      if (circuits[i].in != 0 || circuits[i].out != 0)
        wanted.push_back({circuits[i].in, circuits[i].out});
    // First check rules that every rank knows, then those that only the
    // controlling rank knows; the other ranks learn the result when they wait.
    Status status = verifyCircuits(wanted, {});
    if (!status.ok())
      return status;
    const moert_ocs *own = ocs->job ? ocs->job->own : ocs;
    if (own)
      status = verifyCircuits(wanted, own->controller->getOptions().ports);
    if (!ocs->job && !status.ok())
      return status;
    auto made = std::make_unique<moert_ocs_change>();
    made->ocs = ocs;
    made->refused = status;
    if (own && status.ok()) {
      made->address = own->controller->getOptions().address;
      made->request = std::make_shared<SwitchRequest>(std::move(wanted));
    }
    {
      std::lock_guard<std::mutex> lock(ocs->mutex);
      if (ocs->job)
        made->number = ocs->job->numChanges++;
      ocs->changes.insert(made.get());
    }
    *change = made.release();
    if ((*change)->request)
      own->controller->submit((*change)->request);
    return {};
  });
}

moert_status moert_ocs_query(moert_ocs_change *change, int *done) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!change)
      return missing("a change");
    if (!done)
      return missing("a place for the answer");
    *done = change->request ? change->request->isDone() : change->known.load();
    return {};
  });
}

moert_status moert_ocs_await(moert_ocs_change *change, int64_t deadline_us) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!change)
      return missing("a change");
    if (change->ocs->job)
      return awaitInJob(*change, deadline_us);
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = makeWait(deadline_us, deadline);
    return status.ok() ? waitFor(*change->request, deadline, change->address)
                       : status;
  });
}

moert_status moert_ocs_change_result(moert_ocs_change *change,
                                     moert_ocs_result *result) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!change)
      return missing("a change");
    if (!result)
      return missing("a place for the result");
    if (!change->known && (!change->request || !change->request->isDone()))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a change that has ended, got one under way");
    *result = change->known ? change->result : makeResult(*change->request);
    return {};
  });
}

moert_status moert_ocs_change_destroy(moert_ocs_change *change) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!change)
      return missing("a change");
    {
      std::lock_guard<std::mutex> lock(change->ocs->mutex);
      change->ocs->changes.erase(change);
    }
    delete change;
    return {};
  });
}
