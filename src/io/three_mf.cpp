// SPDX-License-Identifier: Apache-2.0
// 3MF, core specification 1.3: a ZIP archive with models in XML. A model's build places objects,
// which are meshes or place others; objects may stand in further models of the archive (production
// extension 1.1). Lengths stay in the file's own unit.
#include <Eigen/Core>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <pugixml.hpp>

#include "io/readers.h"
#include "io/text_scanner.h"
#include "io/zip_archive.h"

namespace touche::io {
namespace {

using Transform = Eigen::Matrix<double, 3, 4>;
constexpr int kDeepest = 64;              // nested components; a cycle is deeper
constexpr int kMostPlacements = 1000000;  // of components, which may multiply at each level

/// A model of the archive and its objects by number.
struct Model {
  std::string path;
  pugi::xml_document document;
  std::map<std::string, pugi::xml_node> objects;
};

class ThreeMfReader {
 public:
  ThreeMfReader(std::string_view bytes, const std::string& file)
      : archive_(bytes, file), file_(file) {}

  MeshData read() {
    const Model& root = model(root_path());
    for (const pugi::xml_node item : root.document.child("model").child("build").children("item"))
      place(root, item, "item", Transform::Identity(), 0);
    return mesh_.finish(file_);
  }

 private:
  static std::string without_slash(const std::string& path) {
    return path.substr(path.starts_with('/') ? 1 : 0);
  }

  std::string root_path() const {
    constexpr std::string_view kType =
        "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";
    constexpr const char* kPath = "_rels/.rels";
    pugi::xml_document document;
    parse(archive_.read(kPath), kPath, document);
    for (const pugi::xml_node r : document.child("Relationships").children("Relationship"))
      if (r.attribute("Type").value() == kType) return without_slash(r.attribute("Target").value());
    throw LoadError(file_, kPath, "names no 3D model");
  }

  void parse(const std::string& text, const std::string& path, pugi::xml_document& document) const {
    const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
    if (result) return;
    const auto end =
        text.begin() + std::min(result.offset, static_cast<std::ptrdiff_t>(text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    throw LoadError(file_, path + " line " + std::to_string(line), result.description());
  }

  const Model& model(const std::string& path) {
    std::unique_ptr<Model>& found = models_[path];
    if (found) return *found;
    found = std::make_unique<Model>();
    found->path = path;
    parse(archive_.read(path), path, found->document);
    for (const pugi::xml_node object :
         found->document.child("model").child("resources").children("object"))
      if (!found->objects.emplace(object.attribute("id").value(), object).second)
        fail(*found, std::string("object ") + object.attribute("id").value(), "is there twice");
    return *found;
  }

  // What an item or a component names, at its own transform within `parent`.
  void place(const Model& from, pugi::xml_node reference, const char* what, const Transform& parent,
             int depth) {
    const std::string id = reference.attribute("objectid").value();
    const std::string where = std::string(what) + " of object " + io::quoted(id);
    if (depth > kDeepest) fail(from, where, "components are nested in a cycle or too deep");
    if (++placements_ > kMostPlacements) fail(from, where, "too many components");
    Eigen::Matrix4d inner = Eigen::Matrix4d::Identity();
    inner.topRows<3>() = transform(from, reference, where);
    const Transform placed = parent * inner;
    const std::string path = external_path(reference);
    const Model& in = path.empty() ? from : model(path);
    const auto object = in.objects.find(id);
    if (object == in.objects.end()) fail(from, where, "there is no such object");
    if (const pugi::xml_node mesh = object->second.child("mesh"))
      add_mesh(in, object->second, mesh, placed);
    for (const pugi::xml_node c : object->second.child("components").children("component"))
      place(in, c, "component", placed, depth + 1);
  }

  // The production extension's attribute, under whatever prefix.
  static std::string external_path(pugi::xml_node reference) {
    for (const pugi::xml_attribute a : reference.attributes())
      if (std::string_view(a.name()).ends_with(":path")) return without_slash(a.value());
    return "";
  }

  // Twelve numbers, for points as rows: the columns of ours.
  Transform transform(const Model& in, pugi::xml_node reference, const std::string& where) const {
    Transform t = Transform::Identity();
    const pugi::xml_attribute attribute = reference.attribute("transform");
    if (!attribute) return t;
    const std::string text = attribute.value();
    TextScanner scanner(text, file_);
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 3; ++row)
        t(row, column) = number(in, scanner.next_word(), where + " transform");
    if (!scanner.next_word().empty()) fail(in, where + " transform", "more than 12 numbers");
    return t;
  }

  void add_mesh(const Model& in, pugi::xml_node object, pugi::xml_node mesh,
                const Transform& placed) {
    const std::string id = object.attribute("id").value(), name = object.attribute("name").value();
    mesh_.begin_group(name.empty() ? "Object_" + id : name);
    const std::size_t first = mesh_.data().vertex_count();
    const std::string where = "object " + io::quoted(id);
    std::size_t count = 0;
    for (const pugi::xml_node v : mesh.child("vertices").children("vertex")) {
      const std::string at = where + " vertex " + std::to_string(count++);
      const auto coordinate = [&](const char* axis) {
        return number(in, v.attribute(axis).value(), at);
      };
      const Vec3 world =
          placed * Eigen::Vector4d(coordinate("x"), coordinate("y"), coordinate("z"), 1);
      for (const double value : world)
        if (!(std::abs(value) <= kMaxCoordinate)) fail(in, at, bad_coordinate(value));
      mesh_.add_vertex(world.x(), world.y(), world.z());
    }
    if (first + count >= kNone) fail(in, where, "too many vertices");
    std::size_t triangle = 0;
    for (const pugi::xml_node t : mesh.child("triangles").children("triangle")) {
      const std::string at = where + " triangle " + std::to_string(triangle++);
      for (const char* corner : {"v1", "v2", "v3"})
        mesh_.add_corner(
            static_cast<Index>(first + index(in, t.attribute(corner).value(), count, at)));
      mesh_.end_face();
    }
  }

  double number(const Model& in, std::string_view text, const std::string& where) const {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(in, where, io::quoted(text) + " is not a number");
    return value;
  }

  std::size_t index(const Model& in, std::string_view text, std::size_t count,
                    const std::string& where) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(in, where, io::quoted(text) + " is not a vertex number");
    if (value >= count) fail(in, where, "there is no vertex " + std::to_string(value));
    return value;
  }

  [[noreturn]] void fail(const Model& in, const std::string& where,
                         const std::string& reason) const {
    throw LoadError(file_, in.path + " " + where, reason);
  }

  ZipArchive archive_;
  const std::string& file_;
  std::map<std::string, std::unique_ptr<Model>> models_;
  MeshBuilder mesh_;
  int placements_ = 0;
};

}  // namespace

MeshData read_3mf(std::string_view bytes, const std::string& file) {
  return ThreeMfReader(bytes, file).read();
}

}  // namespace touche::io
