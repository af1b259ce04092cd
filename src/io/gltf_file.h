// SPDX-License-Identifier: Apache-2.0
// A binary glTF 2.0 file to be written: a header, the JSON chunk, then one buffer with the data of
// one accessor after the other. Data are made when they are written, so that they need not all be
// in memory at once.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "io/file_writer.h"
#include "touche/io.h"

namespace touche::io {

class GltfFile {
 public:
  using Json = nlohmann::ordered_json;
  using Write = std::function<void(FileWriter&)>;

  /// `what`: that is to be written, for messages: "the assembly". Throws LoadError when the file
  /// cannot be opened, or does not end in .glb (case does not matter).
  GltfFile(const std::filesystem::path& file, std::string what);

  [[noreturn]] void fail(const std::string& reason) const { out_.fail(reason); }

  /// Numbers in single precision, `type` of glTF: SCALAR, VEC3 or VEC4; `count` of these. `more`
  /// are other members of the accessor, as min and max. Returns its number.
  std::size_t add_numbers(const char* type, std::size_t count, Json more, Write write);

  /// Vertices and triangles of a mesh: a primitive of glTF. Throws LoadError naming the mesh for
  /// what is no polygon soup, or beyond single precision. The mesh must live until finish().
  Json primitive(const AssemblyMesh& mesh, std::size_t number);

  /// Writes all; `gltf` has everything but accessors and buffers.
  void finish(Json gltf);

 private:
  std::size_t add(Json accessor, std::size_t bytes, std::optional<int> target, Write write);

  FileWriter out_;
  const std::string what_;
  Json accessors_ = Json::array(), views_ = Json::array();
  std::vector<Write> parts_;  // of the buffer
  std::size_t bytes_ = 0;
};

}  // namespace touche::io
