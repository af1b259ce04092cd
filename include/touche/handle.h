// SPDX-License-Identifier: Apache-2.0
// A part of a study in a hand: it is dragged along recorded poses of the hand, follows as far as
// contacts allow (touche/handling.h), and the way it really takes is proved as a study of its own.
// Link target touche::simulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "touche/budget.h"
#include "touche/hand_poses.h"
#include "touche/handling.h"
#include "touche/object.h"
#include "touche/study.h"

namespace touche {

struct HandleOptions {
  /// The group of the study that the hand holds, by its name. Empty: the only one. All other parts
  /// stay where they are at the start of their motions.
  std::string group = {};
  /// Length: the distance that is kept to everything, once the part is as far away as that. 0:
  /// twice the study's tolerance. Throws InvalidInput unless it is larger than 1.5 times the
  /// tolerance: the way could not be proved.
  double clearance = 0;
  double stiffness = 1;  ///< of the hand's spring, see HandlingOptions: unit of force per length
  double friction = 0;   ///< static, see HandlingOptions
  int threads = 0;       ///< 0: all; the result does not depend on it
  /// Stopping leaves out the rest of the hand's poses. Work: of each pose of the hand, as in
  /// HandlingOptions: a part that would need more lags behind; the proof takes what it takes.
  /// Progress: poses of the hand, then that of the proof.
  Budget budget = {};
};

/// A contact that holds the part back.
struct HandleContact {
  std::size_t part = 0, other = 0;  ///< of the study; `part` is in the hand
  Contact contact;                  ///< world; a is the part in the hand
  Vec3 force = Vec3::Zero();        ///< by which `other` pushes
};

/// Tells what became of one pose of the hand.
struct HandleStep : HeldState {
  double time = 0;  ///< seconds, as recorded
  HandlingStatus status = HandlingStatus::undecided;
  bool complete = false;  ///< false where the budget ended it, see HandlingStep
  std::vector<HandleContact> contacts;
  int rounds = 0;
  /// That it took; in no result file, since it is another one each time.
  double seconds_taken = 0;
};

struct [[nodiscard]] HandleResult {
  /// Judges the way that was taken, as `proof` does.
  StudyVerdict verdict = StudyVerdict::undecided;
  std::size_t group = 0;  ///< of the study: what the hand holds
  double clearance = 0;   ///< as used
  /// How near the part began to anything, and how near it was at any pose of the way, if it began
  /// nearer than the clearance; else infinite.
  double start_distance = kInfinity, least_distance = kInfinity;
  double stiffness = 0, friction = 0;
  std::uint64_t max_work = Budget::kUnlimited;  ///< of a pose of the hand
  std::vector<HandleStep> steps;  ///< one for each pose of the hand but the first, as far as it got
  /// The way that was taken, from the start pose of the group at the time of the hand's first pose.
  HandPoses path;
  /// The study with the way as the motion of the group, and all else at rest. Between two poses of
  /// the way the motion is that of any study.
  Study taken;
  StudyResult proof;  ///< of that study; other code than moved the part
};

/// `parts` as `load_parts` gives them. Throws InvalidInput for a group that is not there, options
/// or poses without meaning.
HandleResult handle(const Study& study, const std::vector<Object>& parts, const HandPoses& hand,
                    const HandleOptions& options = {});

/// Results of `handle` are told from this. It is made where needed and refers to all four.
struct HandleView {
  const Study& study;
  const std::vector<Object>& parts;
  const HandPoses& hand;
  const HandleResult& result;
};

/// How long the part followed, what held it back, where it got, and whether the way is proved.
[[nodiscard]] std::string handle_sentence(const HandleView& view);

/// result.json, see docs/handle.schema.json. The same study, hand and options give the same bytes.
[[nodiscard]] std::string handle_json(const HandleView& view);

/// One line for each pose of the hand: how far the part is behind, forces, what is in contact.
[[nodiscard]] std::string forces_csv(const HandleView& view);

/// A study file of the way that was taken, to be written into `folder`: it names the meshes from
/// there, and path.csv beside it, which `hand_poses_csv` of the result's path gives.
[[nodiscard]] std::string taken_study_json(const HandleView& view,
                                           const std::filesystem::path& folder);

/// One self-contained page. The same result and notes give the same bytes.
[[nodiscard]] std::string handle_html(const HandleView& view, const PageNotes& notes = {});

}  // namespace touche
