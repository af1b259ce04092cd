// SPDX-License-Identifier: Apache-2.0
// For how long the kernels prove pairs of moving nodes and triangles apart, against where their
// triangles are in that time; on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hit_share.h"
#include "motion_kinds.h"
#include "query/node_impact.h"
#include "query/pair_traversal.h"
#include "query/toi_query.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;

/// A few triangles near each other, spread out evenly or not.
Object random_object(Random& random, double scale = 1) {
  const double flat = random.below(2) == 0 ? 1 : 0.02, slim = random.below(3) == 0 ? 0.1 : 1;
  const double size = random.uniform(0.05, 0.4);
  std::vector<double> coordinates;
  std::vector<Index> corners;
  const int triangles = 2 + static_cast<int>(random.below(40));
  for (int t = 0; t < triangles; ++t) {
    const Vec3 middle = random.in_box(2);
    for (int v = 0; v < 3; ++v) {
      const Vec3 x = (middle + random.in_box(size)).cwiseProduct(scale * Vec3(1, slim, flat));
      corners.push_back(static_cast<Index>(coordinates.size() / 3));
      coordinates.insert(coordinates.end(), x.begin(), x.end());
    }
  }
  return Object(PolygonSoup(coordinates, corners));
}

void collect(const Bvh& bvh, NodeRef ref, std::vector<Index>& out) {
  if (is_leaf(ref)) {
    const BvhLeaf& leaf = bvh.leaf(ref);
    out.insert(out.end(), leaf.triangle, leaf.triangle + leaf.count);
  } else {
    const BvhNode& node = bvh.node(ref);
    for (int i = 0; i < node.count; ++i) collect(bvh, node.child[i], out);
  }
}

/// A node of a path from the root to a leaf.
NodeRef random_node(const Bvh& bvh, Random& random) {
  NodeRef ref = bvh.root();
  while (!is_leaf(ref) && random.below(2) == 0) {
    const BvhNode& node = bvh.node(ref);
    ref = node.child[random.below(static_cast<Index>(node.count))];
  }
  return ref;
}

NodeRef random_leaf(const Bvh& bvh, Random& random) {
  NodeRef ref = random_node(bvh, random);
  while (!is_leaf(ref)) ref = bvh.node(ref).child[0];
  return ref;
}

/// The box of a node as it lies in space.
struct Box {
  Vec3 centre, axes[3], half;

  Box(const Bvh& bvh, const Bounds& from, const Pose& pose) {
    Vec3 local(from.frame.origin[0], from.frame.origin[1], from.frame.origin[2]);
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis(from.frame.axis(k, 0), from.frame.axis(k, 1), from.frame.axis(k, 2));
      local += axis * static_cast<double>(from.box.centre[k]);
      axes[k] = pose.matrix() * axis;
      half[k] = static_cast<double>(from.box.half[k]) / bvh.scale();
    }
    centre = pose * Vec3(local / bvh.scale() + bvh.centre());
  }
  double reach(const Vec3& n) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::abs(n.dot(axes[k])) * half[k];
    return sum;
  }
};

/// Calls visit(unit axis towards b, gap) for the 15 axes of which one separates two boxes that are
/// apart.
template <class Visit>
void for_axes(const Box& a, const Box& b, const Visit& visit) {
  const auto axis = [&](const Vec3& x) {
    if (x.norm() < 1e-3) return;
    const Vec3 n = x.dot(b.centre - a.centre) < 0 ? -x.normalized() : x.normalized();
    visit(n, n.dot(b.centre - a.centre) - a.reach(n) - b.reach(n));
  };
  for (int i = 0; i < 3; ++i) {
    axis(a.axes[i]);
    axis(b.axes[i]);
    for (int j = 0; j < 3; ++j) axis(a.axes[i].cross(b.axes[j]));
  }
}

bool boxes_apart(const Box& a, const Box& b) {
  bool found = false;
  for_axes(a, b, [&](const Vec3&, double gap) { found = found || gap > 0; });
  return found;
}

/// Two objects that move, and one instant of it.
struct Case {
  Object a, b;
  Motion motion_a, motion_b;
  TimeSpan span;
  Snapshot snapshot;

  static Case random(Random& random) {
    const auto pick = [&] {
      auto kinds = test::all_kinds(random);
      return kinds[random.below(static_cast<Index>(kinds.size()))];
    };
    // Sometimes one is far larger than the other.
    const double larger = std::exp2(random.below(4) == 0 ? random.uniform(-36, 36) : 0);
    Object a = random_object(random), b = random_object(random, larger);
    Motion motion_a = pick(), motion_b = pick();
    if (random.below(8) == 0) {  // turns about a point far from both, at just the declared speed
      const Vec3 far = 10 * random.direction();
      const double speed = random.uniform(0.1, 1);
      motion_b = Motion::function(
          [far, speed](double t) {
            const Pose turn = Pose::from_axis_angle(Vec3::UnitZ(), speed * t, Vec3::Zero());
            return Pose::from_translation(Vec3(far - turn * far)) * turn;
          },
          0, speed, far);
    }
    double when = kInfinity;
    if (random.below(2) == 0) {  // two triangles meet; half of the time without turning
      const auto middle_of_one = [&](const Object& object) {
        const Triangle t = triangle_of(
            object.soup(), random.below(static_cast<Index>(object.soup().triangle_count())));
        return Vec3((t[0] + t[1] + t[2]) / 3);
      };
      const bool turns = random.below(2) == 0;
      const auto move = [&] {
        const Pose start = test::random_pose(random, 0.5);
        const Pose end = turns ? test::random_pose(random, 0.5)
                               : Pose::from_translation(random.in_box(4)) * start;
        return std::pair(start, end);
      };
      const auto [start_a, end_a] = move();
      const auto [start_b, end_b] = move();
      motion_a = random.below(2) == 0 ? Motion::at(start_a) : Motion::interpolated(start_a, end_a);
      motion_b = Motion::interpolated(start_b, end_b);
      when = random.uniform(0.2, 1);
      const Pose there = Pose::from_translation(motion_a.pose(when) * middle_of_one(a) -
                                                motion_b.pose(when) * middle_of_one(b));
      motion_b = Motion::interpolated(there * start_b, there * end_b);
      if (random.below(2) == 0) {  // now a little faster and now slower
        std::vector<Pose> poses;
        for (int i = 0; i <= 200; ++i) {
          const double t = i / 200.0;
          poses.push_back(motion_b.pose(t + 5e-4 * std::sin(20 * (t - when))));
        }
        motion_b = Motion::through(poses);
      }
    }
    const double separation = random.below(4) == 0 ? 0.05 : 0;
    const ToiQuery query(a, motion_a, b, motion_b, {.tolerance = 1e-9, .separation = separation});
    std::size_t first = random.below(static_cast<Index>(query.slices().size()));
    for (std::size_t i = 0; i < query.slices().size(); ++i)
      if (query.slices()[i].begin <= when && when <= query.slices()[i].end) first = i;
    const TimeSpan span = query.span(first);
    const double latest = std::min(when, span.begin + 0.9 * (span.end - span.begin));
    const double t = random.uniform(span.begin, latest);
    return {a, b, motion_a, motion_b, span, query.snapshot(span, t)};
  }

  /// Times until `dt` later.
  template <class Visit>
  void for_times(double dt, const Visit& visit) const {
    constexpr int kSamples = 12;
    for (int i = 0; i <= kSamples; ++i) visit(std::min(snapshot.t + dt * i / kSamples, span.end));
  }

  /// The least distance of some of a's triangles to some of b's at these times.
  double least_distance(const std::vector<Index>& of_a, const std::vector<Index>& of_b,
                        double dt) const {
    double least = kInfinity;
    for_times(dt, [&](double t) {
      const RelativePose pose(motion_a.pose(t), motion_b.pose(t));
      for (const Index ta : of_a)
        for (const Index tb : of_b)
          least = std::min(
              least,
              closest_points(triangle_of(a.soup(), ta), triangle_of(b.soup(), tb, pose)).distance);
    });
    return least;
  }
};

TEST(MovingKernels, NodesStayApartInTheirOwnFrames) {
  Random random(1);
  int apart = 0, total = 0;
  for (int round = 0; round < test::scaled(30000, 1000); ++round) {
    const Case c = Case::random(random);
    const Bvh &a = c.a.bvh(), &b = c.b.bvh();
    const LocalSnapshot local(a, b, c.snapshot);
    NodePair nodes[kBatch];
    BoundsPairs bounds;
    const int count = 1 + static_cast<int>(random.below(kBatch));
    for (; bounds.count < count; ++bounds.count) {
      NodePair& pair = nodes[bounds.count];
      pair = {random_node(a, random), random_node(b, random)};
      bounds.a[bounds.count] = &a.bounds(pair.a);
      bounds.b[bounds.count] = &b.bounds(pair.b);
    }
    bounds.fill_up();
    const auto limit = static_cast<float>(c.span.end - c.snapshot.t);
    float first[kBatch];
    for (const Kernels& kernel : all_kernels()) {
      float time[kBatch];
      kernel.place_moving(local.map, bounds, local.fields.in_a, limit, time);
      if (&kernel == &all_kernels().front()) std::copy_n(time, count, first);
      for (int n = 0; n < count; ++n) EXPECT_EQ(time[n], first[n]) << kernel.name;
    }
    for (int n = 0; n < count; ++n) {
      ++total;
      if (!(first[n] > 0)) continue;
      ++apart;
      c.for_times(static_cast<double>(std::min(first[n], limit)), [&](double t) {
        EXPECT_TRUE(boxes_apart(Box(a, *bounds.a[n], c.motion_a.pose(t)),
                                Box(b, *bounds.b[n], c.motion_b.pose(t))))
            << round << ' ' << n;
      });
    }
  }
  test::expect_about_half(apart, total);
}

TEST(MovingKernels, ChildrenAndTrianglesStayApart) {
  Random random(2);
  int apart = 0, total = 0, soon = 0;
  for (int round = 0; round < test::scaled(10000, 500); ++round) {
    const Case c = Case::random(random);
    const Bvh &a = c.a.bvh(), &b = c.b.bvh();
    const LocalSnapshot local(a, b, c.snapshot);
    FramedPair framed;
    const NodePair nodes{random_node(a, random), random_node(b, random)};
    const bool may_overlap = framed.place(kernels(), a, b, nodes, local.map) == 0;
    if (!may_overlap && random.below(8) != 0) continue;
    const OpenedPair pair(a, b, framed.nodes, framed.frame.ratio);
    const auto limit = static_cast<float>(c.span.end - c.snapshot.t);
    PairKeys first;
    for (const Kernels& kernel : all_kernels()) {
      PairKeys keys;
      const std::int32_t least =
          kernel.impact(pair.side_a(), pair.side_b(), a.bounds(nodes.a).frame,
                        b.bounds(nodes.b).frame, framed.frame, local.fields, limit, keys);
      EXPECT_EQ(least, kernel.next(keys, -1)) << kernel.name;
      std::int32_t in_order[kWidth], firsts[kWidth];
      std::partial_sort_copy(keys.key, keys.key + kWidth * kWidth, in_order, in_order + kWidth);
      kernel.first_keys(keys, firsts);
      EXPECT_TRUE(std::equal(firsts, firsts + kWidth, in_order)) << kernel.name;
      if (&kernel == &all_kernels().front()) first = keys;
      EXPECT_TRUE(std::equal(keys.key, keys.key + kWidth * kWidth, first.key)) << kernel.name;
    }
    for (int row = 0; pair.leaves() && row < pair.side_a().count; ++row) {
      PairNumbers pairs;
      for (int lane = 0; lane < pair.side_b().count; ++lane) pairs.add(kWidth * row + lane);
      float time[kWidth];
      for (const Kernels& kernel : all_kernels()) {
        float its[kWidth];
        kernel.impact_triangles(pair.leaf_a(), pair.leaf_b(), pairs, framed.frame, local.fields,
                                limit, its);
        if (&kernel == &all_kernels().front()) std::copy_n(its, pairs.count, time);
        EXPECT_TRUE(std::equal(its, its + pairs.count, time)) << kernel.name;
      }
      for (int lane = 0; lane < pairs.count; ++lane) {
        if (!(time[lane] > 0)) continue;
        const double dt = static_cast<double>(std::min(time[lane], limit));
        EXPECT_GT(c.least_distance({pair.triangle_a(row)}, {pair.triangle_b(lane)}, dt),
                  c.snapshot.separation)
            << round << ' ' << row << ' ' << lane;
      }
    }
    for (int row = 0; row < pair.side_a().count; ++row)
      for (int lane = 0; lane < pair.side_b().count; ++lane) {
        const int n = kWidth * row + lane;
        const bool until_the_end = first.key[n] == PairKeys::kNone;
        const double dt = until_the_end ? static_cast<double>(limit)
                                        : static_cast<double>(PairKeys::value(first.key[n]));
        ++total;
        if (!(dt > 0)) continue;
        ++apart;
        soon += !until_the_end;
        std::vector<Index> of_a, of_b;
        if (pair.leaves()) {
          of_a = {pair.triangle_a(row)};
          of_b = {pair.triangle_b(lane)};
        } else {
          const NodePair child = pair.children()[n];
          collect(a, child.a, of_a);
          collect(b, child.b, of_b);
        }
        EXPECT_GT(c.least_distance(of_a, of_b, dt), c.snapshot.separation) << round << ' ' << n;
      }
  }
  // Most children of nodes that overlap are apart.
  EXPECT_LT(apart, 0.9 * total);
  EXPECT_GT(soon, 0.05 * total);
}

// Speeds without a direction grow with the distance from the centre of a turn, so that it must not
// be taken elsewhere on its axis.
TEST(MovingKernels, FieldsKeepTheirCentre) {
  Random random(5);
  const Object a = random_object(random), b = random_object(random);
  Snapshot s;
  s.t = 0;
  s.a.still = true;
  s.b.angular = s.b.axis = Vec3::UnitZ();
  s.b.curvature = 1;
  s.b.centre = Vec3(0.5, 0.25, 7);
  const double scale = a.bvh().scale();
  const auto height = [&] { return LocalSnapshot(a.bvh(), b.bvh(), s).fields.in_a.b.centre[2]; };
  const auto moved = static_cast<float>(scale * (7 - a.bvh().centre().z()));
  EXPECT_EQ(height(), 0);  // as near as any on the axis
  s.b.free_angular = 0.1;
  EXPECT_NEAR(height(), moved, 1e-6 * moved);
}

// A motion without rotation is not slowed by any allowance: the boxes of two nodes touch when the
// last of their 15 separating axes ends, and that is the time told.
TEST(MovingKernels, TranslationsAreNearlyExact) {
  Random random(3);
  int tight = 0, total = 0;
  for (int round = 0; round < test::scaled(3000, 200); ++round) {
    const Object a = random_object(random), b = random_object(random);
    const Pose start = test::random_pose(random);
    const Vec3 way = random.in_box(4);
    const Motion motion = Motion::interpolated(start, Pose::from_translation(way) * start);
    const Motion still = Motion::at(Pose());
    const ToiQuery query(a, still, b, motion, {.tolerance = 1e-9});
    const Snapshot snapshot = query.snapshot(query.slices()[0], 0);
    const LocalSnapshot local(a.bvh(), b.bvh(), snapshot);
    BoundsPairs bounds;
    bounds.a[0] = &a.bvh().bounds(a.bvh().root());
    bounds.b[0] = &b.bvh().bounds(b.bvh().root());
    bounds.count = 1;
    bounds.fill_up();
    float time[kBatch];
    kernels().place_moving(local.map, bounds, local.fields.in_a, 1, time);

    const Box at_a(a.bvh(), *bounds.a[0], Pose()), at_b(b.bvh(), *bounds.b[0], start);
    double exact = 0;
    for_axes(at_a, at_b, [&](const Vec3& n, double gap) {
      const double rate = -n.dot(way);
      if (gap > 0) exact = std::max(exact, rate > 0 ? gap / rate : kInfinity);
    });
    if (!(exact > 0.01 && exact < 1)) continue;
    ++total;
    EXPECT_LE(static_cast<double>(time[0]), exact * (1 + 1e-9));
    tight += static_cast<double>(time[0]) > 0.98 * exact;
  }
  EXPECT_GT(total, test::scaled(100, 5));
  EXPECT_GE(tight, 0.99 * total);
}

// The same of two triangles, for the last of their 11.
TEST(MovingKernels, TranslationsOfTrianglesAreNearlyExact) {
  Random random(4);
  int tight = 0, total = 0;
  for (int round = 0; round < test::scaled(6000, 400); ++round) {
    const Object a = random_object(random), b = random_object(random);
    const NodePair leaves{random_leaf(a.bvh(), random), random_leaf(b.bvh(), random)};
    const BvhLeaf &leaf_a = a.bvh().leaf(leaves.a), &leaf_b = b.bvh().leaf(leaves.b);
    const Triangle at_a = triangle_of(a.soup(), leaf_a.triangle[0]);
    // Towards each other, and not quite.
    const Pose turn = test::random_pose(random, 0);
    const Vec3 apart = random.in_box(1);
    const Pose start =
        Pose::from_translation(at_a[0] + apart -
                               turn * b.soup().vertex(b.soup().triangle(leaf_b.triangle[0])[0])) *
        turn;
    const Triangle at_b = triangle_of(b.soup(), leaf_b.triangle[0], RelativePose(Pose(), start));
    const Vec3 way = 2 * (random.in_box(0.2) - apart);
    const Motion motion = Motion::interpolated(start, Pose::from_translation(way) * start);
    const ToiQuery query(a, Motion::at(Pose()), b, motion, {.tolerance = 1e-9});
    const Snapshot snapshot = query.snapshot(query.slices()[0], 0);
    const LocalSnapshot local(a.bvh(), b.bvh(), snapshot);
    FramedPair framed;
    framed.place(kernels(), a.bvh(), b.bvh(), leaves, local.map);
    PairNumbers pairs;
    pairs.add(0);
    float time[kWidth];
    kernels().impact_triangles(leaf_a, leaf_b, pairs, framed.frame, local.fields, 1, time);

    double exact = 0;
    const auto axis = [&](const Vec3& x) {
      if (x.norm() < 1e-6) return;
      for (const Vec3& n : {Vec3(x.normalized()), Vec3(-x.normalized())}) {
        double most_a = -kInfinity, least_b = kInfinity;
        for (const Vec3& p : at_a) most_a = std::max(most_a, n.dot(p));
        for (const Vec3& p : at_b) least_b = std::min(least_b, n.dot(p));
        const double gap = least_b - most_a, rate = -n.dot(way);
        if (gap > 0) exact = std::max(exact, rate > 0 ? gap / rate : kInfinity);
      }
    };
    const auto edge = [](const Triangle& t, std::size_t i) { return Vec3(t[(i + 1) % 3] - t[i]); };
    axis(edge(at_a, 0).cross(edge(at_a, 1)));
    axis(edge(at_b, 0).cross(edge(at_b, 1)));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) axis(edge(at_a, i).cross(edge(at_b, j)));
    if (!(exact > 0.01 && exact < 1)) continue;
    ++total;
    const auto told = static_cast<double>(time[0]);
    tight += told > 0.98 * exact;
    // Not yet. A cross product that is mostly rounding may prove more than those above.
    const RelativePose then(Pose(), motion.pose(std::min(told, 1.0)));
    EXPECT_GT(closest_points(at_a, triangle_of(b.soup(), leaf_b.triangle[0], then)).distance, 0);
    EXPECT_LE(told, 1.01 * exact);
  }
  EXPECT_GT(total, test::scaled(300, 20));
  EXPECT_GE(tight, 0.98 * total);
}

}  // namespace
}  // namespace touche
