// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of the emulated switch.

#include "EmulatedSwitch.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

static constexpr char kUsage[] =
    R"(usage: moert-ocs-switch [options]

Emulates an optical circuit switch that speaks the part of TL1 that libmoert
uses. The program listens on 127.0.0.1 and prints its address. It runs until
SIGINT or SIGTERM, and then prints its circuits.

  --port=N              port to listen on; 0: any free port (default)
  --dialect=D           polatis (default) or calient
  --ports=N             number of ports of the switch (default: 64)
  --circuit=IN,OUT      initial circuit; may be repeated
  --dead-port=N         deny circuits at this port; may be repeated
  --user=U --password=P login (default: admin, root)
  --base-us=T           setting up p circuits takes base-us + p * per-pair-us
  --per-pair-us=T         microseconds (default: 41100 and 350, measured on a
                          Polatis switch)
  --link-up-us=T        report links as up T microseconds after a change
                          (default: 0, never)
  --fragment=N          send answers in fragments of N bytes
  --rows=N              list N circuits per message
  --talkative           send unsolicited messages before each answer
  --echo                echo commands
  --fault=KIND[:VERB[:TIMES]]
                        inject a fault into commands that begin with VERB
                        (default: all but logins), TIMES times (default:
                        always): deny, partial, silence, garbage, disconnect,
                        delay or death; may be repeated
  --on-change=COMMAND   shell command to run after each change and before its
                        answer, with the current circuits as arguments, IN,OUT
                        each; if the command fails, the change is undone and
                        denied; one run covers changes that arrive together
)";

/// Returns the value if `argument` is the option `name`, else null.
static const char *findValue(const char *argument, const char *name) {
  size_t size = std::strlen(name);
  return std::strncmp(argument, name, size) == 0 && argument[size] == '='
             ? argument + size + 1
             : nullptr;
}

[[noreturn]] static void fail(const char *argument, const char *expected) {
  std::fprintf(stderr, "moert-ocs-switch: %s: expected %s\n%s", argument,
               expected, kUsage);
  std::exit(2);
}

template <typename T>
static T readNumber(const char *argument, const char *text, T least, T most,
                    const char *expected) {
  T number{};
  const char *end = text + std::strlen(text);
  auto [last, failure] = std::from_chars(text, end, number);
  if (failure != std::errc() || last != end ||
      !(number >= least && number <= most))
    fail(argument, expected);
  return number;
}

static SwitchFault readFault(const char *argument, std::string_view text) {
  static constexpr std::pair<std::string_view, SwitchFault::Kind> kKinds[] = {
      {"deny", SwitchFault::Kind::Deny},
      {"partial", SwitchFault::Kind::Partial},
      {"silence", SwitchFault::Kind::Silence},
      {"garbage", SwitchFault::Kind::Garbage},
      {"disconnect", SwitchFault::Kind::Disconnect},
      {"delay", SwitchFault::Kind::Delay},
      {"death", SwitchFault::Kind::Death}};
  SwitchFault fault;
  std::string_view name = text.substr(0, text.find(':'));
  text.remove_prefix(std::min(name.size() + 1, text.size()));
  bool found = false;
  for (const auto &[kind, value] : kKinds)
    if (name == kind) {
      fault.kind = value;
      found = true;
    }
  if (!found)
    fail(argument,
         "deny, partial, silence, garbage, disconnect, delay or death before "
         "':'");
  fault.verb = text.substr(0, text.find(':'));
  text.remove_prefix(std::min(fault.verb.size() + 1, text.size()));
  if (!text.empty())
    fault.times = readNumber<int64_t>(argument, std::string(text).c_str(), 1,
                                      INT32_MAX, "a number of times");
  return fault;
}

static std::pair<int32_t, int32_t> readCircuit(const char *argument,
                                               std::string_view text) {
  constexpr char kExpected[] = "two ports, IN,OUT";
  size_t comma = text.find(',');
  if (comma == std::string_view::npos)
    fail(argument, kExpected);
  auto read = [&](std::string_view port) {
    return readNumber(argument, std::string(port).c_str(), 1, 1 << 16,
                      kExpected);
  };
  return {read(text.substr(0, comma)), read(text.substr(comma + 1))};
}

int main(int argc, char **argv) {
  EmulatedSwitchOptions options;
  std::map<int32_t, int32_t> present;
  options.baseUs = 41100;
  options.perPairUs = 350;
  constexpr double kMostUs = 3.6e9;
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    const char *value;
    if (std::strcmp(argument, "--help") == 0) {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if ((value = findValue(argument, "--port")))
      options.port = readNumber(argument, value, 0, 65535,
                                "a port, 0 to 65535");
    else if ((value = findValue(argument, "--dialect"))) {
      options.isCalient = std::strcmp(value, "calient") == 0;
      if (!options.isCalient && std::strcmp(value, "polatis") != 0)
        fail(argument, "polatis or calient");
    } else if ((value = findValue(argument, "--ports")))
      options.numPorts =
          readNumber(argument, value, 2, 1 << 16, "2 to 65536 ports");
    else if ((value = findValue(argument, "--dead-port")))
      options.deadPorts.insert(
          readNumber(argument, value, 1, 1 << 16, "a port"));
    else if ((value = findValue(argument, "--circuit")))
      present.insert(readCircuit(argument, value));
    else if ((value = findValue(argument, "--user")))
      options.user = value;
    else if ((value = findValue(argument, "--password")))
      options.password = value;
    else if ((value = findValue(argument, "--base-us")))
      options.baseUs =
          readNumber(argument, value, 0.0, kMostUs, "0 to 3.6e9 us");
    else if ((value = findValue(argument, "--per-pair-us")))
      options.perPairUs = readNumber(argument, value, 0.0, 1e6, "0 to 1e6 us");
    else if ((value = findValue(argument, "--link-up-us")))
      options.linkUpUs =
          readNumber(argument, value, 0.0, kMostUs, "0 to 3.6e9 us");
    else if ((value = findValue(argument, "--fragment")))
      options.fragment =
          readNumber<size_t>(argument, value, 1, 1 << 20, "1 to 1048576 bytes");
    else if ((value = findValue(argument, "--rows")))
      options.rowsPerMessage =
          readNumber<size_t>(argument, value, 1, 1 << 16, "1 to 65536 rows");
    else if ((value = findValue(argument, "--fault")))
      options.faults.push_back(readFault(argument, value));
    else if ((value = findValue(argument, "--on-change"))) {
      if (!*value)
        fail(argument, "a command");
      options.onChange = [command = std::string(value)](const auto &circuits) {
        std::string text = command;
        for (const auto &[in, out] : circuits)
          text += " " + std::to_string(in) + "," + std::to_string(out);
        return std::system(text.c_str()) == 0;
      };
    } else if (std::strcmp(argument, "--talkative") == 0)
      options.isTalkative = true;
    else if (std::strcmp(argument, "--echo") == 0)
      options.hasEcho = true;
    else
      fail(argument, "an option");
  }

  // All threads block these signals; the main thread waits for them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  EmulatedSwitch device(options);
  device.setCircuits(std::move(present));
  std::string reason;
  if (!device.start(reason)) {
    std::fprintf(stderr, "moert-ocs-switch: %s\n", reason.c_str());
    return 1;
  }
  // No client can find the switch if the address cannot be printed.
  if (std::printf("127.0.0.1:%d\n", device.getPort()) < 0 ||
      std::fflush(stdout) != 0) {
    std::fprintf(stderr, "moert-ocs-switch: cannot write its address: %s\n",
                 std::strerror(errno));
    return 1;
  }
  int signal = 0;
  sigwait(&signals, &signal);
  for (const auto &[in, out] : device.getCircuits())
    std::printf("%d,%d\n", in, out);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
