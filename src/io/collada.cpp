// SPDX-License-Identifier: Apache-2.0
// COLLADA 1.4.1 and 1.5 (ISO/PAS 17506): nodes that instantiate meshes and other nodes. Numbers and
// transforms are in double precision.
#include <fmt/core.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

#include "io/assembly_builder.h"
#include "io/collada_mesh.h"
#include "io/text_scanner.h"
#include "io/uri.h"

namespace touche::io {
namespace {

// The matrix of a turn; quarter turns are exact.
Mat3 turn(const Vec3& axis, double degrees) {
  int quarters = 0;
  const double rest = std::remquo(degrees, 90, &quarters) * std::numbers::pi / 180;
  double s = std::sin(rest), c = std::cos(rest);
  for (int k = quarters & 3; k > 0; --k) {
    const double previous = s;
    s = c;
    c = -previous;
  }
  const Vec3 n = axis.normalized();
  Mat3 cross;
  cross << 0, -n.z(), n.y(), n.z(), 0, -n.x(), -n.y(), n.x(), 0;
  return Mat3::Identity() + s * cross + (1 - c) * (cross * cross);
}

class ColladaReader {
 public:
  ColladaReader(std::string_view bytes, const std::string& file, const LoadOptions& options)
      : xml_(bytes, file), file_(file), options_(options), builder_(bytes.size(), file) {
    xml_.drop_first_prefix();
  }

  FileFrame frame() {
    world(root().child("asset"));
    return builder_.frame();
  }

  Assembly read() {
    const pugi::xml_node collada = root();
    collect_ids();
    read_nodes(scene(collada), world(collada.child("asset")));
    if (collada.child("library_animations").child("animation"))
      builder_.remark("its animations are not read: parts are where they are at rest");
    return builder_.finish();
  }

 private:
  pugi::xml_node root() const {
    const pugi::xml_node collada = xml_.root().child("COLLADA");
    if (!collada) throw LoadError(file_, "", "not a COLLADA file");
    return collada;
  }

  struct Visit {
    pugi::xml_node node;
    Index parent;
    Transform outer;
  };

  // ---- what is called how --------------------------------------------------------------------

  static bool is_named(std::string_view kind) {
    return kind == "geometry" || kind == "node" || kind == "visual_scene";
  }

  void collect_ids() {
    struct Walker : pugi::xml_tree_walker {
      std::map<std::string, pugi::xml_node>* ids = nullptr;
      bool for_each(pugi::xml_node& node) override {
        const pugi::xml_attribute id = node.attribute("id");
        if (!id || !is_named(node.name())) return true;
        const auto [entry, is_new] = ids->emplace(key(node.name(), id.value()), node);
        if (!is_new) entry->second = {};  // called like another: nothing may refer to it
        return true;
      }
    } walker;
    walker.ids = &ids_;
    pugi::xml_node root = xml_.root();
    root.traverse(walker);
  }

  static std::string key(const std::string& kind, const std::string& id) { return kind + "#" + id; }

  pugi::xml_node referenced(pugi::xml_node from, const char* kind) const {
    const std::string url = from.attribute("url").value();
    if (!url.starts_with('#'))
      xml_.fail(from, io::in_quotes(url) + " is in another file, which is not read");
    auto found = ids_.find(key(kind, url.substr(1)));
    if (found == ids_.end()) found = ids_.find(key(kind, percent_decoded(url.substr(1))));
    if (found == ids_.end())
      xml_.fail(from, fmt::format("there is no <{}> {}", kind, io::in_quotes(url)));
    if (!found->second)
      xml_.fail(from, fmt::format("there are several <{}> {}", kind, io::in_quotes(url)));
    return found->second;
  }

  // ---- the scene -------------------------------------------------------------------------------

  pugi::xml_node scene(pugi::xml_node collada) const {
    if (const pugi::xml_node instance = collada.child("scene").child("instance_visual_scene"))
      return referenced(instance, "visual_scene");
    const pugi::xml_node library = collada.child("library_visual_scenes");
    const pugi::xml_node only = library.child("visual_scene");
    if (!only) throw LoadError(file_, "", "the file holds no scene");
    if (only.next_sibling("visual_scene")) xml_.fail(library, "no <scene> says which one is meant");
    return only;
  }

  // The transform to metres with z up, or as the options say.
  Transform world(pugi::xml_node asset) {
    double unit = 1;
    if (const pugi::xml_attribute meter = asset.child("unit").attribute("meter")) {
      const std::string text = meter.value();
      unit = TextScanner(text, file_, {}, xml_.line(asset.child("unit"))).coordinate(text);
      if (!(unit > 0)) xml_.fail(asset.child("unit"), "a unit must be more than 0");
    }
    UpAxis up = UpAxis::y;
    std::string axis = XmlFile::text(asset.child("up_axis"));
    std::erase_if(axis, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
    if (axis == "X_UP")
      up = UpAxis::x;
    else if (axis == "Z_UP")
      up = UpAxis::z;
    else if (!axis.empty() && axis != "Y_UP")
      xml_.fail(asset.child("up_axis"), "unknown axis " + io::in_quotes(axis));
    return builder_.from_file(up, unit, options_);
  }

  // Depth first, with a stack of its own: how deep nodes lie is the file's choice.
  void read_nodes(pugi::xml_node scene, const Transform& world) {
    std::vector<Visit> stack;
    push_children(scene, kNone, world, stack);
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      Transform placed = visit.outer;
      std::vector<Visit> below;
      const auto fault = fault_of([&] {
        placed = compose(visit.outer, local(visit.node));
        push_children(visit.node, kNone, placed, below);
      });
      const std::string id = visit.node.attribute("id").value();
      const std::string name = visit.node.attribute("name").value();
      const Index node = builder_.add_node(name.empty() ? id : name, visit.parent, placed,
                                           std::to_string(xml_.line(visit.node)));
      if (fault) {
        builder_.leave_out(node, *fault);
        continue;
      }
      for (const pugi::xml_node child : visit.node.children()) {
        const std::string_view kind = child.name();
        if (kind == "instance_controller")
          builder_.place_mesh(node, [&]() -> Index {
            xml_.fail(child, "skinned and morphed meshes are not read; save the file without them");
          });
        if (kind == "instance_geometry")
          builder_.place_mesh(node, [&] { return mesh_of(referenced(child, "geometry")); });
      }
      for (Visit& child : below) child.parent = node;
      stack.insert(stack.end(), below.begin(), below.end());
    }
  }

  // Adds the children of a node and the nodes that it instantiates.
  void push_children(pugi::xml_node owner, Index parent, const Transform& outer,
                     std::vector<Visit>& stack) const {
    const std::size_t before = stack.size();
    for (const pugi::xml_node child : owner.children()) {
      const std::string_view kind = child.name();
      if (kind == "node") stack.push_back({child, parent, outer});
      if (kind == "instance_node") stack.push_back({referenced(child, "node"), parent, outer});
    }
    std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(before), stack.end());
  }

  Index mesh_of(pugi::xml_node geometry) {
    return meshes_.of(geometry, [&] {
      MeshBuilder mesh;
      if (const pugi::xml_node xml_mesh = geometry.child("mesh"))
        mesh = read_collada_mesh(xml_, xml_mesh, file_);
      else if (!geometry.child("spline"))
        xml_.fail(geometry, "only geometry that is a <mesh> is read");
      const std::string id = geometry.attribute("id").value();
      const std::string name = geometry.attribute("name").value();
      return builder_.add_mesh(name.empty() ? id : name, mesh);
    });
  }

  // ---- transforms, the first of which acts last ------------------------------------------------

  Transform local(pugi::xml_node node) const {
    Transform t = identity();
    for (const pugi::xml_node child : node.children()) {
      const std::string_view kind = child.name();
      if (kind == "matrix") t = compose(t, matrix(child));
      if (kind == "lookat") t = compose(t, look_at(child));
      if (kind == "translate") t = compose(t, moved(numbers(child, 3)));
      if (kind == "rotate") t = compose(t, turned(child, numbers(child, 4)));
      if (kind == "scale") t.leftCols<3>() *= vector(numbers(child, 3)).asDiagonal();
      if (kind == "skew") xml_.fail(child, "<skew> is not read");
    }
    return t;
  }

  static Vec3 vector(const std::vector<double>& v, std::size_t first = 0) {
    return Vec3(v[first], v[first + 1], v[first + 2]);
  }

  std::vector<double> numbers(pugi::xml_node element, std::size_t count) const {
    std::vector<double> result = read_numbers(xml_, element, file_);
    if (result.size() != count)
      xml_.fail(element, fmt::format("<{}> of {} numbers, expected {}", element.name(),
                                     result.size(), count));
    return result;
  }

  Transform matrix(pugi::xml_node element) const {
    const std::vector<double> m = numbers(element, 16);
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
      xml_.fail(element, "the last row is not 0 0 0 1");
    return Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(m.data()).topRows<3>();
  }

  static Transform moved(const std::vector<double>& v) {
    Transform t = identity();
    t.col(3) = vector(v);
    return t;
  }

  Transform turned(pugi::xml_node element, const std::vector<double>& v) const {
    Transform t = identity();
    if (v[3] == 0) return t;
    if (vector(v).norm() == 0) xml_.fail(element, "the axis has no length");
    t.leftCols<3>() = turn(vector(v), v[3]);
    return t;
  }

  // Reads <lookat>: position of the eye, the point in its −z direction, and the up direction.
  Transform look_at(pugi::xml_node element) const {
    const std::vector<double> v = numbers(element, 9);
    const Vec3 ahead = (vector(v, 3) - vector(v)).normalized();
    const Vec3 right = ahead.cross(vector(v, 6)).normalized();
    if (!(right.norm() > 0.5)) xml_.fail(element, "up and the line of sight are parallel");
    Transform t;
    t << right, right.cross(ahead), -ahead, vector(v);
    return t;
  }

  XmlFile xml_;
  const std::string& file_;
  LoadOptions options_;
  AssemblyBuilder builder_;
  std::map<std::string, pugi::xml_node> ids_;  // by kind and id; empty where ambiguous
  ReadMeshes<pugi::xml_node> meshes_;          // by geometry
};

}  // namespace

Assembly read_collada(std::string_view bytes, const std::string& file, const LoadOptions& options) {
  return ColladaReader(bytes, file, options).read();
}

FileFrame collada_frame(std::string_view bytes, const std::string& file,
                        const LoadOptions& options) {
  return ColladaReader(bytes, file, options).frame();
}

}  // namespace touche::io
