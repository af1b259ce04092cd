// SPDX-License-Identifier: Apache-2.0
#include "simulation/stuck_pairs.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>

#include "aabb_tree/aabb_tree.h"
#include "base/budget_part.h"
#include "simulation/body_box.h"

namespace touche::simulation {
namespace {

// Limit of the shifts that are tested for a pair. A nut of 8,000 faces that is 0.8 mm deep in its
// bolt of 15,000 takes less than half a second (touche simulate, user time).
constexpr std::uint64_t kPlaces = 1000;
// Limit of the stuck pairs that are measured: a heap of overlapping bodies is a mistake in the
// scene, which a hundred pairs show.
constexpr std::size_t kMeasured = 100;
// Limit of the rounds over all pairs, which go on while bodies are shifted.
constexpr int kRounds = 20;

// Empty if there is no answer: meshes that are not closed, two half spaces.
std::optional<Separation> try_separation(const Simulation& scene, const SimulationParts& parts,
                                         std::size_t a, const Pose& pose_a, std::size_t b,
                                         const Pose& pose_b, const Budget& budget) {
  const SeparationOptions how{.tolerance = scene.tolerance,
                              .max_positions = kPlaces,
                              .budget = base::with_any_work(budget)};
  try {
    return separation(body_shape(scene, parts, a), pose_a, body_shape(scene, parts, b), pose_b,
                      how);
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

template <class Function>
void for_all(std::size_t count, int threads, const Function& function) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, function); });
}

class Starts {
 public:
  Starts(Simulation& scene, const SimulationParts& parts, const SimulationOptions& options)
      : scene_(scene), parts_(parts), options_(options), held_(scene.bodies.size(), false) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) held_[b] = scene.bodies[b].fixed;
    for (const SimulationJoint& joint : scene.joints) {
      held_[joint.body] = true;
      if (joint.to) held_[*joint.to] = true;
    }
  }

  std::vector<ResolvedStart> resolve() {
    for (int round = 0; round < kRounds && part_all(); ++round) {
    }
    std::vector<ResolvedStart> made;
    for (const auto& [body, shift] : shifts_) made.push_back({body, shift});
    return made;
  }

 private:
  // Returns whether a body was shifted.
  bool part_all() {
    const std::vector<std::pair<std::size_t, std::size_t>> pairs = near_pairs();
    std::vector<std::optional<Separation>> found(pairs.size());
    for_all(pairs.size(), options_.threads, [&](std::size_t i) {
      const auto& [a, b] = pairs[i];
      found[i] = try_separation(scene_, parts_, a, scene_.bodies[a].pose, b, scene_.bodies[b].pose,
                                options_.budget);
    });
    std::vector<bool> moved(held_.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto& [a, b] = pairs[i];
      // The answer is valid for the poses before this round.
      if (!found[i] || found[i]->status != SeparationStatus::overlapping || moved[a] || moved[b])
        continue;
      const bool second = held_[a] || (!held_[b] && parts_.mass[b].mass <= parts_.mass[a].mass);
      const std::size_t body = second ? b : a;
      shift(body, second ? found[i]->shift : Vec3(-found[i]->shift));
      moved[body] = any = true;
    }
    return any;
  }

  void shift(std::size_t body, const Vec3& by) {
    Pose& pose = scene_.bodies[body].pose;
    pose = Pose::from_translation(by) * pose;
    auto [at, is_new] = shifts_.try_emplace(body, Vec3::Zero());
    at->second += by;
  }

  // Pairs of bodies whose boxes overlap, and one of which may be shifted.
  std::vector<std::pair<std::size_t, std::size_t>> near_pairs() const {
    std::vector<Aabb> boxes;
    for (std::size_t b = 0; b < held_.size(); ++b) boxes.push_back(box_at_start(scene_, parts_, b));
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < held_.size(); ++a)
      for (std::size_t b = a + 1; b < held_.size(); ++b)
        if (!(held_[a] && held_[b]) && overlap(boxes[a], boxes[b])) pairs.emplace_back(a, b);
    return pairs;
  }

  Simulation& scene_;
  const SimulationParts& parts_;
  const SimulationOptions& options_;
  std::vector<bool> held_;
  std::map<std::size_t, Vec3> shifts_;
};

}  // namespace

void measure_stuck_pairs(const Simulation& scene, const SimulationParts& parts,
                         const SimulationOptions& options, SimulationResult& result) {
  const auto pose = [&](std::size_t body, std::size_t step) {
    const std::vector<Pose>& poses = result.poses[body];
    return poses[std::min(step, poses.size() - 1)];
  };
  for_all(std::min(kMeasured, result.stuck.size()), options.threads, [&](std::size_t i) {
    StuckPair& p = result.stuck[i];
    p.separation = try_separation(scene, parts, p.body_a, pose(p.body_a, p.step), p.body_b,
                                  pose(p.body_b, p.step), options.budget);
  });
}

std::vector<ResolvedStart> resolve_starts(Simulation& scene, const SimulationParts& parts,
                                          const SimulationOptions& options) {
  return Starts(scene, parts, options).resolve();
}

}  // namespace touche::simulation
