//===- Kernels.h - The modules of a layer on the CPU ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_KERNELS_KERNELS_H
#define MOERT_KERNELS_KERNELS_H

#include "core/Status.h"
#include "moert.h"

namespace moert {

// Reference kernels: sums are 64-bit floats in ascending order, rounded once,
// as in the compiler's interpreter, so that results agree bit for bit.
// `verify` checks what a caller can get wrong without looking into the data;
// `run` needs verified arguments and fails on data that are out of range.

Status verifyGate(const moert_gate_args &args);
Status runGate(const moert_gate_args &args);

Status verifyOrder(const moert_order_args &args);
Status runOrder(const moert_order_args &args);

Status verifyUnorder(const moert_unorder_args &args);
Status runUnorder(const moert_unorder_args &args);

Status verifyExperts(const moert_experts_args &args);
Status runExperts(const moert_experts_args &args);

Status verifyExpertsDgrad(const moert_experts_grad_args &args);
Status runExpertsDgrad(const moert_experts_grad_args &args);

Status verifyExpertsWgrad(const moert_experts_grad_args &args);
Status runExpertsWgrad(const moert_experts_grad_args &args);

Status verifyScatter(const moert_scatter_args &args);
Status runScatter(const moert_scatter_args &args);

Status verifyUnorderWgrad(const moert_unorder_wgrad_args &args);
Status runUnorderWgrad(const moert_unorder_wgrad_args &args);

Status verifyGateGrad(const moert_gate_grad_args &args);
Status runGateGrad(const moert_gate_grad_args &args);

Status verifyDense(const moert_dense_args &args);
Status runDense(const moert_dense_args &args);

Status verifyDenseWgrad(const moert_dense_wgrad_args &args);
Status runDenseWgrad(const moert_dense_wgrad_args &args);

Status verifyExpertChoice(const moert_expert_choice_args &args);
Status runExpertChoice(const moert_expert_choice_args &args);

Status verifySoftGate(const moert_soft_gate_args &args);
Status runSoftGate(const moert_soft_gate_args &args);

Status verifySoftOrder(const moert_soft_mix_args &args);
Status runSoftOrder(const moert_soft_mix_args &args);

Status verifySoftUnorder(const moert_soft_mix_args &args);
Status runSoftUnorder(const moert_soft_mix_args &args);

} // namespace moert

#endif // MOERT_KERNELS_KERNELS_H
