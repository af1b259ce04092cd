// SPDX-License-Identifier: Apache-2.0
// Replays steps of a world that Stepper::record wrote to a file, for bug reports and tests. See
// docs/session-file.md. Link target touche::world.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "touche/step.h"

namespace touche {

/// A replayed step.
struct ReplayedStep {
  std::vector<GroupMotion> motions;  ///< as recorded
  /// As recorded, except for deadlines and flags, which are not replayed. With StepPolicy::respond,
  /// the recorded responses are used.
  StepOptions options;
  bool goes_on = false;  ///< whether it was a call of Stepper::go_on
  /// The result of the replay, valid until the next step; null when it threw.
  const StepResult* result = nullptr;
  std::string error;  ///< message of the exception that it threw; else empty
  /// Whether the result and the poses of all nodes are bit for bit as recorded, or the same
  /// exception was thrown. Also false when the recording ends within the step.
  bool same = false;
  bool was_timed = false;  ///< the recorded step had a deadline or a flag that may have stopped it
};

/// Replays the steps of a file that Stepper::record wrote, in a world of its own. Nodes have the
/// same NodeIds as in the recorded world.
///
///     SessionReplay replay("session.touche");
///     while (const ReplayedStep* step = replay.next())
///       if (!step->same) report(step->error);
class SessionReplay {
 public:
  /// Throws LoadError when the file is not a session file.
  explicit SessionReplay(const std::filesystem::path& file);
  ~SessionReplay();
  SessionReplay(SessionReplay&&) noexcept;
  SessionReplay& operator=(SessionReplay&&) noexcept;

  /// Applies the changes that were made to the world before the next step, and takes that step.
  /// Returns null when there are no more steps. The result is valid until the next call. threads =
  /// 0: all. Throws LoadError, naming the byte, where the file is damaged or ends too early; then
  /// there are no further steps.
  [[nodiscard]] const ReplayedStep* next(int threads = 0);

  /// The world in its state after the last step. Changes to it affect the steps that follow.
  [[nodiscard]] World& world();

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace touche
