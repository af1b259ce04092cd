// SPDX-License-Identifier: Apache-2.0
#include "path/parts_inside.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "path/interior.h"
#include "query/flat_pair.h"
#include "query/relative.h"
#include "touche/query.h"

namespace touche {

std::vector<std::vector<Index>> parts_of(const PolygonSoup& soup) {
  // Let one vertex stand for all at its position.
  std::vector<Index> order(soup.vertex_count()), leader(soup.vertex_count());
  std::iota(order.begin(), order.end(), Index{0});
  const auto key = [&](Index v) {
    const Vec3& x = soup.vertex(v);
    return std::tie(x[0], x[1], x[2]);
  };
  std::sort(order.begin(), order.end(),
            [&](Index v, Index w) { return key(v) != key(w) ? key(v) < key(w) : v < w; });
  for (std::size_t i = 0; i < order.size(); ++i)
    leader[order[i]] =
        i > 0 && key(order[i]) == key(order[i - 1]) ? leader[order[i - 1]] : order[i];

  // Let triangles join their vertices.
  const auto find = [&](Index v) {
    while (leader[v] != v) v = leader[v] = leader[leader[v]];
    return v;
  };
  for (const auto& t : soup.triangles())
    for (const Index v : t) leader[find(v)] = find(t[0]);

  // List the parts in the order of their first triangles.
  std::vector<std::vector<Index>> parts;
  std::vector<Index> part_of(soup.vertex_count(), kNone);
  std::vector<bool> used(soup.vertex_count());
  for (const auto& t : soup.triangles())
    for (const Index v : t) {
      if (used[v]) continue;
      used[v] = true;
      Index& part = part_of[find(v)];
      if (part == kNone) {
        part = static_cast<Index>(parts.size());
        parts.emplace_back();
      }
      parts[part].push_back(v);
    }
  return parts;
}

namespace {

enum class Share { any, all };

/// Finds out whether any part of one object, or all, lie inside another. Answers nothing when the
/// budget ends first.
class PartsInside {
 public:
  explicit PartsInside(const Budget& budget) : budget_(budget) {}

  std::optional<bool> operator()(Share share, const Interior& inner, const Interior& outer,
                                 const RelativePose& to_outer) {
    // The first part that does not lie inside, or does, decides.
    const bool undecided_while = share == Share::all;
    for (const auto& part : data_of(inner).parts)
      if (const auto inside = holds(outer, inner.object().soup(), part, to_outer);
          inside != undecided_while)
        return inside;
    return undecided_while;
  }

 private:
  /// Whether a part lies inside. One vertex tells it for all if the inside of the outer object ends
  /// at its faces only.
  std::optional<bool> holds(const Interior& outer, const PolygonSoup& soup,
                            const std::vector<Index>& part, const RelativePose& to_outer) {
    const std::size_t count = data_of(outer).ends_at_faces() ? 1 : part.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (points_++ >= budget_.max_work || budget_.expired()) return std::nullopt;
      if (!outer.contains(to_outer * soup.vertex(part[i]))) return false;
    }
    return true;
  }

  const Budget& budget_;
  std::uint64_t points_ = 0;
};

Containment containment_of(std::optional<bool> inside, Containment which) {
  return !inside ? Containment::undecided : *inside ? which : Containment::none;
}

/// Which of two objects lies inside the other, with any part or with all.
Containment containment_of(Share share, const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, const Budget& budget) {
  PartsInside parts_inside(budget);
  const Containment first =
      containment_of(parts_inside(share, a, b, RelativePose(pose_b, pose_a)), Containment::a_in_b);
  if (first != Containment::none) return first;
  return containment_of(parts_inside(share, b, a, RelativePose(pose_a, pose_b)),
                        Containment::b_in_a);
}

}  // namespace

std::optional<bool> reaches_inside(const Interior& inner, const Pose& pose_inner,
                                   const Interior& outer, const Pose& pose_outer,
                                   const Budget& budget) {
  return PartsInside(budget)(Share::any, inner, outer, RelativePose(pose_outer, pose_inner));
}

Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const Budget& budget) {
  return containment_of(Share::any, a, pose_a, b, pose_b, budget);
}

Containment containment(const Interior& a, const Pose& pose_a, const Interior& b,
                        const Pose& pose_b, const Budget& budget) {
  check_flat_pair("containment", a.object(), pose_a, b.object(), pose_b);
  const IntersectsResult crossing = intersects(a.object(), pose_a, b.object(), pose_b, budget);
  if (crossing.intersects) return Containment::none;
  if (!crossing.decided) return Containment::undecided;
  return containment_of(Share::all, a, pose_a, b, pose_b, budget);
}

}  // namespace touche
