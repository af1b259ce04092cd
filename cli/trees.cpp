// SPDX-License-Identifier: Apache-2.0
#include "trees.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "outlines.h"
#include "progress.h"
#include "touche/io.h"
#include "tree_options.h"
#include "up_axis.h"
#include "write_file.h"

namespace touche::cli {

struct TreeCollide::State {
  TreeInput tree;
  std::string tree_a, tree_b;
  TraversalOptions traversal;
  Option expansion, queue;
};

TreeCollide::TreeCollide() : state_(std::make_unique<State>()) {}
TreeCollide::~TreeCollide() = default;

void TreeCollide::add_to(Command& command) {
  state_->tree.add_to(command);
  const auto file = [&](const char* name, std::string& value, const char* help) {
    command.add(name, value, help).type_name("FILE").group("Volume tree");
  };
  file("--tree-a", state_->tree_a, "Search this tree of a's, from touche build --method");
  file("--tree-b", state_->tree_b, "And this one of b's");
  state_->expansion = add_choice(command, "--expansion", state_->traversal.expansion,
                                 "Which nodes of a pair are opened");
  state_->queue =
      add_choice(command, "--queue", state_->traversal.order, "Which pair is examined next");
  state_->expansion.group("Volume tree");
  state_->queue.group("Volume tree");
}

bool TreeCollide::wanted() const {
  const State& s = *state_;
  const bool wanted = !s.tree_a.empty() || !s.tree_b.empty() || s.tree.wanted();
  if (!wanted && (s.expansion.given() || s.queue.given()))
    throw InvalidInput("--expansion and --queue are for volume trees: give --method or --tree-a");
  return wanted;
}

namespace {

/// From its file if there is one; else it is made, which needs a method.
VolumeTree tree_of(const std::string& mesh, const LoadOptions& options, const std::string& file,
                   const TreeInput& how) {
  PolygonSoup soup = load_soup(mesh, options);
  print_remarks(remarks_of(mesh, soup));
  if (!file.empty()) return load_tree(std::move(soup), file);
  if (!how.wanted()) throw InvalidInput("one tree is given, the other needs a file or --method");
  return VolumeTree(std::move(soup), how.options());
}

Json work_of(const TreeStats& stats) {
  Json work = to_json(stats);
  constexpr const char* kKinds[] = {"sphere", "aabb", "obb", "other"};
  Json kinds = Json::object();
  for (std::size_t i = 0; i < std::size(kKinds); ++i)
    for (std::size_t j = 0; j < std::size(kKinds); ++j)
      if (stats.by_kind[i][j] > 0)
        kinds[fmt::format("{} {}", kKinds[i], kKinds[j])] = stats.by_kind[i][j];
  work["volume_tests_by_kind"] = kinds;
  work["front"] = stats.front;
  return work;
}

void print_collide(const TreeResult& found) {
  if (!found.intersects)
    fmt::print("free: the surfaces do not touch\n");
  else
    fmt::print("contact: {} pair{} of faces\n", found.pairs.size(),
               found.pairs.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kListed, found.pairs.size()); ++i)
    fmt::print("  face {} of a, face {} of b\n", found.pairs[i].a, found.pairs[i].b);
  if (found.pairs.size() > kListed)
    fmt::print("({} more; --json lists all)\n", found.pairs.size() - kListed);
  fmt::print("{} tests of volumes, {} of triangles ({} exact), front of {}\n",
             found.stats.volume_tests, found.stats.primitive_tests, found.stats.exact_tests,
             found.stats.front);
}

}  // namespace

int TreeCollide::run(const TwoObjects& o, std::size_t max_contacts) const {
  if (max_contacts > 1)
    throw InvalidInput("--max-contacts: volume trees find all pairs (0) or one (1)");
  TraversalOptions how = state_->traversal;
  how.all_pairs = max_contacts == 0;
  const auto how_of = [](double scale, const std::string& up, std::optional<double> weld,
                         std::optional<AnimationTime> animation) {
    return LoadOptions{
        .scale = scale, .up = parse_up(up), .weld = weld, .animation = std::move(animation)};
  };
  const VolumeTree a =
      tree_of(o.file_a, how_of(o.scale_a, o.up_a, o.weld_a(), o.animation_a.time("-a")),
              state_->tree_a, state_->tree);
  const VolumeTree b =
      tree_of(o.file_b, how_of(o.scale_b, o.up_b, o.weld_b(), o.animation_b.time("-b")),
              state_->tree_b, state_->tree);
  const TreeResult found =
      intersects(a, parse_pose(o.pose_a, "--pose-a"), b, parse_pose(o.pose_b, "--pose-b"), how);
  if (o.json) {
    Json list = Json::array();
    for (const FacePair& pair : found.pairs) list.push_back({pair.a, pair.b});
    print({{"intersects", found.intersects}, {"pairs", list}, {"work", work_of(found.stats)}});
  } else {
    print_collide(found);
  }
  return found.intersects ? kContact : kFree;
}

struct TreeBuild::State {
  TreeInput tree;
};

TreeBuild::TreeBuild() : state_(std::make_unique<State>()) {}
TreeBuild::~TreeBuild() = default;

void TreeBuild::add_to(Command& command) { state_->tree.add_to(command); }
bool TreeBuild::wanted() const { return state_->tree.wanted(); }

namespace {

double check_tree(const VolumeTree& tree, const std::string& file) {
  const auto start = std::chrono::steady_clock::now();
  const VolumeTree loaded = load_tree(tree.soup(), file);
  const double seconds = seconds_since(start);
  loaded.validate();
  return seconds;
}

}  // namespace

int TreeBuild::run(const BuildOptions& options) const {
  const std::string out = options.out.empty() ? options.file + ".tree" : options.out;
  keep_inputs({options.file}, {out});
  TreeOptions how = state_->tree.options();
  how.threads = options.threads;
  PolygonSoup soup = load_soup(options.file, options.load_options());
  print_remarks(remarks_of(options.file, soup));
  ProgressCounts progress;
  how.progress = progress.function();
  const auto start = std::chrono::steady_clock::now();
  const VolumeTree tree = [&] {
    const ProgressBar bar(progress);
    return VolumeTree(std::move(soup), how);
  }();
  const double seconds = seconds_since(start);
  save_tree(tree, out);
  const double load_seconds = options.check ? check_tree(tree, out) : 0;

  const TreeShape shape = tree.shape();
  const Index triangles = tree.soup().triangle_count();
  const double bytes_per_triangle = static_cast<double>(shape.bytes) / triangles;
  if (options.json) {
    print({{"file", options.file},
           {"out", out},
           {"volume", tree.volume()},
           {"method", name(how.method)},
           {"triangles", triangles},
           {"nodes", shape.nodes},
           {"leaves", shape.leaves},
           {"depth", shape.depth},
           {"degrees", shape.degrees},
           {"largest_leaf", shape.largest_leaf},
           {"gap", shape.gap},
           {"quality", shape.quality},
           {"bytes", shape.bytes},
           {"bytes_per_triangle", bytes_per_triangle},
           {"build_seconds", seconds},
           {"load_seconds", options.check ? Json(load_seconds) : Json()}});
  } else {
    fmt::print("{} triangles, {} nodes, {} leaves of up to {} faces, depth {}\n", triangles,
               shape.nodes, shape.leaves, shape.largest_leaf, shape.depth);
    std::string degrees;
    for (std::size_t k = 2; k < shape.degrees.size(); ++k)
      if (shape.degrees[k] > 0)
        degrees += fmt::format("{}{} of {}", degrees.empty() ? "" : ", ", shape.degrees[k], k);
    if (!degrees.empty()) fmt::print("nodes by their number of children: {}\n", degrees);
    if (how.method == SplitMethod::branch_and_bound)
      fmt::print("largest gap of a split: {:.3g}\n", shape.gap);
    fmt::print("{:.1f} bytes per triangle, built in {:.3g} s{}\n", bytes_per_triangle, seconds,
               options.check ? fmt::format(", checked, loaded in {:.3g} s", load_seconds) : "");
    fmt::print("written to {}\n", out);
  }
  return kFree;
}

}  // namespace touche::cli
