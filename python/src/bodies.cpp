// SPDX-License-Identifier: Apache-2.0
// Meshes with their hierarchies, and convex shapes.
#include "bodies.h"

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "convert.h"
#include "module.h"
#include "touche/io.h"
#include "touche/mass.h"

namespace touche::python {
namespace {

MeshBody build(PolygonSoup soup, std::string name, int threads) {
  const py::gil_scoped_release released;
  return MeshBody(Object(std::move(soup), std::move(name), {.threads = threads}));
}

bool is_path(const py::object& source) {
  return py::isinstance<py::str>(source) || py::hasattr(source, "__fspath__");
}

LoadOptions options_of(double scale, const std::optional<std::string>& up,
                       const std::optional<double>& weld) {
  LoadOptions options{.scale = scale, .weld = weld};
  if (up) {
    const auto all = names<UpAxis>();
    const auto found = std::find(all.begin(), all.end(), *up);
    if (found == all.end())
      throw InvalidInput("up: \"" + *up + "\", expected \"x\", \"y\" or \"z\"");
    options.up = static_cast<UpAxis>(found - all.begin());
  }
  return options;
}

MeshBody load_mesh(const std::string& file, const std::string& name, double scale,
                   const std::optional<std::string>& up, const std::optional<double>& weld,
                   int threads) {
  const PartName part = parse_part_name(file);
  const LoadOptions options = options_of(scale, up, weld);
  PolygonSoup soup = [&] {
    const py::gil_scoped_release released;
    return load_soup(part, options);
  }();
  const std::string given = part.node.empty() ? part.file.stem().string() : part.node;
  return build(std::move(soup), name.empty() ? given : name, threads);
}

MeshBody make_mesh(const py::object& source, const py::object& faces, const py::object& face_sizes,
                   const std::string& name, double scale, const std::optional<std::string>& up,
                   const std::optional<double>& weld, int threads) {
  if (is_path(source)) {
    if (!faces.is_none()) throw InvalidInput("faces: given together with a file");
    return load_mesh(py::str(py::module_::import("os").attr("fspath")(source)), name, scale, up,
                     weld, threads);
  }
  if (scale != 1 || up || weld) throw InvalidInput("scale, up and weld are for files");
  if (faces.is_none()) {
    if (!py::hasattr(source, "vertices") || !py::hasattr(source, "faces"))
      throw InvalidInput(
          "expected vertices and faces, a file, or a mesh with attributes vertices and faces");
    return build(soup_of(source.attr("vertices"), source.attr("faces"), py::none()), name, threads);
  }
  return build(soup_of(source, faces, face_sizes), name, threads);
}

py::tuple bounds_of(const Body& body) {
  return py::make_tuple(array_of(body.shape.bounds().lo), array_of(body.shape.bounds().hi));
}

// The faces with all their corners, and how many each has.
py::tuple mesh_state(const MeshBody& body) {
  const PolygonSoup& soup = body.object().soup();
  py::array_t<double> vertices({static_cast<py::ssize_t>(soup.vertex_count()), py::ssize_t{3}});
  std::copy(soup.vertices().front().data(),
            soup.vertices().front().data() + 3 * soup.vertex_count(), vertices.mutable_data());
  py::array_t<std::int64_t> corners(soup.corner_count()), sizes(soup.face_count());
  std::int64_t* corner = corners.mutable_data();
  for (Index f = 0; f < soup.face_count(); ++f) {
    for (const Index v : soup.face(f)) *corner++ = v;
    sizes.mutable_data()[f] = static_cast<std::int64_t>(soup.face(f).size());
  }
  return py::make_tuple(vertices, corners, sizes, body.object().name());
}

std::string repr(const Body& body) {
  if (body.is_mesh()) {
    const PolygonSoup& soup = body.object().soup();
    return fmt::format("<touche.Object {}of {} faces, {} vertices>",
                       body.object().name().empty() ? "" : "\"" + body.object().name() + "\" ",
                       soup.face_count(), soup.vertex_count());
  }
  return fmt::format("<touche.Shape {}>", name(body.shape.kind()));
}

}  // namespace

void add_bodies(py::module_& m) {
  py::class_<Body>(m, "Body", "A mesh (Object) or a convex shape (Shape).")
      .def_property_readonly("bounds", &bounds_of, "Lower and upper corner, two arrays of (3,).")
      .def("__repr__", &repr);

  py::class_<MeshBody, Body>(m, "Object", R"(A polygon soup with its hierarchy. It is immutable.

>>> import touche
>>> a = touche.Object([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
...                   [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
>>> a.closed
True
)")
      .def(py::init(&make_mesh), py::arg("source"), py::arg("faces") = py::none(), py::kw_only(),
           py::arg("face_sizes") = py::none(), py::arg("name") = "", py::arg("scale") = 1.0,
           py::arg("up") = py::none(), py::arg("weld") = py::none(), py::arg("threads") = 0,
           "Vertices (n, 3) and faces (m, 3) or (m, k); a file, \"engine.glb#Crankcase\"; or "
           "anything with vertices and faces. Raises InvalidInput and LoadError.")
      .def_property_readonly("name", [](const MeshBody& b) { return b.object().name(); })
      .def_property_readonly(
          "vertices",
          [](const py::object& self) {
            return vectors_view(self.cast<const MeshBody&>().object().soup().vertices(), self);
          },
          "(n, 3), read-only, without a copy.")
      .def_property_readonly(
          "triangles",
          [](const py::object& self) {
            return triangles_view(self.cast<const MeshBody&>().object().soup().triangles(), self);
          },
          "(m, 3), read-only, without a copy.")
      .def_property_readonly("face_count",
                             [](const MeshBody& b) { return b.object().soup().face_count(); })
      .def_property_readonly(
          "closed", [](const MeshBody& b) { return examine(b.object().soup()).closed; },
          "Whether each edge has as many faces in one direction as in the other.")
      .def_property_readonly(
          "remarks",
          [](const MeshBody& b) {
            const auto remarks = b.object().soup().remarks();
            return std::vector<std::string>(remarks.begin(), remarks.end());
          },
          "What was odd in the file.")
      .def(py::pickle(&mesh_state, [](const py::tuple& state) {
        return build(soup_of(state[0], state[1], state[2]), state[3].cast<std::string>(), 0);
      }));

  py::class_<ConvexBody, Body>(m, "Shape", R"(A convex shape, solid and exact.

>>> import touche
>>> touche.Shape.sphere(1)
<touche.Shape sphere>
)")
      .def_static(
          "sphere", [](double radius) { return ConvexBody(Shape::sphere(radius)); },
          py::arg("radius"))
      .def_static(
          "capsule",
          [](double radius, double length) { return ConvexBody(Shape::capsule(radius, length)); },
          py::arg("radius"), py::arg("length"))
      .def_static(
          "box",
          [](const py::object& size) {
            return ConvexBody(Shape::box(0.5 * vector_of(size, "size")));
          },
          py::arg("size"), "Lengths of the sides, centred at the origin.")
      .def_static(
          "cylinder",
          [](double radius, double height) { return ConvexBody(Shape::cylinder(radius, height)); },
          py::arg("radius"), py::arg("height"))
      .def_static(
          "cone",
          [](double radius, double height) { return ConvexBody(Shape::cone(radius, height)); },
          py::arg("radius"), py::arg("height"))
      .def_static(
          "ellipsoid",
          [](const py::object& half_axes) {
            return ConvexBody(Shape::ellipsoid(vector_of(half_axes, "half_axes")));
          },
          py::arg("half_axes"))
      .def_static(
          "hull",
          [](const py::object& points) {
            const py::array_t<double> rows = rows_of_three(points, "points");
            std::vector<Vec3> list;
            list.reserve(static_cast<std::size_t>(rows.shape(0)));
            for (py::ssize_t i = 0; i < rows.shape(0); ++i)
              list.emplace_back(rows.at(i, 0), rows.at(i, 1), rows.at(i, 2));
            return ConvexBody(Shape::hull(list));
          },
          py::arg("points"), "Of points (n, 3) in any order.")
      .def_static(
          "half_space",
          [](const py::object& normal, double offset) {
            return ConvexBody(Shape::half_space(vector_of(normal, "normal"), offset));
          },
          py::arg("normal"), py::arg("offset"), "All x with normal · x <= offset.")
      .def(
          "rounded",
          [](const ConvexBody& b, double radius) { return ConvexBody(b.shape.rounded(radius)); },
          py::arg("radius"))
      .def_property_readonly("kind", [](const ConvexBody& b) { return name(b.shape.kind()); })
      .def_property_readonly("radius", [](const ConvexBody& b) { return b.shape.radius(); });
}

}  // namespace touche::python
