// SPDX-License-Identifier: Apache-2.0
// Queries for one pair of parts in consecutive steps of a study.
#pragma once

#include <cstdint>
#include <vector>

#include "study/step_bounds.h"
#include "touche/study.h"

namespace touche::study {

/// The queries for one pair in one step, and their answers.
struct Task {
  PairStep answer;
  std::vector<Clearance> clearances;  ///< at the start of the step, and at the end of the last step
  bool repeats = false;               ///< neither part has moved since this pair's previous task
};

/// The tasks of one pair in consecutive steps, by number.
using Series = std::vector<std::size_t>;

/// Number of leading steps of a series that are proved free.
struct FreeSteps {
  std::size_t count = 0;
  std::uint64_t work = 0;  ///< work that was allowed for the proof
  double tolerance = 0;
  double separated_at = 0;  ///< s at which faces that touch at the start have separated
};

/// Queries steps. Keeps references to the constructor's arguments. Several threads may use one
/// object at a time.
class StepAsker {
 public:
  StepAsker(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
            const std::vector<std::size_t>& groups)
      : study_(study), parts_(parts), options_(options), groups_(groups) {}

  /// Queries all steps of a series together, with half of the work that is allowed for one step. If
  /// this does not prove even the first step, the other half remains for it, so no step takes more
  /// work than is allowed.
  FreeSteps prove_free(std::vector<Task>& tasks, const Series& series) const;

  /// Answers the n-th task of a series.
  void answer(const StepBounds& bounds, Task& task, std::size_t n, const FreeSteps& free) const;

 private:
  bool stopped() const { return options_.budget.expired(); }
  bool may_separate(std::size_t step) const;
  void find_contact(const StepBounds& bounds, PairStep& answer, std::uint64_t work_done) const;
  void measure(const StepBounds& bounds, Task& task, int end) const;

  const Study& study_;
  const std::vector<Object>& parts_;
  const StudyOptions& options_;
  const std::vector<std::size_t>& groups_;  // by part
};

}  // namespace touche::study
