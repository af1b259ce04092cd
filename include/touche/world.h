// SPDX-License-Identifier: Apache-2.0
// A world: many bodies in a scene graph, and questions about all of them. Link target
// touche::world.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "touche/object.h"
#include "touche/point_query.h"
#include "touche/pose.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche {

/// Names a node of a world. A small value, to be copied and compared. That of a node that was
/// removed is an error wherever it is used, and never another node, for nodes that take its place
/// have another generation.
struct NodeId {
  Index index = kNone, generation = 0;
  friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

/// Where a node is when its parent changes.
enum class Keep : std::uint8_t {
  world_pose,  ///< it stays where it is
  local_pose,  ///< it stays where it was relative to its parent
};

/// How a body takes part. Two bodies are a pair when the category of each is in the mask of the
/// other, unless both are fixed.
struct BodyOptions {
  std::uint32_t category = 1, mask = ~std::uint32_t{0};  ///< sets of bits
  bool fixed = false;  ///< pairs of fixed bodies are never looked at
};

/// Two bodies that touch or intersect, a < b.
struct TouchingPair {
  NodeId a, b;
  Index face_a = kNone, face_b = kNone;  ///< one pair of faces that do; of shapes kNone
};
struct [[nodiscard]] TouchingPairs {
  std::vector<TouchingPair> pairs;  ///< in ascending order
  /// Pairs that were not decided within the budget, and round shapes that are nearer to what is
  /// beside them than rounding tells: never to be read as apart.
  std::vector<std::pair<NodeId, NodeId>> undecided;
  QueryStats stats;
};

/// Two bodies that are nearer than asked for, a < b.
struct NearPair {
  NodeId a, b;
  /// Means the same as DistanceResult::distance; `lower` may be 0 where the budget ended first.
  Bracket distance;
  std::optional<Contact> closest;  ///< world coordinates
};
struct [[nodiscard]] NearPairs {
  std::vector<NearPair> pairs;  ///< in ascending order
  /// False when the budget ended first, or where bounds of shapes are as wide as the clearance:
  /// then pairs may be missing.
  bool complete = false;
  QueryStats stats;
};

struct BodyHit {
  NodeId body;
  RayHit hit;  ///< face (of shapes kNone), t, point, side (+1: into the shape, −1: out of it)
  /// Unit length, of the face, out of its counterclockwise side, or out of the shape.
  Vec3 normal = Vec3::Zero();
};

struct NearestBody {
  NodeId body;
  ClosestPoint closest;
};

/// Bodies that are placed in the world, or in groups that move together. A body is a node that has
/// an object or a convex shape; groups are nodes without. Nodes hang on others or on the world
/// itself.
///
/// Moving a node takes the same short time whatever hangs on it. Where things are, and their boxes,
/// is found when somebody asks. Objects and shapes are shared: the same one may be given to many
/// bodies.
///
/// One thread at a time; questions about many pairs use several inside. Functions that take a
/// NodeId throw InvalidInput when the node is not there, or when it should be a body and is none.
class World {
 public:
  World();
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // ---- bodies and groups -----------------------------------------------------------------------

  /// `pose` is relative to the parent, or to the world where there is none.
  NodeId add(Object object, const Pose& pose = {}, const BodyOptions& options = {},
             std::optional<NodeId> parent = {}, std::string name = {});
  /// A convex shape; one that is a soup counts as its object. Throws InvalidInput for rounded
  /// soups, and for a half space that would be a pair with another by the options of both: two of
  /// them have no answer (all of them may be fixed).
  NodeId add(Shape shape, const Pose& pose = {}, const BodyOptions& options = {},
             std::optional<NodeId> parent = {}, std::string name = {});
  NodeId add_group(const Pose& pose = {}, std::optional<NodeId> parent = {}, std::string name = {});
  /// With all that hangs on it.
  void remove(NodeId node);
  /// Gives a body another object; all else stays.
  void replace(NodeId body, Object object);
  void replace(NodeId body, Shape shape);  ///< throws InvalidInput as `add`

  [[nodiscard]] bool has(NodeId node) const;
  [[nodiscard]] bool is_body(NodeId node) const;
  [[nodiscard]] ShapeKind kind(NodeId body) const;  ///< `soup` of objects
  /// Throws InvalidInput for a body that is a convex shape, and `shape` for one that is an object.
  [[nodiscard]] const Object& object(NodeId body) const;
  [[nodiscard]] const Shape& shape(NodeId body) const;
  [[nodiscard]] const BodyOptions& options(NodeId body) const;
  void set_options(NodeId body, const BodyOptions& options);  ///< throws InvalidInput as `add`
  [[nodiscard]] const std::string& name(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> bodies() const;  ///< in ascending order
  [[nodiscard]] Index body_count() const;

  /// Pairs of bodies for which this returns false are left out, besides those that the options
  /// leave out. It must be symmetric; it may be called by several threads.
  using PairFilter = std::function<bool(NodeId, NodeId)>;
  void set_pair_filter(PairFilter filter);

  // ---- the scene graph -------------------------------------------------------------------------

  [[nodiscard]] std::optional<NodeId> parent(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> children(NodeId node) const;  ///< newest first
  /// Throws InvalidInput when the parent hangs on the node or is the node itself.
  void attach(NodeId node, NodeId parent, Keep keep = Keep::world_pose);
  /// From its parent, to the world.
  void detach(NodeId node, Keep keep = Keep::world_pose);

  [[nodiscard]] Pose pose(NodeId node) const;  ///< in the world
  [[nodiscard]] const Pose& local_pose(NodeId node) const;
  /// In the world. It is there to the last bit until it or a node that it hangs on is given another
  /// pose or parent; from then on it is where its local pose leads, which is that but for the
  /// rounding of the parent's coordinates. Steps end with poses that are given so.
  void set_pose(NodeId node, const Pose& pose);
  void set_local_pose(NodeId node, const Pose& pose);

  // ---- questions about all bodies --------------------------------------------------------------
  // Objects are their faces: what lies inside of a closed one touches it nowhere. Convex shapes are
  // solid. Answers are those of two objects or shapes at a time, see touche/query.h,
  // touche/shape.h, touche/point_query.h and touche/shape_point.h.

  /// All pairs that touch or intersect. Work of the budget: pairs of bodies.
  TouchingPairs touching_pairs(const Budget& budget = {}, int threads = 0);
  /// All pairs that are at most `clearance` apart, with their distances. Work as above.
  NearPairs near_pairs(double clearance, const Budget& budget = {}, int threads = 0);

  /// All bodies that touch something, in ascending order; also round shapes that are nearer to it
  /// than rounding tells.
  [[nodiscard]] std::vector<NodeId> touching_body(NodeId body);
  // Throw InvalidInput for boxes and balls that are not finite or larger than 1e90, wherever they
  // are, for boxes whose lower corner is above the upper one, and for radii below 0.
  [[nodiscard]] std::vector<NodeId> touching_box(const Aabb& box);
  [[nodiscard]] std::vector<NodeId> touching_ball(const Ball& ball);

  /// The point of a body that is closest to a point, which is in world coordinates, too: as the
  /// functions of that name at the body's pose. For shapes the face is kNone, and a distance that
  /// is infinite says that there is nothing within the largest one.
  [[nodiscard]] ClosestPoint closest_point(NodeId body, const Vec3& point,
                                           double max_distance = kInfinity) const;
  /// The nearest bodies to a point, nearest first, of those at most `max_distance` away. Among
  /// bodies at one distance those that come first in order are told. Looks at about √n of n boxes,
  /// plus `count`.
  [[nodiscard]] std::vector<NearestBody> nearest(const Vec3& point, std::size_t count,
                                                 double max_distance = kInfinity);

  /// Which bodies a ray looks at: those whose category is in the mask.
  static constexpr std::uint32_t kAll = ~std::uint32_t{0};
  // A ray meets the surface of a shape, from outside or, where it begins there, from inside.
  [[nodiscard]] std::optional<BodyHit> cast_ray(const Ray& ray, std::uint32_t mask = kAll);
  /// All faces of all bodies that a ray meets, and where it enters and leaves shapes, by t, then
  /// body, then face, then side, the one that it enters by first.
  [[nodiscard]] std::vector<BodyHit> all_ray_hits(const Ray& ray, std::uint32_t mask = kAll);

  struct Data;  ///< for the library

 private:
  friend struct DataAccess;
  template <class What>
  NodeId add_body(What what, const Pose& pose, const BodyOptions& options,
                  std::optional<NodeId> parent, std::string name);
  template <class What>
  void replace_body(Index node, What what);

  std::unique_ptr<Data> data_;
};

}  // namespace touche
