// SPDX-License-Identifier: Apache-2.0
// 3MF, core specification 1.3: a ZIP archive with models in XML. A model's build instantiates
// objects, which are meshes or consist of other objects; objects may be in further models of the
// archive (production extension 1.1). Lengths are converted to millimetres.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>

#include "io/assembly_builder.h"
#include "io/readers.h"
#include "io/text_scanner.h"
#include "io/xml_file.h"
#include "io/zip_archive.h"

namespace touche::io {
namespace {

/// In millimetres, by the names of the specification.
constexpr std::pair<std::string_view, double> kUnits[] = {{"micron", 1e-3},   {"millimeter", 1},
                                                          {"centimeter", 10}, {"inch", 25.4},
                                                          {"foot", 304.8},    {"meter", 1000}};

/// A model of the archive and its objects by number.
struct Model {
  Model(std::string model_path, std::string model_text, const std::string& file)
      : path(std::move(model_path)), text(std::move(model_text)), xml(text, file, path) {}

  std::string path, text;
  XmlFile xml;
  std::map<std::string, pugi::xml_node> objects;
};

class ThreeMfReader {
 public:
  ThreeMfReader(std::string_view bytes, const std::string& file, double scale)
      : archive_(bytes, file), file_(file), scale_(scale), builder_(bytes.size(), file) {}

  Assembly read() {
    const Model& root = model(root_path());
    for (const pugi::xml_node item : root.xml.root().child("model").child("build").children("item"))
      place(root, item, "item", kNone, scaling(scale_ * millimetres(root)));
    return builder_.finish();
  }

 private:
  double millimetres(const Model& in) const {
    const std::string_view unit =
        in.xml.root().child("model").attribute("unit").as_string("millimeter");
    for (const auto& [name, length] : kUnits)
      if (name == unit) return length;
    fail(in, "unit",
         io::in_quotes(unit) + " is not one of micron, millimeter, centimeter, inch, foot, meter");
  }

  static std::string without_slash(const std::string& path) {
    return path.substr(path.starts_with('/') ? 1 : 0);
  }

  std::string root_path() {
    constexpr std::string_view kType =
        "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";
    constexpr const char* kPath = "_rels/.rels";
    const std::string text = unpacked(kPath);
    const XmlFile xml(text, file_, kPath);
    for (const pugi::xml_node r : xml.root().child("Relationships").children("Relationship"))
      if (r.attribute("Type").value() == kType) return without_slash(r.attribute("Target").value());
    throw LoadError(file_, kPath, "names no 3D model");
  }

  // An XML document of the archive, for whose copy, elements and attributes there is memory, too.
  std::string unpacked(const std::string& path) {
    constexpr std::size_t kElement = 64, kAttribute = 40;
    std::string text = archive_.read(path, builder_.allowance());
    const auto count = [&](char c) {
      return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
    };
    builder_.allowance().take(text.size() + kElement * count('<') + kAttribute * count('='), path);
    return text;
  }

  const Model& model(const std::string& path) {
    std::unique_ptr<Model>& found = models_[path];
    if (found) return *found;
    auto made = std::make_unique<Model>(path, unpacked(path), file_);
    for (const pugi::xml_node object :
         made->xml.root().child("model").child("resources").children("object"))
      if (!made->objects.emplace(object.attribute("id").value(), object).second)
        fail(*made, std::string("object ") + object.attribute("id").value(), "is there twice");
    found = std::move(made);
    return *found;
  }

  // Adds an instance of the object that an item or a component names, with its own transform within
  // `outer`.
  void place(const Model& from, pugi::xml_node reference, const char* what, Index parent,
             const Transform& outer) {
    const std::string id = reference.attribute("objectid").value();
    const std::string where = std::string(what) + " of object " + io::in_quotes(id);
    const Transform placed = compose(outer, transform(from, reference, where));
    const std::string path = external_path(reference);
    const Model& in = path.empty() ? from : model(path);
    if (millimetres(in) != millimetres(from))
      fail(in, "unit", "differs from that of " + io::in_quotes(from.path));
    const auto found = in.objects.find(id);
    if (found == in.objects.end()) fail(from, where, "there is no such object");
    const pugi::xml_node object = found->second;
    const Index node = builder_.add_node(name_of(object), parent, placed, from.path + " " + where);
    if (object.child("mesh")) builder_.place_mesh(node, mesh_of(in, object));
    for (const pugi::xml_node c : object.child("components").children("component"))
      place(in, c, "component", node, placed);
  }

  static std::string name_of(pugi::xml_node object) {
    const std::string name = object.attribute("name").value();
    return name.empty() ? std::string("Object_") + object.attribute("id").value() : name;
  }

  // The production extension's attribute, under whatever prefix.
  static std::string external_path(pugi::xml_node reference) {
    for (const pugi::xml_attribute a : reference.attributes())
      if (std::string_view(a.name()).ends_with(":path")) return without_slash(a.value());
    return "";
  }

  // Twelve numbers, for points as rows: the columns of ours.
  Transform transform(const Model& in, pugi::xml_node reference, const std::string& where) const {
    Transform t = identity();
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

  // Reads a mesh when it is first placed.
  Index mesh_of(const Model& in, pugi::xml_node object) {
    const auto [entry, is_new] = meshes_.try_emplace(object, kNone);
    if (!is_new) return entry->second;
    MeshBuilder mesh;
    const pugi::xml_node xml_mesh = object.child("mesh");
    const std::string where = "object " + io::in_quotes(object.attribute("id").value());
    std::size_t count = 0;
    for (const pugi::xml_node v : xml_mesh.child("vertices").children("vertex")) {
      const std::string at = where + " vertex " + std::to_string(count++);
      const auto coordinate = [&](const char* axis) {
        const double value = number(in, v.attribute(axis).value(), at);
        if (!(std::abs(value) <= kMaxCoordinate)) fail(in, at, bad_coordinate(value));
        return value;
      };
      const double x = coordinate("x"), y = coordinate("y"), z = coordinate("z");
      mesh.add_vertex(x, y, z);
    }
    if (count >= kNone) fail(in, where, "too many vertices");
    std::size_t triangle = 0;
    for (const pugi::xml_node t : xml_mesh.child("triangles").children("triangle")) {
      const std::string at = where + " triangle " + std::to_string(triangle++);
      for (const char* corner : {"v1", "v2", "v3"})
        mesh.add_corner(static_cast<Index>(index(in, t.attribute(corner).value(), count, at)));
      mesh.end_face();
    }
    return entry->second = builder_.add_mesh(name_of(object), mesh);
  }

  double number(const Model& in, std::string_view text, const std::string& where) const {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(in, where, io::in_quotes(text) + " is not a number");
    return value;
  }

  std::size_t index(const Model& in, std::string_view text, std::size_t count,
                    const std::string& where) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(in, where, io::in_quotes(text) + " is not a vertex number");
    if (value >= count) fail(in, where, "there is no vertex " + std::to_string(value));
    return value;
  }

  [[noreturn]] void fail(const Model& in, const std::string& where,
                         const std::string& reason) const {
    throw LoadError(file_, in.path + " " + where, reason);
  }

  ZipArchive archive_;
  const std::string& file_;
  double scale_;
  AssemblyBuilder builder_;
  std::map<std::string, std::unique_ptr<Model>> models_;
  std::map<pugi::xml_node, Index> meshes_;  // by object
};

}  // namespace

Assembly read_3mf(std::string_view bytes, const std::string& file, double scale) {
  return ThreeMfReader(bytes, file, scale).read();
}

}  // namespace touche::io
