// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/box_soup.h"

namespace touche::bench {
namespace {

using scenes::DynamicBody;
using scenes::DynamicScene;

// Metres: a block of a stack or an arch that is so much lower has fallen.
constexpr double kFallen = 0.1;

State start_of(const Case& one, std::size_t body) { return {one.task.scene.bodies[body].pose}; }

bool has_fallen(const Case& one, std::size_t body, const State& now) {
  return start_of(one, body).pose.translation().z() - now.pose.translation().z() > kFallen;
}

// Whether what was up is nearer to lying than to standing.
bool is_tipped(const Case& one, std::size_t body, const State& now) {
  const Vec3 up = start_of(one, body).pose.inverse().rotate(Vec3::UnitZ());
  return now.pose.rotate(up).z() < std::sqrt(0.5);
}

std::function<bool(const Case&, std::size_t, const State&)> outside(const Vec3& lo,
                                                                    const Vec3& hi) {
  return [lo, hi](const Case&, std::size_t, const State& now) {
    const auto at = now.pose.translation().array();
    return (at < lo.array()).any() || (at > hi.array()).any();
  };
}

// Makes fifteen balls in a triangle and one that is shot at them, on a table without friction whose
// cushions give back all: the balls of the pile, which are polyhedra.
DynamicScene billiards() {
  constexpr double kSpeed = 10, kPitch = 1.02, kHalf = 8, kThick = 1;
  DynamicScene scene{.title = "Billiards",
                     .unit = "m",
                     .gravity = Vec3::Zero(),
                     .density = 1000,
                     .duration = 10,
                     .tolerance = 1e-4};
  scene.meshes.push_back({"ball", scenes::ball42()});
  const auto add = [&](const Vec3& at, const Vec3& velocity) {
    scene.bodies.push_back({.name = fmt::format("ball {}", scene.bodies.size() + 1),
                            .mesh = 0,
                            .pose = Pose::from_translation(at),
                            .restitution = 1,
                            .velocity = velocity});
  };
  add({-6, 0.1, 0}, {kSpeed, 0, 0});
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i <= row; ++i)
      add({kPitch * row * std::sqrt(0.75), kPitch * (i - 0.5 * row), 0}, Vec3::Zero());
  for (int k = 0; k < 3; ++k) {
    Vec3 size = Vec3::Constant(2 * kHalf);
    size[k] = kThick;
    const std::size_t mesh = scene.meshes.size();
    scene.meshes.push_back({fmt::format("cushion {}", k + 1), geometry::box_soup(size)});
    for (const double side : {-1., 1.})
      scene.bodies.push_back(
          {.name = fmt::format("cushion {}{}", k + 1, side < 0 ? "a" : "b"),
           .mesh = mesh,
           .pose = Pose::from_translation(side * (kHalf + kThick / 2) * Vec3::Unit(k)),
           .fixed = true,
           .restitution = 1});
  }
  return scene;
}

// Makes ten bars, each on a hinge at the end of the one before, let go level. Beside each other
// they meet nobody, and nothing takes energy. In one plane they fold onto each other.
DynamicScene pendulums(bool beside) {
  constexpr int kBars = 10;
  constexpr double kPitch = 0.5, kLong = 0.4, kThick = 0.1;
  DynamicScene scene{.title = "A chain of pendulums",
                     .unit = "m",
                     .density = 1000,
                     .duration = 10,
                     .tolerance = 1e-4};
  scene.meshes.push_back({"bar", geometry::box_soup({kLong, kThick, kThick})});
  for (std::size_t i = 0; i < kBars; ++i) {
    const double number = static_cast<double>(i), aside = beside ? 1.2 * kThick * number : 0;
    scene.bodies.push_back({.name = fmt::format("bar {}", i + 1),
                            .mesh = 0,
                            .pose = Pose::from_translation({kPitch * (number + 0.5), aside, 0})});
    scenes::DynamicHinge hinge{.body = i, .point = {kPitch * number, aside, 0}};
    if (i > 0) hinge.to = i - 1;
    scene.hinges.push_back(hinge);
  }
  return scene;
}

// Each mesh is moved so that its centre of mass is its origin; the bodies stay where they are.
void centre(Case& made) {
  DynamicScene& scene = made.task.scene;
  std::vector<Vec3> centres;
  for (scenes::DynamicMesh& mesh : scene.meshes) {
    const Vec3 middle = mass_properties(mesh.soup, scene.density).centre;
    std::vector<double> coordinates;
    for (const Vec3& v : mesh.soup.vertices())
      for (int k = 0; k < 3; ++k) coordinates.push_back(v[k] - middle[k]);
    std::vector<Index> corners, sizes;
    for (Index f = 0; f < mesh.soup.face_count(); ++f) {
      const auto face = mesh.soup.face(f);
      corners.insert(corners.end(), face.begin(), face.end());
      sizes.push_back(static_cast<Index>(face.size()));
    }
    mesh.soup = PolygonSoup(coordinates, corners, sizes);
    made.task.mass.push_back(mass_properties(mesh.soup, scene.density));
    centres.push_back(middle);
  }
  for (DynamicBody& body : scene.bodies)
    body.pose = body.pose * Pose::from_translation(centres[body.mesh]);
}

}  // namespace

const std::vector<CaseName>& case_names() {
  static const std::vector<CaseName> all = {
      {"pile", "balls of 42 corners, 1 m across, fall into a box of 10 m by 10 m"},
      {"shot-SPEED", "the same balls are shot at walls 0.1 m thick, at this speed in m/s"},
      {"stack", "ten boxes of 1 m on each other, 10 s"},
      {"dominoes", "20 dominoes, the first of which is tipped, 5 s"},
      {"arch", "a round arch of 11 wedges, 10 s"},
      {"billiards", "16 balls of 42 corners between walls, without losses, 10 s"},
      {"pendulums", "ten bars on hinges swing from level, beside each other, without losses, 10 s"},
      {"folding", "ten bars on hinges swing from level, in one plane, and meet each other, 10 s"},
  };
  return all;
}

Case make_case(const std::string& name, const CaseOptions& options) {
  Case made;
  made.name = name;
  if (name == "pile" || name.starts_with("shot-")) made.measure_every = options.measure_every;
  if (name == "pile") {
    made.task.scene = scenes::pile({.bodies = options.bodies, .seed = options.seed});
    made.steps = options.steps;
    made.counted = "through";
    made.counts = outside({-5, -5, 0}, {5, 5, kInfinity});
  } else if (name.starts_with("shot-")) {
    const scenes::Shot shot = scenes::shot(
        {.bodies = options.bodies, .speed = std::stod(name.substr(5)), .seed = options.seed});
    made.task.scene = shot.scene;
    made.steps = options.shot_steps;
    made.counted = "through";
    made.counts = outside(shot.inside_lo, shot.inside_hi);
  } else if (name == "stack" || name == "arch") {
    made.task.scene = name == "stack" ? scenes::stack() : scenes::arch();
    made.steps = 600;
    made.counted = "fallen";
    made.counts = has_fallen;
  } else if (name == "dominoes") {
    made.task.scene = scenes::dominoes();
    made.steps = 300;
    made.counted = "tipped";
    made.counts = is_tipped;
  } else if (name == "billiards") {
    made.task.scene = billiards();
    made.steps = 600;
    made.conservative = true;
    made.counted = "through";
    made.counts = outside(Vec3::Constant(-8), Vec3::Constant(8));
  } else if (name == "pendulums" || name == "folding") {
    made.task.scene = pendulums(name == "pendulums");
    made.steps = 600;
    made.conservative = name == "pendulums";
    made.counted = "";
  } else {
    throw InvalidInput("there is no scene " + name + "; --list names them");
  }
  centre(made);
  if (name == "pendulums" || name == "folding") {
    // All hang straight down.
    const DynamicScene& scene = made.task.scene;
    for (const DynamicBody& body : scene.bodies)
      made.energy_zero +=
          made.task.mass[body.mesh].mass * scene.gravity.z() * body.pose.translation().x();
  }
  return made;
}

}  // namespace touche::bench
