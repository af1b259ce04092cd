// SPDX-License-Identifier: Apache-2.0
// Opens what a session shows: parts and where they are, from any kind of file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "touche/clash.h"
#include "touche/object.h"
#include "touche/pose.h"
#include "touche/simulation.h"
#include "touche/study.h"
#include "viewer/protocol.h"

namespace touche::viewer {

/// A node of the scene graph; its number is its index in the list, parents come first.
struct OpenedNode {
  std::string name;
  std::uint32_t parent = protocol::kNoNode;
  std::optional<std::size_t> object = {};  ///< of a body
  Pose pose = {};                          ///< in the world, at the start
  std::uint32_t colour = 0;                ///< that of its group
  std::optional<std::size_t> part = {};    ///< of a body
};

/// A body as results name it.
struct OpenedPart {
  std::string name;  ///< unique, including the names of the nodes above it
  std::string group;
  std::uint32_t node = 0;
  /// A part of a study has its file, and the start pose that is in the object's vertices already.
  std::optional<StudyPart> origin = {};
};

struct Opened {
  protocol::SourceKind kind = protocol::SourceKind::assembly;
  std::string title, unit;
  std::filesystem::path folder;  ///< where results and recordings are saved
  std::string stem;              ///< of names of files that are saved there
  double tolerance = 0;
  std::vector<Object> objects;
  std::vector<double> mesh_errors;  ///< see ClashParts::mesh_errors
  std::vector<OpenedNode> nodes;
  std::vector<OpenedPart> parts;
  std::vector<AllowedContact> allowed_contacts;  ///< of parts
  std::vector<std::string> remarks;
  /// A study or its result has these: `objects` are its parts, and group g is node group_nodes[g].
  std::optional<Study> study;
  std::vector<std::uint32_t> group_nodes;
  bool prove = false;  ///< whether to repeat the proofs of a result
  /// A simulation has these: body b is node b.
  std::optional<Simulation> simulation;
  SimulationParts simulation_parts;
  ClashOptions clash_options;
  bool find_clashes = false;  ///< whether to repeat the clash check of a result
};

struct OpenOptions {
  std::string unit;                 ///< see ClashLoadOptions::unit
  std::optional<UpAxis> up = {};    ///< see ClashLoadOptions::up
  std::optional<double> weld = {};  ///< see ClashLoadOptions::weld
  std::filesystem::path folder;     ///< where to save; empty: beside what was opened
};

/// Opens a study, a scene of a simulation, the folder of a result of one of these, of a hand's or
/// of a clash check, or files of meshes and shapes, assemblies and folders of these. Throws as
/// load_study, load_simulation and load_clash_parts do, and LoadError for a result whose input has
/// changed.
[[nodiscard]] Opened open_inputs(const std::vector<std::filesystem::path>& inputs,
                                 const OpenOptions& options = {});

/// The same from a study and its parts.
[[nodiscard]] Opened open_study(Study study, std::vector<Object> parts);
[[nodiscard]] Opened open_parts(ClashParts parts);
[[nodiscard]] Opened open_simulation(Simulation simulation, SimulationParts parts);

}  // namespace touche::viewer
