// SPDX-License-Identifier: Apache-2.0
// Pictures of bodies, which notebooks show.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <deque>

#include "bodies.h"
#include "convert.h"
#include "module.h"
#include "report/drawing.h"
#include "report/render.h"
#include "touche/soup.h"

namespace touche::python {
namespace {

constexpr std::array<report::Rgb, 6> kColours = {{{178, 190, 205},
                                                  {222, 170, 120},
                                                  {140, 180, 140},
                                                  {200, 150, 190},
                                                  {210, 200, 130},
                                                  {130, 175, 200}}};

// Bodies without end are not drawn.
bool is_bounded(const Shape& shape) {
  return shape.bounds().lo.allFinite() && shape.bounds().hi.allFinite();
}

void include(Aabb& all, const PolygonSoup& soup, const Pose& pose) {
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 x;
    for (int k = 0; k < 3; ++k)
      x[k] = (corner >> k & 1) != 0 ? soup.bounds().hi[k] : soup.bounds().lo[k];
    all.include(pose * x);
  }
}

py::bytes picture(const std::vector<std::pair<py::object, py::object>>& bodies, int width,
                  int height) {
  if (width < 16 || height < 16 || width > 4096 || height > 4096)
    throw InvalidInput("picture: expected from 16 to 4096 pixels");
  std::deque<PolygonSoup> meshes;  // of shapes; their positions in memory stay
  std::vector<report::RenderPart> parts;
  Aabb all;
  for (const auto& [body, pose] : bodies) {
    const Shape& shape = body_of(body, "body").shape;
    if (!is_bounded(shape)) continue;
    const PolygonSoup* soup = nullptr;
    if (shape.is_convex())
      soup =
          &meshes.emplace_back(shape_mesh(shape, std::max(shape.bounds().diagonal() / 500, 1e-90)));
    else
      soup = &shape.object().soup();
    parts.push_back({.soup = soup,
                     .pose = pose_of(pose, "pose"),
                     .colour = kColours[parts.size() % kColours.size()],
                     .outside = report::outside_sign(examine(*soup))});
    include(all, *soup, parts.back().pose);
  }
  const Unlocked unlocked;
  report::Camera camera;
  camera.width = width;
  camera.height = height;
  camera.axes = report::camera_axes(Vec3(-0.6, 1, -0.6).normalized());
  if (!all.empty()) {
    camera.target = all.centre();
    camera.scale = 0.9 * std::min(width, height) / std::max(all.diagonal(), 1e-90);
  }
  const std::vector<std::uint8_t> bytes = report::png(report::render(camera, parts));
  const py::gil_scoped_acquire acquired;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void add_pictures(py::module_& m) {
  m.def("_picture", &picture);
  m.attr("Body").attr("_repr_png_") = py::cpp_function(
      [](const py::object& self) {
        return picture({{self, py::none()}}, 320, 240);
      },
      py::name("_repr_png_"), py::is_method(m.attr("Body")));
}

}  // namespace touche::python
