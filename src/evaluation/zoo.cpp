// SPDX-License-Identifier: Apache-2.0
#include "touche/methods/zoo.h"

#include <algorithm>
#include <chrono>

#include "base/progress_report.h"
#include "base/random.h"
#include "evaluation/timing.h"
#include "evaluation/zoo_picture.h"
#include "evaluation/zoo_plane.h"
#include "methods/bounds/any_volume.h"
#include "methods/bounds/hull.h"

namespace touche {
namespace {

using bounds::AnyVolume, bounds::VolumeKind;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A mesh with all its volumes.
struct Exhibit {
  const PolygonSoup& soup;
  std::vector<AnyVolume> volumes;
  std::vector<double> seconds;
  const bounds::Hull& hull() const { return *volumes.back().as<bounds::Hull>(); }
};

Exhibit exhibit_of(const PolygonSoup& soup) {
  Exhibit e{soup, {}, {}};
  std::vector<Triangle> triangles;
  for (const auto& [a, b, c] : soup.triangles())
    triangles.push_back({soup.vertex(a), soup.vertex(b), soup.vertex(c)});
  for (const VolumeKind& kind : bounds::volume_kinds()) {
    AnyVolume& volume = e.volumes.emplace_back();
    e.seconds.push_back(evaluation::best_seconds([&] { volume = kind.fit_faces(triangles); }));
  }
  return e;
}

/// Poses of a second copy for which the hulls of both are separate but within reach of each other.
std::vector<Pose> places_apart(const bounds::Hull& hull, const ZooOptions& options) {
  base::Random random(options.seed);
  std::vector<Pose> places;
  // Hulls of some extent are apart at the far end of the range; a point is at its own.
  for (int tries = 0;
       static_cast<int>(places.size()) < options.places && tries < 40 * options.places; ++tries) {
    const Pose turn =
        Pose::from_axis_angle(random.direction(), random.uniform(0, 3.14), Vec3::Zero());
    const Vec3 shift = random.uniform() * 2.5 * hull.ball.radius * random.direction();
    const Pose place = Pose::from_quaternion_unchecked(
        turn.rotation(), hull.ball.centre + shift - turn * hull.ball.centre);
    if (!overlap(hull, hull, place)) places.push_back(place);
  }
  return places;
}

double share_not_told(const AnyVolume& v, const std::vector<Pose>& places) {
  const auto alarms =
      std::ranges::count_if(places, [&](const Pose& place) { return overlap(v, v, place); });
  return places.empty() ? 0 : static_cast<double>(alarms) / static_cast<double>(places.size());
}

double ratio(double value, double of) { return of > 0 ? value / of : 0; }

void check(const std::vector<ZooMesh>& meshes, const std::vector<ZooOutline>& outlines,
           const ZooOptions& options) {
  for (const ZooMesh& mesh : meshes)
    if (mesh.soup.face_count() == 0) throw InvalidInput("zoo: " + mesh.title + " has no faces");
  for (const ZooOutline& outline : outlines)
    if (outline.corners.empty()) throw InvalidInput("zoo: " + outline.title + " has no corners");
  if (options.places < 1 || options.places > 1'000'000)
    throw InvalidInput("zoo: the number of poses must be between 1 and a million");
  if (options.picture_width < 16 || options.picture_width > 4096)
    throw InvalidInput("zoo: pictures are between 16 and 4096 pixels wide");
}

}  // namespace

Zoo make_zoo(const std::vector<ZooMesh>& meshes, const std::vector<ZooOutline>& outlines,
             const CostMatrix& costs, const ZooOptions& options) {
  check(meshes, outlines, options);
  const auto start = Clock::now();
  Zoo zoo;
  const auto kinds = bounds::volume_kinds();
  base::ProgressReport progress(options.budget.progress, meshes.size() * kinds.size());
  for (const VolumeKind& kind : kinds)
    zoo.volumes.push_back({std::string(kind.name), costs.of(kind.name, kind.name), {}});
  for (const ZooMesh& mesh : meshes) {
    zoo.meshes.push_back(mesh.title);
    const Exhibit e = exhibit_of(mesh.soup);
    const std::vector<Pose> places = places_apart(e.hull(), options);
    const report::Camera camera =
        evaluation::zoo_camera(e.volumes, options.picture_width, options.picture_width * 4 / 5);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (options.budget.expired()) return progress.finish(), zoo;
      const AnyVolume& v = e.volumes[k];
      zoo.volumes[k].fits.push_back(
          {ratio(v.volume(), e.hull().volume()), ratio(v.surface_area(), e.hull().surface_area()),
           share_not_told(v, places), e.seconds[k], evaluation::zoo_picture(mesh.soup, v, camera)});
      progress.add_done();
    }
  }
  for (const ZooOutline& outline : outlines) zoo.outlines.push_back(outline.title);
  if (!outlines.empty()) zoo.plane = evaluation::zoo_of_plane(outlines, options);
  progress.finish();
  zoo.seconds = since(start);
  zoo.complete = true;
  return zoo;
}

}  // namespace touche
