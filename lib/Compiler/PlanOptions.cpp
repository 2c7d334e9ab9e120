// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options with a number or `auto`.

#include "moe/Compiler/PlanOptions.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Support/OptionValues.h"

using namespace moe;

llvm::raw_ostream &moe::operator<<(llvm::raw_ostream &os,
                                   const Degree &degree) {
  if (degree.chunks)
    return os << *degree.chunks;
  return os << "auto";
}

llvm::raw_ostream &moe::operator<<(llvm::raw_ostream &os,
                                   const SubBatchCount &count) {
  if (count.isDefault)
    return os << "default";
  return os << count.count;
}

bool llvm::cl::parser<Degree>::parse(Option &option, StringRef, StringRef text,
                                     Degree &degree) {
  degree = Degree();
  if (text == "auto")
    return false;
  int64_t number;
  if (text.getAsInteger(10, number) || number < 1 ||
      number > PipelineOp::kMaxDegree)
    return refuseValue(option, "expected auto or a number in [1, " +
                                   Twine(PipelineOp::kMaxDegree) + "], got '" +
                                   text + "'");
  degree.chunks = number;
  return false;
}

void llvm::cl::parser<Degree>::printOptionDiff(const Option &option,
                                               const Degree &degree,
                                               const OptionValue<Degree> &,
                                               size_t width) const {
  printOptionName(option, width);
  outs() << "= " << degree << '\n';
}

bool llvm::cl::parser<SubBatchCount>::parse(Option &option, StringRef name,
                                            StringRef text,
                                            SubBatchCount &count) {
  count = SubBatchCount();
  if (text == "default")
    return false;
  count.isDefault = false;
  return parser<Degree>(option).parse(option, name, text, count.count);
}

void llvm::cl::parser<SubBatchCount>::printOptionDiff(
    const Option &option, const SubBatchCount &count,
    const OptionValue<SubBatchCount> &, size_t width) const {
  printOptionName(option, width);
  outs() << "= " << count << '\n';
}
