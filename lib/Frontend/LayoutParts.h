// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layout is made of.

#ifndef MOE_LIB_FRONTEND_LAYOUTPARTS_H
#define MOE_LIB_FRONTEND_LAYOUTPARTS_H

#include "moe/Frontend/ImportOptions.h"

namespace moe {

/// Fails unless the value of an option divides the size of something.
llvm::Error checkDivides(llvm::StringRef option, int64_t divisor,
                         const llvm::Twine &what, int64_t size);

/// Adds the axes of the mesh, slowest first, and what is asked for over them;
/// `esp` is the option's value in effect. MeshLayout.cpp.
llvm::Error addAxes(const ImportOptions &options, int64_t esp, Layout &layout);

/// Fails unless all stages hold the same layers: as many MoE layers, with as
/// many dense ones in front of each. MeshLayout.cpp.
llvm::Error checkStages(const ModelConfig &config, const ImportOptions &options,
                        const Layout &layout);

/// The layers, of all stages, whose dense parts a training step of so many MoE
/// layers holds. MeshLayout.cpp.
int64_t countLayers(const ModelConfig &config, int64_t numMoELayers);

/// Adds the dense parts of a training step. DenseCosts.cpp.
llvm::Error addDenseCosts(const ModelConfig &config,
                          const ImportOptions &options, Layout &layout);

/// Adds what a projection to the experts' width costs, where it is not the
/// model's. DenseCosts.cpp.
void addLatentCost(const ModelConfig &config, Layout &layout);

/// Adds what all ranks together do of the model. DenseCosts.cpp.
llvm::Error addWork(const ModelConfig &config, const ImportOptions &options,
                    Layout &layout);

} // namespace moe

#endif // MOE_LIB_FRONTEND_LAYOUTPARTS_H
