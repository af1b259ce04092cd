// SPDX-License-Identifier: Apache-2.0
// touche zoo: draws all bounding volumes of a few bodies on one page.
#include "touche/methods/zoo.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <thread>
#include <utility>

#include "commands.h"
#include "drawing_options.h"
#include "headlamp_parts.h"
#include "outlines.h"
#include "progress.h"
#include "scenes.h"
#include "shapes.h"
#include "touche/io.h"
#include "touche/methods/cost_file.h"
#include "touche/methods/measure_costs.h"
#include "touche/outline_file.h"
#include "two_objects.h"
#include "weld_length.h"
#include "workload_meshes.h"
#include "write_file.h"

namespace touche::cli {
namespace {

struct ZooArguments {
  std::vector<std::string> meshes;
  std::string out = "zoo.html", costs, weld;
  ZooOptions how;
  DrawingOptions drawings;
};

constexpr double kPi = std::numbers::pi;

/// Rotates the body so that none of its axes is parallel to a coordinate axis.
ZooMesh turned(const std::string& title, const PolygonSoup& soup, double angle) {
  PolygonSoup moved = soup;
  const Pose pose = Pose::from_axis_angle(Vec3(1, 2, -0.5).normalized(), angle, Vec3::Zero());
  std::vector<double> coordinates;
  for (const Vec3& p : soup.vertices()) {
    const Vec3 q = pose * p;
    coordinates.insert(coordinates.end(), q.begin(), q.end());
  }
  moved.move_vertices(coordinates);
  return {title, std::move(moved)};
}

std::vector<ZooMesh> shipped_meshes() {
  return {turned("a bolt", scenes::bolt(48), 0.6),
          turned("a reflector", scenes::reflector({.factor = 0.5}, scenes::kMainLamp), 2.6),
          turned("a gear", scenes::spur_gear(18, 0.01, 6000), 1.65),
          turned("a torus knot", scenes::torus_knot(2, 3, 7200), 0.4)};
}

using Corners = std::vector<std::array<double, 2>>;

std::array<double, 2> polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

Corners turned(const Corners& corners, double angle) {
  Corners out;
  for (const auto& [x, y] : corners)
    out.push_back(
        {x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle)});
  return out;
}

Corners cog(int teeth) {
  Corners out;
  for (int k = 0; k < teeth; ++k)
    for (const auto& [at, radius] : {std::pair(-0.3, 0.8), {-0.18, 1.0}, {0.18, 1.0}, {0.3, 0.8}})
      out.push_back(polar(radius, 2 * kPi * (k + at) / teeth));
  return out;
}

Corners key() {
  Corners out = {{0.2, -0.09}, {1.05, -0.09}, {1.05, -0.26}, {1.17, -0.26}, {1.17, -0.09},
                 {1.3, -0.09}, {1.3, -0.32},  {1.45, -0.32}, {1.45, 0.09},  {0.2, 0.09}};
  for (int k = 1; k < 24; ++k) {
    const auto [x, y] = polar(0.34, 0.27 + (2 * kPi - 0.54) * k / 24);
    out.push_back({x - 0.12, y});
  }
  return out;
}

Corners crescent() {
  Corners out;
  for (int k = 0; k <= 32; ++k) out.push_back(polar(1, kPi * (0.15 + 1.3 * k / 32)));
  for (int k = 32; k >= 0; --k) {
    const auto [x, y] = polar(0.82, kPi * (0.1 + 1.4 * k / 32));
    out.push_back({x + 0.2, y - 0.1});
  }
  return out;
}

/// Returns the largest chain of a drawing, which usually encloses all others.
Corners largest_chain(const plane::Outline& outline) {
  Index best = 0;
  double most = -1;
  for (Index c = 0; c < outline.chain_count(); ++c) {
    plane::Vec2 lo = outline.vertex(outline.first_vertex(c)), hi = lo;
    for (Index v = outline.first_vertex(c); v < outline.first_vertex(c + 1); ++v)
      lo = lo.cwiseMin(outline.vertex(v)), hi = hi.cwiseMax(outline.vertex(v));
    if ((hi - lo).norm() > most) best = c, most = (hi - lo).norm();
  }
  Corners corners;
  for (Index v = outline.first_vertex(best); v < outline.first_vertex(best + 1); ++v)
    corners.push_back({outline.vertex(v).x(), outline.vertex(v).y()});
  return corners;
}

std::vector<ZooOutline> shipped_outlines() {
  const Corners bracket = {{0, 0}, {1.5, 0}, {1.5, 0.3}, {0.3, 0.3}, {0.3, 1}, {0, 1}};
  return {{"a key", turned(key(), 0.5)},
          {"a crescent", crescent()},
          {"a cog", cog(11)},
          {"a bracket", turned(bracket, -0.4)}};
}

int run_zoo(ZooArguments options) {
  if (std::none_of(options.meshes.begin(), options.meshes.end(), is_outline))
    options.drawings.refuse("is for drawings of the plane");
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  ProgressCounts progress;
  options.how.budget.cancel = cancel;
  options.how.budget.progress = progress.function();
  std::vector<ZooMesh> meshes;
  std::vector<ZooOutline> outlines;
  for (const std::string& file : options.meshes) {
    const std::string title = std::filesystem::path(file).stem().string();
    if (is_outline(file)) {
      const plane::Outline outline = load_outline(file, options.drawings.outline_options());
      for (const std::string& remark : outline.remarks())
        fmt::print(stderr, "touche: {}: {}\n", file, remark);
      outlines.push_back({title, largest_chain(outline)});
      continue;
    }
    PolygonSoup soup = load_soup(file, {.weld = parse_weld(options.weld, unit_of(file, 1))});
    print_remarks(remarks_of(file, soup));
    meshes.push_back({title, std::move(soup)});
  }
  if (meshes.empty()) meshes = shipped_meshes();
  if (outlines.empty()) outlines = shipped_outlines();
  const CostMatrix costs = options.costs.empty() ? measure_costs(scenes::bumpy_sphere(5000, 1))
                                                 : load_costs(options.costs);
  Zoo zoo;
  {
    const ProgressBar bar(progress, cancel);
    zoo = make_zoo(meshes, outlines, costs, options.how);
  }
  if (!zoo.complete) {
    fmt::print(stderr, "touche: interrupted, nothing is written\n");
    return kError;
  }
  write_file(options.out,
             zoo_html(zoo, fmt::format("measured on one of {} hardware threads, {}",
                                       std::thread::hardware_concurrency(), page_date())));
  fmt::print("{} volumes around {} bodies, {} around {} outlines, in {:.0f} s\nwritten to {}\n",
             zoo.volumes.size(), zoo.meshes.size(), zoo.plane.size(), zoo.outlines.size(),
             zoo.seconds, options.out);
  return kFree;
}

}  // namespace

void add_zoo(Program& program) {
  Command command =
      program.command("zoo", "Show every bounding volume around the same few bodies, on one page");
  auto options = std::make_shared<ZooArguments>();
  command
      .add("meshes", options->meshes,
           "Mesh files to be enclosed, and drawings: SVG, DXF (default: four of each)")
      .type_name("FILE");
  command.add("--out", options->out, "The page").type_name("FILE").show_default();
  command.add("--costs", options->costs, "Costs of tests (default: measured first)")
      .type_name("FILE");
  options->drawings.add_to(command);
  add_weld(command, options->weld);
  command.add("--places", options->how.places, "Random poses at which false alarms are counted")
      .range(1, 1000000)
      .show_default();
  command.footer(
      "Each volume is drawn around each body, with how much larger than the convex hull it is,\n"
      "how often it raises a false alarm, what a test costs and how long it takes to fit. Then\n"
      "the same in the plane, around the largest chain of each drawing. Run no other programs\n"
      "meanwhile.\n\n"
      "Examples:\n"
      "  touche zoo --out zoo.html\n"
      "  touche zoo bracket.stl housing.obj --out parts.html\n"
      "  touche zoo plate.dxf --out plate.html");
  command.runs([options] { return run_zoo(*options); });
}

}  // namespace touche::cli
