// SPDX-License-Identifier: Apache-2.0
#include "clash/earlier_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "math/box_corner.h"
#include "math/moved_box.h"
#include "study/fingerprint.h"

namespace touche::clash {
namespace {

// Poses are the same if no corner moves by more than this share of its coordinates: a pose that was
// written and read may differ by rounding.
constexpr double kSamePose = 1e-12;

}  // namespace

std::string mesh_hash(const PolygonSoup& soup) {
  return fmt::format("{:016x}", study::mesh_fingerprint(soup));
}

Aabb world_box(const ClashParts& parts, std::size_t part) {
  const Pose& pose = parts.parts[part].pose;
  return math::turned_box(parts.objects[parts.parts[part].object].bounds(), pose.matrix(),
                          pose.translation());
}

EarlierParts::EarlierParts(const ClashParts& now, const EarlierClashes& earlier)
    : now_(now), earlier_(earlier) {
  for (const Object& object : now.objects) hashes_.push_back(mesh_hash(object.soup()));
}

const EarlierClashes::Part* EarlierParts::find(std::size_t part) const {
  const auto found = earlier_.parts.find(now_.parts[part].name);
  return found == earlier_.parts.end() ? nullptr : &found->second;
}

bool EarlierParts::same_mesh(std::size_t part) const {
  const EarlierClashes::Part* then = find(part);
  return then != nullptr && then->mesh == hashes_[now_.parts[part].object];
}

// The displacement of a point is affine in it, so no point of the box moves farther than a corner.
double EarlierParts::move_of(std::size_t part) const {
  const ClashPart& own = now_.parts[part];
  const EarlierClashes::Part& then = *find(part);
  double most = 0;
  if (same_mesh(part)) {
    const Aabb& box = now_.objects[own.object].bounds();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 x = math::corner_of(box, corner);
      most = std::max(most, (own.pose * x - then.pose * x).norm());
    }
  } else if (then.box) {
    const Aabb box = world_box(now_, part);
    most = std::max((box.lo - then.box->lo).norm(), (box.hi - then.box->hi).norm());
  }
  return most;
}

bool EarlierParts::moved(std::size_t part) const {
  const ClashPart& own = now_.parts[part];
  const Aabb& box = now_.objects[own.object].bounds();
  const double size = box.lo.norm() + box.hi.norm() + own.pose.translation().norm();
  return move_of(part) > kSamePose * size;
}

std::vector<ClashPartChange> EarlierParts::changes() const {
  using Kind = ClashPartChange::Kind;
  std::vector<ClashPartChange> changes;
  std::set<std::string_view> names;
  for (std::size_t p = 0; p < now_.parts.size(); ++p) {
    const std::string& name = now_.parts[p].name;
    names.insert(name);
    const EarlierClashes::Part* then = find(p);
    if (then == nullptr)
      changes.push_back({Kind::fresh, name});
    else if (then->mesh.empty())
      continue;  // unknown
    else if (!same_mesh(p))
      changes.push_back({Kind::mesh, name, move_of(p)});
    else if (moved(p))
      changes.push_back({Kind::moved, name, move_of(p)});
  }
  for (const auto& [name, part] : earlier_.parts)
    if (!names.contains(name)) changes.push_back({Kind::gone, name});
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.part < b.part;
  });
  return changes;
}

}  // namespace touche::clash
