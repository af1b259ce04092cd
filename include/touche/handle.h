// SPDX-License-Identifier: Apache-2.0
// Handles a part of a study: it is dragged along recorded poses of a hand and follows as far as
// contacts allow (touche/handling.h). The path that it takes is then proved as a study of its own.
// Link target touche::simulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "touche/budget.h"
#include "touche/handling.h"
#include "touche/object.h"
#include "touche/pose.h"
#include "touche/study.h"

namespace touche {

// ---- poses of a hand ----------------------------------------------------------------------------
// Recorded poses of a hand: target poses of a part over time, from a mouse, a SpaceMouse or a
// tracked hand.

/// At least two poses of a group. As with StudyGroup::motion, a pose is applied after the start
/// poses of the group's parts.
struct HandPoses {
  std::vector<double> times;  ///< seconds, increasing; the first may have any value
  std::vector<Pose> poses;    ///< one for each time
};

/// Reads a CSV table with the header line t,x,y,z,qw,qx,qy,qz and one pose in each line: seconds,
/// the translation in the study's unit of length, and the rotation as a unit quaternion. The
/// columns may be in any order. They may be separated by semicolons or tabs, as spreadsheets do;
/// then decimal commas are allowed. Throws LoadError, naming file and line, for columns that are
/// missing or unknown, entries that are not numbers, quaternions that are not of unit length, times
/// that do not increase, and fewer than two poses.
[[nodiscard]] HandPoses load_hand_poses(const std::filesystem::path& file);

/// The same table as text. Reading it gives the same times and translations, and the same rotations
/// up to rounding, since quaternions are normalised when they are read.
[[nodiscard]] std::string hand_poses_csv(const HandPoses& hand);

struct HandleOptions {
  /// Name of the group of the study that the hand holds; may be empty if there is only one. All
  /// other parts stay at the start poses of their motions.
  std::string group = {};
  /// Length: the distance that the part keeps from all other parts, once it is as far away as that.
  /// 0: twice the study's tolerance. handle() throws InvalidInput unless it is larger than 1.5
  /// times the tolerance, since otherwise the path could not be proved.
  double clearance = 0;
  double stiffness = 1;  ///< of the spring, see HandlingOptions; in force per length
  double friction = 0;   ///< coefficient of static friction, see HandlingOptions
  int threads = 0;       ///< 0: all; the result does not depend on it
  /// A deadline or flag leaves out the rest of the hand's poses. Work: limits each pose of the
  /// hand, as in HandlingOptions; a part that would need more lags behind. The work of the proof is
  /// not limited. Progress: poses of the hand, then also what the proof reports.
  Budget budget = {};
};

/// A contact that holds the part back.
struct HandleContact {
  std::size_t part = 0, other = 0;  ///< parts of the study; `part` is held
  Contact contact;                  ///< world; a is the held part
  Vec3 force = Vec3::Zero();        ///< of `other` on `part`
};

/// The result of one pose of the hand.
struct HandleStep : HeldState {
  double time = 0;  ///< seconds, as recorded
  HandlingStatus status = HandlingStatus::undecided;
  bool complete = false;  ///< false if the budget ended it, see HandlingStep
  std::vector<HandleContact> contacts;
  int rounds = 0;
  /// Computing time; not in result files, since it varies from run to run.
  double seconds_taken = 0;
};

/// A result owns its input; copies share the data of the parts.
struct [[nodiscard]] HandleResult {
  Study study;                ///< the input
  std::vector<Object> parts;  ///< the input, as returned by load_parts
  HandPoses hand;             ///< the input
  /// The verdict on the path taken, as in `proof`.
  StudyVerdict verdict = StudyVerdict::undecided;
  std::size_t group = 0;  ///< group of the study that the hand holds
  double clearance = 0;   ///< the clearance used
  /// If the part started nearer to another one than the clearance: its distance at the start, and
  /// the least distance at any pose of the path. Else infinite.
  double start_distance = kInfinity, least_distance = kInfinity;
  double stiffness = 0, friction = 0;
  std::uint64_t max_work = Budget::kUnlimited;  ///< limit for each pose of the hand
  /// One for each pose of the hand except the first, up to where it was stopped.
  std::vector<HandleStep> steps;
  /// The path taken, starting with the start pose of the group at the time of the hand's first
  /// pose.
  HandPoses path;
  /// The result of proof.study: the study with this path as the motion of the group and all else at
  /// rest. Between two poses the motion is interpolated as in any study. It is computed by other
  /// code than the motion.
  StudyResult proof;
};

/// Drags a group along the poses of a hand and proves the path. `parts` come from load_parts;
/// study, parts and hand become members of the result. Throws InvalidInput for a group that does
/// not exist, and for invalid options or poses.
///
///     const HandleResult result = handle(study, load_parts(study), load_hand_poses("hand.csv"));
HandleResult handle(Study study, std::vector<Object> parts, HandPoses hand,
                    const HandleOptions& options = {});

/// The result in words: how long the part followed, what held it back, how far it got, and whether
/// the path is proved.
[[nodiscard]] std::string handle_sentence(const HandleResult& result);

/// result.json, see docs/handle.schema.json. The same study, hand and options give the same bytes.
[[nodiscard]] std::string handle_json(const HandleResult& result);

/// CSV: one line for each pose of the hand with the lag of the part, forces and contacts.
[[nodiscard]] std::string forces_csv(const HandleResult& result);

/// A study file of the path taken, to be written into `folder`. It names the mesh files relative to
/// the folder, and path.csv in it, whose content is `hand_poses_csv` of the result's path.
[[nodiscard]] std::string taken_study_json(const HandleResult& result,
                                           const std::filesystem::path& folder);

/// A self-contained HTML page. The same result and notes give the same bytes.
[[nodiscard]] std::string handle_html(const HandleResult& result, const PageNotes& notes = {});

}  // namespace touche
