// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON with places, read key by key.

#include "moe/Support/ObjectReader.h"
#include "gtest/gtest.h"

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
