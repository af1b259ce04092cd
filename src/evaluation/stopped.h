// SPDX-License-Identifier: Apache-2.0
// How an evaluation is stopped between two trials.
#pragma once

#include "base/progress_report.h"

namespace touche::evaluation {

/// Thrown from within, caught at the door: callers get a result that says it is not complete.
struct Stopped {};

/// One more trial is done. Throws Stopped when no other may follow.
inline void told(base::ProgressReport& progress, const Budget& budget) {
  progress.add_done();
  if (budget.expired()) throw Stopped();
}

}  // namespace touche::evaluation
