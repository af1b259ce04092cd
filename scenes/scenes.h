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
  Pose pose;               ///< where it stands at the start
  std::string shape = {};  ///< in place of a soup: a convex shape, as study files have it
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
/// Target poses of the parts given by a hand, 60 times a second from 0 on. Unlike the motions
/// above, they do not take obstacles into account.
struct HandMotion {
  std::vector<double> times;  ///< seconds
  std::vector<Pose> poses;
};

/// Parts that move together: a point x of a part is at motion(s) * part.pose * x.
struct SceneGroup {
  std::string name;
  std::vector<std::size_t> parts;
  std::variant<RecordedMotion, ScrewMotion, TranslationMotion, HandMotion> motion;
};

/// The answer for a scene, known without the library.
enum class Truth { free, contact, initially_touching };

struct Scene {
  std::string title;
  std::string unit = "mm";
  std::vector<ScenePart> parts;
  std::vector<SceneGroup> groups;  ///< parts in no group stand still
  double tolerance = 0;
  double clearance_threshold = 0;
  std::optional<Truth> truth = Truth::free;  ///< empty: not known
  std::optional<double> first_contact;       ///< s in [0, 1] where it is known in closed form
};

Motion motion_of(const SceneGroup& group);

/// The motion of the part's group, at rest if it is in none. It moves `placed(part)`.
Motion motion_of(const Scene& scene, std::size_t part);

/// The part's mesh with its start pose applied.
PolygonSoup placed(const ScenePart& part);

/// Writes study.json (docs/study.schema.json) and one OBJ file per part that is no shape into
/// `folder`, which is made if need be, and a hand's poses as hand.csv (touche/handle.h). Throws
/// LoadError when a file cannot be written.
void write_study(const Scene& scene, const std::filesystem::path& folder);

// ---- the scenes --------------------------------------------------------------------------------

/// Two interlocked tori (PQP's first test scene). `touching`: they share exactly two points, each a
/// vertex of both; `interlocked`: free, yet neither can leave the other. Nothing moves.
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

/// A hexagon bolt and its nut with the basic profile of ISO 68-1, unscrewed at constant speed:
/// M4, M5, M6, M8, M10, M12, M16 or M20, coarse thread. The axis is z, the bolt's head below 0.
struct NutAndBoltOptions {
  std::string size = "M16";
  /// Smallest distance of the threads when the nut is centred; the faceted surfaces keep it at
  /// every angle. All diameters of the bolt are made smaller for it.
  double clearance = 0.1;
  Index segments = 60;      ///< per turn, rounded up to a multiple of 12
  double turns = 0;         ///< 0: until the nut is off the bolt
  double spare_turns = 0;   ///< of thread above the nut, more than it needs; >= 0
  double pitch_error = 0;   ///< the nut advances by pitch * (1 + pitch_error) a turn
  int poses_per_turn = 36;  ///< recorded; 0: the motion is one exact screw
};
Scene nut_and_bolt(const NutAndBoltOptions& options = {});

/// A pin with round ends, a capsule, is drawn out between two rollers, cylinders; `clearance` is on
/// either side.
Scene pin_between_rollers(double clearance = 0.1);

/// A peg is put into a hole that fits. Both have a small chamfer; the hole has a floor, which the
/// peg reaches to within half a millimetre.
struct PegInHoleOptions {
  bool round = true;        ///< else rectangular, half as deep (y) as it is wide
  double size = 8;          ///< diameter or width of the peg
  double clearance = 0.05;  ///< between the peg's side and the wall when centred
  double offset = 0;        ///< the peg comes this far off the centre, along x
  double tilt = 0;          ///< and turned about y at its tip by this angle, in radians
  double lead_in = 0;       ///< width of the chamfer around the hole; 0: size / 16, as the peg's
  Index segments = 96;      ///< of the round ones, rounded up to a multiple of 8
  int steps = 20;           ///< between recorded poses
};
Scene peg_in_hole(const PegInHoleOptions& options = {});

/// The removal study of thesis chapter 10: a headlamp in a crowded engine bay, its two covers and
/// two bulbs taken out by hand in four steps: main beam cover, main beam bulb, auxiliary cover,
/// auxiliary bulb. Step k takes the path from s = (k − 1) / 4 to k / 4; meanwhile the other three
/// groups stand still, where they were or where they have been put.
struct HeadlampOptions {
  Index triangles = 60000;   ///< about, in all parts together; at least 20,000
  std::uint64_t seed = 1;    ///< of the hand's unsteadiness
  int poses_per_step = 200;  ///< recorded
  /// All recorded poses are free, but between two of them the hand twists the main beam's bulb
  /// so fast that one of its lugs passes through a thin leaf spring.
  bool hidden_clash = false;
};
Scene headlamp(const HeadlampOptions& options = {});

/// Bodies that tremble and drift, each in a cell of its own, so that all of them are free; or two
/// that are made to meet, when half of the time is over. Each is a group; what steps of a world are
/// tried on.
struct TrafficOptions {
  Index bodies = 27;
  Index triangles = 1000;  ///< about, of each body
  int steps = 30;
  bool clash = false;  ///< the first body goes through the second, in the middle of the path
  std::uint64_t seed = 1;
};
Scene traffic(const TrafficOptions& options = {});

// ---- parts that a hand moves, with contact -----------------------------------------------------

/// How unsteady a hand is. Its path depends on the seed alone.
struct Trembling {
  double shift = 0.5;           ///< root mean square of the distance it is off
  double angle = 2 * 0.017453;  ///< of the angle, in radians: 2 degrees
  std::uint64_t seed = 1;
};

/// The scene `nut_and_bolt` with a hand that turns the nut off its bolt, or the bolt out of its
/// nut, and then takes it away along the axis.
struct ThreadByHandOptions {
  enum class Moved { nut, bolt };
  Moved moved = Moved::nut;
  NutAndBoltOptions thread = {};
  double turns_per_second = 1;
  Trembling trembling = {};
};
Scene thread_by_hand(const ThreadByHandOptions& options = {});

/// The scene `peg_in_hole` with a hand that is wrong about the hole, from the start to the end: it
/// is beside it by `offset` in some direction, and turned by `angle` about some axis. It comes down
/// on the lead-in, wiggles a little, and pushes the peg in, which goes if it yields to what it
/// touches.
struct PegByHandOptions {
  /// Offset and tilt do not count. A lead-in of 0 is made 1.4 times as wide as the hand's offset:
  /// on a narrower one the peg could come down beside the hole.
  PegInHoleOptions peg = {.clearance = 0.1};
  double offset = 2;
  double angle = 3 * 0.017453;  ///< radians: 3 degrees
  Trembling trembling = {.shift = 0.2, .angle = 0.01};
};
Scene peg_by_hand(const PegByHandOptions& options = {});

/// The scene `headlamp` with its covers removed, and one of its bulbs pulled out by hand: along the
/// free path, but unsteadily. The bulb of the main beam comes first; it is gone when the auxiliary
/// one is removed.
struct BulbByHandOptions {
  enum class Lamp { main, auxiliary };
  Lamp lamp = Lamp::main;
  Index triangles = 60000;  ///< as HeadlampOptions::triangles
  Trembling trembling = {.shift = 4, .angle = 0.1};
};
Scene bulb_by_hand(const BulbByHandOptions& options = {});

/// A small aeroplane with three wheels is set down on a runway, rolls, slides aside, and tips over
/// onto a wing.
Scene aeroplane(const Trembling& trembling = {});

}  // namespace touche::scenes
