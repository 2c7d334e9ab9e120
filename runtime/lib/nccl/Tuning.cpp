// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requested settings of NCCL.

#include "nccl/Tuning.h"

using namespace moert;
using namespace moert::nccl;

template <typename T> Tuning::Wishes Tuning::takeWishes(const T &from) {
  return {from.min_ctas, from.max_ctas, from.cga_cluster_size,
          from.register_buffers};
}

static Status needVersion(const char *what, const char *version,
                          const Library &library) {
  return error(MOERT_UNAVAILABLE, "%s NCCL %s or later, got %d.%d in %s", what,
               version, library.version / 10000, library.version / 100 % 100,
               library.path.c_str());
}

Status Tuning::take(const Wishes &asked, const Library &library) {
  if ((asked.minCtas > 0 || asked.maxCtas > 0 || asked.cgaClusterSize > 0) &&
      library.version < kLeastForBlocks)
    return needVersion("min_ctas, max_ctas and cga_cluster_size need", "2.17",
                       library);
  if (asked.registerBuffers > 0 && library.version < kLeastForRegistration)
    return needVersion("register_buffers needs", "2.19", library);
  if (asked.maxCtas > 0 && asked.minCtas > asked.maxCtas)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected min_ctas <= max_ctas of the job and the program "
                 "together, got %d and %d",
                 asked.minCtas, asked.maxCtas);
  all = asked;
  auto choose = [](int32_t wish) {
    return wish > 0 ? wish : Config::kUndefined;
  };
  config.minCTAs = choose(all.minCtas);
  config.maxCTAs = choose(all.maxCtas);
  config.cgaClusterSize = choose(all.cgaClusterSize);
  return {};
}

Status Tuning::start(const moert_config &given, const Library &library) {
  std::lock_guard<std::mutex> lock(mutex);
  if (library.version < kLeastForBlocks)
    config.version = 21400;
  own = takeWishes(given);
  return take(own, library);
}

Status Tuning::add(const moert_program &from, const Library &library) {
  std::lock_guard<std::mutex> lock(mutex);
  Wishes wanted = takeWishes(from), asked = all;
  struct Member {
    const char *name;
    int32_t Wishes::*member;
  };
  constexpr Member members[] = {{"min_ctas", &Wishes::minCtas},
                                {"max_ctas", &Wishes::maxCtas},
                                {"cga_cluster_size", &Wishes::cgaClusterSize},
                                {"register_buffers", &Wishes::registerBuffers}};
  bool isNew = false;
  for (auto [name, member] : members) {
    int32_t wish = wanted.*member;
    if (wish == 0 || own.*member != 0 || wish == all.*member)
      continue;
    if (wish < 0 || (member == &Wishes::registerBuffers && wish > 1))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected %s of a program to be at least 0%s, got %d", name,
                   member == &Wishes::registerBuffers ? " and at most 1" : "",
                   wish);
    if (all.*member != 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected programs of one context to be compiled for the "
                   "same %s, got %d, and %d of '%s'; the job's configuration "
                   "may say which",
                   name, wish, all.*member, program.c_str());
    asked.*member = wish;
    isNew = true;
  }
  if (!isNew)
    return {};
  Status status = take(asked, library);
  if (status.ok() && program.empty())
    program = from.name;
  return status;
}

Config Tuning::getConfig() const {
  std::lock_guard<std::mutex> lock(mutex);
  return config;
}

bool Tuning::registersBuffers() const {
  std::lock_guard<std::mutex> lock(mutex);
  return all.registerBuffers > 0;
}
