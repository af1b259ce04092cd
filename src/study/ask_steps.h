// SPDX-License-Identifier: Apache-2.0
// Questions about one pair of parts in consecutive steps of a study.
#pragma once

#include <cstdint>
#include <vector>

#include "study/step_bounds.h"
#include "touche/study.h"

namespace touche::study {

/// The questions about one pair in one step, and their answers.
struct Task {
  PairStep answer;
  std::vector<Clearance> clearances;  ///< at the start, and at the end of the last step
  bool repeats = false;               ///< nothing has moved since the same pair's task before it
  bool is_free = false;               ///< proved before it is asked
};

/// The tasks of one pair in consecutive steps, by number.
using Series = std::vector<std::size_t>;

/// How many steps of a series, from the first on, are proved free.
struct FreeSteps {
  std::size_t count = 0;
  std::uint64_t work = 0;  ///< that was allowed for the proof
  double tolerance = 0;
  double separated_at = 0;  ///< s at which faces that touched at the start have come apart
};

/// Asks the queries about steps. It keeps references to what it is made of; may be used by several
/// threads at a time.
class StepAsker {
 public:
  StepAsker(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
            const std::vector<std::size_t>& groups)
      : study_(study), parts_(parts), options_(options), groups_(groups) {}

  /// Asks about all steps of a series together, for half of the work that is allowed for one. When
  /// that proves not even the first step, the other half is left for it: no step takes more work
  /// than is allowed.
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
