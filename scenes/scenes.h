// SPDX-License-Identifier: Apache-2.0
// Scenes: parts, motions, and what is true of them by construction. Tests, benchmarks, the
// command line and the documents all use these. Link target touche_scenes.
//
// All scenes are generated, the same each time; lengths in `unit`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shapes.h"
#include "touche/motion.h"
#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::scenes {

// ---- what a scene is ---------------------------------------------------------------------------

struct ScenePart {
  std::string name;
  PolygonSoup soup;
  Pose pose;  ///< where it stands at the start
};

/// Poses at increasing times from 0 to 1; no times: equal steps. In between, linear translation
/// and slerp.
struct RecordedMotion {
  std::vector<Pose> poses;
  std::vector<double> times;
};
/// `turns` about the axis through `point`, right-handed, advancing by `pitch` per turn.
struct ScrewMotion {
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();
  double turns = 1, pitch = 0;
  int steps = 1;  ///< the study reports this many
};
struct TranslationMotion {
  Vec3 by = Vec3::Zero();
  int steps = 1;
};

/// Parts that move together: a point x of a part is at motion(s) * part.pose * x.
struct SceneGroup {
  std::string name;
  std::vector<std::size_t> parts;
  std::variant<RecordedMotion, ScrewMotion, TranslationMotion> motion;
};

/// What is known without asking the library.
enum class Truth { free, contact, initially_touching };

struct Scene {
  std::string title;
  std::string unit = "mm";
  std::vector<ScenePart> parts;
  std::vector<SceneGroup> groups;  ///< parts in no group stand still
  double tolerance = 0;
  double clearance_threshold = 0;
  Truth truth = Truth::free;
  std::optional<double> first_contact;  ///< s in [0, 1] where it is known in closed form
};

Motion motion_of(const SceneGroup& group);

/// The motion of the part's group, at rest if it is in none. It moves `placed(part)`.
Motion motion_of(const Scene& scene, std::size_t part);

/// The part's mesh with its start pose applied.
PolygonSoup placed(const ScenePart& part);

/// Writes study.json (docs/study.schema.json) and one OBJ file per part into `folder`, which is
/// made if need be. Throws LoadError when a file cannot be written.
void write_study(const Scene& scene, const std::filesystem::path& folder);

// ---- the scenes --------------------------------------------------------------------------------

/// Two interlocked tori (PQP's first test scene). `touching`: they share exactly one point, a
/// vertex of each; `interlocked`: free, yet neither can leave the other. Nothing moves.
enum class ToriPose { touching, overlapping, interlocked };
Scene tori(ToriPose pose, Index segments = 32);

/// A thin wall passed between two recorded poses, both free. `translation`: a bullet flies
/// through; `rotation`: the far end of a long rod sweeps through, turning by 90 degrees.
/// With `miss` the same motion just passes beside the wall.
enum class BulletMotion { translation, rotation };
struct BulletOptions {
  BulletMotion motion = BulletMotion::translation;
  double wall = 0.01;  ///< thickness
  bool miss = false;
};
Scene bullet_and_paper(const BulletOptions& options = {});

}  // namespace touche::scenes
