// SPDX-License-Identifier: Apache-2.0
// A world: many bodies in a scene graph, and queries about all of them. Link target touche::world.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "touche/batch.h"
#include "touche/object.h"
#include "touche/point_query.h"
#include "touche/pose.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche {

/// Identifies a node of a world; a small value to be copied and compared. The id of a removed node
/// never identifies another node, since a node that reuses its index has another generation; using
/// it throws InvalidInput.
struct NodeId {
  Index index = kNone, generation = 0;
  friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

/// Which pose a node keeps when its parent changes.
enum class Keep : std::uint8_t {
  world_pose,  ///< the pose in the world
  local_pose,  ///< the pose relative to the parent
};

/// Selects pairs of bodies. Two bodies are a pair when the category of each is in the mask of the
/// other, unless both are fixed.
struct BodyOptions {
  std::uint32_t category = 1, mask = ~std::uint32_t{0};  ///< bit sets
  bool fixed = false;  ///< two fixed bodies are never tested against each other
};

/// Two bodies that touch or intersect, a < b.
struct TouchingPair {
  NodeId a, b;
  Index face_a = kNone, face_b = kNone;  ///< one such pair of faces; kNone for convex shapes
};
struct [[nodiscard]] TouchingPairs {
  std::vector<TouchingPair> pairs;  ///< in ascending order
  /// Pairs that the budget left undecided, and pairs with a round shape that are nearer than
  /// rounding can resolve. They must not be taken as apart.
  std::vector<std::pair<NodeId, NodeId>> undecided;
  QueryStats stats;
};

/// Two bodies that are at most `max_distance` apart, a < b.
struct NearPair {
  NodeId a, b;
  /// As DistanceResult::distance; `lower` may be 0 if the budget ended first.
  Bracket distance;
  std::optional<Contact> closest;  ///< world coordinates
};
struct [[nodiscard]] NearPairs {
  /// In ascending order; also the pairs whose bracket contains the distance that was given.
  std::vector<NearPair> pairs;
  bool complete = false;  ///< false when the budget ended first; then pairs may be missing
  QueryStats stats;
};

struct BodyHit {
  NodeId body;
  /// For a convex shape, `face` is kNone; `side` is +1 where the ray enters it, −1 where it leaves.
  RayHit hit;
  /// Unit length: the normal of the face on the side from which its corners run counter-clockwise,
  /// or the outward normal of the shape.
  Vec3 normal = Vec3::Zero();
};

struct NearestBody {
  NodeId body;
  ClosestPoint closest;
};

/// Bodies in a scene graph. A body is a node with a shape: an object or a convex shape; a group is
/// a node without one. Each node is attached to a parent node or to the world itself, and moves
/// with its parent.
///
/// Moving a node takes constant time, whatever is attached to it. World poses and boxes are
/// computed when they are needed. Objects and shapes are shared: many bodies may use the same one.
///
/// A stepper, a Dynamics, a Handling and a response share the data of their world. They stay valid
/// when the world is moved, and when it is destroyed; the last of them frees the data. A world that
/// was moved from may only be assigned to or destroyed.
///
/// A world may be used by one thread at a time, its steppers included; queries about many pairs use
/// several threads internally. Functions that take a NodeId throw InvalidInput when the node does
/// not exist, or when it is a group and must be a body.
///
///     World world;
///     const NodeId box = world.add(object, Pose::from_translation({0, 0, 1}));
///     for (const TouchingPair& pair : world.touching_pairs().pairs) report(pair.a, pair.b);
class World {
 public:
  World();
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // ---- bodies and groups -----------------------------------------------------------------------

  /// Adds a body: an object, which converts to a shape, or a convex shape. `pose` is relative to
  /// the parent, or to the world if there is no parent. Throws InvalidInput for rounded soups, and
  /// for a half space that would be a pair with another half space, which is not supported. (They
  /// can all be fixed.)
  NodeId add(Shape shape, const Pose& pose = {}, const BodyOptions& options = {},
             std::optional<NodeId> parent = {}, std::string name = {});
  NodeId add_group(const Pose& pose = {}, std::optional<NodeId> parent = {}, std::string name = {});
  /// Removes a node with all nodes attached to it.
  void remove(NodeId node);
  /// Gives a body another shape; all its other properties stay. Throws InvalidInput as `add` does.
  void replace(NodeId body, Shape shape);

  [[nodiscard]] bool has(NodeId node) const;
  [[nodiscard]] bool is_body(NodeId node) const;
  [[nodiscard]] ShapeKind kind(NodeId body) const;  ///< `soup` for objects
  /// The references are valid until a node is added or removed, or the body is given another shape;
  /// a copy costs little.
  [[nodiscard]] const Shape& shape(NodeId body) const;
  /// The object of a soup. Throws InvalidInput for a body that is a convex shape.
  [[nodiscard]] const Object& object(NodeId body) const;
  [[nodiscard]] const BodyOptions& options(NodeId body) const;
  void set_options(NodeId body, const BodyOptions& options);  ///< throws InvalidInput as `add` does
  [[nodiscard]] const std::string& name(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> bodies() const;  ///< in ascending order
  [[nodiscard]] Index body_count() const;

  /// Excludes further pairs of bodies, for which it returns false. It must be symmetric and may be
  /// called by several threads at once.
  using PairFilter = std::function<bool(NodeId, NodeId)>;
  void set_pair_filter(PairFilter filter);

  // ---- the scene graph -------------------------------------------------------------------------

  [[nodiscard]] std::optional<NodeId> parent(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> children(NodeId node) const;  ///< newest first
  /// Sets the parent of a node. Throws InvalidInput when `parent` is the node itself or below it.
  void attach(NodeId node, NodeId parent, Keep keep = Keep::world_pose);
  /// Detaches a node from its parent and attaches it to the world.
  void detach(NodeId node, Keep keep = Keep::world_pose);

  [[nodiscard]] Pose pose(NodeId node) const;  ///< in the world
  [[nodiscard]] const Pose& local_pose(NodeId node) const;
  /// Sets the pose in the world. The node keeps exactly this pose until it or an ancestor is given
  /// another pose or parent. From then on its pose results from its local pose, which is the same
  /// up to rounding. Steps set the poses of nodes by this function.
  void set_pose(NodeId node, const Pose& pose);
  void set_local_pose(NodeId node, const Pose& pose);

  // ---- queries about all bodies ----------------------------------------------------------------
  // Objects are surfaces: a body inside a closed object does not touch it. Convex shapes are solid.
  // The results for each pair or body are as in touche/query.h, touche/shape.h,
  // touche/point_query.h and touche/shape.h.

  /// All pairs that touch or intersect. The options' items are pairs of bodies.
  TouchingPairs touching_pairs(const BatchOptions& options = {});
  /// All pairs that are, or due to rounding may be, at most `max_distance` (a length) apart, with
  /// their distances. Options as above.
  NearPairs near_pairs(double max_distance, const BatchOptions& options = {});

  /// All bodies that touch the given body, box or ball, in ascending order. They include round
  /// shapes that are nearer to it than rounding can resolve.
  [[nodiscard]] std::vector<NodeId> touching_body(NodeId body);
  // These throw InvalidInput for coordinates that are not finite or larger than 1e90, for boxes
  // whose lower corner is above the upper one, and for negative radii.
  [[nodiscard]] std::vector<NodeId> touching_box(const Aabb& box);
  [[nodiscard]] std::vector<NodeId> touching_ball(const Ball& ball);

  /// The point of a body that is closest to a point, both in world coordinates; as the functions of
  /// that name at the body's pose. For convex shapes the face is kNone. An infinite distance means
  /// that the body is farther away than `max_distance`.
  [[nodiscard]] ClosestPoint closest_point(NodeId body, const Vec3& point,
                                           double max_distance = kInfinity) const;
  /// The `count` bodies nearest to a point, nearest first, if they are at most `max_distance` away,
  /// or may be. Bodies that are as near are sorted by id. Tests about √n of n boxes, plus `count`.
  [[nodiscard]] std::vector<NearestBody> nearest(const Vec3& point, std::size_t count,
                                                 double max_distance = kInfinity);

  /// A mask of all categories. A ray tests only bodies whose category is in its mask.
  static constexpr std::uint32_t kAll = ~std::uint32_t{0};
  /// The first body that a ray or segment meets. It meets the surface of a convex shape from
  /// outside or, if it starts inside, from inside. Of several at the same t it is the one with the
  /// lowest id. Throws InvalidInput for coordinates that are not finite or larger than 1e30, and
  /// for a ray without direction; a segment of length 0 meets no convex shape.
  [[nodiscard]] std::optional<BodyHit> cast_ray(const Ray& ray, std::uint32_t mask = kAll);
  [[nodiscard]] std::optional<BodyHit> cast_segment(const Segment& segment,
                                                    std::uint32_t mask = kAll);
  /// All faces of all bodies that a ray or segment meets, and all points at which it enters or
  /// leaves convex shapes. Sorted by t, then body, face and side, entering before leaving.
  [[nodiscard]] std::vector<BodyHit> all_ray_hits(const Ray& ray, std::uint32_t mask = kAll);
  [[nodiscard]] std::vector<BodyHit> all_segment_hits(const Segment& segment,
                                                      std::uint32_t mask = kAll);

  /// Contacts and depth of two bodies, as the functions of that name for their shapes at their
  /// poses. They throw InvalidInput as these do: there is no depth where one of them is a soup.
  ///
  ///     if (world.depth(nut, box).depth.lower > 0) report(world.contacts(nut, box).contacts);
  [[nodiscard]] ShapeContactsResult contacts(NodeId a, NodeId b,
                                             MaxDistance max_distance = {}) const;
  [[nodiscard]] DepthResult depth(NodeId a, NodeId b, const DepthOptions& options = {}) const;

  struct Data;  ///< internal

 private:
  friend struct DataAccess;
  explicit World(std::shared_ptr<Data> data);
  std::shared_ptr<Data> data_;  // shared with the steppers and responses of this world
};

}  // namespace touche
