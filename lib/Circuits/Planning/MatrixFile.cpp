// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files with matrices between servers.

#include "MatrixFile.h"
#include "moe/Planning/Answers.h"
#include "moe/Support/TextFile.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using moe::support::JsonValue;
using moe::support::ReaderContext;

std::optional<Failure> moe::planning::readObjectFile(
    const std::string &path, const std::string &what,
    function_ref<void(ReaderContext &, const JsonValue &)> read) {
  Result<std::string> text = moe::support::readTextFile(path, what);
  if (!text)
    return text.getFailure();
  Result<JsonValue> root = moe::support::parseJson(*text, path);
  if (!root)
    return root.getFailure();
  ReaderContext context{path, {}};
  if (root->kind != JsonValue::Kind::Object)
    context.fail(root->place, "",
                 "expected an object, got " + root->describe());
  else
    read(context, *root);
  if (context.hasFailed())
    return makeFailure(context.problem);
  return std::nullopt;
}
