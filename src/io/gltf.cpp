// SPDX-License-Identifier: Apache-2.0
// glTF 2.0, text and binary (https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html): nodes that
// instantiate meshes of triangles. Positions in errors are JSON pointers.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "io/assembly_builder.h"
#include "io/draco_mesh.h"
#include "io/glb_chunks.h"
#include "io/gltf_accessor.h"
#include "io/gltf_animation.h"
#include "io/tally.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

// Which vertex of the mesh in work an element of an accessor has become. Meshes often share one
// long accessor, so that only what a mesh used is forgotten after it.
class VertexNumbers {
 public:
  Index& of(std::uint32_t element, std::size_t count) {
    if (numbers_.empty()) numbers_.assign(count, kNone);
    if (numbers_[element] == kNone) used_.push_back(element);
    return numbers_[element];
  }
  void forget() {
    for (const std::uint32_t element : used_) numbers_[element] = kNone;
    used_.clear();
  }

 private:
  std::vector<Index> numbers_;
  std::vector<std::uint32_t> used_;
};

constexpr std::string_view kInstancing = "EXT_mesh_gpu_instancing",
                           kMeshopt = "EXT_meshopt_compression",
                           kDraco = "KHR_draco_mesh_compression",
                           kVisibility = "KHR_node_visibility";

// Files of version 1 differ in nearly everything, so this comes first. Its version may be a number.
JsonCursor of_version_2(JsonCursor root) {
  const JsonCursor version = root.at("asset").at("version");
  std::string text = version.json();
  std::erase(text, '"');
  if (!text.starts_with("2.")) version.fail("glTF " + text + ", expected 2.x");
  return root;
}

class GltfReader {
 public:
  GltfReader(std::string_view json, std::string_view binary, const std::string& file,
             const ReadBeside& read_beside, const LoadOptions& options)
      : root_(of_version_2(JsonCursor::parse(json, file))),
        builder_(json.size() + binary.size(), file),
        buffers_(root_, binary, read_beside, builder_.allowance()),
        nodes_(entries(root_, "nodes")),
        meshes_(entries(root_, "meshes")),
        options_(options) {}

  Assembly read() {
    check_extensions();
    read_animations();
    read_nodes();
    Assembly assembly = builder_.finish();
    assembly.animations = std::move(animations_);
    return assembly;
  }

 private:
  // Extensions that a reader may leave out without losing or moving a surface.
  static bool is_harmless(std::string_view extension) {
    constexpr std::array<std::string_view, 9> kBeginnings = {
        "KHR_materials_", "KHR_texture_",          "EXT_texture_",
        "KHR_lights_",    "EXT_lights_",           "KHR_xmp",
        "MSFT_texture_",  "KHR_mesh_quantization", "KHR_animation_pointer"};
    return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                       [&](std::string_view b) { return extension.starts_with(b); });
  }

  // A required one that this build does not read leaves out the nodes that use it.
  static bool is_read(std::string_view extension) {
    return extension == kInstancing || extension == kMeshopt || extension == kDraco ||
           extension == kVisibility;
  }

  void check_extensions() const {
    for (const JsonCursor& name : entries(root_, "extensionsRequired"))
      if (!is_harmless(name.text()) && !is_read(name.text()))
        name.fail(fmt::format("the file requires {}, which is not read; save it without",
                              io::in_quotes(name.text())));
  }

  // At rest a file is read whatever its animations are.
  void read_animations() {
    if (options_.animation)
      poses_ = GltfAnimations(root_).poses(*options_.animation, nodes_.size(), buffers_);
    try {
      animations_ = GltfAnimations(root_).list();
      if (!options_.animation && !animations_.empty())
        builder_.remark(unused_animations(animations_));
    } catch (const LoadError& fault) {
      if (!options_.animation)
        builder_.remark(
            fmt::format("its animations are damaged, at {}: parts are where they are "
                        "at rest",
                        fault.place()));
    }
  }

  // The numbers of nodes that a list holds.
  std::vector<std::size_t> node_numbers(const JsonCursor& owner, std::string_view key) const {
    std::vector<std::size_t> numbers;
    for (const JsonCursor& number : entries(owner, key))
      numbers.push_back(number.below(nodes_.size()));
    return numbers;
  }

  // The nodes of the default scene; of the first where none is; without scenes all roots.
  std::vector<std::size_t> roots() const {
    const auto scenes = entries(root_, "scenes");
    const auto scene = root_.find("scene");
    const std::size_t number = scene ? scene->below(scenes.size()) : 0;
    if (!scenes.empty()) return node_numbers(scenes[number], "nodes");
    std::vector<bool> is_child(nodes_.size(), false);
    for (const JsonCursor& node : nodes_)
      for (const std::size_t child : node_numbers(node, "children")) is_child[child] = true;
    std::vector<std::size_t> result;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (!is_child[n]) result.push_back(n);
    return result;
  }

  // Depth first, with a stack of its own: how deep nodes lie is the file's choice.
  void read_nodes() {
    struct Visit {
      std::size_t node;
      Index parent;
      Transform outer;
    };
    std::vector<Visit> stack;
    const auto push = [&](const std::vector<std::size_t>& nodes, Index parent,
                          const Transform& outer) {
      for (std::size_t i = nodes.size(); i-- > 0;) stack.push_back({nodes[i], parent, outer});
    };
    push(roots(), kNone, builder_.from_file(UpAxis::y, 1, options_));
    std::vector<bool> seen(nodes_.size(), false);
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      const JsonCursor& json = nodes_[visit.node];
      if (seen[visit.node]) json.fail("the node has two parents, or is below itself");
      seen[visit.node] = true;
      const auto found_name = json.find("name");
      const std::string name = found_name ? found_name->text_or_empty() : "";
      if (is_hidden(json)) {
        hidden_.add("hidden by KHR_node_visibility", name);
        continue;
      }
      Transform world = visit.outer;
      std::vector<std::size_t> children;
      const auto fault = fault_of([&] {
        world = compose(visit.outer, local(json, pose_of(visit.node)));
        children = node_numbers(json, "children");
      });
      const Index node = builder_.add_node(name, visit.parent, world, json.path());
      if (fault) {
        builder_.leave_out(node, *fault);
        continue;
      }
      if (const auto instances = extension_of(json, kInstancing))
        builder_.or_leave_out(node,
                              [&] { add_instances(json, visit.node, *instances, node, world); });
      else if (json.has("mesh"))
        builder_.place_mesh(node, [&] { return mesh_of(json, pose_of(visit.node)); });
      push(children, node, world);
    }
    if (!hidden_.empty()) builder_.remark(hidden_.sentence("left out, with all below"));
    if (!no_triangles_.empty()) builder_.remark(no_triangles_.sentence("left out"));
  }

  static bool is_hidden(const JsonCursor& node) {
    const auto visibility = extension_of(node, kVisibility);
    const auto visible = visibility ? visibility->find("visible") : std::nullopt;
    return visible && !visible->boolean();
  }

  // The accessor of an attribute that need not be there.
  std::optional<GltfAccessor> numbers_of(const JsonCursor& attributes, std::string_view key,
                                         std::string_view type,
                                         std::initializer_list<int> components) {
    const auto found = attributes.find(key);
    if (!found) return std::nullopt;
    return buffers_.accessor(*found, type, components);
  }

  // Nodes below a node for the instances of its mesh, with transforms within its own.
  void add_instances(const JsonCursor& json, std::size_t number, const JsonCursor& instances,
                     Index node, const Transform& world) {
    const JsonCursor attributes = instances.at("attributes");
    const auto shifts = numbers_of(attributes, "TRANSLATION", "VEC3", {5126}),
               turns = numbers_of(attributes, "ROTATION", "VEC4", {5126, 5120, 5122}),
               scales = numbers_of(attributes, "SCALE", "VEC3", {5126});
    std::optional<std::size_t> count;
    for (const auto* numbers : {&shifts, &turns, &scales}) {
      if (!*numbers) continue;
      if (count.value_or((*numbers)->count()) != (*numbers)->count())
        attributes.fail("the numbers of translations, rotations and scales differ");
      count = (*numbers)->count();
    }
    if (!count) attributes.fail("expected TRANSLATION, ROTATION or SCALE");
    const auto vector = [&](const GltfAccessor& numbers, std::size_t i) {
      Vec3 v(numbers.real(i, 0), numbers.real(i, 1), numbers.real(i, 2));
      if (!v.allFinite()) attributes.fail(fmt::format("instance {} is not finite", i));
      return v;
    };
    const auto own_name = json.find("name"),
               mesh_name = meshes_[json.at("mesh").below(meshes_.size())].find("name");
    std::string name = own_name ? own_name->text_or_empty() : "";
    if (name.empty() && mesh_name) name = mesh_name->text_or_empty();
    for (std::size_t i = 0; i < *count; ++i) {
      Transform t = identity();
      if (turns)
        t.leftCols<3>() = turn(attributes, {turns->real(i, 0), turns->real(i, 1), turns->real(i, 2),
                                            turns->real(i, 3)});
      if (scales) t.leftCols<3>() *= vector(*scales, i).asDiagonal();
      if (shifts) t.col(3) = vector(*shifts, i);
      const Index instance = builder_.add_node(fmt::format("{}[{}]", name, i), node,
                                               compose(world, t), instances.path());
      builder_.place_mesh(instance, [&] { return mesh_of(json, pose_of(number)); });
    }
  }

  static Mat3 turn(const JsonCursor& where, const std::vector<double>& q) {
    return unit_quaternion(where, {q[0], q[1], q[2], q[3]}).toRotationMatrix();
  }

  static Transform local(const JsonCursor& json, const NodePose& pose) {
    Transform t = identity();
    if (const auto matrix = json.find("matrix")) {
      if (pose.translation || pose.rotation || pose.scale)
        matrix->fail("the animation moves a node that has a matrix");
      const std::vector<double> m = matrix->numbers(16);
      for (int column = 0; column < 4; ++column) {
        const auto at = 4 * static_cast<std::size_t>(column);
        t.col(column) = Vec3(m[at], m[at + 1], m[at + 2]);
        if (m[at + 3] != (column == 3 ? 1 : 0)) matrix->fail("the last row is not 0 0 0 1");
      }
      return t;
    }
    if (const auto rotation = json.find("rotation"))
      t.leftCols<3>() = turn(*rotation, rotation->numbers(4));
    if (pose.rotation) t.leftCols<3>() = pose.rotation->toRotationMatrix();
    const auto scale = json.find("scale"), translation = json.find("translation");
    if (scale || pose.scale)
      t.leftCols<3>() *= (pose.scale ? *pose.scale : scale->vector()).asDiagonal();
    if (translation || pose.translation)
      t.col(3) = pose.translation ? *pose.translation : translation->vector();
    return t;
  }

  const NodePose& pose_of(std::size_t node) const {
    static const NodePose kAtRest;
    const auto found = poses_.find(node);
    return found == poses_.end() ? kAtRest : found->second;
  }

  // Morph targets move vertices, unless their weights are 0.
  void check_weights(const JsonCursor& owner) const {
    const auto weights = owner.find("weights");
    if (!weights) return;
    for (const JsonCursor& weight : weights->items(0))
      if (weight.number() != 0) weight.fail("morph targets are not read, their weights must be 0");
  }

  // The mesh of a node that has one.
  Index mesh_of(const JsonCursor& node, const NodePose& pose) {
    if (node.has("skin")) node.fail("skinned meshes are not read; save the file without bones");
    if (pose.morphed.value_or(false))
      node.fail("morph targets are not read, and the animation's weights are not 0");
    const std::size_t number = node.at("mesh").below(meshes_.size());
    // Weights of the animation replace the node's, and these the mesh's.
    if (!pose.morphed) check_weights(node.has("weights") ? node : meshes_[number]);
    return mesh_numbers_.of(number, [&] { return read_mesh(meshes_[number]); });
  }

  Index read_mesh(const JsonCursor& json) {
    for (auto& [accessor, numbers] : vertex_numbers_) numbers.forget();
    MeshBuilder mesh;
    for (const JsonCursor& primitive : json.at("primitives").items(1))
      add_primitive(primitive, mesh);
    const auto name = json.find("name");
    return builder_.add_mesh(name ? name->text_or_empty() : "", mesh);
  }

  // The elements of a primitive, and where its triangles are; the corners of faces one after the
  // other, or as `mode` says.
  struct Primitive {
    JsonCursor json, position;
    std::size_t mode;
    GltfAccessor positions;
    std::optional<GltfAccessor> indices;
  };

  void add_primitive(const JsonCursor& json, MeshBuilder& mesh) {
    const auto mode_json = json.find("mode");
    const std::size_t mode = mode_json ? mode_json->below(7) : 4;
    if (mode < 4) return no_triangles_.add(mode == 0 ? "of points" : "of lines");
    const JsonCursor position = json.at("attributes").at("POSITION");
    Primitive primitive{json, position, mode,
                        buffers_.accessor(position, "VEC3", {5126, 5120, 5121, 5122, 5123}),
                        std::nullopt};
    if (const auto list = json.find("indices"))
      primitive.indices = buffers_.accessor(*list, "SCALAR", {5121, 5123, 5125});
    const auto draco = extension_of(json, kDraco);
    // Accessors with data of their own are there for programs that do not read the extension.
    if (draco && (reads_draco() || !buffers_.entry(position).has("bufferView")))
      return add_draco(*draco, std::move(primitive), mesh);
    const std::size_t accessor = position.below(buffers_.accessor_count());
    if (!vertex_numbers_.contains(accessor))
      builder_.allowance().take(primitive.positions.count() * sizeof(Index), json.path());
    add_triangles(primitive, vertex_numbers_[accessor], mesh);
  }

  // The accessors of the primitive say what types its numbers have.
  void add_draco(const JsonCursor& draco, Primitive primitive, MeshBuilder& mesh) {
    if (primitive.mode == 6) primitive.json.fail("a fan that is compressed by Draco");
    const JsonCursor position = draco.at("attributes").at("POSITION");
    const DracoMesh decoded = draco_decoded(buffers_.view(draco.at("bufferView")),
                                            static_cast<std::uint32_t>(position.below(kNone)),
                                            draco, builder_.allowance());
    if (decoded.component != primitive.positions.component())
      position.fail(fmt::format("components of type {}, the accessor says {}", decoded.component,
                                primitive.positions.component()));
    const auto compare = [&](std::size_t announced, std::size_t found, const char* what) {
      if (announced != found)
        builder_.remark(fmt::format("{}: {} {} are announced, the compressed mesh has {}",
                                    draco.path(), announced, what, found));
    };
    compare(primitive.positions.count(), decoded.point_count, "vertices");
    if (primitive.indices && primitive.mode == 4)
      compare(primitive.indices->count(), decoded.corners.size(), "corners of triangles");
    primitive.mode = 4;  // also strips are decoded to triangles
    primitive.positions =
        GltfAccessor::of_memory(decoded.positions.data(), decoded.vertex_count, decoded.width,
                                decoded.component, primitive.positions.is_normalised());
    primitive.indices =
        GltfAccessor::of_memory(reinterpret_cast<const char*>(decoded.corners.data()),
                                decoded.corners.size(), sizeof(std::uint32_t), 5125, false);
    builder_.allowance().take(decoded.vertex_count * sizeof(Index), draco.path());
    VertexNumbers numbers;
    add_triangles(primitive, numbers, mesh);
  }

  // `numbers`: for each element of the accessor which vertex it is.
  void add_triangles(const Primitive& primitive, VertexNumbers& numbers, MeshBuilder& mesh) {
    const JsonCursor &json = primitive.json, &position = primitive.position;
    const GltfAccessor& positions = primitive.positions;
    const std::optional<GltfAccessor>& indices = primitive.indices;
    const std::size_t mode = primitive.mode;
    const std::size_t count = indices ? indices->count() : positions.count();
    const std::size_t faces = mode == 4 ? count / 3 : std::max<std::size_t>(count, 2) - 2;
    if (mode == 4 && count % 3 != 0)
      json.fail(fmt::format("{} corners of triangles, which is no multiple of 3", count));
    builder_.allowance().take(3 * faces * 28, json.path());  // per corner a vertex and a number
    const auto corner = [&](std::size_t k) {
      const auto element = indices ? indices->integer(k) : static_cast<std::uint32_t>(k);
      if (element >= positions.count())
        json.fail(fmt::format("index {} is {}, but there are {} vertices", k, element,
                              positions.count()));
      Index& number = numbers.of(element, positions.count());
      if (number == kNone) {
        number = static_cast<Index>(mesh.data().vertex_count());
        add_vertex(positions, element, position, mesh);
      }
      mesh.add_corner(number);
    };
    for (std::size_t f = 0; f < faces; ++f) {
      // Triangles; a strip, in which every second triangle is turned round; a fan.
      const std::array<std::size_t, 3> ends = mode == 4 ? std::array{3 * f, 3 * f + 1, 3 * f + 2}
                                              : mode == 5
                                                  ? std::array{f, f + 1 + f % 2, f + 2 - f % 2}
                                                  : std::array{f + 1, f + 2, std::size_t{0}};
      for (const std::size_t k : ends) corner(k);
      mesh.end_face();
    }
  }

  void add_vertex(const GltfAccessor& positions, std::size_t element, const JsonCursor& position,
                  MeshBuilder& mesh) const {
    if (mesh.data().vertex_count() + 1 >= kNone) position.fail("too many vertices");
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] = positions.real(element, k);
      if (!(std::abs(x[k]) <= kMaxCoordinate))
        buffers_.entry(position).fail(fmt::format("element {}: {}", element, bad_coordinate(x[k])));
    }
    mesh.add_vertex(x[0], x[1], x[2]);
  }

  JsonCursor root_;
  AssemblyBuilder builder_;
  GltfBuffers buffers_;
  std::vector<JsonCursor> nodes_, meshes_;
  LoadOptions options_;
  std::vector<FileAnimation> animations_;
  Tally hidden_{"node", "nodes"}, no_triangles_{"primitive", "primitives"};
  std::map<std::size_t, NodePose> poses_;                // of nodes that the animation moves
  ReadMeshes<std::size_t> mesh_numbers_;                 // the file's to ours
  std::map<std::size_t, VertexNumbers> vertex_numbers_;  // by accessor
};

}  // namespace

Assembly read_gltf(std::string_view json, const std::string& file, const ReadBeside& read_beside,
                   const LoadOptions& options) {
  return GltfReader(json, {}, file, read_beside, options).read();
}

Assembly read_glb(std::string_view bytes, const std::string& file, const ReadBeside& read_beside,
                  const LoadOptions& options) {
  const GlbChunks chunks = read_glb_chunks(bytes, file);
  Assembly assembly = GltfReader(chunks.json, chunks.binary, file, read_beside, options).read();
  for (const std::string& remark : chunks.remarks) assembly.remarks.push_back(remark);
  return assembly;
}

}  // namespace touche::io
