// SPDX-License-Identifier: Apache-2.0
#include "io/meshopt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#ifdef TOUCHE_MESHOPT
#include <meshoptimizer.h>
#endif

namespace touche::io {
namespace {

constexpr std::string_view kAttributes = "ATTRIBUTES", kTriangles = "TRIANGLES",
                           kIndices = "INDICES", kUnfiltered = "NONE", kOctahedral = "OCTAHEDRAL",
                           kQuaternion = "QUATERNION", kExponential = "EXPONENTIAL";

std::string one_of(const JsonCursor& word, std::initializer_list<std::string_view> known) {
  std::string text = word.text();
  if (std::find(known.begin(), known.end(), text) == known.end())
    word.fail(fmt::format("\"{}\", expected one of: {}", text, fmt::join(known, ", ")));
  return text;
}

// The sizes of elements that a mode and a filter have.
bool has_stride(const MeshoptView& view) {
  if (view.mode != kAttributes) return view.stride == 2 || view.stride == 4;
  if (view.filter == kOctahedral) return view.stride == 4 || view.stride == 8;
  if (view.filter == kQuaternion) return view.stride == 8;
  return view.stride % 4 == 0 && view.stride <= 256;
}

}  // namespace

MeshoptView::MeshoptView(const JsonCursor& extension)
    : mode(one_of(extension.at("mode"), {kAttributes, kTriangles, kIndices})),
      filter(kUnfiltered),
      count(extension.at("count").count(kNone - 1)),
      stride(extension.at("byteStride").count(256)) {
  if (const auto named = extension.find("filter"))
    filter = one_of(*named, {kUnfiltered, kOctahedral, kQuaternion, kExponential});
  if (mode != kAttributes && filter != kUnfiltered)
    extension.fail(fmt::format("mode {} has no filter, but {} is given", mode, filter));
  if (!has_stride(*this))
    extension.fail(fmt::format("elements of {} bytes, which mode {} with filter {} does not have",
                               stride, mode, filter));
  if (mode == kTriangles && count % 3 != 0)
    extension.fail(fmt::format("{} corners of triangles, which is no multiple of 3", count));
}

#ifdef TOUCHE_MESHOPT

bool reads_meshopt() { return true; }

std::string meshopt_decoded(const MeshoptView& view, std::string_view bytes,
                            const JsonCursor& extension) {
  std::string out(view.bytes(), '\0');
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  using Decode = int(void*, std::size_t, std::size_t, const unsigned char*, std::size_t);
  Decode* decode = &meshopt_decodeVertexBuffer;
  if (view.mode == kTriangles) decode = &meshopt_decodeIndexBuffer;
  if (view.mode == kIndices) decode = &meshopt_decodeIndexSequence;
  if (const int error = decode(out.data(), view.count, view.stride, data, bytes.size()))
    extension.fail(
        fmt::format("the {} compressed bytes are damaged, or of a newer version (error {})",
                    bytes.size(), error));
  if (view.filter == kOctahedral) meshopt_decodeFilterOct(out.data(), view.count, view.stride);
  if (view.filter == kQuaternion) meshopt_decodeFilterQuat(out.data(), view.count, view.stride);
  if (view.filter == kExponential) meshopt_decodeFilterExp(out.data(), view.count, view.stride);
  return out;
}

#else

bool reads_meshopt() { return false; }

std::string meshopt_decoded(const MeshoptView&, std::string_view, const JsonCursor& extension) {
  extension.fail(
      "EXT_meshopt_compression is not read, as the program was built without meshoptimizer; save "
      "the file without compression");
}

#endif

}  // namespace touche::io
