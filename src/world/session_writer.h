// SPDX-License-Identifier: Apache-2.0
// Writes the steps of a stepper to a file: before each step all that it depends on, so that the
// file also describes a step that never ended.
#pragma once

#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <vector>

#include "world/session_bytes.h"
#include "world/step_data.h"

namespace touche::world {

class SessionWriter {
 public:
  explicit SessionWriter(const std::filesystem::path& file);

  const StepResult& run(Stepper::Data& stepper, const StepOptions& options);
  const StepResult& go_on(Stepper::Data& stepper, const StepOptions& options);
  /// The stepper forgets what it knows of earlier steps.
  void forgets() { forgets_ = true; }

 private:
  /// What the file has of a node. Stamps show whether there is something newer.
  struct Known {
    NodeId node;
    bool here = false;
    std::uint64_t moved = 0, changed = 0, became = 0;
  };

  template <class Take>
  const StepResult& write(Stepper::Data& stepper, const StepOptions& options, bool goes_on,
                          const Take& take);
  void write_step(Stepper::Data& stepper, const StepOptions& options, bool goes_on);
  void put_changes(const World::Data& world);
  void put_node(const World::Data& world, Index node);
  void write_response(const World::Data& world, const std::vector<GroupMotion>& given);
  void write_result(std::uint64_t digest, const std::string& error);
  Index number_of(const Shape& shape);
  void note(World::Data& world);
  void write_piece(session::Kind kind, std::span<const std::byte> content);

  std::string name_;
  std::ofstream out_;
  std::uint64_t checksum_ = 0;  // of the last piece
  bool forgets_ = false;
  std::vector<Known> known_;  // of each node
  /// Written shapes, kept so that the addresses of their data, the keys of `numbers_`, stay unique.
  std::vector<Shape> shapes_;
  std::unordered_map<const void*, Index> numbers_;
  session::Bytes bytes_;
};

}  // namespace touche::world
