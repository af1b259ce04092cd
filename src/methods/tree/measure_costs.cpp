// SPDX-License-Identifier: Apache-2.0
#include "touche/methods/measure_costs.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "base/random.h"
#include "bvh/bvh.h"
#include "bvh/object_data.h"
#include "geometry/triangle_pair.h"
#include "methods/bounds/any_volume.h"
#include "methods/bounds/pair_test.h"
#include "touche/object.h"

namespace touche {
namespace {

using bounds::PoseMatrix;

/// This number of pairs fits the cache closest to the core, as the next pairs of a search mostly
/// do.
constexpr int kPoses = 4, kPairsPerPose = 64;

/// The vertices of the faces under nodes and leaves of a hierarchy.
std::vector<std::vector<Vec3>> sets_of_points(const PolygonSoup& soup) {
  const Object object(soup, {}, {.threads = 1});
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  std::vector<std::vector<Vec3>> sets;
  const auto gather = [&](const auto& self, bvh::NodeRef ref,
                          std::vector<Index>& vertices) -> void {
    if (bvh::is_leaf(ref)) {
      const bvh::BvhLeaf& leaf = bvh.leaf(ref);
      for (int i = 0; i < leaf.count(); ++i)
        for (const Index v : soup.triangle(leaf.triangle[i])) vertices.push_back(v);
    } else {
      bvh::Boxes8 room;
      const bvh::NodeView node = bvh.node(ref, room);
      for (int i = 0; i < node.count(); ++i) self(self, node.child[i], vertices);
    }
  };
  const auto add_set = [&](bvh::NodeRef ref) {
    std::vector<Index> vertices;
    gather(gather, ref, vertices);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    std::vector<Vec3>& points = sets.emplace_back();
    for (const Index v : vertices) points.push_back(soup.vertex(v));
  };
  // Up to 64 of each level.
  for (std::vector<bvh::NodeRef> level = {bvh.root()}, next; !level.empty(); level.swap(next)) {
    next.clear();
    const std::size_t step = (level.size() + 63) / 64;
    for (std::size_t i = 0; i < level.size(); i += step) {
      add_set(level[i]);
      if (bvh::is_leaf(level[i])) continue;
      bvh::Boxes8 room;
      const bvh::NodeView node = bvh.node(level[i], room);
      next.insert(next.end(), node.child, node.child + node.count());
    }
  }
  return sets;
}

/// Pairs, and the pose of the second ones seen from the first.
template <typename A, typename B>
struct Case {
  A a;
  B b;
};
template <typename A, typename B>
struct Cases {
  struct AtPose {
    PoseMatrix pose;
    std::vector<Case<A, B>> pairs;
  };
  std::vector<AtPose> poses;
};

double reach(std::span<const Vec3> points, Vec3& middle) {
  Aabb box;
  for (const Vec3& p : points) box.include(p);
  middle = box.centre();
  return 0.5 * box.diagonal();
}

bool meet(const bounds::AabbMinMax& a, const bounds::Obb& b, const PoseMatrix& pose) {
  return overlap(to_obb(a), b, pose);
}
template <typename A, typename B>
bool meet(const A& a, const B& b, const PoseMatrix& pose) {
  // A sphere comes first.
  if constexpr (std::same_as<B, bounds::Sphere> && !std::same_as<A, bounds::Sphere>)
    return overlap(b, a, pose.inverse());
  else
    return overlap(a, b, pose);
}

/// The test of pairs at one pose, as trees do it.
template <typename A, typename B>
class TestAt {
 public:
  explicit TestAt(const PoseMatrix& pose) : pose_(pose) {}
  bool operator()(const A& a, const B& b) const { return meet(a, b, pose_); }

 private:
  PoseMatrix pose_;
};
template <bounds::BoundingVolume V>
class TestAt<V, V> : public bounds::PairTest<V> {
  using bounds::PairTest<V>::PairTest;
};
/// Brings the second triangle to the first, as the search does.
template <>
class TestAt<Triangle, Triangle> {
 public:
  explicit TestAt(const PoseMatrix& pose) : pose_(pose) {}
  bool operator()(const Triangle& a, const Triangle& b) const {
    return geometry::triangles_intersect(a, {pose_ * b[0], pose_ * b[1], pose_ * b[2]});
  }

 private:
  PoseMatrix pose_;
};

Triangle moved(const Triangle& t, const PoseMatrix& pose) {
  return {pose * t[0], pose * t[1], pose * t[2]};
}

/// Pairs of things made of two sets of points, half of them such that they meet where that can
/// be brought about: the second set is moved near to the first until it does, or does not.
template <typename A, typename B, typename MakeA, typename MakeB>
Cases<A, B> make_cases(const std::vector<std::vector<Vec3>>& sets, base::Random& random,
                       const MakeA& make_a, const MakeB& make_b) {
  Cases<A, B> cases;
  for (int p = 0; p < kPoses; ++p) {
    auto& at = cases.poses.emplace_back();
    at.pose = Pose::from_axis_angle(random.direction(), random.uniform(0, 3), random.direction());
    const TestAt<A, B> test(at.pose);
    for (int k = 0; k < kPairsPerPose; ++k) {
      const std::vector<Vec3>& of_a = sets[random.below(static_cast<Index>(sets.size()))];
      const std::vector<Vec3>& of_b = sets[random.below(static_cast<Index>(sets.size()))];
      Vec3 middle_a, middle_b;
      const double sum = reach(of_a, middle_a) + reach(of_b, middle_b);
      const A a = make_a(of_a);
      const B fitted = make_b(of_b);
      for (int attempt = 0;; ++attempt) {
        const Vec3 wanted = middle_a + random.uniform(0, 1.2) * sum * random.direction();
        const Vec3 shift = at.pose.inverse() * wanted - middle_b;
        const B b = moved(fitted, PoseMatrix(Pose::from_translation(shift)));
        if (test(a, b) != (k % 2 == 0) && attempt < 50) continue;
        at.pairs.push_back({a, b});
        break;
      }
    }
  }
  return cases;
}

/// Nanoseconds of a test.
template <typename A, typename B>
double time_of(const Cases<A, B>& cases, const MeasureOptions& options) {
  using Clock = std::chrono::steady_clock;
  std::vector<TestAt<A, B>> tests_at;  // preparing a pose is not counted
  for (const auto& at : cases.poses) tests_at.emplace_back(at.pose);
  volatile int sink = 0;  // keeps the compiler from removing the unused results
  double best = kInfinity;
  for (int repetition = 0; repetition < options.repetitions; ++repetition) {
    const auto start = Clock::now();
    std::size_t tests = 0;
    double seconds = 0;
    do {
      int met = 0;
      for (std::size_t p = 0; p < tests_at.size(); ++p)
        for (const auto& pair : cases.poses[p].pairs) met += tests_at[p](pair.a, pair.b);
      sink = sink + met;
      tests += kPoses * kPairsPerPose;
      seconds = std::chrono::duration<double>(Clock::now() - start).count();
    } while (seconds < options.seconds);
    best = std::min(best, 1e9 * seconds / static_cast<double>(tests));
  }
  return best;
}

// The kinds of a mixed tree, in alphabetical order.
using Kinds = std::tuple<bounds::AabbMinMax, bounds::Obb, bounds::Sphere>;

template <typename V>
constexpr bool kIsKind = std::same_as<V, bounds::AabbMinMax> || std::same_as<V, bounds::Obb> ||
                         std::same_as<V, bounds::Sphere>;

/// The kinds that are measured as trees test them, by virtual functions.
std::span<const bounds::VolumeKind> other_kinds() {
  return bounds::volume_kinds().subspan(std::tuple_size_v<bounds::AllVolumes>);
}

/// Calls f(std::type_identity<A>(), std::type_identity<B>()) for all other pairs that are measured.
template <typename F>
void for_pairs(const F& f) {
  const auto with_itself = [&]<typename V>(std::type_identity<V> v) { f(v, v); };
  const auto others = [&]<typename... V>(std::type_identity<std::tuple<V...>>) {
    (
        [&] {
          if constexpr (!kIsKind<V>) with_itself(std::type_identity<V>());
        }(),
        ...);
  };
  using First = std::type_identity<std::tuple_element_t<0, Kinds>>;
  using Second = std::type_identity<std::tuple_element_t<1, Kinds>>;
  using Third = std::type_identity<std::tuple_element_t<2, Kinds>>;
  f(First(), First()), f(First(), Second()), f(First(), Third());
  f(Second(), Second()), f(Second(), Third());
  f(Third(), Third());
  others(std::type_identity<bounds::AllVolumes>());
}

template <typename A, typename B>
std::string key_of() {
  return std::string(A::kName) + " " + std::string(B::kName);
}

std::string key_of(const bounds::VolumeKind& kind) {
  return std::string(kind.name) + " " + std::string(kind.name);
}

double time_of_triangles(const PolygonSoup& soup, const MeasureOptions& options) {
  std::vector<std::vector<Vec3>> sets;
  for (const auto& [a, b, c] : soup.triangles())
    sets.push_back({soup.vertex(a), soup.vertex(b), soup.vertex(c)});
  const auto make = [](const std::vector<Vec3>& p) { return Triangle{p[0], p[1], p[2]}; };
  base::Random random(options.seed);
  return time_of(make_cases<Triangle, Triangle>(sets, random, make, make), options);
}

}  // namespace

CostMatrix measure_costs(const PolygonSoup& soup, const MeasureOptions& options) {
  if (soup.triangle_count() == 0) throw InvalidInput("costs are measured on a soup with faces");
  if (options.repetitions < 1 || !(options.seconds >= 0))
    throw InvalidInput("costs are measured in at least one repetition of positive time");
  const std::vector<std::vector<Vec3>> sets = sets_of_points(soup);
  CostMatrix costs;
  for_pairs([&]<typename A, typename B>(std::type_identity<A>, std::type_identity<B>) {
    base::Random random(options.seed);
    const auto cases = make_cases<A, B>(
        sets, random, [](const std::vector<Vec3>& points) { return A::fit(points); },
        [](const std::vector<Vec3>& points) { return B::fit(points); });
    costs.cost[key_of<A, B>()] = time_of(cases, options);
  });
  std::vector<bounds::VolumeKind> kinds(other_kinds().begin(), other_kinds().end());
  if (!options.directions.empty()) kinds.push_back(bounds::kind_of_directions(options.directions));
  for (const bounds::VolumeKind& kind : kinds) {
    base::Random random(options.seed);
    const auto fit = [&](const std::vector<Vec3>& points) { return kind.fit(points); };
    const auto cases = make_cases<bounds::AnyVolume, bounds::AnyVolume>(sets, random, fit, fit);
    costs.cost[key_of(kind)] = time_of(cases, options);
  }
  costs.triangles = time_of_triangles(soup, options);
  return costs;
}

std::vector<std::string> measured_pairs() {
  std::vector<std::string> pairs;
  for_pairs([&]<typename A, typename B>(std::type_identity<A>, std::type_identity<B>) {
    pairs.push_back(key_of<A, B>());
  });
  for (const bounds::VolumeKind& kind : other_kinds()) pairs.push_back(key_of(kind));
  return pairs;
}

}  // namespace touche
