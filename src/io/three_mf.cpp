// SPDX-License-Identifier: Apache-2.0
// 3MF, core specification 1.3: a ZIP archive with models in XML. A model's build instantiates
// objects, which are meshes or consist of other objects; objects may be in further models of the
// archive (production extension 1.1, paths; its UUIDs are not needed). Elements are found by their
// namespaces. Lengths are converted to millimetres.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "io/assembly_builder.h"
#include "io/readers.h"
#include "io/tally.h"
#include "io/text_scanner.h"
#include "io/xml_file.h"
#include "io/zip_archive.h"

namespace touche::io {
namespace {

/// In millimetres, by the names of the specification.
constexpr std::pair<std::string_view, double> kUnits[] = {{"micron", 1e-3},   {"millimeter", 1},
                                                          {"centimeter", 10}, {"inch", 25.4},
                                                          {"foot", 304.8},    {"meter", 1000}};

constexpr std::string_view kProduction =
    "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";

/// Extensions that a model may require: read, or without influence on surfaces.
constexpr std::array<std::string_view, 3> kKnown = {
    kProduction, "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07"};

bool is_known(std::string_view extension) {
  return std::find(kKnown.begin(), kKnown.end(), extension) != kKnown.end();
}

/// An object, which may be placed many times: its elements are found once.
struct ModelObject {
  pugi::xml_node element, mesh;
  std::vector<pugi::xml_node> components;
};

/// A model of the archive and its objects by number.
struct Model {
  Model(std::string model_path, std::string model_text, const std::string& file)
      : path(std::move(model_path)),
        text(std::move(model_text)),
        xml(text, file, path),
        root(xml.child(xml.root(), "model")) {}

  std::string path, text;
  XmlFile xml;
  pugi::xml_node root;
  std::map<std::string, ModelObject> objects;
};

class ThreeMfReader {
 public:
  ThreeMfReader(std::string_view bytes, const std::string& file, const LoadOptions& options)
      : archive_(bytes, file), file_(file), options_(options), builder_(bytes.size(), file) {}

  FileFrame frame() {
    world(model(root_path()));
    return builder_.frame();
  }

  Assembly read() {
    const Model& in = model(root_path());
    const Transform world = this->world(in);
    in.xml.each(in.xml.child(in.root, "build"), "item",
                [&](pugi::xml_node item) { place(in, item, "item", kNone, world); });
    for (const auto& [element, extension] : ignored_)
      builder_.remark(fmt::format("<{}> ({}) is not read, and the file does not require it",
                                  element, extension));
    if (!unprinted_.empty()) builder_.remark(unprinted_.sentence("read as the others are"));
    return builder_.finish();
  }

 private:
  Transform world(const Model& root) {
    return builder_.from_file(UpAxis::z, millimetres(root), options_);
  }

  double millimetres(const Model& in) const {
    const std::string_view unit = in.root.attribute("unit").as_string("millimeter");
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
    std::string found;
    xml.each(xml.child(xml.root(), "Relationships"), "Relationship", [&](pugi::xml_node r) {
      if (found.empty() && r.attribute("Type").value() == kType)
        found = without_slash(r.attribute("Target").value());
    });
    if (found.empty()) throw LoadError(file_, kPath, "names no 3D model");
    return found;
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
    expect_known_extensions(*made);
    made->xml.each(made->xml.child(made->root, "resources"), "object", [&](pugi::xml_node object) {
      const XmlFile& xml = made->xml;
      ModelObject found_object{object, xml.child(object, "mesh"), {}};
      xml.each(xml.child(object, "components"), "component",
               [&](pugi::xml_node c) { found_object.components.push_back(c); });
      note_ignored(*made, object);
      if (!made->objects.emplace(object.attribute("id").value(), std::move(found_object)).second)
        fail(*made, std::string("object ") + object.attribute("id").value(), "is there twice");
    });
    found = std::move(made);
    return *found;
  }

  // A model lists the prefixes of extensions without which it is another thing.
  void expect_known_extensions(const Model& in) const {
    const std::string prefixes = in.root.attribute("requiredextensions").value();
    TextScanner scanner(prefixes, file_);
    for (std::string_view p = scanner.next_word(); !p.empty(); p = scanner.next_word())
      if (const std::string_view extension = in.xml.expect_namespace(in.root, p);
          !is_known(extension))
        fail(in, "requiredextensions",
             fmt::format("the file requires the extension {} ({}), which is not read; save it "
                         "without",
                         in_quotes(p), extension));
  }

  // Notes the elements of other extensions right below one, in place of which a reader may take
  // what is of the core.
  void note_ignored(const Model& in, pugi::xml_node element) {
    for (const pugi::xml_node child : element.children()) {
      if (child.type() != pugi::node_element) continue;
      const XmlName name(child.name());
      const std::string_view own = in.xml.expect_namespace(child, name.prefix);
      if (!in.xml.is_named(child, name.local) && !is_known(own))
        ignored_.emplace(child.name(), own);
    }
  }

  // An instance of an object, and how many of its components are placed.
  struct Instance {
    const Model* in;
    const ModelObject* object;
    Index node;
    Transform placed;
    std::size_t next = 0;
  };

  // Adds instances of the object that an item or a component names and of its components, with
  // their own transforms within `outer`. No recursion: components may lie deep below each other.
  void place(const Model& from, pugi::xml_node reference, const char* what, Index parent,
             const Transform& outer) {
    std::vector<Instance> levels;
    const auto add = [&](const std::optional<Instance>& made) {
      if (made) levels.push_back(*made);
    };
    add(instance(from, reference, what, parent, outer));
    while (!levels.empty()) {
      Instance& last = levels.back();
      if (last.next == last.object->components.size()) {
        levels.pop_back();
        continue;
      }
      const pugi::xml_node component = last.object->components[last.next++];
      add(instance(*last.in, component, "component", last.node, last.placed));
    }
  }

  // Nothing if it is left out.
  std::optional<Instance> instance(const Model& from, pugi::xml_node reference, const char* what,
                                   Index parent, const Transform& outer) {
    const std::string id = reference.attribute("objectid").value();
    const std::string where = std::string(what) + " of object " + io::in_quotes(id);
    const std::string path = external_path(from, reference);
    const Model& in = path.empty() ? from : model(path);
    if (millimetres(in) != millimetres(from))
      fail(in, "unit", "differs from that of " + io::in_quotes(from.path));
    const auto found = in.objects.find(id);
    Transform placed = outer;
    if (const auto fault = fault_of([&] {
          if (found == in.objects.end()) fail(from, where, "there is no such object");
          placed = compose(outer, transform(from, reference, where));
        })) {
      builder_.leave_out(builder_.add_node("Object_" + id, parent, outer, from.path + " " + where),
                         *fault);
      return std::nullopt;
    }
    const ModelObject& object = found->second;
    note_use(object.element, reference);
    const Index node =
        builder_.add_node(name_of(object.element), parent, placed, from.path + " " + where);
    if (object.mesh || object.components.empty())
      builder_.place_mesh(node, [&] { return mesh_of(in, object); });
    return Instance{&in, &object, node, placed};
  }

  // What is geometry here, but not of the part that is printed.
  void note_use(pugi::xml_node object, pugi::xml_node reference) {
    const std::string_view type = object.attribute("type").as_string("model");
    if (type == "support" || type == "solidsupport") unprinted_.add("of supports");
    if (type == "other") unprinted_.add("of other kinds than models");
    if (std::string_view(reference.attribute("printable").value()) == "0")
      unprinted_.add("that are not printed");
  }

  static std::string name_of(pugi::xml_node object) {
    const std::string name = object.attribute("name").value();
    return name.empty() ? std::string("Object_") + object.attribute("id").value() : name;
  }

  // The production extension's attribute, under whatever prefix.
  static std::string external_path(const Model& in, pugi::xml_node reference) {
    for (const pugi::xml_attribute a : reference.attributes())
      if (const XmlName name(a.name());
          name.local == "path" && !name.prefix.empty() &&
          in.xml.expect_namespace(reference, name.prefix) == kProduction)
        return without_slash(a.value());
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
  Index mesh_of(const Model& in, const ModelObject& object) {
    return meshes_.of(object.element, [&] { return read_mesh(in, object.element, object.mesh); });
  }

  Index read_mesh(const Model& in, pugi::xml_node object, pugi::xml_node xml_mesh) {
    const std::string where = "object " + io::in_quotes(object.attribute("id").value());
    if (!xml_mesh) fail(in, where, "has no mesh and no components");
    note_ignored(in, xml_mesh);
    MeshBuilder mesh;
    std::size_t count = 0;
    in.xml.each(in.xml.child(xml_mesh, "vertices"), "vertex", [&](pugi::xml_node v) {
      const std::string at = where + " vertex " + std::to_string(count++);
      const auto coordinate = [&](const char* axis) {
        const std::string_view text = v.attribute(axis).value();
        const double value = number(in, text, at);
        mesh.set_digits(significant_digits(text));
        if (!(std::abs(value) <= kMaxCoordinate)) fail(in, at, bad_coordinate(value));
        return value;
      };
      const double x = coordinate("x"), y = coordinate("y"), z = coordinate("z");
      mesh.add_vertex(x, y, z);
    });
    if (count >= kNone) fail(in, where, "too many vertices");
    std::size_t triangle = 0;
    in.xml.each(in.xml.child(xml_mesh, "triangles"), "triangle", [&](pugi::xml_node t) {
      const std::string at = where + " triangle " + std::to_string(triangle++);
      for (const char* corner : {"v1", "v2", "v3"})
        mesh.add_corner(static_cast<Index>(index(in, t.attribute(corner).value(), count, at)));
      mesh.end_face();
    });
    return builder_.add_mesh(name_of(object), mesh);
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
  LoadOptions options_;
  AssemblyBuilder builder_;
  std::map<std::string, std::unique_ptr<Model>> models_;
  ReadMeshes<pugi::xml_node> meshes_;  // by object
  Tally unprinted_{"object", "objects"};
  std::set<std::pair<std::string, std::string>> ignored_;  // elements and their namespaces
};

}  // namespace

Assembly read_3mf(std::string_view bytes, const std::string& file, const LoadOptions& options) {
  return ThreeMfReader(bytes, file, options).read();
}

FileFrame three_mf_frame(std::string_view bytes, const std::string& file,
                         const LoadOptions& options) {
  return ThreeMfReader(bytes, file, options).frame();
}

}  // namespace touche::io
