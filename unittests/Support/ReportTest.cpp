// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables, JSON, CSV and traces of the same rows.

#include "moe/Support/Report.h"
#include "moe/Support/ChromeTrace.h"
#include "gtest/gtest.h"

using namespace moe::support;

namespace {

Report makeReport() {
  Report report({Column("name", "name"), Column("time_us", "time us").fixed(1),
                 Column("stages.copy_us", "copy us").fixed(1).orElse("-"),
                 Column("stages.gather_us", "").hidden(), Column("", "note")});
  report.addRow({"o1", 12.25, Absent{}, Absent{}, ""});
  report.addRow({"a,\"b\"", int64_t(7), 0.5, 2.0, "<- chosen"});
  report.addRow({"none", Unknown{}, Absent{}, Absent{}, ""});
  return report;
}

template <typename Print> std::string print(Print body) {
  std::string text;
  llvm::raw_string_ostream os(text);
  body(os);
  return text;
}

TEST(ReportTest, TablesAlign) {
  EXPECT_EQ(print([](auto &os) { makeReport().printTable(os); }),
            "name   time us  copy us  note\n"
            "o1        12.2        -\n"
            "a,\"b\"        7      0.5  <- chosen\n"
            "none                  -\n");
  Report wide({Column("", "a").atLeast(4), Column("", "b").after(1).right()});
  wide.addRow({"x", int64_t(12)});
  EXPECT_EQ(print([&](auto &os) { wide.printTable(os, false); }), "x    12\n");
}

TEST(ReportTest, JSONNestsAndLeavesOut) {
  EXPECT_EQ(print([](auto &os) {
              llvm::json::OStream out(os);
              out.array([&] { makeReport().printItems(out); });
            }),
            "[{\"name\":\"o1\",\"time_us\":12.25},"
            "{\"name\":\"a,\\\"b\\\"\",\"time_us\":7,"
            "\"stages\":{\"copy_us\":0.5,\"gather_us\":2}},"
            "{\"name\":\"none\",\"time_us\":null}]");
  EXPECT_EQ(print([](auto &os) {
              llvm::json::OStream out(os);
              Report report({Column("name", ""), Column("n", "")});
              report.addRow({"a", int64_t(1)});
              out.object([&] { report.printMembers(out); });
            }),
            "{\"a\":{\"n\":1}}");
}

TEST(ReportTest, CSVQuotesWhatNeedsIt) {
  EXPECT_EQ(print([](auto &os) { makeReport().printCSV(os); }),
            "name,time_us,stages.copy_us,stages.gather_us\n"
            "o1,12.25,,\n"
            "\"a,\"\"b\"\"\",7,0.5,2\n"
            "none,,,\n");
}

TEST(ChromeTraceTest, WritesWhatRan) {
  EXPECT_EQ(
      print([](auto &os) {
        ChromeTrace trace(os, {{"file", "f"}});
        trace.nameThread(1, 2, "inter");
        trace.addEvent(1, 2, "a", 1, 3, TracedTask{"0", "fwd", 1, 4, true});
        trace.addEvent(1, 2, "b", 3, 4, std::nullopt);
      }),
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"file\":\"f\"},"
      "\"traceEvents\":["
      "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":2,"
      "\"args\":{\"name\":\"inter\"}},"
      "{\"name\":\"a[1]\",\"cat\":\"fwd\",\"ph\":\"X\",\"ts\":1,\"dur\":2,"
      "\"pid\":1,\"tid\":2,\"args\":{\"layer\":\"0\",\"phase\":\"fwd\","
      "\"chunk\":1,\"chunks\":4,\"extrapolated\":true}},"
      "{\"name\":\"b\",\"ph\":\"X\",\"ts\":3,\"dur\":1,\"pid\":1,"
      "\"tid\":2}]}\n");
}

} // namespace
