// SPDX-License-Identifier: Apache-2.0
// The mesh targets share this test: any bytes either become a soup, its objects and its shells, or
// are refused with an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "io/readers.h"

namespace touche::fuzz {

/// Animations of glTF have their nodes at a time between the first and the last key frame.
inline void read_animations(const std::string& ending, std::string_view bytes,
                            const io::ReadBeside& read_beside) {
  if (ending != ".gltf" && ending != ".glb") return;
  const auto read = ending == ".glb" ? io::read_glb : io::read_gltf;
  for (const FileAnimation& animation : read(bytes, "fuzzed", read_beside, {}).animations)
    (void)io::read_mesh(
        bytes, ending, "fuzzed", read_beside,
        {.animation = AnimationTime{animation.name, (animation.start + animation.end) / 2}});
}

/// `ending` determines the format. No file may name another.
inline int read_mesh(const char* ending, const std::uint8_t* data, std::size_t size) {
  const io::ReadBeside nothing = [](const std::string& name) -> std::string {
    throw LoadError("fuzzed", "", name + " is not there");
  };
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    io::MeshData mesh = io::read_mesh(bytes, ending, "fuzzed", nothing);
    for (const Split how : {Split::objects, Split::shells})
      (void)io::split(mesh, how, "fuzzed", size);
    io::to_soup(std::move(mesh), "fuzzed");
    read_animations(ending, bytes, nothing);
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace touche::fuzz
