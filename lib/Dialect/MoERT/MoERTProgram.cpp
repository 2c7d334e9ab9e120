// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signature of the program that an entry function was compiled from.

#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/NameAttr.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

using namespace mlir;
using namespace moe;
using namespace moe::rt;

ProgramSignature ProgramSignature::of(func::FuncOp function) {
  ProgramSignature signature;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    signature.arguments.push_back(
        {function.getArgumentTypes()[i],
         function.getArgAttrOfType<ArrayAttr>(i,
                                              MoEDialect::getVaryingAttrName()),
         std::nullopt,
         function.getArgAttrOfType<StringAttr>(i, kNameAttrName)});
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    signature.results.push_back(
        {type, function.getResultAttrOfType<StringAttr>(i, kNameAttrName)});
  if (MeshOp mesh = MeshOp::lookup(function)) {
    for (size_t i = 0; i < mesh.getShape().size(); ++i)
      signature.axes.push_back(mesh.getAxisName(i).str());
    signature.shape = llvm::to_vector(mesh.getShape());
  } else if (int64_t ranks = moe::getNumRanks(function); ranks > 1) {
    signature.axes = {"rank"};
    signature.shape = {ranks};
  }
  return signature;
}

DictionaryAttr ProgramSignature::print(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<Attribute> printed, printedResults;
  for (const Argument &argument : arguments) {
    SmallVector<NamedAttribute> fields{
        builder.getNamedAttr("type", TypeAttr::get(argument.type))};
    if (argument.varying)
      fields.push_back(builder.getNamedAttr("varying", argument.varying));
    if (argument.range)
      fields.push_back(builder.getNamedAttr(
          "range", builder.getDenseI64ArrayAttr(
                       {argument.range->first, argument.range->second})));
    if (argument.name)
      fields.push_back(builder.getNamedAttr("name", argument.name));
    printed.push_back(builder.getDictionaryAttr(fields));
  }
  for (const Result &result : results) {
    auto type = TypeAttr::get(result.type);
    printedResults.push_back(
        result.name ? Attribute(builder.getDictionaryAttr(
                          {builder.getNamedAttr("name", result.name),
                           builder.getNamedAttr("type", type)}))
                    : Attribute(type));
  }
  SmallVector<NamedAttribute> fields{
      builder.getNamedAttr("arguments", builder.getArrayAttr(printed)),
      builder.getNamedAttr("results", builder.getArrayAttr(printedResults))};
  if (!axes.empty()) {
    SmallVector<StringRef> names(axes.begin(), axes.end());
    fields.push_back(
        builder.getNamedAttr("axes", builder.getStrArrayAttr(names)));
    fields.push_back(
        builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr(shape)));
  }
  return builder.getDictionaryAttr(fields);
}

/// Returns true if a value of this type has a buffer at run time.
static bool isValueType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && (!tensor.hasStaticShape() || tensor.getEncoding() ||
                 failed(getTensorBytes(tensor))))
    return false;
  return succeeded(getElementBytes(tensor ? tensor.getElementType() : type));
}

namespace {
class Parser {
public:
  explicit Parser(Operation *op) : op(op) {}

  LogicalResult parse(Attribute attr, ProgramSignature &signature) {
    auto fields = dyn_cast<DictionaryAttr>(attr);
    if (!fields)
      return fail("a dictionary", attr);
    for (NamedAttribute field : fields)
      if (!llvm::is_contained({"arguments", "results", "axes", "shape"},
                              field.getName().getValue()))
        return fail("the entries arguments, results, axes and shape only",
                    field.getName());
    auto arguments = fields.getAs<ArrayAttr>("arguments");
    auto results = fields.getAs<ArrayAttr>("results");
    if (!arguments || !results)
      return fail("the lists 'arguments' and 'results'", attr);
    for (Attribute argument : arguments)
      if (failed(parseArgument(argument, signature.arguments.emplace_back())))
        return failure();
    for (Attribute result : results)
      if (failed(parseResult(result, signature.results.emplace_back())))
        return failure();
    return parseMesh(fields, signature);
  }

private:
  LogicalResult fail(StringRef expected, Attribute got) {
    return op->emitError() << "expected '" << MoERTDialect::getProgramAttrName()
                           << "' to have " << expected << ", got " << got;
  }

  LogicalResult parseType(Attribute attr, Type &type) {
    auto typed = dyn_cast_or_null<TypeAttr>(attr);
    if (!typed || !isValueType(typed.getValue()))
      return fail("types that are tensors of static shape or scalars, of "
                  "elements that have a buffer",
                  attr ? attr : UnitAttr::get(op->getContext()));
    type = typed.getValue();
    return success();
  }

  LogicalResult parseArgument(Attribute attr,
                              ProgramSignature::Argument &argument) {
    auto fields = dyn_cast<DictionaryAttr>(attr);
    if (!fields)
      return fail("a dictionary for each argument", attr);
    for (NamedAttribute field : fields)
      if (!llvm::is_contained({"type", "varying", "range", "name"},
                              field.getName().getValue()))
        return fail("the entries type, varying, range and name only of an "
                    "argument",
                    field.getName());
    if (Attribute varying = fields.get("varying")) {
      argument.varying = dyn_cast<ArrayAttr>(varying);
      if (!argument.varying ||
          !llvm::all_of(argument.varying, llvm::IsaPred<StringAttr>))
        return fail("'varying' as a list of axes", varying);
    }
    if (Attribute range = fields.get("range")) {
      auto bounds = dyn_cast<DenseI64ArrayAttr>(range);
      if (!bounds || bounds.size() != 2 || bounds[0] > bounds[1])
        return fail("'range' as two numbers that ascend", range);
      argument.range = {bounds[0], bounds[1]};
    }
    return failure(failed(parseName(fields, argument.name)) ||
                   failed(parseType(fields.get("type"), argument.type)));
  }

  LogicalResult parseResult(Attribute attr, ProgramSignature::Result &result) {
    auto fields = dyn_cast<DictionaryAttr>(attr);
    if (!fields)
      return parseType(attr, result.type);
    for (NamedAttribute field : fields)
      if (!llvm::is_contained({"type", "name"}, field.getName().getValue()))
        return fail("the entries type and name only of a result",
                    field.getName());
    return failure(failed(parseName(fields, result.name)) ||
                   failed(parseType(fields.get("type"), result.type)));
  }

  LogicalResult parseName(DictionaryAttr fields, StringAttr &name) {
    Attribute attr = fields.get("name");
    name = dyn_cast_or_null<StringAttr>(attr);
    if (!attr || (name && isValidName(name.getValue())))
      return success();
    return fail("'name' of letters, digits, '_' and '.'", attr);
  }

  LogicalResult parseMesh(DictionaryAttr fields, ProgramSignature &signature) {
    Attribute axes = fields.get("axes"), shape = fields.get("shape");
    if (!axes && !shape)
      return success();
    auto names = dyn_cast_or_null<ArrayAttr>(axes);
    auto sizes = dyn_cast_or_null<DenseI64ArrayAttr>(shape);
    if (!names || !sizes || names.size() != static_cast<size_t>(sizes.size()) ||
        !llvm::all_of(names, llvm::IsaPred<StringAttr>) ||
        !llvm::all_of(sizes.asArrayRef(), [](int64_t n) { return n > 0; }))
      return fail("'axes' and 'shape' of one length, names and sizes of at "
                  "least 1",
                  fields);
    for (auto name : names.getAsRange<StringAttr>())
      signature.axes.push_back(name.str());
    signature.shape = llvm::to_vector(sizes.asArrayRef());
    for (const ProgramSignature::Argument &argument : signature.arguments)
      if (argument.varying)
        for (auto axis : argument.varying.getAsRange<StringAttr>())
          if (!llvm::is_contained(signature.axes, axis.getValue()))
            return fail("'varying' name axes of the mesh", axis);
    return success();
  }

  Operation *op;
};
} // namespace

FailureOr<ProgramSignature> ProgramSignature::parse(Operation *op,
                                                    Attribute attr) {
  ProgramSignature signature;
  if (failed(Parser(op).parse(attr, signature)))
    return failure();
  return signature;
}
