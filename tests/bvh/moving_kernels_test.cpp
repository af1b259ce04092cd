// SPDX-License-Identifier: Apache-2.0
// For how long the kernels prove pairs of moving nodes and triangles apart, against where their
// triangles are in that time; on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bvh/object_data.h"
#include "hit_share.h"
#include "motion_kinds.h"
#include "moving_boxes.h"
#include "query/middle_proof.h"
#include "query/node_impact.h"
#include "query/pair_traversal.h"
#include "query/time_slices.h"
#include "test_scale.h"
#include "touche/simd.h"

namespace touche {
namespace {

using scenes::Random;
using test::for_axes;
using test::least_distance;
using test::PlacedBox;
using test::random_leaf;
using test::random_node;
using test::random_object;
using test::triangles_below;

bool boxes_apart(const PlacedBox& a, const PlacedBox& b) {
  bool found = false;
  for_axes(a, b, [&](const Vec3&, double gap) { found = found || gap > 0; });
  return found;
}

/// Two objects that move, and one instant of it.
struct Case {
  Object a, b;
  Motion motion_a, motion_b;
  query::TimeSpan span;
  query::Snapshot snapshot;
  ToiOptions options;

  static Case random(base::Random& random) {
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
        const Triangle t = query::triangle_of(
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
    const double clearance = random.below(4) == 0 ? 0.05 : 0;
    std::vector<query::TimeSlice> memory;
    const ToiOptions options{.tolerance = 1e-9, .clearance = clearance};
    const query::TimeSlices slices(a, motion_a, b, motion_b, options, memory);
    std::size_t first = random.below(static_cast<Index>(slices.size()));
    for (std::size_t i = 0; i < slices.size(); ++i)
      if (slices[i].begin <= when && when <= slices[i].end) first = i;
    const query::TimeSpan span = slices.span(first);
    const double latest = std::min(when, span.begin + 0.9 * (span.end - span.begin));
    const double t = random.uniform(span.begin, latest);
    return {a, b, motion_a, motion_b, span, slices.snapshot(span, t), options};
  }

  /// Times until `dt` later.
  template <class Visit>
  void for_times(double dt, const Visit& visit) const {
    constexpr int kSamples = 12;
    for (int i = 0; i <= kSamples; ++i) visit(std::min(snapshot.t + dt * i / kSamples, span.end));
  }

  /// The least distance of some of a's triangles to some of b's from the instant until `dt` later.
  double least_distance_until(const std::vector<Index>& of_a, const std::vector<Index>& of_b,
                              double dt) const {
    double least = kInfinity;
    for_times(dt, [&](double t) {
      const query::RelativePose pose(motion_a.pose(t), motion_b.pose(t));
      least = std::min(least, least_distance(a, of_a, b, of_b, pose));
    });
    return least;
  }

  bool touches_at_instant() const {
    for (Index x = 0; x < a.soup().triangle_count(); ++x)
      for (Index y = 0; y < b.soup().triangle_count(); ++y)
        if (least_distance_until({x}, {y}, 0) <= snapshot.clearance + 2e-9) return true;
    return false;
  }

  /// That of two triangles, from `dt` before a moment until `dt` later.
  double least_distance_around(Index of_a, Index of_b, double moment, double dt) const {
    constexpr int kSamples = 8;
    double least = kInfinity;
    for (int i = -kSamples; i <= kSamples; ++i) {
      const double t = std::clamp(moment + dt * i / kSamples, span.begin, span.end);
      const query::RelativePose pose(motion_a.pose(t), motion_b.pose(t));
      least = std::min(least, least_distance(a, {of_a}, b, {of_b}, pose));
    }
    return least;
  }
};

TEST(MovingKernels, NodesStayApartInTheirOwnFrames) {
  base::Random random(1);
  int apart = 0, total = 0;
  for (int round = 0; round < test::scaled(30000, 1000); ++round) {
    const Case c = Case::random(random);
    const bvh::Bvh &a = bvh::bvh_of(c.a), &b = bvh::bvh_of(c.b);
    const query::LocalSnapshot local(a, b, c.snapshot);
    query::NodePair nodes[bvh::kBatch];
    bvh::BoundsPairs bounds;
    const int count = 1 + static_cast<int>(random.below(bvh::kBatch));
    for (; bounds.count < count; ++bounds.count) {
      query::NodePair& pair = nodes[bounds.count];
      pair = {random_node(a, random), random_node(b, random)};
      bounds.a[bounds.count] = &a.bounds(pair.a);
      bounds.b[bounds.count] = &b.bounds(pair.b);
    }
    bounds.fill_up();
    const auto limit = static_cast<float>(c.span.end - c.snapshot.t);
    float first[bvh::kBatch];
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      float time[bvh::kBatch];
      kernel.impact_nodes(local.map, bounds, local.velocities.in_a, limit, time);
      if (&kernel == &bvh::all_kernels().front()) std::copy_n(time, count, first);
      for (int n = 0; n < count; ++n) EXPECT_EQ(time[n], first[n]) << kernel.name;
    }
    for (int n = 0; n < count; ++n) {
      ++total;
      if (!(first[n] > 0)) continue;
      ++apart;
      c.for_times(static_cast<double>(std::min(first[n], limit)), [&](double t) {
        EXPECT_TRUE(boxes_apart(PlacedBox(a, *bounds.a[n], c.motion_a.pose(t)),
                                PlacedBox(b, *bounds.b[n], c.motion_b.pose(t))))
            << round << ' ' << n;
      });
    }
  }
  test::expect_about_half(apart, total);
}

TEST(MovingKernels, ChildrenAndTrianglesStayApart) {
  base::Random random(2);
  int apart = 0, total = 0, soon = 0;
  for (int round = 0; round < test::scaled(10000, 500); ++round) {
    const Case c = Case::random(random);
    const bvh::Bvh &a = bvh::bvh_of(c.a), &b = bvh::bvh_of(c.b);
    const query::LocalSnapshot local(a, b, c.snapshot);
    query::FramedPair framed;
    const query::NodePair nodes{random_node(a, random), random_node(b, random)};
    const bool may_overlap = framed.relate(bvh::kernels(), a, b, nodes, local.map) == 0;
    if (!may_overlap && random.below(32) != 0) continue;
    const query::OpenedPair pair(a, b, framed.nodes, framed.frame.ratio);
    const auto limit = static_cast<float>(c.span.end - c.snapshot.t);
    bvh::PairKeys first;
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      bvh::PairKeys keys;
      const std::int32_t least =
          kernel.impact(pair.contents_a(), pair.contents_b(), a.bounds(nodes.a).frame,
                        b.bounds(nodes.b).frame, framed.frame, local.velocities, limit, keys);
      EXPECT_EQ(least, kernel.next(keys, -1)) << kernel.name;
      std::int32_t in_order[bvh::kWidth], firsts[bvh::kWidth];
      std::partial_sort_copy(keys.key, keys.key + bvh::kWidth * bvh::kWidth, in_order,
                             in_order + bvh::kWidth);
      kernel.first_keys(keys, firsts);
      EXPECT_TRUE(std::equal(firsts, firsts + bvh::kWidth, in_order)) << kernel.name;
      if (&kernel == &bvh::all_kernels().front()) first = keys;
      EXPECT_TRUE(std::equal(keys.key, keys.key + bvh::kWidth * bvh::kWidth, first.key))
          << kernel.name;
    }
    for (int row = 0; pair.leaves() && row < pair.contents_a().count; ++row) {
      bvh::PairNumbers pairs;
      for (int lane = 0; lane < pair.contents_b().count; ++lane)
        pairs.add(bvh::kWidth * row + lane);
      float time[bvh::kWidth];
      for (const bvh::Kernels& kernel : bvh::all_kernels()) {
        float its[bvh::kWidth];
        kernel.impact_triangles(pair.leaf_a(), pair.leaf_b(), pairs, framed.frame, local.velocities,
                                round % 2 == 0, limit, its);
        if (&kernel == &bvh::all_kernels().front()) std::copy_n(its, pairs.count, time);
        EXPECT_TRUE(std::equal(its, its + pairs.count, time)) << kernel.name;
      }
      for (int lane = 0; lane < pairs.count; ++lane) {
        if (!(time[lane] > 0)) continue;
        const double dt = static_cast<double>(std::min(time[lane], limit));
        EXPECT_GT(c.least_distance_until({pair.triangle_a(row)}, {pair.triangle_b(lane)}, dt),
                  c.snapshot.clearance)
            << round << ' ' << row << ' ' << lane;
      }
    }
    // The triangles of a leaf that stays closed have one key together, in their first row or lane.
    const auto rows = [&](const bvh::NodeContents& side) {
      return !pair.leaves() && side.corner != nullptr ? 1 : side.count;
    };
    for (int row = 0; row < rows(pair.contents_a()); ++row)
      for (int lane = 0; lane < rows(pair.contents_b()); ++lane) {
        const int n = bvh::kWidth * row + lane;
        const bool until_the_end = first.key[n] == bvh::PairKeys::kNone;
        const double dt = until_the_end ? static_cast<double>(limit)
                                        : static_cast<double>(bvh::PairKeys::value(first.key[n]));
        ++total;
        if (!(dt > 0)) continue;
        ++apart;
        soon += !until_the_end;
        std::vector<Index> of_a, of_b;
        if (pair.leaves()) {
          of_a = {pair.triangle_a(row)};
          of_b = {pair.triangle_b(lane)};
        } else {
          const query::NodePair child = pair.children()[n];
          of_a = triangles_below(a, child.a);
          of_b = triangles_below(b, child.b);
        }
        EXPECT_GT(c.least_distance_until(of_a, of_b, dt), c.snapshot.clearance)
            << round << ' ' << n;
      }
  }
  // Most children of nodes that overlap are apart.
  EXPECT_LT(apart, 0.9 * total);
  EXPECT_GT(soon, 0.05 * total);
}

// A proof from the middle of an interval says that all triangles except the ones of the remaining
// leaves stay apart, before the instant and after it.
TEST(MovingKernels, AllStayApartAroundAnInstant) {
  base::Random random(6);
  int apart = 0, total = 0, left_over = 0, touching = 0, rounds = 0;
  for (int round = 0; round < test::scaled(2000, 150); ++round) {
    const Case c = Case::random(random);
    const double t = c.snapshot.t, half = std::min(t - c.span.begin, c.span.end - t);
    const bvh::Bvh &a = bvh::bvh_of(c.a), &b = bvh::bvh_of(c.b);
    if (!c.span.is_slice() || !(half > 0) ||
        query::LocalSnapshot(a, b, c.snapshot).velocities.in_a.gliding)
      continue;
    // The same pairs are left on every instruction set.
    std::vector<std::vector<query::NodePair>> left;
    bool given_up = false;
    const Budget no_limit;
    for (const std::string& target : simd_targets()) {
      set_simd_target(target);
      query::MiddleProof proof;
      base::BudgetMeter meter(no_limit);
      QueryStats stats;
      proof.begin(c.a, c.b, c.snapshot, half, 1e-9);
      const query::MiddleProof::Status status = proof.go_on(meter, stats);
      ASSERT_NE(status, query::MiddleProof::Status::stopped);
      given_up = status == query::MiddleProof::Status::given_up;
      left.emplace_back(proof.left().begin(), proof.left().end());
    }
    set_simd_target(simd_targets().front());
    ++rounds;
    touching += given_up;
    if (given_up) {
      EXPECT_TRUE(c.touches_at_instant()) << round;
      continue;
    }
    const auto same = [](const query::NodePair& x, const query::NodePair& y) {
      return x.a == y.a && x.b == y.b;
    };
    for (const auto& its : left)
      EXPECT_TRUE(std::equal(its.begin(), its.end(), left[0].begin(), left[0].end(), same));

    left_over += left[0].empty() ? 0 : 1;
    std::vector<std::pair<Index, Index>> may_meet;
    for (const query::NodePair& leaves : left[0])
      for (const Index x : triangles_below(a, leaves.a))
        for (const Index y : triangles_below(b, leaves.b)) may_meet.emplace_back(x, y);
    std::sort(may_meet.begin(), may_meet.end());
    const auto triangles_a = static_cast<Index>(c.a.soup().triangle_count()),
               triangles_b = static_cast<Index>(c.b.soup().triangle_count());
    for (Index x = 0; x < triangles_a; ++x)
      for (Index y = 0; y < triangles_b; ++y) {
        ++total;
        if (std::binary_search(may_meet.begin(), may_meet.end(), std::pair(x, y))) continue;
        ++apart;
        // Most pairs are far apart.
        if (c.least_distance_until({x}, {y}, 0) > 1 && random.below(16) != 0) continue;
        EXPECT_GT(c.least_distance_around(x, y, t, half), c.snapshot.clearance)
            << round << ' ' << x << ' ' << y;
      }
  }
  EXPECT_GT(apart, 0.3 * total);
  EXPECT_LT(apart, 0.99 * total);
  EXPECT_GT(left_over, 0.1 * rounds);
  EXPECT_LT(left_over, 0.95 * rounds);
  EXPECT_GT(touching, 0.05 * rounds);
}

// In a part of the interval such a proof leaves some of the pairs that it leaves in the whole, and
// all others stay apart there.
TEST(MovingKernels, PairsThatAreLeftStayApartInParts) {
  base::Random random(7);
  int apart = 0, total = 0;
  for (int round = 0; round < test::scaled(2000, 250); ++round) {
    const Case c = Case::random(random);
    const double t = c.snapshot.t, half = std::min(t - c.span.begin, c.span.end - t);
    const bvh::Bvh &a = bvh::bvh_of(c.a), &b = bvh::bvh_of(c.b);
    if (!c.span.is_slice() || !(half > 0) ||
        query::LocalSnapshot(a, b, c.snapshot).velocities.in_a.gliding)
      continue;
    query::MiddleProof proof;
    const Budget no_limit;
    base::BudgetMeter meter(no_limit);
    QueryStats stats;
    proof.begin(c.a, c.b, c.snapshot, half, 1e-9);
    if (proof.go_on(meter, stats) != query::MiddleProof::Status::done) continue;
    const std::vector<query::NodePair> all(proof.left().begin(), proof.left().end());
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(c.a, c.motion_a, c.b, c.motion_b, c.options, memory);
    const auto look_around = [&](double middle, double dt) {
      const std::size_t looked = proof.look_again(slices.snapshot(c.span, middle), dt, stats);
      const std::span<const query::NodePair> left = proof.left();
      auto next = left.begin();
      for (const query::NodePair& leaves : std::span(all).first(looked)) {
        ++total;
        if (next != left.end() && next->a == leaves.a && next->b == leaves.b) {
          ++next;
          continue;
        }
        ++apart;
        for (const Index x : triangles_below(a, leaves.a))
          for (const Index y : triangles_below(b, leaves.b))
            EXPECT_GT(c.least_distance_around(x, y, middle, dt), c.snapshot.clearance)
                << round << ' ' << x << ' ' << y;
      }
      EXPECT_EQ(next, left.end());
      return looked;
    };
    proof.keep(t + half);
    EXPECT_EQ(look_around(t - half / 2, half / 2), all.size());
    EXPECT_EQ(look_around(t + half / 2, half / 2), all.size());

    // Pairs that are kept for a part are dropped with it, and the pairs kept before are active
    // again.
    const std::size_t in_part = proof.left().size();
    proof.keep(t + half / 2);
    EXPECT_EQ(proof.kept_until(), t + half / 2);
    EXPECT_EQ(proof.look_again(c.snapshot, 0, stats), in_part);
    EXPECT_TRUE(proof.keeps_after(t + half / 2));
    EXPECT_EQ(proof.kept_until(), t + half);
    EXPECT_EQ(proof.look_again(c.snapshot, 0, stats), all.size());
    proof.keep(t + half);  // replaces what was kept until then
    EXPECT_EQ(proof.look_again(c.snapshot, 0, stats), proof.left().size());
    EXPECT_FALSE(proof.keeps_after(t + half));
  }
  EXPECT_GT(apart, 0.05 * total);
  EXPECT_LT(apart, 0.95 * total);
}

// Speeds without a direction grow with the distance from the centre of a turn, so that it must not
// be taken elsewhere on its axis.
TEST(MovingKernels, VelocityBoundsKeepTheirCentre) {
  base::Random random(5);
  const Object a = random_object(random), b = random_object(random);
  query::Snapshot s;
  s.t = 0;
  s.velocity_a.still = true;
  s.velocity_b.angular = s.velocity_b.axis = Vec3::UnitZ();
  s.velocity_b.acceleration_per_distance = 1;
  s.velocity_b.centre = Vec3(0.5, 0.25, 7);
  const double scale = bvh::bvh_of(a).scale();
  const auto height = [&] {
    return query::LocalSnapshot(bvh::bvh_of(a), bvh::bvh_of(b), s).velocities.in_a.b.centre[2];
  };
  const auto moved = static_cast<float>(scale * (7 - bvh::bvh_of(a).centre().z()));
  EXPECT_EQ(height(), 0);  // as near as any on the axis
  s.velocity_b.undirected_angular_speed = 0.1;
  EXPECT_NEAR(height(), moved, 1e-6 * moved);
}

}  // namespace
}  // namespace touche
