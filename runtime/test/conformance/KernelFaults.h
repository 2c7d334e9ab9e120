// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that find bad data.

#ifndef MOERT_TEST_CONFORMANCE_KERNELFAULTS_H
#define MOERT_TEST_CONFORMANCE_KERNELFAULTS_H

#include "Rank.h"

namespace conformance {

/// The last rank's kernel finds an expert number that is not there where it
/// orders tokens, counts copies or sorts them,
void orderBadExpert(Rank &rank);
void countBadExpert(Rank &rank);
void sortBadExpert(Rank &rank);
void spreadToken(Rank &rank);
void limitBelowZero(Rank &rank);
/// one slot twice, or a gradient for an expert that a token has twice.
void scatterSlotTwice(Rank &rank);
void useExpertTwice(Rank &rank);

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_KERNELFAULTS_H
