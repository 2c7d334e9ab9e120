// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON with locations, read key by key.

#include "moe/Support/ObjectReader.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace moe::support;

namespace {

std::string getError(const std::string &text) {
  auto root = parseJson(text, "f");
  return root ? "" : root.getError();
}

TEST(JsonTest, ValuesKnowTheirPlaces) {
  auto root = parseJson("{\"a\": [1, 2.5],\n  \"b\": \"x\"}", "f");
  ASSERT_TRUE(bool(root));
  const JsonValue *a = root->find("a");
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->items.size(), 2u);
  EXPECT_TRUE(a->items[0].isInteger);
  EXPECT_EQ(a->items[1].number, 2.5);
  EXPECT_EQ(a->items[1].place.column, 11u);
  EXPECT_EQ(root->members[1].keyPlace.line, 2u);
  EXPECT_EQ(root->members[1].keyPlace.column, 3u);
  EXPECT_EQ(root->members[1].value.place.column, 8u);
}

TEST(JsonTest, NamesWhatIsWrongAndWhere) {
  EXPECT_EQ(getError(" \n"), "f: expected JSON, got an empty file");
  EXPECT_EQ(getError("{\"a\": {\"b\": 1,\n \"b\": 2}}"),
            "f:2:2: a.b: expected each key once, got it again; the first is at "
            "line 1, column 8");
  EXPECT_EQ(getError("[1, 2"),
            "f:1:6: expected JSON, got a syntax error while parsing array - "
            "unexpected end of input; expected ']'");
  EXPECT_EQ(getError(std::string(65, '[')),
            "f:1:65: expected at most 64 arrays and objects in each other");
}

TEST(JsonTest, ProblemsHavePlacesOfTheirOwn) {
  JsonValue root;
  auto problem = parseJson("{\n  1}", root);
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->place.line, 2u);
  EXPECT_EQ(problem->reason.find("f:"), std::string::npos);
}

/// Extensions that Python's json module accepts.
TEST(JsonTest, PythonHasNumbersThatAreNone) {
  JsonValue root;
  std::vector<JsonProblem> repeated;
  std::string text = R"({"a": [NaN, Infinity, -Infinity, 1],
  "Infinity": "NaN \" Infinity", "b": -Infinity})";
  EXPECT_FALSE(parsePythonJson(text, root, repeated).has_value());
  EXPECT_TRUE(repeated.empty());
  const JsonValue *a = root.find("a");
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->items.size(), 4u);
  EXPECT_TRUE(std::isnan(a->items[0].number));
  EXPECT_EQ(a->items[0].describe(), "NaN");
  EXPECT_EQ(a->items[1].number, std::numeric_limits<double>::infinity());
  EXPECT_EQ(a->items[1].describe(), "Infinity");
  EXPECT_EQ(a->items[2].describe(), "-Infinity");
  EXPECT_EQ(a->items[3].number, 1);
  EXPECT_EQ(a->items[3].place.column, 34u);
  ASSERT_NE(root.find("Infinity"), nullptr);
  EXPECT_EQ(root.find("Infinity")->text, "NaN \" Infinity");
  EXPECT_EQ(root.find("b")->describe(), "-Infinity");
  for (const char *wrong :
       {"-NaN", "[NaNa]", "Infinityx", "nan", "1Infinity", "[Infinity1]",
        "--Infinity", "{NaN: 1}", "[.NaN]"}) {
    JsonValue none;
    EXPECT_TRUE(parsePythonJson(wrong, none, repeated).has_value()) << wrong;
    EXPECT_NE(getError(wrong), "") << wrong;
  }
  EXPECT_NE(getError("[NaN]"), "");
}

TEST(JsonTest, PythonTakesTheLastOfEqualKeys) {
  JsonValue root;
  std::vector<JsonProblem> repeated;
  EXPECT_FALSE(parsePythonJson("{\"o\": {\"a\": 1, \"b\": 2,\n \"a\": [{}]}, "
                               "\"o\": 4, \"c\": 5}",
                               root, repeated)
                   .has_value());
  ASSERT_EQ(repeated.size(), 2u);
  EXPECT_EQ(repeated[0].reason,
            "o.a: expected each key once, got it again; the first is at line "
            "1, column 8; the last one counts");
  EXPECT_EQ(repeated[0].place.line, 2u);
  EXPECT_EQ(repeated[1].reason,
            "o: expected each key once, got it again; the first is at line 1, "
            "column 2; the last one counts");
  EXPECT_EQ(root.members.size(), 2u);
  EXPECT_EQ(root.find("o")->number, 4);
  EXPECT_EQ(root.find("c")->number, 5);
}

TEST(ObjectReaderTest, KeepsTheFirstProblem) {
  auto root = parseJson("{\"n\": 0, \"m\": \"x\", \"k\": 1}", "f");
  ASSERT_TRUE(bool(root));
  ReaderContext context{"f", ""};
  ObjectReader reader(context, *root, "");
  EXPECT_EQ(reader.getInteger("k", 1, 3), 1);
  EXPECT_FALSE(context.hasFailed());
  reader.getInteger("n", 1, 3);
  reader.getNumber("m", Range::Positive);
  reader.finish();
  EXPECT_EQ(context.problem, "f:1:7: n: expected an integer in [1, 3], got 0");
}

TEST(ObjectReaderTest, NamesTheKeysThatThereAre) {
  auto root = parseJson("{\"n\": 1, \"more\": 2}", "f");
  ReaderContext context{"f", ""};
  ObjectReader reader(context, *root, "");
  reader.getInteger("n", 1, 3);
  reader.finish();
  EXPECT_EQ(context.problem,
            "f:1:10: more: expected one of the keys n; got an unknown key");
}

} // namespace
