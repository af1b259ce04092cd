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
// Single precision changes the box of a mesh that is shifted in its file by less than this share of
// its coordinates, and its area by less than this share, unless it is far from the origin.
constexpr double kSingle = 1e-6, kSameArea = 1e-4;

}  // namespace

std::string mesh_hash(const PolygonSoup& soup) {
  return fmt::format("{:016x}", study::mesh_fingerprint(soup));
}

std::string faces_hash(const PolygonSoup& soup) {
  std::vector<Index> numbers;
  numbers.reserve(soup.corner_count() + soup.face_count());
  for (Index f = 0; f < soup.face_count(); ++f) {
    numbers.push_back(static_cast<Index>(soup.face(f).size()));
    numbers.insert(numbers.end(), soup.face(f).begin(), soup.face(f).end());
  }
  return fmt::format("{:016x}", study::fingerprint(reinterpret_cast<const char*>(numbers.data()),
                                                   numbers.size() * sizeof(Index)));
}

double mesh_area(const PolygonSoup& soup) {
  double twice = 0;
  for (const auto& t : soup.triangles())
    twice +=
        (soup.vertex(t[1]) - soup.vertex(t[0])).cross(soup.vertex(t[2]) - soup.vertex(t[0])).norm();
  return 0.5 * twice;
}

double mesh_volume(const PolygonSoup& soup) {
  const Vec3 middle = soup.bounds().centre();
  double six_times = 0;
  for (const auto& t : soup.triangles())
    six_times += (soup.vertex(t[0]) - middle)
                     .dot((soup.vertex(t[1]) - middle).cross(soup.vertex(t[2]) - middle));
  return six_times / 6;
}

Vec3 mesh_centre(const PolygonSoup& soup) {
  const Aabb& box = soup.bounds();
  Vec3 sum = Vec3::Zero();
  double twice = 0;
  for (const auto& t : soup.triangles()) {
    const Vec3 a = soup.vertex(t[0]) - box.lo, b = soup.vertex(t[1]) - box.lo,
               c = soup.vertex(t[2]) - box.lo;
    const double area = (b - a).cross(c - a).norm();
    twice += area;
    sum += area / 3 * (a + b + c);
  }
  const Vec3 size = (box.hi - box.lo).cwiseMax(1e-300);
  return twice > 0 ? Vec3((sum / twice).cwiseQuotient(size)) : Vec3(Vec3::Zero());
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

// Whether it is another mesh only because its coordinates are.
bool EarlierParts::is_shifted(std::size_t part) const {
  const EarlierClashes::Part& then = *find(part);
  if (then.faces.empty() || !then.box) return false;
  const PolygonSoup& soup = now_.objects[now_.parts[part].object].soup();
  if (then.faces != faces_hash(soup)) return false;
  const Aabb box = world_box(now_, part);
  const double largest =
      std::max({box.lo.norm(), box.hi.norm(), then.box->lo.norm(), then.box->hi.norm()});
  const Vec3 grown = (box.hi - box.lo) - (then.box->hi - then.box->lo);
  const double area = mesh_area(soup), room = std::pow(area, 1.5);
  return grown.cwiseAbs().maxCoeff() <= kSingle * largest && move_of(part) > kSingle * largest &&
         std::abs(area - then.area) <= kSameArea * area &&
         std::abs(mesh_volume(soup) - then.volume) <= kSameArea * room &&
         (mesh_centre(soup) - then.centre).cwiseAbs().maxCoeff() <= kSameArea;
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
    else if (same_mesh(p) ? moved(p) : is_shifted(p))
      changes.push_back({Kind::moved, name, move_of(p)});
    else if (!same_mesh(p))
      changes.push_back({Kind::mesh, name, move_of(p)});
  }
  for (const auto& [name, part] : earlier_.parts)
    if (!names.contains(name)) changes.push_back({Kind::gone, name});
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.part < b.part;
  });
  return changes;
}

}  // namespace touche::clash
