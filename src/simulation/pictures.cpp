// SPDX-License-Identifier: Apache-2.0
#include "simulation/pictures.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>

#include "report/drawing.h"
#include "report/words.h"
#include "simulation/describe.h"

namespace touche::simulation {
namespace {

using namespace report;

constexpr std::size_t kPictures = 6;
constexpr int kWidth = 560, kHeight = 440;
constexpr double kText = 26;  // pixels; pictures are shown small
// A fixed body that is larger than this many times the moving ones is ground: the picture need not
// show all of it.
constexpr double kGround = 1.5;
constexpr Rgb kFixed = {188, 194, 201};
constexpr std::array<Rgb, 8> kMoving = {{{222, 160, 84},
                                         {142, 167, 191},
                                         {150, 182, 168},
                                         {214, 118, 92},
                                         {160, 156, 192},
                                         {201, 178, 96},
                                         {196, 130, 150},
                                         {134, 176, 120}}};

const Pose& pose_at(const SimulationResult& result, std::size_t body, std::size_t step) {
  const std::vector<Pose>& poses = result.poses[body];
  return poses[std::min(step, poses.size() - 1)];
}

Aabb box_at(const SimulationResult& result, std::size_t body, std::size_t step) {
  const Aabb own = result.parts.meshes[result.simulation.bodies[body].mesh].bounds();
  Aabb box;
  for (int i = 0; i < 8; ++i)
    box.include(pose_at(result, body, step) * Vec3((i & 1) != 0 ? own.hi.x() : own.lo.x(),
                                                   (i & 2) != 0 ? own.hi.y() : own.lo.y(),
                                                   (i & 4) != 0 ? own.hi.z() : own.lo.z()));
  return box;
}

// Returns what a picture should show: all that moves, over the whole time, and fixed bodies that
// are not much larger.
Aabb shown_box(const SimulationResult& result, const std::vector<std::size_t>& steps) {
  Aabb moving;
  for (std::size_t b = 0; b < result.simulation.bodies.size(); ++b)
    if (!result.simulation.bodies[b].fixed)
      for (const std::size_t step : steps) moving.include(box_at(result, b, step));
  Aabb all = moving;
  for (std::size_t b = 0; b < result.simulation.bodies.size(); ++b) {
    if (!result.simulation.bodies[b].fixed) continue;
    const Aabb box = box_at(result, b, 0);
    if (!(moving.diagonal() > 0) || box.diagonal() < kGround * moving.diagonal()) all.include(box);
  }
  return all;
}

Camera camera_for(const Aabb& box, const Vec3& up) {
  Camera camera;
  // Seen from a little above, at an angle; gravity points down.
  const Mat3 turn =
      Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), up).normalized().toRotationMatrix();
  camera.axes = camera_axes({-0.55, 0.85, -0.45}) * turn.transpose();
  camera.target = box.centre();
  camera.width = kWidth;
  camera.height = kHeight;
  double half_width = 0, half_height = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner((i & 1) != 0 ? box.hi.x() : box.lo.x(),
                      (i & 2) != 0 ? box.hi.y() : box.lo.y(),
                      (i & 4) != 0 ? box.hi.z() : box.lo.z());
    const Vec3 at = camera.axes * (corner - camera.target);
    half_width = std::max(half_width, std::abs(at.x()));
    half_height = std::max(half_height, std::abs(at.y()));
  }
  const double least = 1e-300;
  camera.scale =
      0.46 * std::min(kWidth / std::max(half_width, least), kHeight / std::max(half_height, least));
  return camera;
}

std::string picture_at(const SimulationResult& result, const Camera& camera, std::size_t step) {
  std::vector<RenderPart> parts;
  std::size_t moving = 0;
  for (std::size_t b = 0; b < result.simulation.bodies.size(); ++b) {
    const SimulationBody& body = result.simulation.bodies[b];
    RenderPart part{&result.parts.meshes[body.mesh].soup(), pose_at(result, b, step),
                    body.fixed ? kFixed : kMoving[moving % kMoving.size()], 0};
    part.shines_through = !body.fixed;
    if (!body.fixed) ++moving;
    parts.push_back(part);
  }
  return picture(camera, parts, scale_bar({result.simulation.unit, ""}, camera, kText),
                 "picture small");
}

}  // namespace

std::string picture_section(const SimulationResult& result) {
  const std::size_t last = result.steps.size() - 1;
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < kPictures; ++i) {
    const std::size_t step = last * i / (kPictures - 1);
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  }
  const Vec3& gravity = result.simulation.gravity;
  const Camera camera = camera_for(shown_box(result, steps),
                                   gravity.isZero(0) ? Vec3(Vec3::UnitZ()) : Vec3(-gravity));
  std::vector<std::string> pictures(steps.size());
  tbb::parallel_for(std::size_t{0}, steps.size(),
                    [&](std::size_t i) { pictures[i] = picture_at(result, camera, steps[i]); });
  std::string out = "<h2>At a few times</h2>\n<div class=\"grid3\">\n";
  for (std::size_t i = 0; i < steps.size(); ++i)
    out += fmt::format("<figure>{}<figcaption>{} s</figcaption></figure>\n", pictures[i],
                       digits(result.steps[steps[i]].time));
  out +=
      "</div>\n"
      "<p class=\"note\">Bodies that move are coloured, and fixed bodies are transparent. "
      "animation.glb shows the whole motion in any viewer of glTF.";
  bool convex = false, half_space = false;
  for (std::size_t b = 0; b < result.simulation.bodies.size(); ++b)
    if (const Shape* shape = convex_shape(result, b))
      (shape->kind() == ShapeKind::half_space ? half_space : convex) = true;
  if (convex)
    out +=
        " Convex shapes were moved as what they are; pictures and animation show polyhedra "
        "inside of them, to 1/500 of their size.";
  if (half_space) out += " Half spaces have no end; what is shown of them has.";
  return out + "</p>\n";
}

}  // namespace touche::simulation
