// SPDX-License-Identifier: Apache-2.0
// Animations to binary glTF 2.0: an input accessor with the times of a body, an output accessor
// each for its translations and rotations.
#include "touche/io.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "io/gltf_file.h"
#include "math/coordinates.h"
#include "math/shortest_turn.h"

namespace touche {
namespace {

using Json = nlohmann::ordered_json;

bool same(const Pose& a, const Pose& b) {
  return a.translation() == b.translation() && a.rotation().coeffs() == b.rotation().coeffs();
}

// Holds what is written of a body.
struct Keyframes {
  std::vector<float> times;
  std::vector<const Pose*> poses;
};

Keyframes keyframes(const AnimatedBody& body) {
  Keyframes keys;
  for (std::size_t i = 0; i < body.poses.size(); ++i) {
    const bool inside = i > 0 && i + 1 < body.poses.size();
    if (inside && same(body.poses[i - 1], body.poses[i]) && same(body.poses[i], body.poses[i + 1]))
      continue;
    const auto time = static_cast<float>(body.times[i]);
    if (!keys.times.empty() && !(time > keys.times.back())) {
      keys.poses.back() = &body.poses[i];
      continue;
    }
    keys.times.push_back(time);
    keys.poses.push_back(&body.poses[i]);
  }
  return keys;
}

void check(const Animation& animation) {
  if (!(animation.metres_per_unit > 0) || !std::isfinite(animation.metres_per_unit))
    throw InvalidInput("metres per unit: expected a number greater than 0");
  if (!animation.up.allFinite() || animation.up.isZero(0))
    throw InvalidInput("up: expected a direction");
  for (const AnimatedBody& body : animation.bodies) {
    const auto fail = [&](const char* reason) {
      throw InvalidInput(fmt::format("body \"{}\": {}", body.name, reason));
    };
    if (body.mesh >= animation.meshes.size()) fail("there is no such mesh");
    if (body.poses.empty()) fail("it has no pose");
    if (body.times.empty() ? body.poses.size() != 1 : body.times.size() != body.poses.size())
      fail("expected as many times as poses, or one pose and no time");
    double before = -1;
    for (const double t : body.times) {
      if (!(t >= 0) || !(t <= std::numeric_limits<float>::max())) fail("a time is out of range");
      if (!(t > before)) fail("times do not increase");
      before = t;
    }
  }
}

class AnimationWriter {
 public:
  AnimationWriter(const Animation& animation, const std::filesystem::path& path)
      : animation_(animation), out_(path, "an animation") {}

  void write() {
    for (std::size_t m = 0; m < animation_.meshes.size(); ++m) add_mesh(m);
    nodes_.push_back(root());
    Json children = Json::array();
    for (const AnimatedBody& body : animation_.bodies) {
      children.push_back(nodes_.size());
      add_body(body);
    }
    if (!children.empty()) nodes_[0]["children"] = std::move(children);
    Json gltf = {{"scene", 0},
                 {"scenes", Json::array({Json{{"nodes", Json::array({0})}}})},
                 {"nodes", nodes_}};
    if (!meshes_.empty()) gltf["meshes"] = meshes_;
    if (!channels_.empty()) {
      Json film = {{"channels", channels_}, {"samplers", samplers_}};
      if (!animation_.name.empty()) film["name"] = animation_.name;
      gltf["animations"] = Json::array({film});
    }
    out_.finish(std::move(gltf));
  }

 private:
  Json root() const {
    const Eigen::Quaterniond turn = math::shortest_turn(animation_.up, Vec3::UnitY());
    const double s = animation_.metres_per_unit;
    return {{"name", animation_.name.empty() ? "scene" : animation_.name},
            {"rotation", {turn.x(), turn.y(), turn.z(), turn.w()}},
            {"scale", {s, s, s}}};
  }

  void add_mesh(std::size_t m) {
    const AssemblyMesh& mesh = animation_.meshes[m];
    if (mesh.corners.empty()) {
      mesh_numbers_.push_back(std::nullopt);
      return;
    }
    mesh_numbers_.push_back(meshes_.size());
    Json made = Json::object();
    if (!mesh.name.empty()) made["name"] = mesh.name;
    made["primitives"] = Json::array({out_.primitive(mesh, m)});
    meshes_.push_back(std::move(made));
  }

  void add_body(const AnimatedBody& body) {
    for (const Pose& pose : body.poses)
      if (!math::all_within(pose.translation(), std::numeric_limits<float>::max()))
        out_.fail(
            fmt::format("body \"{}\": its position is too large for single precision", body.name));
    const Vec3& t = body.poses[0].translation();
    const Eigen::Quaterniond q = body.poses[0].rotation();
    Json node = {{"translation", {t.x(), t.y(), t.z()}},
                 {"rotation", {q.x(), q.y(), q.z(), q.w()}}};
    if (!body.name.empty()) node["name"] = body.name;
    if (const auto mesh = mesh_numbers_[body.mesh]) node["mesh"] = *mesh;
    if (body.times.size() > 1) add_channels(keyframes(body), nodes_.size());
    nodes_.push_back(std::move(node));
  }

  void add_channels(Keyframes keys, std::size_t node) {
    const auto [input, is_new] = inputs_.try_emplace(keys.times);
    if (is_new)
      input->second =
          out_.add_numbers("SCALAR", keys.times.size(),
                           {{"min", {keys.times.front()}}, {"max", {keys.times.back()}}},
                           [&times = input->first](io::FileWriter& out) {
                             for (const float t : times) out.raw(t);
                           });
    const auto translations = [poses = keys.poses](io::FileWriter& out) {
      for (const Pose* pose : poses)
        for (const double x : pose->translation()) out.raw(static_cast<float>(x));
    };
    // A rotation has two quaternions; viewers that take them as they are need the nearer one.
    const auto rotations = [poses = std::move(keys.poses)](io::FileWriter& out) {
      Eigen::Quaterniond before = poses[0]->rotation();
      for (const Pose* pose : poses) {
        Eigen::Quaterniond q = pose->rotation();
        if (q.dot(before) < 0) q.coeffs() = -q.coeffs();
        for (const double x : q.coeffs()) out.raw(static_cast<float>(x));
        before = q;
      }
    };
    const std::size_t count = input->first.size();
    add_channel(input->second, out_.add_numbers("VEC3", count, {}, translations), node,
                "translation");
    add_channel(input->second, out_.add_numbers("VEC4", count, {}, rotations), node, "rotation");
  }

  void add_channel(std::size_t input, std::size_t output, std::size_t node, const char* path) {
    channels_.push_back(
        {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
  }

  const Animation& animation_;
  io::GltfFile out_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), channels_ = Json::array(),
       samplers_ = Json::array();
  std::vector<std::optional<std::size_t>> mesh_numbers_;  // of the file
  std::map<std::vector<float>, std::size_t> inputs_;      // accessors of times
};

}  // namespace

void save_animation(const Animation& animation, const std::filesystem::path& file) {
  check(animation);
  AnimationWriter(animation, file).write();
}

}  // namespace touche
