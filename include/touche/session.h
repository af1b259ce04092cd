// SPDX-License-Identifier: Apache-2.0
// Steps of a world that were written to a file, taken again: for bug reports and tests. See
// docs/session-file.md. Link target touche::world.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "touche/step.h"

namespace touche {

/// A step that was taken again.
struct ReplayedStep {
  std::vector<GroupMotion> motions;  ///< as they were given
  /// They are as they were, but for deadlines and flags, which are not replayed. With `respond` its
  /// responses are those that were given then.
  StepOptions options;
  bool goes_on = false;  ///< taken by Stepper::go_on
  /// Tells what it says now, until the next step; null when it threw.
  const StepResult* result = nullptr;
  std::string error;  ///< what it threw; else empty
  /// The answers and the poses of all nodes are those of the recording, to the last bit; or it
  /// threw the same. False also when the recording ends within the step.
  bool same = false;
  bool was_timed = false;  ///< it had a deadline or a flag that may have stopped it
};

/// Takes the steps of a file that Stepper::record wrote, in a world of its own. Nodes have the same
/// NodeIds there.
///
///     SessionReplay replay("session.touche");
///     while (const ReplayedStep* step = replay.next())
///       if (!step->same) ...
class SessionReplay {
 public:
  /// Throws LoadError when the file is no session.
  explicit SessionReplay(const std::filesystem::path& file);
  ~SessionReplay();
  SessionReplay(SessionReplay&&) noexcept;
  SessionReplay& operator=(SessionReplay&&) noexcept;

  /// Makes the changes that were made to the world before the next step, and takes it. Null when
  /// there are no more. Valid until the next call. Throws LoadError naming the byte where the file
  /// is damaged or ends too early; then there is no next step.
  [[nodiscard]] const ReplayedStep* next(int threads = 0);

  /// Returns the world as the last step left it. Changes go into the steps that follow.
  [[nodiscard]] World& world();

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace touche
