// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device kernels of the backend 'nccl'.
//
// They are compiled to an image inside of the library, with one header per
// topic. Kernels are extern "C", because they are found by name. They report
// errors in data to an Error in memory that the host also reads. Sums are
// 32-bit floats, or 64-bit floats for f64.

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
