// SPDX-License-Identifier: Apache-2.0
// Animations of glTF: where nodes are at a time, and what is refused.
#include <cmath>
#include <limits>

#include "gltf_files.h"

namespace touche::gltf_animation_test {
namespace {

using test::GltfFile;
using test::nodes;
using test::raws;

const std::string kDoor = "\"mesh\":0,\"name\":\"door\",\"translation\":[5,0,0],\"scale\":[2,2,2]";

class GltfAnimation : public test::Io {
 protected:
  // A file of a triangle, one animation of which has one channel of the node "door".
  struct Channel {
    std::vector<float> times = {1, 3};
    std::string path = "translation", type = "VEC3";
    std::vector<float> values = {0, 0, 0, 4, 8, 0};
    std::string interpolation = "LINEAR";
    std::string node = kDoor;
    std::string name = "open";
    std::size_t per_key = 1;  // elements of the output
  };
  static std::string file_of(const Channel& channel, const std::string& more = "") {
    GltfFile file;
    const std::string position = file.positions({0, 0, 0, 1, 0, 0, 0, 1, 0});
    const std::string input =
        file.array(raws(channel.times), 5126, "SCALAR", channel.times.size(),
                   ",\"min\":[" + std::to_string(channel.times.front()) + "],\"max\":[" +
                       std::to_string(channel.times.back()) + "]");
    const std::string output = file.array(raws(channel.values), 5126, channel.type.c_str(),
                                          channel.times.size() * channel.per_key);
    return file.text("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position +
                     "}}]}]," + nodes({channel.node}) + ",\"animations\":[{\"name\":\"" +
                     channel.name + "\",\"samplers\":[{\"input\":" + input +
                     ",\"output\":" + output + ",\"interpolation\":\"" + channel.interpolation +
                     "\"}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"" +
                     channel.path + "\"}}" + more + "]}]");
  }
  // Where a vertex of the triangle is.
  Vec3 vertex(const Channel& channel, double seconds, Index v) const {
    return load_soup(write("a.gltf", file_of(channel)),
                     {.up = UpAxis::z, .animation = AnimationTime{channel.name, seconds}})
        .vertex(v);
  }
  std::string error_at(const std::string& text, double seconds = 2,
                       const std::string& name = "open") const {
    return error_of(write("a.gltf", text), {.animation = AnimationTime{name, seconds}});
  }
};

TEST_F(GltfAnimation, MovesNodesLinearlyBetweenKeyFrames) {
  const Channel channel;
  EXPECT_EQ(vertex(channel, 0, 0), Vec3(0, 0, 0));
  EXPECT_EQ(vertex(channel, 1, 0), Vec3(0, 0, 0));
  EXPECT_EQ(vertex(channel, 2, 0), Vec3(2, 4, 0));
  EXPECT_EQ(vertex(channel, 2, 1), Vec3(4, 4, 0));  // the node's scale stays
  EXPECT_EQ(vertex(channel, 3, 0), Vec3(4, 8, 0));
  EXPECT_EQ(vertex(channel, 1e300, 0), Vec3(4, 8, 0));
}

TEST_F(GltfAnimation, StaysAtKeyFramesWhereItSaysSo) {
  const Channel channel{.interpolation = "STEP"};
  EXPECT_EQ(vertex(channel, 2.999, 0), Vec3(0, 0, 0));
  EXPECT_EQ(vertex(channel, 3, 0), Vec3(4, 8, 0));
}

TEST_F(GltfAnimation, FollowsCubicSplines) {
  // In-tangent, value, out-tangent of each key frame; x moves as t^3 from 0 to 8 in 2 s.
  const Channel channel{.times = {0, 2},
                        .values = {9, 9, 9, 0, 1, 0, 0, 0, 0, 12, 0, 0, 8, 1, 0, 9, 9, 9},
                        .interpolation = "CUBICSPLINE",
                        .per_key = 3};
  for (const double t : {0., 0.5, 1., 1.75, 2.})
    EXPECT_LT((vertex(channel, t, 0) - Vec3(t * t * t, 1, 0)).norm(), 1e-12) << t;
}

TEST_F(GltfAnimation, TurnsByTheShorterAngleAtConstantSpeed) {
  // From 0 to 80 degrees about z; the second quaternion has the opposite sign.
  const double half = 40 * std::acos(-1) / 180;
  const Channel channel{.path = "rotation",
                        .type = "VEC4",
                        .values = {0, 0, 0, 1, 0, 0, static_cast<float>(-std::sin(half)),
                                   static_cast<float>(-std::cos(half))}};
  for (const double part : {0., 0.25, 0.5, 1.}) {
    const double angle = 2 * half * part;
    const Vec3 expected = Vec3(5 + 2 * std::cos(angle), 2 * std::sin(angle), 0);
    EXPECT_LT((vertex(channel, 1 + 2 * part, 1) - expected).norm(), 1e-6) << part;
  }
}

TEST_F(GltfAnimation, ScalesNodes) {
  const Channel channel{.path = "scale", .values = {1, 1, 1, 3, 5, 1}};
  EXPECT_EQ(vertex(channel, 2, 1), Vec3(7, 0, 0));
  EXPECT_EQ(vertex(channel, 2, 2), Vec3(5, 3, 0));
}

TEST_F(GltfAnimation, ListsAnimationsAndSaysThatTheyAreNotUsed) {
  const Assembly at_rest = load_assembly(write("a.gltf", file_of({})));
  ASSERT_EQ(at_rest.animations.size(), 1u);
  EXPECT_EQ(at_rest.animations[0].name, "open");
  EXPECT_EQ(at_rest.animations[0].start, 1);
  EXPECT_EQ(at_rest.animations[0].end, 3);
  ASSERT_EQ(at_rest.remarks.size(), 1u);
  EXPECT_EQ(at_rest.remarks[0],
            "its animations ('open') are not used: parts are where they are at rest");
  const Assembly open =
      load_assembly(folder_ / "a.gltf", {.up = UpAxis::z, .animation = AnimationTime{"open", 3}});
  EXPECT_TRUE(open.remarks.empty());
  EXPECT_EQ(open.nodes[0].translation, Vec3(4, 8, 0));
  EXPECT_EQ(load_soup(parse_part_name((folder_ / "a.gltf").string() + "#door"),
                      {.up = UpAxis::z, .animation = AnimationTime{"open", 3}})
                .vertex(0),
            Vec3(4, 8, 0));
  // Names are unique, and made where the file has none.
  const Assembly several = load_assembly(
      write("b.gltf", GltfFile().text(nodes({"\"name\":\"x\""}) +
                                      ",\"animations\":[{\"name\":\"a\"},{},{\"name\":\"a\"}]")));
  ASSERT_EQ(several.animations.size(), 3u);
  EXPECT_EQ(several.animations[1].name, "animation 1");
  EXPECT_EQ(several.animations[2].name, "a#2");
}

// What a file at rest does not need is no error of it.
TEST_F(GltfAnimation, DamagedAnimationsAreARemarkAtRest) {
  std::string text = file_of({});
  const std::size_t at = text.find("\"input\":1");
  text.replace(at, 9, "\"input\":77");
  const Assembly assembly = load_assembly(write("a.gltf", text));
  ASSERT_EQ(assembly.remarks.size(), 1u);
  EXPECT_EQ(assembly.remarks[0],
            "its animations are damaged, at /animations/0/samplers/0/input: parts are where they "
            "are at rest");
  EXPECT_EQ(error_at(text),
            ":/animations/0/samplers/0/input: 77, expected an integer from 0 to "
            "below 3");
}

TEST_F(GltfAnimation, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(error_at(file_of({}), 2, "close"),
            ":/: there is no animation 'close'; the file has 'open'");
  const std::string sampler = ":/animations/0/samplers/0";
  EXPECT_EQ(error_at(file_of({.times = {3, 1}})),
            sampler + "/input: key frame 1 is at 1: times must ascend");
  EXPECT_EQ(error_at(file_of({.interpolation = "QUICK"})),
            sampler + "/interpolation: \"QUICK\", expected one of: LINEAR, STEP, CUBICSPLINE");
  EXPECT_EQ(error_at(file_of({.interpolation = "CUBICSPLINE"})),
            sampler + ": 2 values for 2 key frames");
  EXPECT_EQ(error_at(file_of({.values = {0, 0, 0, std::numeric_limits<float>::infinity(), 0, 0}})),
            sampler + ": value 1 is not finite");
  EXPECT_EQ(
      error_at(file_of({.path = "rotation", .type = "VEC4", .values = {0, 0, 0, 2, 0, 0, 0, 1}})),
      sampler + ": length 2, expected 1");
  EXPECT_EQ(error_at(file_of({.path = "colour"})),
            ":/animations/0/channels/0/target/path: \"colour\", expected one of: translation, "
            "rotation, scale, weights");
  EXPECT_EQ(error_at(file_of({.node = "\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"})),
            ":/nodes/0/matrix: the animation moves a node that has a matrix");
  EXPECT_EQ(
      error_at(file_of({}, ",{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}")),
      ":/animations/0/channels/1/target: two channels of the animation move the same");
  EXPECT_EQ(error_at(file_of({},
                             ",{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":{"
                             "\"KHR_animation_pointer\":{\"pointer\":\"/nodes/0/scale\"}}}}")),
            ":/animations/0/channels/1/target/extensions/KHR_animation_pointer: nodes and "
            "meshes that are moved by KHR_animation_pointer are not read");
  EXPECT_EQ(error_at(file_of({}, ",{\"sampler\":0,\"target\":{\"path\":\"weights\"}}")), "loaded");
  EXPECT_THROW(
      (void)load_soup(folder_ / "a.gltf", {.animation = AnimationTime{"open", std::nan("")}}),
      InvalidInput);
  EXPECT_EQ(error_of(write("a.obj", test::kTriangle + "f 1 2 3\n"),
                     {.animation = AnimationTime{"open", 0}}),
            ": animations are read of glTF files only");
}

// The weights of the animation replace the node's.
TEST_F(GltfAnimation, LeavesOutNodesThatAreMorphedAtTheTime) {
  const auto left_out = [&](double seconds, const std::string& weights) {
    const Channel channel{.path = "weights",
                          .type = "SCALAR",
                          .values = {0, 0, 0, 1},
                          .node = "\"mesh\":0" + weights,
                          .per_key = 2};
    return load_assembly(write("a.gltf", file_of(channel)),
                         {.animation = AnimationTime{"open", seconds}})
        .left_out;
  };
  EXPECT_TRUE(left_out(1, "").empty());
  EXPECT_TRUE(left_out(1, ",\"weights\":[1,0]").empty());
  ASSERT_EQ(left_out(1.5, "").size(), 1u);
  EXPECT_EQ(left_out(1.5, "")[0].reason,
            "morph targets are not read, and the animation's weights are not 0");
}

}  // namespace
}  // namespace touche::gltf_animation_test
