// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime's C interface.

#include "CallEmitter.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"

using namespace mlir;
using namespace moe;

CallEmitter::CallEmitter(func::FuncOp host, SymbolTable &symbols)
    : host(host), symbols(symbols), builder(host), loc(host.getLoc()) {
  pointerType = LLVM::LLVMPointerType::get(host.getContext());
  i32Type = builder.getI32Type();
  i64Type = builder.getI64Type();
}

Block *CallEmitter::begin(StringRef name, Type result,
                          ArrayRef<Type> arguments) {
  builder.setInsertionPoint(host);
  loc = host.getLoc();
  function = LLVM::LLVMFuncOp::create(
      builder, loc, name, LLVM::LLVMFunctionType::get(result, arguments));
  symbols.insert(function);
  addresses.clear();
  scratch.clear();
  attributes.clear();
  Block *entry = function.addEntryBlock(builder);
  if (result == i32Type) {
    failure = new Block();
    function.getBody().push_back(failure);
    Value status = failure->addArgument(i32Type, loc);
    builder.setInsertionPointToEnd(failure);
    LLVM::ReturnOp::create(builder, loc, status);
  }
  builder.setInsertionPointToEnd(entry);
  return entry;
}

Value CallEmitter::i32(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, i32Type, value);
}

Value CallEmitter::i64(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, i64Type, value);
}

Value CallEmitter::null() {
  return LLVM::ZeroOp::create(builder, loc, pointerType);
}

LLVM::LLVMFuncOp CallEmitter::getCallee(StringRef name, Type result,
                                        TypeRange types) {
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder top(host);
    callee = LLVM::LLVMFuncOp::create(
        top, loc, name,
        LLVM::LLVMFunctionType::get(result, llvm::to_vector(types)));
    if (!rt::getLibrary(name).empty())
      callee.setLinkage(LLVM::Linkage::ExternWeak);
    symbols.insert(callee);
  }
  return callee;
}

Value CallEmitter::callPlain(StringRef name, Type result,
                             ArrayRef<Value> args) {
  LLVM::LLVMFuncOp callee =
      getCallee(name, result, ValueRange(args).getTypes());
  auto call = LLVM::CallOp::create(builder, loc, callee, args);
  call->setDiscardableAttrs(attributes);
  return call.getResult();
}

void CallEmitter::call(StringRef name, ArrayRef<Value> args) {
  Value status = callPlain(name, i32Type, args);
  Value ok = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status,
                                  i32(0));
  Block *next = new Block();
  function.getBody().getBlocks().insert(Region::iterator(failure), next);
  LLVM::CondBrOp::create(builder, loc, ok, next, failure, status);
  builder.setInsertionPointToStart(next);
}

Value CallEmitter::create(StringRef name, ArrayRef<Value> args) {
  Value slot = getScratch(pointerType, 1);
  SmallVector<Value> all(args);
  all.push_back(slot);
  call(name, all);
  return load(pointerType, slot, 0);
}

void CallEmitter::need(StringRef name, TypeRange types, Value context) {
  LLVM::LLVMFuncOp callee = getCallee(name, i32Type, types);
  Value address = LLVM::AddressOfOp::create(builder, loc, callee);
  call(rt::symbols::program_needs,
       {context, address, getText(rt::getLibrary(name))});
}

Value CallEmitter::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                             pointer, ValueRange(bytes));
}

Value CallEmitter::load(Type type, Value pointer, int64_t index) {
  Value place = LLVM::GEPOp::create(builder, loc, pointerType, type, pointer,
                                    LLVM::GEPArg(index));
  return LLVM::LoadOp::create(builder, loc, type, place);
}

void CallEmitter::store(Value value, Value pointer, int64_t index) {
  Value place = LLVM::GEPOp::create(builder, loc, pointerType, value.getType(),
                                    pointer, LLVM::GEPArg(index));
  LLVM::StoreOp::create(builder, loc, value, place);
}

Value CallEmitter::getScratch(Type type, int64_t count) {
  // The runtime reads descriptions before each call returns, so all calls share
  // this memory.
  Value &memory = scratch[{type, count}];
  if (!memory) {
    OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
    Value size = LLVM::ConstantOp::create(top, loc, i64Type, count);
    memory = LLVM::AllocaOp::create(top, loc, pointerType, type, size);
  }
  return memory;
}

LLVM::GlobalOp CallEmitter::getGlobal(DenseIntElementsAttr elements) {
  LLVM::GlobalOp &global = globals[elements];
  if (!global) {
    OpBuilder module(host);
    auto type = LLVM::LLVMArrayType::get(elements.getElementType(),
                                         elements.getNumElements());
    global = LLVM::GlobalOp::create(module, loc, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, "moert_numbers",
                                    elements);
    symbols.insert(global);
  }
  return global;
}

LLVM::GlobalOp CallEmitter::getTextGlobal(StringRef text) {
  LLVM::GlobalOp &global = globals[builder.getStringAttr(text)];
  if (!global) {
    OpBuilder module(host);
    std::string terminated = text.str();
    terminated.push_back('\0');
    auto type =
        LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
    global = LLVM::GlobalOp::create(module, loc, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, "moert_text",
                                    builder.getStringAttr(terminated));
    symbols.insert(global);
  }
  return global;
}

Value CallEmitter::getAddress(LLVM::GlobalOp global, Attribute key) {
  Value &pointer = addresses[key];
  if (!pointer) {
    OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
    pointer = LLVM::AddressOfOp::create(top, loc, global);
  }
  return pointer;
}

Value CallEmitter::getConstant(DenseIntElementsAttr elements) {
  return getAddress(getGlobal(elements), elements);
}

Value CallEmitter::getConstant(ArrayRef<int64_t> elements) {
  return getConstant(builder.getI64TensorAttr(elements));
}

Value CallEmitter::getText(StringRef text) {
  return getAddress(getTextGlobal(text), builder.getStringAttr(text));
}

Value CallEmitter::getStruct(ArrayRef<Value> members) {
  SmallVector<Type> types;
  for (Value member : members)
    types.push_back(member.getType());
  auto type = LLVM::LLVMStructType::getLiteral(host.getContext(), types);
  Value memory = getScratch(type, 1);
  for (auto [i, member] : llvm::enumerate(members)) {
    Value place =
        LLVM::GEPOp::create(builder, loc, pointerType, type, memory,
                            ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, loc, member, place);
  }
  return memory;
}
