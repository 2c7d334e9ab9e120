// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the computation of a layout.

#ifndef MOE_LIB_FRONTEND_LAYOUTPARTS_H
#define MOE_LIB_FRONTEND_LAYOUTPARTS_H

#include "moe/Frontend/ImportOptions.h"

namespace moe {

/// Fails unless the value of an option divides the given size.
llvm::Error checkDivides(llvm::StringRef option, int64_t divisor,
                         const llvm::Twine &what, int64_t size);

/// Adds the axes of the mesh, slowest first, and the groups over them; `esp` is
/// the effective value of the option. MeshLayout.cpp.
llvm::Error addAxes(const ImportOptions &options, int64_t esp, Layout &layout);

/// Fails unless all stages hold the same layers: the same number of MoE layers,
/// with the same number of dense layers before each. MeshLayout.cpp.
llvm::Error checkStages(const ModelConfig &config, const ImportOptions &options,
                        const Layout &layout);

/// Returns the number of layers, over all stages, with dense parts in a
/// training step of `numMoELayers` MoE layers. MeshLayout.cpp.
int64_t countLayers(const ModelConfig &config, int64_t numMoELayers);

/// Adds the dense parts of a training step. DenseCosts.cpp.
llvm::Error addDenseCosts(const ModelConfig &config,
                          const ImportOptions &options, Layout &layout);

/// Adds the cost of a projection to the experts' width if that differs from the
/// model's. DenseCosts.cpp.
void addLatentCost(const ModelConfig &config, Layout &layout);

/// Adds the model's work on all ranks together. DenseCosts.cpp.
llvm::Error addWork(const ModelConfig &config, const ImportOptions &options,
                    Layout &layout);

} // namespace moe

#endif // MOE_LIB_FRONTEND_LAYOUTPARTS_H
