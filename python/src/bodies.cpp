// SPDX-License-Identifier: Apache-2.0
// Meshes with their hierarchies, and convex shapes.
#include "bodies.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "convert.h"
#include "exact.h"
#include "module.h"
#include "run.h"
#include "touche/hierarchy_file.h"
#include "touche/io.h"
#include "touche/mass.h"
#include "touche/path.h"
#include "touche/shape_file.h"

namespace touche::python {
namespace {

// ---- meshes -----------------------------------------------------------------------------------

using MadeMesh = std::unique_ptr<MeshBody>;

// Thrown through the builder.
struct Interrupted {};

constexpr std::size_t kSmall = 20'000;  // triangles: work on them takes some milliseconds

// Work on the mesh of a body. Unless that is small, Ctrl-C ends the wait for it.
template <class Work>
auto with_mesh(const MeshBody& body, Work work) {
  if (body.object().soup().triangle_count() <= kSmall) {
    const Unlocked unlocked;
    return work(body.object());
  }
  return alone([work = std::move(work), object = body.object()] { return work(object); });
}

// An object of the mesh that make() returns.
template <class Make>
MadeMesh build(Make make, std::size_t about_triangles, std::string name, int threads) {
  const int number = checked_threads(threads);
  if (about_triangles <= kSmall) {
    const Unlocked unlocked;
    Object made(make(), std::move(name), {.threads = number});
    const py::gil_scoped_acquire acquired;
    return std::make_unique<MeshBody>(std::move(made));
  }
  std::optional<Object> made =
      alone({},
            [make = std::move(make), name = std::move(name),
             number](const Budget& budget) mutable -> std::optional<Object> {
              const auto stop = [&](std::size_t, std::size_t) {
                if (budget.cancel.requested()) throw Interrupted();
              };
              try {
                return Object(make(), std::move(name), {.threads = number, .progress = stop});
              } catch (const Interrupted&) {
                return {};
              }
            });
  if (!made) throw Error("the query was cancelled, since the interpreter ends");
  return std::make_unique<MeshBody>(std::move(*made));
}

MadeMesh build(SoupArrays arrays, std::string name, int threads) {
  const std::size_t about_triangles = arrays.corners.size() / 3;
  return build([arrays = std::move(arrays)] { return arrays.make(); }, about_triangles,
               std::move(name), threads);
}

bool is_path(const py::object& source) {
  return py::isinstance<py::str>(source) || py::hasattr(source, "__fspath__");
}

// As bytes of the file system, which need not be UTF-8.
std::string path_text(const py::object& source) {
  return py::cast<std::string>(py::module_::import("os").attr("fsencode")(source));
}

LoadOptions options_of(double scale, const py::object& up, const std::optional<double>& weld,
                       const py::object& stretch) {
  LoadOptions options{.scale = scale, .weld = weld};
  if (!up.is_none()) options.up = named<UpAxis>(text_of(up, "up"), "up");
  options.stretch = vector_of(stretch, "stretch", Vec3::Ones());
  return options;
}

MadeMesh load_mesh(const std::string& file, const std::string& name, const LoadOptions& options,
                   int threads) {
  const PartName part = parse_part_name(file);
  const std::string given = part.node.empty() ? part.file.stem().string() : part.node;
  return build([part, options] { return load_soup(part, options); },
               std::numeric_limits<std::size_t>::max(), name.empty() ? given : name, threads);
}

MadeMesh make_mesh(const py::object& source, const py::object& faces, const py::object& face_sizes,
                   const std::string& name, double scale, const py::object& up,
                   const std::optional<double>& weld, const py::object& stretch, int threads) {
  if (is_path(source)) {
    if (!faces.is_none()) throw InvalidInput("faces: given together with a file");
    return load_mesh(path_text(source), name, options_of(scale, up, weld, stretch), threads);
  }
  if (scale != 1 || !up.is_none() || weld || !stretch.is_none())
    throw InvalidInput("scale, up, weld and stretch are for files");
  if (!faces.is_none()) return build(soup_of(source, faces, face_sizes), name, threads);
  const py::tuple arrays = py::module_::import("touche._meshes").attr("arrays_of")(source);
  return build(soup_of(arrays[0], arrays[1], arrays[2]), name, threads);
}

// The arguments of mesh_of_state.
py::tuple state_of(const MeshBody& body) {
  const PolygonSoup& soup = body.object().soup();
  py::array_t<std::int64_t> corners(soup.corner_count()), sizes(soup.face_count()),
      groups(soup.face_count());
  std::int64_t* corner = corners.mutable_data();
  const auto names = soup.group_names();
  bool has_groups = !names.empty();
  for (Index f = 0; f < soup.face_count(); ++f) {
    for (const Index v : soup.face(f)) *corner++ = v;
    sizes.mutable_data()[f] = static_cast<std::int64_t>(soup.face(f).size());
    const auto group = std::find(names.begin(), names.end(), soup.face_group(f));
    has_groups = has_groups && group != names.end();
    groups.mutable_data()[f] = group - names.begin();
  }
  const std::vector<std::byte> bytes = hierarchy_bytes(body.object());
  return py::make_tuple(array_of(std::vector<Vec3>(soup.vertices().begin(), soup.vertices().end())),
                        corners, sizes, has_groups ? py::object(groups) : py::object(py::none()),
                        has_groups ? std::vector<std::string>(names.begin(), names.end())
                                   : std::vector<std::string>(),
                        body.object().name(),
                        py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

MadeMesh mesh_of_state(const py::object& vertices, const py::object& corners,
                       const py::object& sizes, const py::object& groups,
                       const py::object& group_names, std::string name,
                       const py::bytes& hierarchy) {
  SoupArrays arrays = soup_of(vertices, corners, sizes, groups, group_names);
  const std::string_view bytes = hierarchy;
  // Bytes of another version or kind of machine: the hierarchy is built.
  try {
    return std::make_unique<MeshBody>(
        object_from_bytes(arrays.make(), std::as_bytes(std::span(bytes)), name));
  } catch (const LoadError&) {
    return build(std::move(arrays), std::move(name), 0);
  }
}

bool same_mesh(const PolygonSoup& a, const PolygonSoup& b) {
  if (a.vertex_count() != b.vertex_count() || a.face_count() != b.face_count() ||
      a.corner_count() != b.corner_count())
    return false;
  const auto u = a.vertices(), v = b.vertices();
  if (!std::equal(u.begin(), u.end(), v.begin())) return false;
  for (Index f = 0; f < a.face_count(); ++f) {
    const auto p = a.face(f), q = b.face(f);
    if (!std::equal(p.begin(), p.end(), q.begin(), q.end())) return false;
  }
  return true;
}

py::dict health_of(const MeshBody& body) {
  const Health health = with_mesh(body, [](const Object& o) { return examine(o.soup()); });
  py::dict found;
  found["zero_area_faces"] = health.zero_area_faces;
  found["duplicate_faces"] = health.duplicate_faces;
  found["opposite_faces"] = health.opposite_faces;
  found["duplicate_vertices"] = health.duplicate_vertices;
  found["unused_vertices"] = health.unused_vertices;
  found["non_planar_faces"] = health.non_planar_faces;
  found["concave_faces"] = health.concave_faces;
  found["edges"] = health.edges;
  found["boundary_edges"] = health.boundary_edges;
  found["boundaries"] = health.boundaries;
  found["non_manifold_edges"] = health.non_manifold_edges;
  found["inconsistent_edges"] = health.inconsistent_edges;
  found["components"] = health.components;
  found["closed"] = health.closed;
  found["oriented"] = health.oriented;
  found["area"] = health.area;
  found["volume"] = health.volume;
  return found;
}

py::list remarks_of(const MeshBody& body) {
  py::list list;
  for (const std::string& remark : body.object().soup().remarks()) list.append(remark);
  return list;
}

void save_mesh(const MeshBody& body, const py::object& file) {
  const std::string path = path_text(file);
  const Unlocked unlocked;
  save(body.object().soup(), path);
}

MadeMesh moved_mesh(const MeshBody& body, const py::object& vertices, int threads) {
  const py::array_t<double> rows = rows_of_three(vertices, "vertices");
  const std::size_t count = body.object().soup().vertex_count();
  if (static_cast<std::size_t>(rows.shape(0)) != count)
    throw InvalidInput("vertices: " + std::to_string(rows.shape(0)) + ", and the mesh has " +
                       std::to_string(count));
  const std::span given(rows.data(), static_cast<std::size_t>(rows.size()));
  Object moved =
      with_mesh(body, [given, kept = Kept(rows), number = checked_threads(threads)](
                          const Object& o) { return o.refitted(given, {.threads = number}); });
  return std::make_unique<MeshBody>(std::move(moved));
}

// ---- shapes -----------------------------------------------------------------------------------

using MadeShape = std::unique_ptr<ConvexBody>;

constexpr std::size_t kFew = 8;  // points or generators: a shape of them is made in microseconds

// Parts of keys: numbers are eight bytes, both zeros the same.
void add_key(std::string& key, double x) {
  const double without_sign = x + 0.0;
  key.append(reinterpret_cast<const char*>(&without_sign), sizeof without_sign);
}
void add_key(std::string& key, const Vec3& x) {
  for (int k = 0; k < 3; ++k) add_key(key, x[k]);
}
void add_key(std::string& key, const std::vector<Vec3>& list) {
  add_key(key, static_cast<double>(list.size()));
  for (const Vec3& x : list) add_key(key, x);
}
void add_key(std::string& key, const Pose& pose) {
  for (int k = 0; k < 4; ++k) add_key(key, pose.rotation().coeffs()[k]);
  add_key(key, pose.translation());
}
void add_key(std::string& key, const std::string& text) {
  add_key(key, static_cast<double>(text.size()));
  key += text;
}

py::object argument_of(double x) { return py::float_(x); }
py::object argument_of(const Vec3& x) { return array_of(x); }
py::object argument_of(const std::vector<Vec3>& list) { return array_of(list); }

// Keys of shapes of shapes stay short.
std::string short_key(std::string key) {
  constexpr std::size_t kLong = 256;
  if (key.size() <= kLong) return key;
  const auto sha256 = py::module_::import("hashlib").attr("sha256");
  return sha256(py::bytes(key)).attr("digest")().cast<std::string>();
}

// A shape, the name of the function that made it, and its numbers.
template <class... Arguments>
MadeShape made(Shape shape, const char* by, const Arguments&... arguments) {
  std::string key = std::string(by) + ':';
  (add_key(key, arguments), ...);
  return std::make_unique<ConvexBody>(
      std::move(shape), py::make_tuple(by, argument_of(arguments)...), short_key(std::move(key)));
}

// A shape that is equal to itself only, since it is not known what made it.
MadeShape only_itself(Shape shape) {
  static std::atomic<std::uint64_t> number = 0;
  return std::make_unique<ConvexBody>(std::move(shape), py::none(),
                                      "other:" + std::to_string(number++));
}

MadeShape load_convex(const py::object& file) {
  const std::string path = path_text(file);
  return only_itself(alone([path] { return load_shape(path); }));
}

// The key of a body that a shape is made of.
std::string key_of(const Body& body) {
  if (!body.is_mesh()) return body.key;
  return "mesh:" + std::to_string(mesh_hash(body.object().soup()));
}

// ---- both -------------------------------------------------------------------------------------

std::string repr(const Body& body) {
  if (body.is_mesh()) {
    const PolygonSoup& soup = body.object().soup();
    const std::string& name = body.object().name();
    return fmt::format("<touche.Object{}: {} faces, {} vertices>",
                       name.empty() ? "" : " \"" + name + "\"", soup.face_count(),
                       soup.vertex_count());
  }
  return fmt::format("<touche.Shape: {}>", name(body.shape.kind()));
}

py::tuple bounds_of(const Body& body) {
  return py::make_tuple(array_of(body.shape.bounds().lo), array_of(body.shape.bounds().hi));
}

py::tuple mass_of(const Body& body, double density) {
  const MassProperties mass = [&] {
    const Unlocked unlocked;
    return mass_properties(body.shape, density);
  }();
  py::array_t<double> inertia({3, 3});
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) inertia.mutable_at(r, c) = mass.inertia(r, c);
  return py::make_tuple(mass.mass, array_of(mass.centre), inertia);
}

py::object display_mesh(const Body& body, double error) {
  if (body.is_mesh()) throw InvalidInput("mesh: of shapes only; an Object is one");
  if (!(error >= 0)) throw InvalidInput("error: expected 0 or more");
  const auto make = [shape = body.shape, error] {
    return shape_mesh(shape, error > 0 ? error : std::max(shape.bounds().diagonal() / 500, 1e-90));
  };
  // How many triangles there will be depends on the error.
  const std::size_t about = error > 0 ? std::numeric_limits<std::size_t>::max() : 0;
  return py::cast(build(make, about, std::string(name(body.shape.kind())), 0));
}

}  // namespace

const Interior& Body::interior() const {
  if (const Interior* const made = inside_->made.load()) return *made;
  return *alone([inside = inside_, of = shape] {
    std::call_once(inside->once, [&] {
      inside->owned = std::make_unique<const Interior>(of);
      inside->made = inside->owned.get();
    });
    return inside->made.load();
  });
}

const Body& body_of(py::handle value, const char* what) {
  if (const Body* const body = exact_body(value)) return *body;
  if (!py::isinstance<Body>(value))
    throw py::type_error(std::string(what) +
                         ": expected a touche.Object or a touche.Shape, found " +
                         py::cast<std::string>(py::type::handle_of(value).attr("__name__")));
  return value.cast<const Body&>();
}

py::object object_of(const Object& object) { return py::cast(std::make_unique<MeshBody>(object)); }

py::object object_of(const Shape& shape) {
  if (!shape.is_convex()) return object_of(shape.object());
  return py::cast(only_itself(shape));
}

void add_bodies(py::module_& m) {
  py::class_<Body>(m, "Body", "What queries are about: a mesh (Object) or a convex shape (Shape).")
      .def_property_readonly("bounds", &bounds_of, "Lower and upper corner: two arrays (3,).")
      .def("_mass", &mass_of)
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return self; })
      .def("__repr__", &repr);

  py::class_<MeshBody, Body>(m, "Object", py::buffer_protocol(),
                             R"(A polygon soup with its hierarchy. It is immutable.

Queries are about its faces, a surface: a body inside a closed Object does not touch it. Its buffer
is the array of its vertices.

>>> import touche
>>> tetrahedron = touche.Object([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
...                             [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], name="tetrahedron")
>>> tetrahedron
<touche.Object "tetrahedron": 4 faces, 4 vertices>
>>> tetrahedron.is_closed
True
)")
      .def(py::init(&make_mesh), py::arg("source"), py::arg("faces") = py::none(), py::kw_only(),
           py::arg("face_sizes") = py::none(), py::arg("name") = "", py::arg("scale") = 1.0,
           py::arg("up") = py::none(), py::arg("weld") = py::none(),
           py::arg("stretch") = py::none(), py::arg("threads") = 0,
           R"(Of vertices and faces, of a file, or of a mesh of another library.

source: vertices (n, 3), with faces (m, 3) or (m, k), or one list of vertex numbers with the number
of corners of each face in face_sizes; the name of a file, or of a part of it as in
"engine.glb#Crankcase"; or a mesh with vertices and faces (trimesh, Open3D, PyVista, meshio).
scale, up ("x", "y" or "z"), weld (a length) and stretch (3,) are for files, as the options of the
commands with these names. threads = 0: all. Raises InvalidInput and LoadError.)")
      .def_property_readonly(
          "name", [](const MeshBody& b) { return b.object().name(); },
          "As it was given; of a file its stem, or the name of the part.")
      .def_property_readonly(
          "vertices",
          [](const py::object& self) {
            return vectors_view(self.cast<const MeshBody&>().object().soup().vertices(), self);
          },
          "(n, 3), float64: a view, which cannot be written to and keeps the Object alive.")
      .def_property_readonly(
          "triangles",
          [](const py::object& self) {
            return triangles_view(self.cast<const MeshBody&>().object().soup().triangles(), self);
          },
          "(m, 3), uint32: the faces, triangulated; a view as `vertices`.")
      .def_property_readonly(
          "triangle_faces",
          [](const MeshBody& b) {
            const PolygonSoup& soup = b.object().soup();
            std::vector<Index> faces(soup.triangle_count());
            for (Index t = 0; t < soup.triangle_count(); ++t) faces[t] = soup.face_of_triangle(t);
            return numbers_of(faces);
          },
          "(m,), int64: the face of each triangle.")
      .def_property_readonly(
          "face_count", [](const MeshBody& b) { return b.object().soup().face_count(); },
          "The number of faces, before they are triangulated.")
      .def(
          "face",
          [](const MeshBody& b, py::ssize_t f) {
            const PolygonSoup& soup = b.object().soup();
            if (f < 0 || f >= static_cast<py::ssize_t>(soup.face_count()))
              throw py::index_error("face " + std::to_string(f) + " does not exist");
            return numbers_of(soup.face(static_cast<Index>(f)));
          },
          py::arg("face"), "The vertex numbers of a face, (k,).")
      .def(
          "face_group",
          [](const MeshBody& b, py::ssize_t f) {
            const PolygonSoup& soup = b.object().soup();
            if (f < 0 || f >= static_cast<py::ssize_t>(soup.face_count()))
              throw py::index_error("face " + std::to_string(f) + " does not exist");
            return std::string(soup.face_group(static_cast<Index>(f)));
          },
          py::arg("face"), "The name of its group, object or material in the file, or \"\".")
      .def_property_readonly(
          "is_closed",
          [](const MeshBody& b) {
            return with_mesh(b, [](const Object& o) { return examine(o.soup()).closed; });
          },
          "Whether each edge has as many faces in one direction as in the other.")
      .def("health", &health_of,
           "A dict: counts of what may be wrong (zero_area_faces, duplicate_faces, boundary_edges, "
           "non_manifold_edges, inconsistent_edges, ...), whether it is closed and oriented, its "
           "components, its area and its volume.")
      .def_property_readonly("remarks", &remarks_of, "What was odd in the file, a list of str.")
      .def("save", &save_mesh, py::arg("file"), "Writes .obj, .off, .ply or .stl.")
      .def("refitted", &moved_mesh, py::arg("vertices"), py::kw_only(), py::arg("threads") = 0,
           "The same faces with vertices (n, 3) elsewhere: takes less time than a new Object.")
      .def(
          "chord_errors",
          [](const MeshBody& b) {
            const std::vector<double> errors =
                with_mesh(b, [](const Object& o) { return chord_errors(o.soup()); });
            return py::array_t<double>(static_cast<py::ssize_t>(errors.size()), errors.data());
          },
          "(m,): an estimate for each face of its distance from the smooth surface that it "
          "approximates.")
      .def("__eq__",
           [](const MeshBody& a, const py::object& b) {
             return py::isinstance<MeshBody>(b) &&
                    same_mesh(a.object().soup(), b.cast<const MeshBody&>().object().soup());
           })
      .def("__hash__",
           [](const MeshBody& b) {
             return static_cast<py::ssize_t>(mesh_hash(b.object().soup()) >> 1);
           })
      .def("_state", &state_of)
      .def_buffer([](const MeshBody& b) {
        const auto vertices = b.object().soup().vertices();
        return py::buffer_info(const_cast<double*>(vertices.front().data()),
                               {static_cast<py::ssize_t>(vertices.size()), py::ssize_t{3}},
                               {py::ssize_t{24}, py::ssize_t{8}}, true);
      });
  m.def("_mesh_of_state", &mesh_of_state);
  exact_types.mesh = reinterpret_cast<PyTypeObject*>(m.attr("Object").ptr());

  py::class_<ConvexBody, Body>(m, "Shape", R"(A convex shape, solid and exact. It is immutable.

Primitives are centred at the origin, their axis is the z axis. Sizes that are negative or not
finite raise InvalidInput.

>>> import touche
>>> touche.Shape.box((1, 2, 3)).rounded(0.1)
<touche.Shape: box>
)")
      .def_static(
          "sphere", [](double radius) { return made(Shape::sphere(radius), "sphere", radius); },
          py::arg("radius"), "All points within a radius of the origin.")
      .def_static(
          "capsule",
          [](double radius, double length) {
            return made(Shape::capsule(radius, length), "capsule", radius, length);
          },
          py::arg("radius"), py::arg("length"),
          "All points within a radius of a segment of this length.")
      .def_static(
          "box",
          [](const py::object& size) {
            const Vec3 sides = vector_of(size, "size");
            if (!(sides.minCoeff() >= 0)) throw InvalidInput("size: a length is negative");
            return made(Shape::box(0.5 * sides), "box", sides);
          },
          py::arg("size"), "Lengths of the sides, (3,).")
      .def_static(
          "cylinder",
          [](double radius, double height) {
            return made(Shape::cylinder(radius, height), "cylinder", radius, height);
          },
          py::arg("radius"), py::arg("height"), "With flat ends.")
      .def_static(
          "cone",
          [](double radius, double height) {
            return made(Shape::cone(radius, height), "cone", radius, height);
          },
          py::arg("radius"), py::arg("height"), "Its apex is above its base.")
      .def_static(
          "ellipsoid",
          [](const py::object& half_axes) {
            const Vec3 given = vector_of(half_axes, "half_axes");
            return made(Shape::ellipsoid(given), "ellipsoid", given);
          },
          py::arg("half_axes"), "Lengths of the half axes, (3,).")
      .def_static(
          "hull",
          [](const py::object& points) {
            const std::vector<Vec3> list = vectors_of(points, "points");
            return made(list.size() <= kFew ? Shape::hull(list)
                                            : alone([list] { return Shape::hull(list); }),
                        "hull", list);
          },
          py::arg("points"), "The convex hull of points (n, 3) in any order.")
      .def_static(
          "zonotope",
          [](const py::object& centre, const py::object& generators) {
            const Vec3 middle = vector_of(centre, "centre");
            const std::vector<Vec3> list = vectors_of(generators, "generators");
            return made(list.size() <= kFew ? Shape::zonotope(middle, list) : alone([middle, list] {
                          return Shape::zonotope(middle, list);
                        }),
                        "zonotope", middle, list);
          },
          py::arg("centre"), py::arg("generators"),
          "All points centre + sum of x_k generator_k with x_k in [-1, 1]; generators (n, 3).")
      .def_static(
          "half_space",
          [](const py::object& normal, double offset) {
            const Vec3 given = vector_of(normal, "normal");
            return made(Shape::half_space(given, offset), "half_space", given, offset);
          },
          py::arg("normal"), py::arg("offset") = 0.0, "All x with normal · x <= offset.")
      .def_static(
          "sum",
          [](const py::object& a, const py::object& b, const py::object& pose_b) {
            const Pose pose = pose_of(pose_b, "pose_b");
            const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
            std::string key = "sum:";
            add_key(key, key_of(body_a));
            add_key(key, key_of(body_b));
            add_key(key, pose);
            return std::make_unique<ConvexBody>(Shape::sum(body_a.shape, body_b.shape, pose),
                                                py::make_tuple("sum", a, b, pose),
                                                short_key(std::move(key)));
          },
          py::arg("a"), py::arg("b"), py::arg("pose_b") = py::none(),
          "The Minkowski sum of two shapes.")
      .def_static(
          "load", &load_convex, py::arg("file"),
          "Of a JSON file of a shape (docs/shape.schema.json). It is equal to itself only, and "
          "cannot be pickled.")
      .def(
          "rounded",
          [](const py::object& self, double radius) {
            const auto& body = self.cast<const ConvexBody&>();
            std::string key = "rounded:";
            add_key(key, body.key);
            add_key(key, radius);
            return std::make_unique<ConvexBody>(body.shape.rounded(radius),
                                                py::make_tuple("rounded", self, radius),
                                                short_key(std::move(key)));
          },
          py::arg("radius"), "All points within a radius of it.")
      .def_property_readonly(
          "kind", [](const ConvexBody& b) { return std::string(name(b.shape.kind())); },
          "What it was before it was rounded: \"box\", \"cylinder\", \"half space\", ...")
      .def_property_readonly(
          "radius", [](const ConvexBody& b) { return b.shape.radius(); },
          "By which it is rounded; of spheres and capsules their own.")
      .def_property_readonly(
          "corners",
          [](const ConvexBody& b) {
            const auto corners = b.shape.corners();
            return array_of(std::vector<Vec3>(corners.begin(), corners.end()));
          },
          "(n, 3): points whose hull it is, before it was rounded; of other shapes (0, 3).")
      .def("mesh", &display_mesh, py::arg("error") = 0.0,
           "An Object inside of it, no point of it farther than `error` from it, for pictures; by "
           "default 1/500 of its size.")
      .def("__eq__",
           [](const py::object& a, const py::object& b) {
             return a.is(b) || (py::isinstance<ConvexBody>(b) &&
                                a.cast<const ConvexBody&>().key == b.cast<const ConvexBody&>().key);
           })
      .def("__hash__",
           [](const ConvexBody& body) {
             return static_cast<py::ssize_t>(std::hash<std::string>()(body.key) >> 1);
           })
      .def_property_readonly("_recipe", [](const ConvexBody& b) { return b.recipe; });
  exact_types.convex = reinterpret_cast<PyTypeObject*>(m.attr("Shape").ptr());
}

}  // namespace touche::python
