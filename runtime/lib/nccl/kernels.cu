// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device kernels of the backend 'nccl'.
//
// Compiled to an image that the library carries: one header an idea. Kernels
// are found by name, so they are extern "C". What they find wrong in data goes
// to an Error in memory that the host reads too. Sums are 32-bit floats, 64-bit
// ones for f64.

#include "nccl/kernels/Copies.cuh"
#include "nccl/kernels/Delay.cuh"
#include "nccl/kernels/Dense.cuh"
#include "nccl/kernels/ExpertGradients.cuh"
#include "nccl/kernels/Experts.cuh"
#include "nccl/kernels/GateGradient.cuh"
#include "nccl/kernels/Gates.cuh"
#include "nccl/kernels/Nodes.cuh"
#include "nccl/kernels/Permute.cuh"
#include "nccl/kernels/Products.cuh"
#include "nccl/kernels/Quantize.cuh"
#include "nccl/kernels/Reductions.cuh"
#include "nccl/kernels/Rows.cuh"
#include "nccl/kernels/Slots.cuh"
#include "nccl/kernels/SoftGates.cuh"
#include "nccl/kernels/Sort.cuh"
