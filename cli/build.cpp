// SPDX-License-Identifier: Apache-2.0
// touche build: builds a mesh's hierarchy or volume tree and writes it to a file.
#include <fmt/core.h>

#include <chrono>

#include "commands.h"
#include "outlines.h"
#include "progress.h"
#include "touche/hierarchy_file.h"
#include "touche/io.h"
#include "trees.h"
#include "two_objects.h"
#include "weld_length.h"
#include "write_file.h"

namespace touche::cli {
namespace {

struct BuildArguments : BuildOptions {
  TreeBuild tree;
};

}  // namespace

LoadOptions BuildOptions::load_options() const {
  return {.scale = scale, .weld = parse_weld(weld, unit_of(file, scale))};
}

namespace {

Object build(PolygonSoup soup, const BuildOptions& options) {
  ProgressCounts progress;  // triangles whose position in the hierarchy is final
  const ProgressBar bar(progress);
  return Object(std::move(soup), {}, {.threads = options.threads, .progress = progress.function()});
}

// Checks the file by loading it. Returns the loading time in seconds.
double check_file(PolygonSoup soup, const std::string& file) {
  const auto start = std::chrono::steady_clock::now();
  const Object loaded = load_hierarchy(std::move(soup), file);
  const double seconds = seconds_since(start);
  loaded.validate();
  return seconds;
}

int run_build(const BuildArguments& options) {
  if (options.tree.wanted()) return options.tree.run(options);
  const std::string out = options.out.empty() ? options.file + ".bvh" : options.out;
  keep_inputs({options.file}, {out});
  PolygonSoup soup = load_soup(options.file, options.load_options());
  print_remarks(remarks_of(options.file, soup));
  const auto start = std::chrono::steady_clock::now();
  const Object object = build(std::move(soup), options);
  const double seconds = seconds_since(start);
  const SavedHierarchy saved = save_hierarchy(object, out);
  const double load_seconds = options.check ? check_file(object.soup(), out) : 0;

  const Index triangles = object.soup().triangle_count();
  const double bytes_per_triangle = static_cast<double>(saved.bytes) / triangles;
  if (options.json) {
    print({{"file", options.file},
           {"out", out},
           {"mesh_hash", fmt::format("{:016x}", saved.mesh)},
           {"triangles", triangles},
           {"nodes", saved.nodes},
           {"leaves", saved.leaves},
           {"height", saved.height},
           {"bytes", saved.bytes},
           {"bytes_per_triangle", bytes_per_triangle},
           {"build_seconds", seconds},
           {"load_seconds", options.check ? Json(load_seconds) : Json()}});
  } else {
    fmt::print("{} triangles, {} nodes, {} leaves, height {}\n", triangles, saved.nodes,
               saved.leaves, saved.height);
    fmt::print("{:.1f} bytes per triangle, built in {:.3g} s{}\n", bytes_per_triangle, seconds,
               options.check ? fmt::format(", checked, loaded in {:.3g} s", load_seconds) : "");
    fmt::print("written to {}\n", out);
  }
  return kFree;
}

}  // namespace

void add_build(Program& program) {
  Command command = program.command("build", "Build the hierarchy of a mesh once, and save it");
  auto options = std::make_shared<BuildArguments>();
  command.add("file", options->file, "Mesh file").required().type_name("MESH");
  command.add("--out", options->out, "Write it here (default: MESH.bvh, or MESH.tree)")
      .type_name("FILE");
  command.add("--scale", options->scale, "Multiply the coordinates").type_name("FACTOR");
  add_weld(command, options->weld);
  command.add("--threads", options->threads, "0: all; the file is the same").range(0, 1024);
  command.flag("--check", options->check,
               "Load the file again and check that every box contains what it should");
  command.flag("--json", options->json, "Print JSON, for programs");
  options->tree.add_to(command);
  command.footer(
      "The file belongs to this mesh, its scale and this kind of machine; anything else is "
      "refused\n"
      "when it is loaded. Programs load it with load_hierarchy; touche study keeps its own in a\n"
      "folder, see --cache there. With --method it is a volume tree instead, for touche collide\n"
      "--tree-a and --tree-b: made to compare hierarchies, slower than the one without.\n\n"
      "Examples:\n"
      "  touche build housing.ply\n"
      "  touche build housing.ply --out housing.bvh --check\n"
      "  touche build housing.ply --json | jq .bytes_per_triangle\n"
      "  touche build housing.ply --method gottschalk --volume obb --degree 4");
  command.runs([options] { return run_build(*options); });
}

}  // namespace touche::cli
