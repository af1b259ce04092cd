// SPDX-License-Identifier: Apache-2.0
// Writes everything that a session sends to a passive viewer into one piece, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "touche/clash.h"
#include "touche/handle.h"
#include "touche/simulation.h"
#include "touche/study.h"
#include "viewer/protocol.h"

namespace touche::viewer {

/// All meshes together have no more; larger ones are simplified.
inline constexpr std::uint64_t kMostReportTriangles = 500'000;
/// Poses of nodes along a motion; between them it is interpolated.
inline constexpr std::size_t kMostReportPoses = 100'000;

struct ReportSession {
  /// Hello, Scene, Timeline, the answers, the faces that they name, all of MeshChunk, and last the
  /// motion: Poses, in the order of `time`, each with the same nodes. They are the messages of
  /// viewer/protocol/messages.json, each after its length as 32 bits, the lowest byte first.
  std::vector<std::byte> bytes;
  std::uint64_t triangles = 0;     ///< that are in it
  std::uint64_t triangles_of = 0;  ///< that the meshes have
  std::size_t simplified = 0;      ///< meshes
};

/// The same result gives the same bytes. `most_triangles` does the same as kMostReportTriangles.
[[nodiscard]] ReportSession report_session(const StudyResult& result,
                                           std::uint64_t most_triangles = kMostReportTriangles);
[[nodiscard]] ReportSession report_session(const ClashResult& result,
                                           std::uint64_t most_triangles = kMostReportTriangles);
[[nodiscard]] ReportSession report_session(const SimulationResult& result,
                                           std::uint64_t most_triangles = kMostReportTriangles);
/// The session of a handled path.
[[nodiscard]] ReportSession report_session(const HandleResult& result,
                                           std::uint64_t most_triangles = kMostReportTriangles);

}  // namespace touche::viewer
