// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that find bad data.

#ifndef MOERT_TEST_CONFORMANCE_KERNELFAULTS_H
#define MOERT_TEST_CONFORMANCE_KERNELFAULTS_H

#include "Rank.h"

namespace conformance {

/// The last rank's kernel finds an invalid expert number when it permutes
/// tokens, counts assignments or sorts them, a token on too many nodes, or a
/// limit below 0.
void orderBadExpert(Rank &rank);
void countBadExpert(Rank &rank);
void sortBadExpert(Rank &rank);
void spreadToken(Rank &rank);
void limitBelowZero(Rank &rank);
/// It finds one slot twice, or a gradient for an expert that occurs twice in a
/// token.
void scatterSlotTwice(Rank &rank);
void useExpertTwice(Rank &rank);

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_KERNELFAULTS_H
