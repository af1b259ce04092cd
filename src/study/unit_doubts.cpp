// SPDX-License-Identifier: Apache-2.0
#include "study/unit_doubts.h"

#include <fmt/core.h>

#include "base/ending.h"
#include "bvh/object_data.h"
#include "math/moved_box.h"
#include "study/step_bounds.h"
#include "touche/io.h"

namespace touche::study {
namespace {

// The unit that the format of an assembly defines.
std::string_view unit_of(const std::filesystem::path& file) {
  return base::ending_of(file) == ".3mf" ? "mm" : "m";
}

}  // namespace

std::vector<std::string> unit_doubts(double size_of_all, const std::vector<UnitlessPart>& parts,
                                     std::string_view unit, std::string_view what) {
  if (parts.empty()) return {};
  std::vector<PartSize> sizes;
  std::vector<std::string> remarks;
  for (const UnitlessPart& part : parts) {
    if (!is_assembly(part.file)) {
      sizes.push_back({part.name, part.size});
    } else if (const std::string_view own = unit_of(part.file); own != unit) {
      remarks.push_back(fmt::format(
          "{}: {} is in {}, and its coordinates are taken in {}, since the {} has no \"unit\": "
          "\"{}\" beside the file",
          part.name, part.file.filename().string(), own, unit, what, own));
    }
  }
  const std::string option =
      fmt::format("\"unit\" beside each \"file\" in the {}, as by --unit of touche clash", what);
  for (std::string& remark : unit_remarks(size_of_all, sizes, unit, option))
    remarks.push_back(std::move(remark));
  return remarks;
}

std::vector<std::string> unit_doubts(const Study& study, const std::vector<Object>& parts) {
  if (parts.empty() || bvh::flat_of(parts.front()) != nullptr) return {};
  Aabb all;
  std::vector<UnitlessPart> unitless;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Pose pose = pose_of_part(study, p, 0);
    const Aabb& own = parts[p].bounds();
    all.include(math::turned_box(own, pose.matrix(), pose.translation()));
    const StudyPart& part = study.parts[p];
    if (!part.has_unit && !part.shape && !part.file.empty())
      unitless.push_back({part.name, part.file, own.diagonal()});
  }
  return unit_doubts(all.diagonal(), unitless, study.unit, "study");
}

}  // namespace touche::study
