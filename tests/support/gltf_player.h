// SPDX-License-Identifier: Apache-2.0
// Keyframes of a binary glTF file, read by nothing of the library.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "study_files.h"

namespace touche::test {

// Knows what a viewer knows of a .glb file.
class GltfPlayer {
 public:
  explicit GltfPlayer(const std::filesystem::path& file) : bytes_(read_text(file)) {
    gltf_ = Json::parse(bytes_.substr(20, word(12)));
    data_ = 20 + word(12) + 8;
    EXPECT_EQ(word(8), bytes_.size());
    EXPECT_EQ(data_ + gltf_["buffers"][0]["byteLength"].get<std::size_t>(), bytes_.size());
  }
  const Json& gltf() const { return gltf_; }

  std::vector<double> numbers(std::size_t accessor, std::size_t width) const {
    const Json& a = gltf_["accessors"][accessor];
    EXPECT_EQ(a["componentType"], 5126);
    const Json& view = gltf_["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::size_t count = width * a["count"].get<std::size_t>();
    EXPECT_EQ(view["byteLength"], 4 * count);
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) {
      float x = 0;
      std::memcpy(&x, &bytes_[data_ + view["byteOffset"].get<std::size_t>() + 4 * i], 4);
      out.push_back(x);
    }
    return out;
  }

  /// The keyframes of a node: times, then numbers; empty where there is no channel.
  std::pair<std::vector<double>, std::vector<double>> channel(std::size_t node,
                                                              const std::string& path) const {
    const Json& film = gltf_["animations"][0];
    for (const Json& c : film["channels"]) {
      if (c["target"]["node"] != node || c["target"]["path"] != path) continue;
      const Json& sampler = film["samplers"][c["sampler"].get<std::size_t>()];
      EXPECT_EQ(sampler["interpolation"], "LINEAR");
      return {numbers(sampler["input"], 1), numbers(sampler["output"], path == "rotation" ? 4 : 3)};
    }
    return {};
  }

 private:
  std::size_t word(std::size_t at) const {
    std::uint32_t x = 0;
    std::memcpy(&x, &bytes_[at], 4);
    return x;
  }
  std::string bytes_;
  Json gltf_;
  std::size_t data_ = 0;
};

}  // namespace touche::test
