// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of a program in its object file.

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/NameAttr.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Execution/Emit.h"
#include "moe/Interpreter/Program.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace moe;

/// Writes the element type and the shape of an argument or result, and its name
/// if it has one.
static void writeValue(Type type, StringAttr name, llvm::json::OStream &json) {
  std::string element;
  llvm::raw_string_ostream(element) << getElementTypeOrSelf(type);
  if (name)
    json.attribute("name", name.getValue());
  json.attribute("type", element);
  json.attributeArray("shape", [&] {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        json.value(size);
  });
}

static void writeAxes(ArrayAttr axes, llvm::json::OStream &json) {
  for (StringAttr axis : axes.getAsRange<StringAttr>())
    json.value(llvm::json::fixUTF8(axis.getValue()));
}

/// Writes one argument, including the axes that it varies over and the range of
/// its integers. An argument without `varying` varies over all axes.
static void writeInput(const Program &program, unsigned index,
                       const DrawnRange &range, llvm::json::OStream &json) {
  func::FuncOp entry = program.getEntry();
  Type type = entry.getArgumentTypes()[index];
  writeValue(type, entry.getArgAttrOfType<StringAttr>(index, kNameAttrName),
             json);
  if (auto varying = entry.getArgAttrOfType<ArrayAttr>(
          index, MoEDialect::getVaryingAttrName()))
    json.attributeArray("varying", [&] { writeAxes(varying, json); });
  if (range.low && getElementTypeOrSelf(type).isIntOrIndex())
    json.attributeArray("range", [&] {
      json.value(*range.low);
      json.value(*range.high);
    });
}

static std::string describe(const Program &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  func::FuncOp entry = program.getEntry();
  json.object([&] {
    json.attribute("program", entry.getSymName());
    json.attribute("ranks", program.getNumRanks());
    if (MeshOp mesh = MeshOp::lookup(entry)) {
      json.attributeArray("axes", [&] { writeAxes(mesh.getAxes(), json); });
      json.attributeArray("sizes", [&] {
        for (int64_t size : mesh.getShape())
          json.value(size);
      });
    }
    std::vector<DrawnRange> ranges = program.getIntegerRanges();
    json.attributeArray("inputs", [&] {
      for (unsigned i = 0; i < entry.getNumArguments(); ++i)
        json.object([&] { writeInput(program, i, ranges[i], json); });
    });
    json.attributeArray("results", [&] {
      for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
        json.object([&] {
          writeValue(type,
                     entry.getResultAttrOfType<StringAttr>(i, kNameAttrName),
                     json);
        });
    });
  });
  return text;
}

void moe::addDescription(const Program &program, ModuleOp code) {
  std::string text = describe(program);
  text.push_back('\0');
  func::FuncOp entry = program.getEntry();
  auto builder = OpBuilder::atBlockEnd(code.getBody());
  LLVM::GlobalOp::create(
      builder, entry.getLoc(),
      LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
      /*isConstant=*/true, LLVM::Linkage::External,
      (rt::kCodePrefix + entry.getSymName() + "_description").str(),
      builder.getStringAttr(text));
}
