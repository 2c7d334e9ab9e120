// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Environment variables of the stand-ins.

#include "Variables.h"
#include "StandIn.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <unistd.h>

using namespace moert;
using namespace moert::standin;

namespace {
/// An environment variable with an integer.
struct NumberVariable {
  const char *name;
  long long least, most;
};
} // namespace

static constexpr NumberVariable numbers[] = {
    {"MOERT_STAND_IN_SEED", 0, LLONG_MAX},
    {"MOERT_STAND_IN_JITTER", 0, 10000000},
    {"MOERT_STAND_IN_NCCL_PENDING", 0, INT_MAX},
    {"MOERT_STAND_IN_CUDA_VERSION", 0, INT_MAX},
    {"MOERT_STAND_IN_NCCL_VERSION", 0, INT_MAX},
    {"MOERT_STAND_IN_DEVICES", 0, 65536},
    {"MOERT_STAND_IN_CAPABILITY", 10, 999},
    {"MOERT_STAND_IN_KERNELS", 0, 1},
    {"MOERT_STAND_IN_PRIORITIES", 1, 64}};

static constexpr const char *texts[] = {
    "MOERT_STAND_IN_FAIL", "MOERT_STAND_IN_LOG", "MOERT_STAND_IN_NCCL_ERROR"};

/// The functions that can be made to fail.
static constexpr const char *calls[] = {
#define MOERT_CALL_NAME(name) name,
#include "call_names.inc"
};

void standin::refuse(const std::string &variable, const std::string &expected,
                     const std::string &got) {
  std::fprintf(stderr, "stand-in for CUDA: error: %s: expected %s, got '%s'\n",
               variable.c_str(), expected.c_str(), got.c_str());
  // Ends without destructors, because streams and ranks are still running.
  _exit(2);
}

static const NumberVariable *findNumber(const char *name) {
  for (const NumberVariable &number : numbers)
    if (std::strcmp(name, number.name) == 0)
      return &number;
  return nullptr;
}

long long standin::getNumber(const char *variable, long long otherwise) {
  const char *text = std::getenv(variable);
  if (!text)
    return otherwise;
  const NumberVariable &known = *findNumber(variable);
  char *end = nullptr;
  errno = 0;
  long long number = std::strtoll(text, &end, 10);
  if (end == text || *end || errno || number < known.least ||
      number > known.most)
    refuse(variable,
           "a whole number from " + std::to_string(known.least) + " to " +
               std::to_string(known.most),
           text);
  return number;
}

/// Reads one failure up to its comma, and moves `rest` after it.
static Failure takeFailure(const char *&rest) {
  std::string item(rest, std::strcspn(rest, ","));
  auto wrong = [&](const std::string &expected) {
    refuse("MOERT_STAND_IN_FAIL", expected, item);
  };
  char function[64];
  unsigned long long number = 0;
  int code = 0, length = 0;
  char plus = 0;
  if (std::sscanf(item.c_str(), "%63[A-Za-z0-9_]:%llu=%d%n", function, &number,
                  &code, &length) != 3) {
    if (std::sscanf(item.c_str(), "%63[A-Za-z0-9_]:%llu%c=%d%n", function,
                    &number, &plus, &code, &length) != 4 ||
        plus != '+')
      length = 0;
  }
  if (length == 0 || static_cast<size_t>(length) != item.size())
    wrong("NAME:N=CODE or NAME:N+=CODE, with commas between them");
  if (number == 0)
    wrong("calls numbered from 1");
  if (code == 0)
    wrong("a code that is none of success");
  if (std::none_of(std::begin(calls), std::end(calls), [&](const char *call) {
        return std::strcmp(call, function) == 0;
      })) {
    std::string names;
    for (const char *call : calls)
      names += std::string(names.empty() ? "" : ", ") + call;
    wrong("a function of " + names);
  }
  rest += item.size() + (rest[item.size()] == ',');
  return {function, number, plus != 0, code};
}

int standin::getFailure(const std::string &name, uint64_t number) {
  const char *rest = std::getenv("MOERT_STAND_IN_FAIL");
  int found = 0;
  while (rest && *rest) {
    Failure failure = takeFailure(rest);
    if (!found && name == failure.function &&
        (failure.isLasting ? number >= failure.number
                           : number == failure.number))
      found = failure.code;
  }
  return found;
}

int standin::getLaterError(int rank) {
  const char *text = std::getenv("MOERT_STAND_IN_NCCL_ERROR");
  if (!text)
    return 0;
  int of = 0, code = 0, length = 0;
  if (std::sscanf(text, "%d=%d%n", &of, &code, &length) != 2 || text[length] ||
      of < 0 || code <= 0)
    refuse("MOERT_STAND_IN_NCCL_ERROR",
           "RANK=CODE, a rank from 0 and an error of NCCL from 1", text);
  return of == rank ? code : 0;
}

void standin::verifyVariables() {
  constexpr char kPrefix[] = "MOERT_STAND_IN_";
  for (char **entry = environ; *entry; ++entry) {
    if (std::strncmp(*entry, kPrefix, sizeof(kPrefix) - 1) != 0)
      continue;
    std::string name(*entry, std::strcspn(*entry, "="));
    if (findNumber(name.c_str())) {
      (void)getNumber(name.c_str(), 0);
      continue;
    }
    if (std::any_of(std::begin(texts), std::end(texts),
                    [&](const char *text) { return name == text; }))
      continue;
    std::string names;
    for (const NumberVariable &number : numbers)
      names += std::string(names.empty() ? "" : ", ") + number.name;
    for (const char *text : texts)
      names += std::string(", ") + text;
    refuse("the environment", "one of " + names, name);
  }
  (void)getFailure("", 0);
  (void)getLaterError(0);
}
