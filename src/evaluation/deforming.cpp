// SPDX-License-Identifier: Apache-2.0
#include "evaluation/deforming.h"

#include <optional>

#include "evaluation/timing.h"

namespace touche::evaluation {
namespace {

// Brings the box of the part at rest to that of the deformed one.
Pose moved_to(const PolygonSoup& rest, const PolygonSoup& deformed) {
  return Pose::from_translation(deformed.bounds().centre() - rest.bounds().centre());
}

double test_seconds(const VolumeTree& part, const Pose& pose, const VolumeTree& obstacle) {
  const TraversalOptions all_pairs{.expansion = Expansion::larger_volume, .all_pairs = true};
  return best_seconds([&] { (void)intersects(part, pose, obstacle, {}, all_pairs); });
}

}  // namespace

DeformingTrial deforming_trial(const DeformingCase& scene, const std::string& volume) {
  const TreeOptions options{.volume = volume, .method = SplitMethod::middle, .threads = 1};
  DeformingTrial trial{
      .title = scene.title, .volume = volume, .triangles = scene.rest.triangle_count()};
  std::optional<VolumeTree> built;
  trial.build_seconds = best_seconds([&] { built.emplace(scene.rest, options); });
  trial.bytes_per_triangle = static_cast<double>(built->shape().bytes) / trial.triangles;

  const VolumeTree obstacle(scene.obstacle, options);
  const double share = 1 / static_cast<double>(scene.vertices.size());
  for (const std::vector<double>& vertices : scene.vertices) {
    std::optional<VolumeTree> refitted;
    trial.refit_seconds +=
        share * best_seconds([&] { refitted.emplace(built->refitted(vertices, 1)); });
    const VolumeTree rebuilt(refitted->soup(), options);
    const Pose there = moved_to(scene.rest, refitted->soup());
    trial.rigid_seconds += share * test_seconds(*built, there, obstacle);
    trial.refitted_seconds += share * test_seconds(*refitted, {}, obstacle);
    trial.rebuilt_seconds += share * test_seconds(rebuilt, {}, obstacle);
  }
  return trial;
}

}  // namespace touche::evaluation
