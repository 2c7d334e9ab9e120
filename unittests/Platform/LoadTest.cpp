// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platforms from JSON: accepted and rejected input.

#include "moe/Platform/Load.h"
#include "gtest/gtest.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace moe::cost;
using namespace moe::platform;

namespace {

/// A platform with every key that a file may have.
const char kWhole[] = R"({
  "name": "whole",
  "origin": "a test",
  "levels": [
    {"name": "node", "ranks": 8, "bandwidth_GBps": 200, "ranks_per_nic": 1,
     "latency_us": 5, "efficiency": [[1e6, 0.5], [1e8, 0.9]],
     "efficiency_origin": "a table", "efficiency_latency_free": true,
     "origin": "a sheet", "latency_origin": "a guess"},
    {"name": "network", "ranks": 16, "bandwidth_GBps": 25, "ranks_per_nic": 2,
     "latency_us": 9, "port_GBps": 28, "port_origin": "a run",
     "collectives": {
       "all_to_all": {"alpha_us": 10, "beta_us_per_byte": 1e-3,
                      "group_ranks": 16, "min_bytes": 1e3, "max_bytes": 1e6,
                      "r_squared": 0.99, "origin": "a log"},
       "all_reduce": {"alpha_us": 511, "beta_us_per_element": 4.95e-3,
                      "element_bytes": 4}},
     "protocols": [
       {"algorithm": "ring", "name": "Simple", "start_us": 8.4,
        "inner_step_us": 3.4, "step_us": 14},
       {"algorithm": "tree", "name": "LL", "start_us": 6.8,
        "inner_step_us": 0.6, "step_us": 5, "bandwidth_share": 0.5,
        "max_GBps": 20, "efficiency": [[1e6, 0.5]]},
       {"algorithm": "nvls-tree", "name": "Simple", "start_us": 0,
        "inner_step_us": 25, "step_us": 20.9}],
     "protocols_origin": "a source"}],
  "copy_bandwidth_GBps": 1600, "copy_origin": "derived", "copy_latency_us": 2,
  "copy_efficiency": [[64e6, 0.8]], "copy_efficiency_origin": "a paper",
  "gemm_alpha_us": 42.6, "gemm_beta_us_per_mac": 6.534e-8,
  "gemm_origin": "a fit",
  "minimum_message_bytes": 8e6, "minimum_message_origin": "a table",
  "memory_per_rank_bytes": 80e9, "memory_origin": "a sheet",
  "uncertainty": 0.125, "uncertainty_origin": "two runs",
  "peak_tflops": 154.8, "peak_origin": "a data sheet",
  "contention": [{"slowed": "intra", "by": "copy", "factor": 1.25,
                  "origin": "measured"}],
  "circuits": {"server_ranks": 8, "optical_degree": 6, "eps_nics": 2,
               "nic_rate_GBps": 50, "reconfiguration_base_us": 41100,
               "reconfiguration_per_pair_us": 350,
               "reconfiguration_p99_us": 68000, "link_up_us": 0,
               "ports": 384, "origin": "a paper"},
  "nccl": {"min_ctas": 2, "max_ctas": 16, "cga_cluster_size": 4,
           "register_buffers": true, "origin": "a trial"},
  "fitted": {
    "pipeline_stall_us": 230, "pipeline_stall_origin": "to a figure",
    "contention": [{"slowed": "copy", "by": "intra", "factor": 2,
                    "origin": "to a table"}],
    "levels": [{"name": "network", "latency_us": 33,
                "latency_origin": "to a plot", "efficiency": [[1e6, 0.25]],
                "efficiency_origin": "to a curve"}]}
})";

Platform parse(std::string_view text, LoadOptions options = {}) {
  Result<Platform> platform = parsePlatform(text, "test.json", options);
  EXPECT_TRUE(bool(platform)) << (platform ? "" : platform.getError());
  return platform ? *platform : Platform();
}

TEST(LoadTest, ReadsEverything) {
  Platform platform = parse(kWhole);
  const Machine &machine = platform.stated;
  EXPECT_EQ(machine.name, "whole");
  EXPECT_EQ(platform.origin, "a test");
  EXPECT_EQ(platform.file, "test.json");
  EXPECT_EQ(platform.hash, hashText(kWhole));
  ASSERT_EQ(machine.levels.size(), 2u);
  EXPECT_EQ(machine.getNumRanks(), 16);

  const Level &node = machine.levels[0];
  EXPECT_EQ(node.name, "node");
  EXPECT_EQ(node.ranks, 8);
  EXPECT_EQ(node.bandwidth, GBps(200));
  EXPECT_EQ(node.latency, Microseconds(5));
  EXPECT_EQ(node.efficiency.getPoints(),
            (std::vector<CurvePoint>{{1e6, 0.5}, {1e8, 0.9}}));
  EXPECT_TRUE(node.isCurveLatencyFree);
  EXPECT_EQ(node.origin, "a sheet");
  EXPECT_EQ(node.latencyOrigin, "a guess");
  EXPECT_EQ(node.efficiencyOrigin, "a table");

  const Level &network = machine.levels[1];
  EXPECT_EQ(network.ranksPerNic, 2);
  EXPECT_FALSE(node.portRate);
  EXPECT_EQ(network.portRate, GBps(28));
  EXPECT_EQ(network.portOrigin, "a run");
  const CollectiveFit &fit = *network.getFit(CollectiveKind::AllToAll);
  EXPECT_EQ(fit.alpha, Microseconds(10));
  EXPECT_EQ(fit.beta, MicrosecondsPerByte(1e-3));
  EXPECT_EQ(fit.groupRanks, 16);
  EXPECT_EQ(fit.minBytes, Bytes(1e3));
  EXPECT_EQ(fit.maxBytes, Bytes(1e6));
  EXPECT_EQ(fit.rSquared, 0.99);
  EXPECT_EQ(fit.origin, "a log");
  EXPECT_FALSE(network.getFit(CollectiveKind::AllGather));
  ASSERT_EQ(network.protocols.size(), 3u);
  EXPECT_EQ(network.protocolsOrigin, "a source");
  const StepProtocol &ring = network.protocols[0], &tree = network.protocols[1];
  EXPECT_EQ(ring.algorithm, StepAlgorithm::Ring);
  EXPECT_EQ(ring.name, "Simple");
  EXPECT_EQ(ring.share, 1);
  EXPECT_FALSE(ring.mostRate);
  EXPECT_EQ(tree.algorithm, StepAlgorithm::Tree);
  EXPECT_EQ(tree.start, Microseconds(6.8));
  EXPECT_EQ(tree.innerStep, Microseconds(0.6));
  EXPECT_EQ(tree.step, Microseconds(5));
  EXPECT_EQ(tree.share, 0.5);
  EXPECT_EQ(tree.mostRate, GBps(20));
  EXPECT_TRUE(ring.efficiency.isEmpty());
  EXPECT_EQ(tree.efficiency.at(Bytes(1)), 0.5);
  EXPECT_EQ(network.protocols[2].algorithm, StepAlgorithm::NvlsTree);
  // The file counts in elements of four bytes.
  EXPECT_DOUBLE_EQ(network.getFit(CollectiveKind::AllReduce)->beta.value(),
                   4.95e-3 / 4);

  EXPECT_EQ(machine.copy->bandwidth, GBps(1600));
  EXPECT_EQ(machine.copy->latency, Microseconds(2));
  EXPECT_EQ(machine.copy->efficiency.at(Bytes(1)), 0.8);
  EXPECT_EQ(machine.gemm->alpha, Microseconds(42.6));
  ASSERT_TRUE(platform.peakTflops);
  EXPECT_EQ(platform.getPeakTflops()->value, 154.8);
  EXPECT_EQ(platform.getPeakTflops()->origin, "a data sheet");
  EXPECT_EQ(machine.gemm->beta, MicrosecondsPerMac(6.534e-8));
  EXPECT_EQ(machine.minimumMessage.value, Bytes(8e6));
  EXPECT_EQ(machine.minimumMessage.origin, "a table");
  EXPECT_EQ(machine.memoryPerRank->value, Bytes(80e9));
  EXPECT_EQ(machine.uncertainty.value, 0.125);
  EXPECT_EQ(machine.uncertainty.origin, "two runs");
  ASSERT_EQ(machine.contention.size(), 1u);
  EXPECT_EQ(machine.getContention(Resource::Intra, Resource::Copy), 1.25);
  const NcclSettings &nccl = platform.nccl;
  EXPECT_EQ(nccl.minCtas, 2);
  EXPECT_EQ(nccl.maxCtas, 16);
  EXPECT_EQ(nccl.cgaClusterSize, 4);
  EXPECT_TRUE(nccl.registerBuffers);
  EXPECT_EQ(nccl.origin, "a trial");
  const Circuits &circuits = *machine.circuits;
  EXPECT_EQ(circuits.serverRanks, 8);
  EXPECT_EQ(circuits.opticalDegree, 6);
  EXPECT_EQ(circuits.epsNics, 2);
  EXPECT_EQ(circuits.nicRate, GBps(50));
  EXPECT_EQ(circuits.reconfigurationBase, Microseconds(41100));
  EXPECT_EQ(circuits.reconfigurationPerPair, Microseconds(350));
  EXPECT_EQ(circuits.reconfigurationP99, Microseconds(68000));
  EXPECT_EQ(circuits.linkUp, Microseconds(0));
  EXPECT_EQ(circuits.ports, 384);
}

TEST(LoadTest, FittedParametersCanBeLeftOut) {
  Platform with = parse(kWhole), without = parse(kWhole, {true});
  EXPECT_EQ(with.machine.pipelineStall.value, Microseconds(230));
  EXPECT_EQ(with.machine.pipelineStall.origin, "to a figure");
  EXPECT_EQ(with.machine.getContention(Resource::Copy, Resource::Intra), 2);
  EXPECT_EQ(with.machine.levels[1].latency, Microseconds(33));
  EXPECT_EQ(with.machine.levels[1].latencyOrigin, "to a plot");
  EXPECT_EQ(with.machine.levels[1].efficiency.at(Bytes(1)), 0.25);

  EXPECT_EQ(without.machine.pipelineStall.value, Microseconds(0));
  EXPECT_EQ(without.machine.getContention(Resource::Copy, Resource::Intra), 1);
  EXPECT_EQ(without.machine.levels[1].latency, Microseconds(9));
  EXPECT_TRUE(without.machine.levels[1].efficiency.isEmpty());
  // Both platforms list the fitted values.
  EXPECT_EQ(without.describeFitted(), with.describeFitted());
  EXPECT_EQ(with.describeFitted(),
            (std::vector<std::string>{
                "pipeline_stall_us = 230 (to a figure)",
                "contention of copy by intra = 2 (to a table)",
                "network.latency_us = 33 (to a plot)",
                "network.efficiency = a curve of 1 points (to a curve)"}));
}

TEST(LoadTest, RoundTrip) {
  Platform platform = parse(kWhole);
  std::string text = formatPlatform(platform);
  Platform again = parse(text);
  EXPECT_EQ(formatPlatform(again), text);
  EXPECT_EQ(again.describeFitted(), platform.describeFitted());
  EXPECT_EQ(again.stated.levels[1].getFit(CollectiveKind::AllReduce)->beta,
            platform.stated.levels[1].getFit(CollectiveKind::AllReduce)->beta);
  // No key is lost: every key of the text occurs in the output, except the two
  // that describe how a slope was measured.
  std::string_view rest = kWhole;
  while (true) {
    size_t begin = rest.find('"');
    if (begin == rest.npos)
      break;
    size_t end = rest.find('"', begin + 1);
    std::string word(rest.substr(begin, end + 1 - begin));
    rest.remove_prefix(end + 1);
    if (word != "\"beta_us_per_element\"" && word != "\"element_bytes\"")
      EXPECT_NE(text.find(word), text.npos) << word;
  }
}

TEST(LoadTest, HashIsOfTheBytes) {
  // FNV-1a's own test vectors.
  EXPECT_EQ(hashText(""), "cbf29ce484222325");
  EXPECT_EQ(hashText("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hashText("foobar"), "85944171f73967e8");
}

TEST(LoadTest, Files) {
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "moe-platform-test";
  std::filesystem::create_directories(folder);
  std::string path = (folder / "saved.json").string();
  Platform platform = parse(kWhole);
  EXPECT_FALSE(savePlatform(platform, path));
  Result<Platform> loaded = loadPlatform(path);
  ASSERT_TRUE(bool(loaded));
  EXPECT_EQ(loaded->file, path);
  EXPECT_EQ(formatPlatform(*loaded), formatPlatform(platform));

  EXPECT_EQ(loadPlatform(folder.string()).getError(),
            folder.string() + ": expected a platform's file, got a directory");
  std::string missing = (folder / "missing.json").string();
  EXPECT_EQ(loadPlatform(missing).getError(),
            missing + ": expected a platform's file, got no such file");
  auto failure = savePlatform(platform, (folder / "no" / "out").string());
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->message,
            (folder / "no" / "out").string() +
                ": expected a file that can be written, got: No such file or "
                "directory");
  std::filesystem::remove_all(folder);
}

//===----------------------------------------------------------------------===//
// Errors, one by one
//===----------------------------------------------------------------------===//

std::string getError(std::string_view text) {
  Result<Platform> platform = parsePlatform(text, "F");
  return platform ? "" : platform.getError();
}

/// Returns the error after one replacement in `kSmall`.
const char kSmall[] = R"({"name": "small",
"levels": [
{"name": "node", "ranks": 8, "bandwidth_GBps": 200, "ranks_per_nic": 1, "latency_us": 5,
 "efficiency": [[1e6, 0.5], [1e8, 0.9]]},
{"name": "network", "ranks": 16, "bandwidth_GBps": 25, "ranks_per_nic": 2, "latency_us": 9}
]})";

std::string getErrorAfter(const std::string &from, const std::string &to) {
  std::string text = kSmall;
  size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return getError(text.replace(at, from.size(), to));
}

TEST(LoadErrorTest, TheSmallOneIsFine) { EXPECT_EQ(getError(kSmall), ""); }

TEST(LoadErrorTest, NegativeBandwidth) {
  EXPECT_EQ(getErrorAfter("\"bandwidth_GBps\": 25", "\"bandwidth_GBps\": -25"),
            "F:5:52: levels[1].bandwidth_GBps: expected a number > 0, got -25");
}

TEST(LoadErrorTest, EfficiencyAboveOne) {
  EXPECT_EQ(getErrorAfter("[1e8, 0.9]", "[1e8, 1.2]"),
            "F:4:29: levels[0].efficiency[1]: expected an efficiency above 0 "
            "and at most 1, got 1.2");
}

TEST(LoadErrorTest, EfficiencyUnsorted) {
  EXPECT_EQ(getErrorAfter("[1e8, 0.9]", "[1e5, 0.9]"),
            "F:4:29: levels[0].efficiency[1]: expected more bytes than the "
            "point before, 1e+06, got 1e+05");
}

TEST(LoadErrorTest, EfficiencyOfNoPoints) {
  EXPECT_EQ(getErrorAfter("[[1e6, 0.5], [1e8, 0.9]]", "[]"),
            "F:4:16: levels[0].efficiency: expected at least one point "
            "[bytes, ratio], got none");
  EXPECT_EQ(getErrorAfter("[1e8, 0.9]", "[1e8]"),
            "F:4:29: levels[0].efficiency[1]: expected a point [bytes, ratio] "
            "of two numbers, got an array of 1");
  EXPECT_EQ(getErrorAfter("[1e8, 0.9]", "\"1e8\""),
            "F:4:29: levels[0].efficiency[1]: expected a point [bytes, ratio] "
            "of two numbers, got \"1e8\"");
}

TEST(LoadErrorTest, LevelsOutOfOrder) {
  EXPECT_EQ(getErrorAfter("\"ranks\": 16", "\"ranks\": 4"),
            "F:5:30: levels[1].ranks: expected levels from the innermost "
            "outward, each of a multiple of the ranks before it (8), got 4");
  EXPECT_EQ(getErrorAfter("\"ranks_per_nic\": 2", "\"ranks_per_nic\": 3"),
            "F:5:73: levels[1].ranks_per_nic: expected a divisor of the ranks "
            "of the level before (8), got 3");
  EXPECT_EQ(getErrorAfter("\"network\"", "\"node\""),
            "F:5:10: levels[1].name: expected a name of its own, got 'node' as "
            "levels[0]");
}

TEST(LoadErrorTest, DuplicateKeys) {
  EXPECT_EQ(getErrorAfter("\"latency_us\": 9", "\"ranks\": 16"),
            "F:5:76: levels[1].ranks: expected each key once, got it again; "
            "the first is at line 5, column 21");
  EXPECT_EQ(getError("{\"a\": 1, \"a\": 2}"),
            "F:1:10: a: expected each key once, got it again; the first is at "
            "line 1, column 2");
}

TEST(LoadErrorTest, UnknownKeys) {
  EXPECT_EQ(getErrorAfter("\"name\": \"small\"",
                          "\"name\": \"small\", \"bandwidth\": 3"),
            "F:1:19: bandwidth: expected one of the keys name, origin, levels, "
            "copy_bandwidth_GBps, copy_origin, copy_latency_us, "
            "copy_efficiency, copy_efficiency_origin, gemm_alpha_us, "
            "gemm_beta_us_per_mac, gemm_origin, minimum_message_bytes, "
            "minimum_message_origin, memory_per_rank_bytes, memory_origin, "
            "uncertainty, uncertainty_origin, peak_tflops, peak_origin, "
            "contention, circuits, "
            "nccl, kernels, dispatchers, hosts, hidden_exchanges, "
            "hidden_exchanges_origin, topology, fitted; "
            "got an unknown key");
  // A key with a wrong unit is an unknown key.
  std::string error = getErrorAfter("\"latency_us\": 9",
                                    "\"latency_us\": 9, \"latency_ms\": 1");
  EXPECT_EQ(error.find("F:5:93: levels[1].latency_ms: expected one of the keys "
                       "name, ranks, bandwidth_GBps"),
            0u)
      << error;
}

TEST(LoadErrorTest, WrongTypes) {
  EXPECT_EQ(
      getErrorAfter("\"bandwidth_GBps\": 25", "\"bandwidth_GBps\": \"25\""),
      "F:5:52: levels[1].bandwidth_GBps: expected a number > 0, got "
      "\"25\"");
  EXPECT_EQ(getErrorAfter("\"ranks\": 16", "\"ranks\": 16.5"),
            "F:5:30: levels[1].ranks: expected an integer in [1, 16777216], "
            "got 16.5");
  EXPECT_EQ(getErrorAfter("\"ranks\": 16", "\"ranks\": true"),
            "F:5:30: levels[1].ranks: expected an integer in [1, 16777216], "
            "got true");
  EXPECT_EQ(getErrorAfter("\"small\"", "[]"),
            "F:1:10: name: expected a text that is not empty, got an array of "
            "0");
  EXPECT_EQ(getErrorAfter("\"small\"", "\"\""),
            "F:1:10: name: expected a text that is not empty, got \"\"");
  EXPECT_EQ(getErrorAfter("\"latency_us\": 9", "\"latency_us\": null"),
            "F:5:90: levels[1].latency_us: expected a number >= 0, got null");
  EXPECT_EQ(getError("[1]"), "F:1:1: expected an object, got an array of 1");
  EXPECT_EQ(getError("{\"name\": \"x\", \"levels\": 3}"),
            "F:1:25: levels: expected an array, got 3");
  EXPECT_EQ(getError("{\"name\": \"x\", \"levels\": [3]}"),
            "F:1:26: levels[0]: expected an object, got 3");
  EXPECT_EQ(getError("{\"name\": \"x\", \"levels\": []}"),
            "F:1:25: levels: expected at least one level");
}

TEST(LoadErrorTest, MissingKeys) {
  EXPECT_EQ(getError("{}"), "F:1:1: name: expected a text, got nothing: the "
                            "key is missing");
  EXPECT_EQ(getError("{\"name\": \"x\"}"),
            "F:1:1: levels: expected an array of levels, got nothing: the key "
            "is missing");
  for (auto &[key, expected] : std::vector<std::pair<std::string, std::string>>{
           {"\"ranks\": 16, ", "ranks: expected an integer in [1, 16777216]"},
           {"\"bandwidth_GBps\": 25, ",
            "bandwidth_GBps: expected a number > 0"},
           {"\"ranks_per_nic\": 2, ",
            "ranks_per_nic: expected an integer in [1, 16777216]"},
           {", \"latency_us\": 9", "latency_us: expected a number >= 0"}})
    EXPECT_EQ(getErrorAfter(key, ""), "F:5:1: levels[1]." + expected +
                                          ", got nothing: the key is missing");
  // The error names the misspelt key instead of the missing one.
  EXPECT_EQ(getErrorAfter("\"bandwidth_GBps\": 25", "\"bandwidth_GBs\": 25")
                .find(": levels[1].bandwidth_GBs: expected one of the keys "),
            std::string("F:5:36").size());
}

TEST(LoadErrorTest, Truncated) {
  EXPECT_EQ(getError(""), "F: expected JSON, got an empty file");
  EXPECT_EQ(getError(" \n\n"), "F: expected JSON, got an empty file");
  std::string text = kSmall;
  for (size_t length = 1; length < text.size(); ++length) {
    std::string error = getError(text.substr(0, length));
    EXPECT_EQ(error.find("F:"), 0u);
    EXPECT_NE(error.find("expected JSON, got a syntax error"), error.npos)
        << error;
  }
  EXPECT_EQ(getError(text.substr(0, 30)).substr(0, 42),
            "F:3:1: expected JSON, got a syntax error w");
}

TEST(LoadErrorTest, NoJson) {
  std::string error = getError("{\"name\": 'x'}");
  EXPECT_EQ(error.find("F:1:11: expected JSON"), 0u) << error;
  error = getError(std::string(kSmall) + "}");
  EXPECT_EQ(error.find("F:6:4: expected JSON"), 0u) << error;
  error = getErrorAfter("25", "1e999");
  EXPECT_NE(error.find("number overflow"), error.npos) << error;
  error = getError("{\"name\": \"\xff\"}");
  EXPECT_NE(error.find("expected JSON"), error.npos) << error;
  EXPECT_EQ(getError(std::string(65, '[')),
            "F:1:65: expected at most 64 arrays and objects in each other");
}

TEST(LoadErrorTest, Sections) {
  // Adds a section after the name and returns the error without its location.
  auto getErrorWith = [](const std::string &section) {
    std::string error =
        getErrorAfter("\"small\",", "\"small\",\n" + section + ",");
    size_t at = error.find(": ");
    return at == error.npos ? error : error.substr(at + 2);
  };
  EXPECT_EQ(getErrorWith("\"gemm_alpha_us\": 1"),
            "gemm_beta_us_per_mac: expected both 'gemm_alpha_us' and "
            "'gemm_beta_us_per_mac', or neither, got nothing");
  EXPECT_EQ(getErrorWith("\"peak_origin\": \"a\""),
            "peak_origin: expected this only beside 'peak_tflops'");
  EXPECT_EQ(getErrorWith("\"peak_tflops\": 0").find("peak_tflops: expected"),
            0u);
  EXPECT_EQ(getErrorWith("\"copy_latency_us\": 1"),
            "copy_latency_us: expected this only beside "
            "'copy_bandwidth_GBps'");
  EXPECT_EQ(getErrorWith("\"memory_origin\": \"a\""),
            "memory_origin: expected this only beside "
            "'memory_per_rank_bytes'");
  EXPECT_EQ(getErrorWith("\"uncertainty\": 1"),
            "uncertainty: expected a fraction below 1, got 1");
  EXPECT_EQ(getErrorWith("\"uncertainty\": -0.5"),
            "uncertainty: expected a number >= 0, got -0.5");
  EXPECT_EQ(getErrorWith("\"uncertainty_origin\": \"x\""),
            "uncertainty_origin: expected this only beside 'uncertainty'");
  EXPECT_EQ(getErrorWith("\"minimum_message_bytes\": -1"),
            "minimum_message_bytes: expected a number >= 0, got -1");
  EXPECT_EQ(getErrorWith("\"contention\": [{\"slowed\": \"intra\", \"by\": "
                         "\"intra\", \"factor\": 2}]"),
            "contention[0].by: expected another resource than the slowed one, "
            "got \"intra\" twice");
  EXPECT_EQ(getErrorWith("\"contention\": [{\"slowed\": \"net\", \"by\": "
                         "\"copy\", \"factor\": 2}]"),
            "contention[0].slowed: expected inter, intra, copy, or compute, "
            "got \"net\"");
  EXPECT_EQ(getErrorWith("\"contention\": [{\"slowed\": \"intra\", \"by\": "
                         "\"copy\", \"factor\": 0.5}]"),
            "contention[0].factor: expected a number >= 1, got 0.5");
  EXPECT_EQ(getErrorWith("\"circuits\": {\"server_ranks\": 8}"),
            "circuits.optical_degree: expected an integer in [1, 4096], got "
            "nothing: the key is missing");
  EXPECT_EQ(getErrorWith("\"nccl\": {\"min_ctas\": 8, \"max_ctas\": 4}"),
            "nccl.max_ctas: expected at least min_ctas, 8, got 4");
  EXPECT_EQ(getErrorWith("\"nccl\": {\"max_ctas\": 0}"),
            "nccl.max_ctas: expected an integer in [1, 1024], got 0");
  EXPECT_EQ(getErrorWith("\"nccl\": {\"cga_cluster_size\": 64}"),
            "nccl.cga_cluster_size: expected an integer in [1, 8], got 64");
  EXPECT_EQ(getErrorWith("\"nccl\": {\"register_buffers\": 1}"),
            "nccl.register_buffers: expected true or false, got 1");
  EXPECT_EQ(getErrorWith("\"topology\": [[2, 2], [\"a\"]]"),
            "topology: expected a nested list of numbers such as [[2,2],[2]]");
  EXPECT_EQ(getErrorWith("\"topology\": [[2, 0]]"),
            "topology: expected 1 to 1024 devices at character 5, got '0]]'");
  EXPECT_EQ(getErrorWith("\"topology\": \"ring:x\""),
            "topology: expected ring:DEVICES, got 'ring:x'");
  EXPECT_EQ(getErrorWith("\"nccl\": {\"ctas\": 4}"),
            "nccl.ctas: expected one of the keys min_ctas, max_ctas, "
            "cga_cluster_size, register_buffers, origin; got an unknown key");
  EXPECT_EQ(getErrorWith("\"fitted\": {\"pipeline_stall_us\": 3}"),
            "fitted.pipeline_stall_origin: expected a text that says how "
            "\"pipeline_stall_us\" was fitted, got nothing");
  EXPECT_EQ(getErrorWith("\"fitted\": {\"contention\": [{\"slowed\": "
                         "\"intra\", \"by\": \"copy\", \"factor\": 2}]}"),
            "fitted.contention: expected an 'origin' in every entry, got none "
            "in entry 0");
  EXPECT_EQ(getErrorWith("\"fitted\": {\"levels\": [{\"name\": \"rack\"}]}")
                .substr(0, 50),
            std::string("fitted.levels[0].name: expected the name of a leve")
                .substr(0, 50));
}

TEST(LoadErrorTest, Fits) {
  auto getErrorOf = [](const std::string &fit) {
    std::string error = getErrorAfter(
        "\"latency_us\": 9",
        "\"latency_us\": 9, \"collectives\": {\"all_gather\": {" + fit + "}}");
    size_t at = error.find("all_gather.");
    return at == error.npos ? error : error.substr(at + 11);
  };
  EXPECT_EQ(getErrorOf("\"alpha_us\": 1, \"beta_us_per_byte\": 1"), "");
  EXPECT_EQ(getErrorOf("\"alpha_us\": 1"),
            "beta_us_per_byte: expected a number > 0, got nothing: the key is "
            "missing");
  EXPECT_EQ(getErrorOf("\"alpha_us\": 1, \"beta_us_per_element\": 1"),
            "element_bytes: expected the bytes of an element beside "
            "'beta_us_per_element', got nothing");
  EXPECT_EQ(getErrorOf("\"alpha_us\": 1, \"beta_us_per_byte\": 1, "
                       "\"element_bytes\": 4"),
            "element_bytes: expected this only beside 'beta_us_per_element'");
  EXPECT_EQ(
      getErrorOf("\"alpha_us\": 1, \"beta_us_per_element\": 1, "
                 "\"element_bytes\": 4, \"beta_us_per_byte\": 1"),
      "beta_us_per_element: expected a slope per byte or per element, got "
      "both");
  EXPECT_EQ(getErrorOf("\"alpha_us\": -1, \"beta_us_per_byte\": 1"),
            "alpha_us: expected a number >= 0, got -1");
  EXPECT_EQ(getErrorOf("\"alpha_us\": 1, \"beta_us_per_byte\": 1, "
                       "\"min_bytes\": 2, \"max_bytes\": 1"),
            "max_bytes: expected at least min_bytes, 2, got 1");
  EXPECT_EQ(getErrorOf("\"alpha_us\": 1, \"beta_us_per_byte\": 1, "
                       "\"group_ranks\": 1"),
            "group_ranks: expected an integer in [2, 16777216], got 1");
}

} // namespace
