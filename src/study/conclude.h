// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Fills in what follows from the answers of the steps: the status of each step, the first contact,
/// and up to where everything is proved free of contacts. Steps from `examined_steps` on were not
/// looked at.
void conclude_steps(const Study& study, std::size_t examined_steps, StudyResult& result);

/// Decides the verdict from all answers; the only place that does. `complete`: nothing that was
/// asked for is missing.
void conclude(const Study& study, bool complete, StudyResult& result);

}  // namespace touche::study
