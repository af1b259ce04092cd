// SPDX-License-Identifier: Apache-2.0
// Soups to files. OBJ, OFF and PLY keep every bit of the coordinates, the faces and their order;
// OBJ keeps groups too. STL knows only triangles in single precision.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "base/ending.h"
#include "io/file_writer.h"
#include "touche/io.h"

namespace touche {
namespace {

using Writer = io::FileWriter;

void write_vertices(Writer& out, const PolygonSoup& soup, std::string_view before) {
  for (const Vec3& p : soup.vertices()) {
    out << before;
    out.number(p.x()) << " ";
    out.number(p.y()) << " ";
    out.number(p.z()) << "\n";
  }
}

void write_obj(Writer& out, const PolygonSoup& soup) {
  write_vertices(out, soup, "v ");
  std::string_view group;
  for (Index f = 0; f < soup.face_count(); ++f) {
    if (soup.face_group(f) != group) {
      group = soup.face_group(f);
      std::string name(group);  // a line break in a name would start a statement
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
      out << "g " << name << "\n";
    }
    out << "f";
    for (const Index v : soup.face(f)) (out << " ").number(v + 1);
    out << "\n";
  }
}

void write_off(Writer& out, const PolygonSoup& soup) {
  out << "OFF\n";
  out.number(soup.vertex_count()) << " ";
  out.number(soup.face_count()) << " 0\n";
  write_vertices(out, soup, "");
  for (Index f = 0; f < soup.face_count(); ++f) {
    out.number(soup.face(f).size());
    for (const Index v : soup.face(f)) (out << " ").number(v);
    out << "\n";
  }
}

void write_ply(Writer& out, const PolygonSoup& soup) {
  std::size_t largest = 0;
  for (Index f = 0; f < soup.face_count(); ++f) largest = std::max(largest, soup.face(f).size());
  const bool small = largest <= 255;
  out << "ply\nformat binary_little_endian 1.0\nelement vertex ";
  out.number(soup.vertex_count()) << "\nproperty double x\nproperty double y\nproperty double z\n";
  (out << "element face ").number(soup.face_count()) << "\nproperty list ";
  out << (small ? "uchar" : "uint") << " uint vertex_indices\nend_header\n";
  for (const Vec3& p : soup.vertices()) out.raw(p.x()).raw(p.y()).raw(p.z());
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto corners = soup.face(f);
    if (small) {
      out.raw(static_cast<std::uint8_t>(corners.size()));
    } else {
      out.raw(static_cast<std::uint32_t>(corners.size()));
    }
    for (const Index v : corners) out.raw(v);
  }
}

void write_stl(Writer& out, const PolygonSoup& soup) {
  const double largest =
      soup.bounds().lo.cwiseAbs().cwiseMax(soup.bounds().hi.cwiseAbs()).maxCoeff();
  if (largest > std::numeric_limits<float>::max()) {
    out.fail("coordinates are too large for STL's single precision");
  }
  std::string header = "binary STL";
  header.resize(80, ' ');
  out << header;
  out.raw(soup.triangle_count());
  for (const auto& t : soup.triangles()) {
    const Vec3 &a = soup.vertex(t[0]), &b = soup.vertex(t[1]), &c = soup.vertex(t[2]);
    const Vec3 normal = (b - a).normalized().cross((c - a).normalized()).normalized();
    for (const Vec3& v : {normal, a, b, c}) {
      for (const double x : v) out.raw(static_cast<float>(x));
    }
    out.raw(std::uint16_t{0});
  }
}

}  // namespace

void save(const PolygonSoup& soup, const std::filesystem::path& path) {
  const std::string ending = base::ending_of(path);
  const auto write = ending == ".obj"   ? write_obj
                     : ending == ".off" ? write_off
                     : ending == ".ply" ? write_ply
                     : ending == ".stl" ? write_stl
                                        : nullptr;
  if (write == nullptr) {
    throw LoadError(path.string(), "",
                    "unknown ending '" + ending + "'; written are .obj .off .ply .stl");
  }
  Writer out(path);
  write(out, soup);
  out.finish();
}

}  // namespace touche
