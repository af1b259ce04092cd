// SPDX-License-Identifier: Apache-2.0
#include "io/gltf_file.h"
#include "base/ending.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <string_view>

namespace touche::io {
namespace {

constexpr int kFloats = 5126, kUnsigned = 5125, kVertices = 34962, kCorners = 34963;

std::filesystem::path checked(const std::filesystem::path& file, const std::string& what) {
  const std::string ending = base::ending_of(file);
  if (ending != ".glb")
    throw LoadError(file.string(), "",
                    fmt::format("unknown ending '{}'; {} becomes .glb", ending, what));
  return file;
}

std::size_t components(std::string_view type) {
  return type == "SCALAR" ? 1 : static_cast<std::size_t>(type.back() - '0');
}

}  // namespace

GltfFile::GltfFile(const std::filesystem::path& file, std::string what)
    : out_(checked(file, what)), what_(std::move(what)) {}

std::size_t GltfFile::add(Json accessor, std::size_t bytes, std::optional<int> target,
                          Write write) {
  Json view = {{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", bytes}};
  if (target) view["target"] = *target;
  accessor["bufferView"] = views_.size();
  views_.push_back(std::move(view));
  accessors_.push_back(std::move(accessor));
  parts_.push_back(std::move(write));
  bytes_ += bytes;
  return accessors_.size() - 1;
}

std::size_t GltfFile::add_numbers(const char* type, std::size_t count, Json more, Write write) {
  more["componentType"] = kFloats;
  more["count"] = count;
  more["type"] = type;
  return add(std::move(more), 4 * count * components(type), std::nullopt, std::move(write));
}

GltfFile::Json GltfFile::primitive(const AssemblyMesh& mesh, std::size_t number) {
  const auto soup_of = [&mesh, number, this] {
    try {
      return PolygonSoup(mesh.coordinates, mesh.corners, mesh.face_sizes);
    } catch (const InvalidInput& e) {
      fail(fmt::format("mesh {} \"{}\": {}", number, mesh.name, e.what()));
    }
  };
  const PolygonSoup soup = soup_of();
  Json lo = Json::array(), hi = Json::array();
  for (int k = 0; k < 3; ++k) {
    const double largest = std::max(std::abs(soup.bounds().lo[k]), std::abs(soup.bounds().hi[k]));
    if (largest > std::numeric_limits<float>::max())
      fail(fmt::format("mesh {} \"{}\": coordinates are too large for single precision", number,
                       mesh.name));
    lo.push_back(static_cast<float>(soup.bounds().lo[k]));
    hi.push_back(static_cast<float>(soup.bounds().hi[k]));
  }
  const std::size_t vertices = soup.vertex_count(),
                    corners = std::size_t{3} * soup.triangle_count();
  const std::size_t positions = add(
      {{"componentType", kFloats}, {"count", vertices}, {"type", "VEC3"}, {"min", lo}, {"max", hi}},
      12 * vertices, kVertices, [soup_of](FileWriter& out) {
        const PolygonSoup made = soup_of();
        for (const Vec3& v : made.vertices())
          for (const double x : v) out.raw(static_cast<float>(x));
      });
  const std::size_t indices =
      add({{"componentType", kUnsigned}, {"count", corners}, {"type", "SCALAR"}}, 4 * corners,
          kCorners, [soup_of](FileWriter& out) {
            const PolygonSoup made = soup_of();
            for (const auto& t : made.triangles())
              for (const Index v : t) out.raw(v);
          });
  return {{"attributes", {{"POSITION", positions}}}, {"indices", indices}};
}

void GltfFile::finish(Json gltf) {
  gltf["asset"] = {{"version", "2.0"}, {"generator", "Touché"}};
  if (!accessors_.empty()) {
    gltf["accessors"] = std::move(accessors_);
    gltf["bufferViews"] = std::move(views_);
    gltf["buffers"] = Json::array({Json{{"byteLength", bytes_}}});
  }
  // Names come from files and need not be valid UTF-8; the file must be.
  std::string json = gltf.dump(-1, ' ', false, Json::error_handler_t::replace);
  json.resize((json.size() + 3) / 4 * 4, ' ');

  const std::size_t length = 12 + 8 + json.size() + (parts_.empty() ? 0 : 8 + bytes_);
  if (length > std::numeric_limits<std::uint32_t>::max())
    fail(what_ + " is larger than 4 GiB, which binary glTF cannot hold");
  const auto word = [&](std::size_t x) { out_.raw(static_cast<std::uint32_t>(x)); };
  out_ << "glTF";
  word(2);
  word(length);
  word(json.size());
  out_ << "JSON" << json;
  if (!parts_.empty()) {
    word(bytes_);
    out_ << std::string_view("BIN\0", 4);
    for (const Write& write : parts_) write(out_);
  }
  out_.finish();
}

}  // namespace touche::io
