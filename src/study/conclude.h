// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Fills in what follows from the answers: the status of each step, the first contact, what is
/// proved, the verdict. Steps from `examined_steps` on were not looked at; when that is fewer than
/// `wanted_steps` the study was interrupted.
void conclude(const Study& study, std::size_t examined_steps, std::size_t wanted_steps,
              StudyResult& result);

}  // namespace touche::study
