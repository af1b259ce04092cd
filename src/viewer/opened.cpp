// SPDX-License-Identifier: Apache-2.0
#include "viewer/opened.h"

#include <algorithm>
#include <map>

#include "study/describe.h"
#include "study/shape_words.h"
#include "study/step_bounds.h"

namespace touche::viewer {
namespace {

using protocol::kNoNode;

// A body, named by what comes behind the last '/'.
std::string last_step(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

// Nodes by the names that lead to them.
class Tree {
 public:
  explicit Tree(std::vector<OpenedNode>& nodes) : nodes_(nodes) {}

  // The node of this name, a group where there is none yet.
  std::uint32_t group(const std::string& name) {
    if (name.empty()) return kNoNode;
    if (const auto known = nodes_by_name_.find(name); known != nodes_by_name_.end())
      return known->second;
    const std::size_t slash = name.rfind('/');
    const std::uint32_t parent =
        slash == std::string::npos ? kNoNode : group(name.substr(0, slash));
    return add(name, {.name = last_step(name), .parent = parent});
  }

  std::uint32_t add(const std::string& name, OpenedNode node) {
    const auto id = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
    nodes_by_name_.emplace(name, id);
    return id;
  }

 private:
  std::vector<OpenedNode>& nodes_;
  std::map<std::string, std::uint32_t> nodes_by_name_;
};

// A small part of the scene: files of single precision give no more.
double tolerance_of(const Opened& opened) {
  Aabb box;
  for (const OpenedNode& node : opened.nodes)
    if (node.object) {
      const Aabb& own = opened.objects[*node.object].bounds();
      box.include(node.pose * own.lo);
      box.include(node.pose * own.hi);
    }
  const double size = box.diagonal();
  return size > 0 ? 0x1p-16 * size : 1e-6;
}

// Returns the name of a file or a folder; several keep theirs with all folders.
std::string title_of(const std::string& source) {
  if (source.find(", ") != source.npos) return source;
  const std::filesystem::path path(source);
  const std::string name =
      path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  return name.empty() ? source : name;
}

}  // namespace

Opened open_study(Study study, std::vector<Object> parts) {
  Opened opened;
  opened.kind = protocol::SourceKind::study;
  opened.title = study.title.empty() ? study.file.stem().string() : study.title;
  opened.unit = study.unit;
  opened.folder = study.file.parent_path();
  opened.stem = study.file.stem().string();
  opened.tolerance = study.tolerance;
  opened.objects = std::move(parts);
  opened.remarks = study::file_remarks(study, opened.objects);
  for (std::size_t p = 0; p < study.parts.size(); ++p)
    opened.mesh_errors.push_back(study::mesh_error_of(study, p));
  opened.allowed_contacts = study.allowed_contacts;
  if (std::string remark = study::mesh_error_remark(study); !remark.empty())
    opened.remarks.push_back(std::move(remark));

  // A group that moves is a node; its parts hang on it, with their start poses in their vertices.
  std::uint32_t colour = 1;
  for (const StudyGroup& group : study.groups) {
    opened.group_nodes.push_back(static_cast<std::uint32_t>(opened.nodes.size()));
    opened.nodes.push_back({.name = group.name, .pose = group.motion.pose(0), .colour = colour++});
  }
  const std::vector<std::size_t> groups = study::group_of_part(study);
  for (std::size_t p = 0; p < study.parts.size(); ++p) {
    const bool moves = groups[p] != study::kFixed;
    const auto id = static_cast<std::uint32_t>(opened.nodes.size());
    OpenedNode node{.name = study.parts[p].name, .object = p, .part = p};
    if (moves) {
      const std::uint32_t group = opened.group_nodes[groups[p]];
      node.parent = group;
      node.pose = opened.nodes[group].pose;
      node.colour = opened.nodes[group].colour;
    }
    opened.nodes.push_back(std::move(node));
    opened.parts.push_back({.name = study.parts[p].name,
                            .group = moves ? study.groups[groups[p]].name : "",
                            .node = id,
                            .origin = study.parts[p]});
  }
  opened.clash_options.clearance = study.clearance;
  opened.clash_options.tolerance = study.tolerance;
  if (study.max_touching_thickness != 0.0)
    opened.clash_options.max_touching_thickness = study.max_touching_thickness;
  opened.study = std::move(study);
  return opened;
}

Opened open_parts(ClashParts parts) {
  Opened opened;
  opened.kind = protocol::SourceKind::assembly;
  opened.title = title_of(parts.source);
  opened.unit = parts.unit;
  opened.objects = std::move(parts.objects);
  opened.mesh_errors = std::move(parts.mesh_errors);
  opened.remarks = std::move(parts.remarks);
  opened.allowed_contacts = std::move(parts.allowed_contacts);
  Tree tree(opened.nodes);
  std::map<std::string, std::uint32_t> colours;
  for (std::size_t p = 0; p < parts.parts.size(); ++p) {
    const ClashPart& part = parts.parts[p];
    const std::size_t slash = part.name.rfind('/');
    const std::uint32_t parent =
        tree.group(slash == std::string::npos ? "" : part.name.substr(0, slash));
    const auto colour = static_cast<std::uint32_t>(
        colours.emplace(part.group, static_cast<std::uint32_t>(colours.size())).first->second);
    const std::uint32_t id = tree.add(part.name, {.name = last_step(part.name),
                                                  .parent = parent,
                                                  .object = part.object,
                                                  .pose = part.pose,
                                                  .colour = colour,
                                                  .part = p});
    opened.parts.push_back({.name = part.name, .group = part.group, .node = id});
  }
  opened.tolerance = tolerance_of(opened);
  return opened;
}

Opened open_simulation(Simulation simulation, SimulationParts parts) {
  Opened opened;
  opened.kind = protocol::SourceKind::simulation;
  opened.title = simulation.title.empty() ? simulation.file.stem().string() : simulation.title;
  opened.unit = simulation.unit;
  opened.folder = simulation.file.parent_path();
  opened.stem = simulation.file.stem().string();
  opened.tolerance = simulation.tolerance;
  opened.objects = parts.meshes;
  for (std::size_t b = 0; b < simulation.bodies.size(); ++b) {
    const SimulationBody& body = simulation.bodies[b];
    opened.nodes.push_back({.name = body.name,
                            .object = body.mesh,
                            .pose = body.pose,
                            .colour = body.fixed ? 0U : static_cast<std::uint32_t>(1 + body.mesh),
                            .part = b});
    opened.parts.push_back({.name = body.name, .group = "", .node = static_cast<std::uint32_t>(b)});
  }
  opened.simulation = std::move(simulation);
  opened.simulation_parts = std::move(parts);
  return opened;
}

}  // namespace touche::viewer
