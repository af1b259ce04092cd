// SPDX-License-Identifier: Apache-2.0
// Animations go to a file; the project's reader finds the bodies at their first poses, and a small
// player of keyframes finds them where they were recorded.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>

#include "gltf_player.h"
#include "shapes.h"
#include "study_files.h"
#include "touche/io.h"

namespace touche::save_animation_test {
namespace {

using test::Json;
using Player = test::GltfPlayer;

AssemblyMesh box_mesh(const std::string& name, const Vec3& size) {
  const PolygonSoup soup = scenes::box(-size / 2, size / 2);
  AssemblyMesh mesh;
  mesh.name = name;
  for (const Vec3& v : soup.vertices())
    mesh.coordinates.insert(mesh.coordinates.end(), {v.x(), v.y(), v.z()});
  for (Index f = 0; f < soup.face_count(); ++f)
    for (const Index v : soup.face(f)) mesh.corners.push_back(v);
  mesh.face_sizes.assign(soup.face_count(), 4);
  return mesh;
}

Animation example() {
  Animation animation;
  animation.name = "falling";
  animation.metres_per_unit = 0.001;
  animation.meshes = {box_mesh("bar", {1, 2, 3}), box_mesh("plate", {9, 9, 1})};
  AnimatedBody turning{"turning", 0, {}, {}}, second{"second", 0, {}, {}};
  for (int i = 0; i <= 20; ++i) {
    turning.times.push_back(0.1 * i);
    turning.poses.push_back(
        Pose::from_axis_angle({1, 2, 2}, 0.5 * i, {0.25 * i, 5, 10 - 0.5 * i * i}));
    second.times.push_back(0.1 * i);
    // It rests except in the middle of the time.
    second.poses.push_back(Pose::from_translation({0, 0, i < 8 ? 3. : i > 12 ? 1. : 11. - i}));
  }
  animation.bodies = {turning, {"plate", 1, {}, {Pose::from_translation({0, 0, -1})}}, second};
  return animation;
}

TEST(SaveAnimation, OpenedAgainItIsWhereItWas) {
  const test::StudyFolder folder("save-animation");
  const Animation animation = example();
  save_animation(animation, folder.path() / "a.glb");
  const Assembly read = load_assembly(folder.path() / "a.glb", {.scale = 1000});
  ASSERT_EQ(read.nodes.size(), 4u);
  EXPECT_EQ(read.meshes.size(), 2u);
  for (const std::size_t b : {0, 1, 2}) {
    const AssemblyNode& node = read.nodes[b + 1];
    const Pose& pose = animation.bodies[b].poses[0];
    EXPECT_EQ(node.name, animation.bodies[b].name);
    EXPECT_LT((node.translation - pose.translation()).norm(), 1e-12);
    EXPECT_LT((node.linear - pose.matrix()).norm(), 1e-12);
  }
  EXPECT_EQ(read.nodes[1].meshes, read.nodes[3].meshes);
}

TEST(SaveAnimation, PlaysWhatWasRecorded) {
  const test::StudyFolder folder("play-animation");
  const Animation animation = example();
  save_animation(animation, folder.path() / "a.glb");
  const Player player(folder.path() / "a.glb");
  const auto [times, places] = player.channel(1, "translation");
  const auto [same_times, turns] = player.channel(1, "rotation");
  ASSERT_EQ(times.size(), 21u);
  EXPECT_EQ(times, same_times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Pose& pose = animation.bodies[0].poses[i];
    EXPECT_NEAR(times[i], animation.bodies[0].times[i], 1e-7);
    EXPECT_LT(
        (Vec3(places[3 * i], places[3 * i + 1], places[3 * i + 2]) - pose.translation()).norm(),
        1e-4);
    const Eigen::Quaterniond q(turns[4 * i + 3], turns[4 * i], turns[4 * i + 1], turns[4 * i + 2]);
    EXPECT_NEAR(std::abs(q.dot(pose.rotation())), 1, 1e-6);
    if (i > 0) {  // the shorter rotation, also for players that blend quaternions as they are
      double dot = 0;
      for (std::size_t k = 0; k < 4; ++k) dot += turns[4 * i + k] * turns[4 * i - 4 + k];
      EXPECT_GT(dot, 0.9);
    }
  }
  // The plate has no keyframes; of the one that rests only the ends of its rests are there.
  EXPECT_TRUE(player.channel(2, "translation").first.empty());
  EXPECT_EQ(player.channel(3, "translation").first.size(), 8u);
  // Inputs state their range, as glTF demands, and are shared by both channels of a body.
  for (const Json& sampler : player.gltf()["animations"][0]["samplers"]) {
    const Json& input = player.gltf()["accessors"][sampler["input"].get<std::size_t>()];
    const std::vector<double> numbers = player.numbers(sampler["input"], 1);
    EXPECT_EQ(input["min"][0].get<float>(), static_cast<float>(numbers.front()));
    EXPECT_EQ(input["max"][0].get<float>(), static_cast<float>(numbers.back()));
  }
  EXPECT_EQ(player.gltf()["meshes"].size(), 2u);
  EXPECT_EQ(player.gltf()["accessors"].size(), 2 * 2 + 2 * 3u);
}

TEST(SaveAnimation, InstantsThatBecomeOneInSinglePrecision) {
  const test::StudyFolder folder("animation-instants");
  Animation animation;
  animation.meshes = {box_mesh("box", {1, 1, 1})};
  AnimatedBody body{"a", 0, {}, {}};
  for (int i = 0; i < 4; ++i) {
    body.times.push_back(1 + 1e-9 * i);
    body.poses.push_back(Pose::from_translation({1. * i, 0, 0}));
  }
  animation.bodies = {body};
  save_animation(animation, folder.path() / "a.glb");
  const auto [times, places] = Player(folder.path() / "a.glb").channel(1, "translation");
  EXPECT_EQ(times, std::vector<double>({1}));
  EXPECT_EQ(places, std::vector<double>({3, 0, 0}));
}

TEST(SaveAnimation, RefusesWhatMeansNothing) {
  const test::StudyFolder folder("animation-refused");
  const auto file = folder.path() / "a.glb";
  const auto refused = [&](const std::function<void(Animation&)>& change) -> std::string {
    Animation animation = example();
    change(animation);
    try {
      save_animation(animation, file);
    } catch (const Error& e) {
      return e.what();
    }
    return "saved";
  };
  EXPECT_EQ(refused([](Animation&) {}), "saved");
  EXPECT_EQ(refused([](Animation& a) { a.bodies.clear(); }), "saved");
  EXPECT_EQ(refused([](Animation& a) { a.bodies[0].mesh = 2; }),
            "body \"turning\": there is no such mesh");
  EXPECT_EQ(refused([](Animation& a) { a.bodies[0].poses.clear(); }),
            "body \"turning\": it has no pose");
  EXPECT_EQ(refused([](Animation& a) { a.bodies[0].poses.pop_back(); }),
            "body \"turning\": expected as many times as poses, or one pose and no time");
  EXPECT_EQ(refused([](Animation& a) { a.bodies[2].times[4] = a.bodies[2].times[3]; }),
            "body \"second\": times do not increase");
  EXPECT_EQ(refused([](Animation& a) { a.bodies[2].times[0] = std::nan(""); }),
            "body \"second\": a time is out of range");
  EXPECT_EQ(refused([](Animation& a) { a.bodies[2].times[20] = 1e60; }),
            "body \"second\": a time is out of range");
  EXPECT_EQ(refused([](Animation& a) { a.metres_per_unit = 0; }),
            "metres per unit: expected a number greater than 0");
  EXPECT_EQ(refused([](Animation& a) { a.up = Vec3::Zero(); }), "up: expected a direction");
  EXPECT_NE(refused([](Animation& a) {
              a.bodies[1].poses[0] = Pose::from_translation({1e60, 0, 0});
            }).find("too large for single precision"),
            std::string::npos);
  EXPECT_NE(refused([](Animation& a) { a.meshes[0].corners[0] = 99; }).find("mesh 0 \"bar\""),
            std::string::npos);
  EXPECT_THROW(save_animation(example(), folder.path() / "a.gltf"), LoadError);
  EXPECT_THROW(save_animation(example(), folder.path() / "none" / "a.glb"), LoadError);
}

}  // namespace
}  // namespace touche::save_animation_test
