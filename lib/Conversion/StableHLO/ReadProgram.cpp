// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of StableHLO programs to moe.

#include "StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "moe/Analysis/AutomaticDims.h"
#include "moe/Analysis/Replication.h"
#include "moe/Conversion/StableHLO/Passes.h"
#include "moe/Dialect/Text/Communication.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOMOE
#include "moe/Conversion/StableHLO/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// A `sdy.manual_computation` with a region that has become a function.
struct Computation {
  Operation *op;
  func::FuncOp body;
  SmallVector<ShardySharding> in, out;
  /// Axes that are not manual, and about which nothing is known.
  SmallVector<std::string> free;
};

struct ConvertStableHLOToMoE
    : public moe::impl::ConvertStableHLOToMoEBase<ConvertStableHLOToMoE> {
  using ConvertStableHLOToMoEBase::ConvertStableHLOToMoEBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (MeshOp other = MeshOp::lookup(module)) {
      other.emitOpError() << "expected a program as JAX writes it, got one "
                             "with a mesh of this dialect already";
      return signalPassFailure();
    }
    computations.clear();
    reasons.clear();
    std::string whyNone;
    ReadMesh mesh = readMesh(module, whyNone);
    if (mesh.op && failed(readProgram(module, mesh)))
      return signalPassFailure();
    warnOfUnreadCommunication(module, [&](Operation *op) {
      auto reason = reasons.find(op);
      return reason != reasons.end() ? reason->second : whyNone;
    });
  }

private:
  LogicalResult readProgram(ModuleOp module, const ReadMesh &mesh) {
    readReshards(module, mesh);
    outline(module, mesh);
    readCollectives(module, mesh, reasons);
    readDrops(module, mesh);
    readLoops(module);
    if (failed(stateFacts(module)))
      return failure();
    stateAutomaticDims(module);
    if (!layers)
      return success();
    SmallVector<func::FuncOp> bodies;
    for (const Computation &computation : computations)
      bodies.push_back(computation.body);
    readLayers(bodies, getLayerMark,
               [&](Operation *op, const Twine &why) { missed(op, why); });
    return success();
  }

  static LayerMark getLayerMark(Operation *op) {
    auto marks = op->getAttrOfType<DictionaryAttr>(kFrontendAttr);
    auto name = marks ? marks.getAs<StringAttr>("moe_layer") : StringAttr();
    return {name ? name.getValue() : StringRef(), std::nullopt};
  }

  void missed(Operation *op, const Twine &why) {
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name("read").category(getArgument()))
        << remark::reason("{0}", why.str());
  }

  //===--------------------------------------------------------------------===//
  // Meshes
  //===--------------------------------------------------------------------===//

  /// Creates a `moe.mesh` for the mesh of the computations, the first one if
  /// there are several, or for the devices of a text that names no mesh. If no
  /// mesh can be read, creates none and sets `why` to the reason.
  ReadMesh readMesh(ModuleOp module, std::string &why) {
    llvm::StringSet<> used = findUsedMeshes(module);
    SmallVector<std::tuple<Operation *, std::string, ShardyMesh>> meshes;
    auto partitions = module->getAttrOfType<IntegerAttr>("mhlo.num_partitions");
    for (Operation &op : *module.getBody()) {
      if (op.getName().getStringRef() != "sdy.mesh")
        continue;
      auto name = dyn_cast_or_null<StringAttr>(
          op.getAttr(SymbolTable::getSymbolAttrName()));
      std::optional<ShardyMesh> mesh = parseShardyMesh(op.getAttr("mesh"));
      std::string obstacle = getObstacle(mesh, partitions);
      if (name && obstacle.empty()) {
        meshes.emplace_back(&op, name.str(), *mesh);
      } else if (!name || used.contains(name)) {
        why = name ? obstacle : "expected a mesh with a name";
        missed(&op, why);
      }
    }
    if (meshes.empty())
      return why.empty() ? makeDeviceMesh(module, why) : ReadMesh();
    const auto *chosen = &meshes.front();
    WalkResult found = module.walk([&](Operation *op) {
      std::optional<StringRef> name = getMeshName(op);
      for (const auto &mesh : meshes)
        if (name && *name == std::get<1>(mesh)) {
          chosen = &mesh;
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    (void)found;

    ReadMesh read;
    const ShardyMesh &first = std::get<2>(*chosen);
    for (const auto &[op, name, mesh] : meshes)
      if (mesh == first)
        read.names.insert(name);
      else if (used.contains(name))
        missed(op, "expected the mesh of @" + std::get<1>(*chosen) +
                       ", which computations before it are on");
    read.op = createMesh(module, std::get<0>(*chosen)->getLoc(), first.names,
                         first.sizes);
    return read;
  }

  /// Returns the meshes that computations, collectives of Shardy and groups
  /// name, because a program may declare further meshes.
  static llvm::StringSet<> findUsedMeshes(ModuleOp module) {
    llvm::StringSet<> used;
    module.walk([&](Operation *op) {
      for (StringRef name : {"in_shardings", "out_shardings"})
        if (auto shardings = parseShardings(op->getAttr(name)))
          for (const ShardySharding &sharding : *shardings)
            used.insert(sharding.mesh);
      if (!getUnreadCommunication(op).empty())
        if (auto sharding = parseSharding(op->getAttr("out_sharding")))
          used.insert(sharding->mesh);
      auto addGroups = [&](Attribute attr) {
        if (auto groups = parseMeshAxesGroups(attr))
          used.insert(groups->mesh);
      };
      addGroups(op->getAttr("replica_groups"));
      if (auto config =
              dyn_cast_or_null<DictionaryAttr>(op->getAttr("backend_config")))
        addGroups(config.get("replica_groups"));
    });
    return used;
  }

  /// Returns the reason why a mesh cannot be a `moe.mesh`, or an empty string.
  static std::string getObstacle(const std::optional<ShardyMesh> &mesh,
                                 IntegerAttr partitions) {
    if (!mesh)
      return "expected a mesh of named axes";
    if (mesh->hasDeviceIds)
      return "expected devices in the order of their numbers, got device_ids";
    if (std::string why = findMeshObstacle(mesh->names, mesh->sizes);
        !why.empty())
      return why;
    uint64_t ranks = llvm::product_of(mesh->sizes);
    if (partitions && partitions.getValue() != ranks)
      return "expected a mesh of all " +
             llvm::toString(partitions.getValue(), 10, false) +
             " partitions, got one of " + std::to_string(ranks);
    return "";
  }

  static std::optional<StringRef> getMeshName(Operation *op) {
    if (op->getName().getStringRef() != "sdy.manual_computation")
      return std::nullopt;
    for (StringRef name : {"in_shardings", "out_shardings"})
      if (auto shardings = parseShardings(op->getAttr(name)))
        if (!shardings->empty())
          return StringAttr::get(op->getContext(), shardings->front().mesh)
              .getValue();
    return std::nullopt;
  }

  //===--------------------------------------------------------------------===//
  // Bodies
  //===--------------------------------------------------------------------===//

  void outline(ModuleOp module, const ReadMesh &mesh) {
    SmallVector<Operation *> found;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getName().getStringRef() != "sdy.manual_computation")
        return WalkResult::advance();
      found.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *op : found) {
      Computation computation{op, {}, {}, {}, {}};
      std::string why = read(computation, mesh);
      if (why.empty())
        makeBody(module, computation);
      else {
        missed(op, why);
        op->walk([&](Operation *nested) {
          if (nested != op)
            reasons.try_emplace(nested, "its computation is not read: " + why);
        });
      }
    }
  }

  /// Reads shardings; returns the reason why the computation cannot be a
  /// function, or an empty string.
  static std::string read(Computation &computation, const ReadMesh &mesh) {
    Operation *op = computation.op;
    auto in = parseShardings(op->getAttr("in_shardings"));
    auto out = parseShardings(op->getAttr("out_shardings"));
    auto manual = parseAxes(op->getAttr("manual_axes"), "manual_axes");
    if (!in || !out || !manual)
      return "expected shardings and manual axes of whole axes";
    if (in->size() != op->getNumOperands() ||
        out->size() != op->getNumResults())
      return "expected a sharding for each operand and each result";
    for (const auto *shardings : {&*in, &*out})
      for (const ShardySharding &sharding : *shardings)
        if (!mesh.names.contains(sharding.mesh))
          return "expected shardings over the mesh that is read, got one over "
                 "@" +
                 sharding.mesh;
    if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
      return "expected one region of one block";
    Region &region = op->getRegion(0);
    Block &block = region.front();
    if (block.getNumArguments() != op->getNumOperands() || block.empty() ||
        block.back().getName().getStringRef() != "sdy.return" ||
        block.back().getNumOperands() != op->getNumResults())
      return "expected an argument for each operand, and a sdy.return of each "
             "result";
    llvm::SetVector<Value> outside;
    getUsedValuesDefinedAbove(region, region, outside);
    if (!outside.empty())
      return "expected a region that uses no value from outside";
    if (!op->getParentOfType<func::FuncOp>())
      return "expected a computation in a function";
    MeshOp meshOp = mesh.op;
    for (Attribute axis : meshOp.getAxes())
      if (!llvm::is_contained(*manual, cast<StringAttr>(axis).getValue()))
        computation.free.push_back(cast<StringAttr>(axis).str());
    computation.in = std::move(*in);
    computation.out = std::move(*out);
    return "";
  }

  void makeBody(ModuleOp module, Computation &computation) {
    Operation *op = computation.op;
    auto function = op->getParentOfType<func::FuncOp>();
    std::string base = function.getSymName().str() + "_body", name = base;
    for (unsigned i = 1; SymbolTable::lookupSymbolIn(module, name); ++i)
      name = base + "_" + std::to_string(i);
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    Block &block = op->getRegion(0).front();
    Operation *last = &block.back();
    auto body =
        func::FuncOp::create(builder, op->getLoc(), name,
                             builder.getFunctionType(block.getArgumentTypes(),
                                                     last->getOperandTypes()));
    body.getBody().takeBody(op->getRegion(0));
    builder.setInsertionPoint(last);
    auto back =
        func::ReturnOp::create(builder, last->getLoc(), last->getOperands());
    back->setDiscardableAttrs(last->getDiscardableAttrDictionary());
    last->erase();
    op->setDiscardableAttr(kShardyBodyAttr, builder.getStringAttr(name));
    computation.body = body;
    computations.push_back(computation);
  }

  //===--------------------------------------------------------------------===//
  // Facts
  //===--------------------------------------------------------------------===//

  /// Sets the axes over which arguments vary.
  LogicalResult stateFacts(ModuleOp module) {
    llvm::DenseMap<Operation *, Computation *> made;
    for (Computation &computation : computations) {
      made[computation.op] = &computation;
      for (auto [i, sharding] : llvm::enumerate(computation.in)) {
        llvm::StringSet<> axes;
        for (const auto &dim : sharding.dims)
          axes.insert_range(dim);
        axes.insert_range(sharding.unreduced);
        axes.insert_range(computation.free);
        state(computation, i,
              [&](StringRef axis) { return axes.contains(axis); });
      }
    }
    // Facts about one result may imply facts about other values, so this
    // iterates over all computations to a fixed point.
    for (bool changed = !computations.empty(); changed;) {
      changed = false;
      auto known = ReplicationInfo::compute(module);
      if (failed(known))
        return failure();
      for (Computation &computation : computations)
        for (auto [i, operand] :
             llvm::enumerate(computation.op->getOperands())) {
          auto result = dyn_cast<OpResult>(operand);
          Computation *from = result ? made.lookup(result.getOwner()) : nullptr;
          if (!from || from->free != computation.free ||
              from->out[result.getResultNumber()].text !=
                  computation.in[i].text)
            continue;
          Operation *back = from->body.getBody().front().getTerminator();
          uint64_t bits =
              (*known)->getVarying(back->getOperand(result.getResultNumber()));
          SmallVector<StringRef> names = (*known)->getAxes().getNames(bits);
          changed |= restrict(computation, i, names);
        }
    }
    return success();
  }

  /// Sets the axes that are not manual, and the dims of arguments that are
  /// sharded over them, on the bodies of computations and on the functions that
  /// they call.
  void stateAutomaticDims(ModuleOp module) {
    if (llvm::all_of(computations, [](const Computation &computation) {
          return computation.free.empty();
        }))
      return;
    AutomaticDims dims(module);
    Builder b(&getContext());
    for (Computation &computation : computations) {
      SmallVector<StringRef> axes(computation.free.begin(),
                                  computation.free.end());
      llvm::SetVector<Operation *> functions;
      if (!axes.empty())
        functions.insert(computation.body);
      for (size_t i = 0; i < functions.size(); ++i) {
        auto function = cast<FunctionOpInterface>(functions[i]);
        function->setAttr(kAutomaticAttr, b.getStrArrayAttr(axes));
        for (BlockArgument argument : function.getArguments())
          stateAutomaticDims(function, argument, dims, axes);
        function->walk([&](CallOpInterface call) {
          auto callee =
              dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
          if (callee && !callee.isExternal())
            functions.insert(callee);
        });
      }
    }
  }
  static void stateAutomaticDims(FunctionOpInterface function,
                                 BlockArgument argument, AutomaticDims &dims,
                                 ArrayRef<StringRef> axes) {
    Builder b(function.getContext());
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    SmallVector<Attribute> known;
    bool isSharded = false;
    for (int64_t d = 0; type && d < type.getRank(); ++d) {
      SmallVector<StringRef> over = dims.find(argument, d, axes);
      isSharded |= !over.empty();
      known.push_back(b.getStrArrayAttr(over));
    }
    if (isSharded)
      function.setArgAttr(argument.getArgNumber(), kAutomaticAttr,
                          b.getArrayAttr(known));
  }

  template <typename Varies>
  void state(Computation &computation, unsigned argument, Varies varies) {
    SmallVector<StringRef> names;
    for (Attribute axis : MeshOp::lookup(computation.body).getAxes())
      if (varies(cast<StringAttr>(axis).getValue()))
        names.push_back(cast<StringAttr>(axis).getValue());
    computation.body.setArgAttr(
        argument, MoEDialect::getVaryingAttrName(),
        Builder(computation.body.getContext()).getStrArrayAttr(names));
  }

  /// Restricts the varying axes of an argument to `names`. Returns true if this
  /// changes them.
  bool restrict(Computation &computation, unsigned argument,
                ArrayRef<StringRef> names) {
    auto stated = computation.body.getArgAttrOfType<ArrayAttr>(
        argument, MoEDialect::getVaryingAttrName());
    auto isStated = [&](StringRef axis) {
      return llvm::is_contained(stated.getAsValueRange<StringAttr>(), axis);
    };
    state(computation, argument, [&](StringRef axis) {
      return isStated(axis) && llvm::is_contained(names, axis);
    });
    return stated != computation.body.getArgAttrOfType<ArrayAttr>(
                         argument, MoEDialect::getVaryingAttrName());
  }

  std::vector<Computation> computations;
  ReadReasons reasons;
};

} // namespace
