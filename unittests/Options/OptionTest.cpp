// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that are fields.

#include "moe/Options/Option.h"
#include "gtest/gtest.h"

using namespace moe;

namespace {

TEST(Option, Integers) {
  OptionTable table;
  IntegerOption option{table, "n", "", {2, 8}};
  EXPECT_FALSE(option.isSet());
  EXPECT_EQ(option.getOrigin(), "default");
  EXPECT_EQ(option.read().getError(), "--n is required");
  EXPECT_EQ(*option.read(16), 16);
  std::optional<int64_t> value;
  EXPECT_FALSE(option.readIfSet(value));
  EXPECT_FALSE(value);

  EXPECT_FALSE(table.give("n", "2"));
  EXPECT_EQ(option.getOrigin(), "--n");
  EXPECT_EQ(*option.read(), 2);
  EXPECT_FALSE(option.readIfSet(value));
  EXPECT_EQ(value, 2);
  for (const char *text :
       {"1", "9", "", "x", "2.5", "2k", "99999999999999999999", " 4"}) {
    EXPECT_FALSE(table.give("n", text));
    std::string expected =
        std::string("--n: expected an integer in [2, 8], got '") + text + "'";
    EXPECT_EQ(option.read(3).getError(), expected);
    EXPECT_EQ(option.readIfSet(value)->message, expected);
  }
  // The last value counts if a tool accepts an option several times.
  EXPECT_FALSE(table.give("n", "8"));
  EXPECT_EQ(*option.read(), 8);
}

TEST(Option, Reals) {
  OptionTable table;
  NumberOption above{table, "above", "", {.word = "none"}};
  NumberOption least{table, "least", "", {.mayBeZero = true}};
  EXPECT_FALSE(table.give("above", "none"));
  EXPECT_EQ(above.getText(), "none");
  for (const char *text : {"0", "-1", "inf", "nan", ""}) {
    EXPECT_FALSE(table.give("above", text));
    EXPECT_EQ(above.read().getError(),
              std::string("--above: expected a finite number above 0 or "
                          "'none', got '") +
                  text + "'");
  }
  EXPECT_FALSE(table.give("above", "1.25"));
  EXPECT_EQ(*above.read(), 1.25);
  EXPECT_FALSE(table.give("least", "0"));
  EXPECT_EQ(*least.read(), 0);
  EXPECT_FALSE(table.give("least", "-0.5"));
  EXPECT_EQ(least.read().getError(),
            "--least: expected a finite number of at least 0, got '-0.5'");
}

enum class Color { Red, Blue };

} // namespace

template <> struct moe::EnumNames<Color> {
  static constexpr EnumName<Color> all[] = {{Color::Red, "red", "like blood"},
                                            {Color::Blue, "blue", "like ink"}};
};

namespace {

struct Input {
  OptionTable table;
  FlagOption fast{table, "fast", "Hurry"};
  TextOption file{table, "file", "A file", "FILE", "none.json"};
  TextListOption keys{table, "key", "A key", "NAME"};
  WordOption<Color> color{table, "color", "A color", Color::Red};
  IntegerOption count{table, "count", "A number", {0, 4, "pieces"}};
  NumberOption share{table, "share", "A share"};
};

TEST(Option, Table) {
  Input input;
  EXPECT_EQ(input.table.getOptions().size(), 6u);
  EXPECT_EQ(input.table.find("file")->getHelp(), "A file");
  EXPECT_EQ(input.table.find("color")->listWords()[1].word, "blue");
  EXPECT_EQ(input.table.find("count")->getUnit(), "pieces");
  EXPECT_EQ(input.table.find("count")->describeRange(), "an integer in [0, 4]");
  EXPECT_EQ(input.table.find("share")->describeRange(),
            "a finite number above 0");
  EXPECT_EQ(input.table.find("file")->describeRange(), "");
  EXPECT_EQ(input.table.give("size", "1")->message,
            "--size: expected one of the options fast, file, key, color, "
            "count, share");
  EXPECT_EQ(input.table.give("fast", "maybe")->message,
            "--fast: expected true or false, got 'maybe'");
  EXPECT_EQ(input.table.give("color", "green")->message,
            "--color: expected one of red, blue, got 'green'");
  EXPECT_FALSE(input.color.isSet());
  EXPECT_EQ(input.file.get(), "none.json");
  for (auto [name, text] : {std::pair("fast", "true"),
                            {"file", "a.json"},
                            {"key", "k"},
                            {"key", "l"},
                            {"color", "blue"}})
    EXPECT_FALSE(input.table.give(name, text));
  EXPECT_TRUE(input.fast);
  EXPECT_EQ(input.file.get(), "a.json");
  EXPECT_EQ(input.keys.get(), (std::vector<std::string>{"k", "l"}));
  EXPECT_EQ(Color(input.color), Color::Blue);
}

TEST(Option, Fields) {
  Input input;
  input.count = 4;
  input.share = 0.25;
  input.color = Color::Blue;
  EXPECT_EQ(*input.count.read(), 4);
  EXPECT_EQ(input.share.getText(), "0.25");
  EXPECT_EQ(input.color.getOrigin(), "--color");
  input.count = 5;
  EXPECT_EQ(input.count.read().getError(),
            "--count: expected an integer in [0, 4], got '5'");
  input.share = -1;
  EXPECT_EQ(input.share.read().getError(),
            "--share: expected a finite number above 0, got '-1'");
}

} // namespace
