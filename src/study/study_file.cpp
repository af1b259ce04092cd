// SPDX-License-Identifier: Apache-2.0
#include "study/study_file.h"

namespace touche::study {

Json pose_keys(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  return {{"translation", vector(pose.translation())},
          {"quaternion", {q.w(), q.x(), q.y(), q.z()}}};
}

namespace {

Json drawing_keys(const OutlineOptions& drawing) {
  Json keys = Json::object();
  if (drawing.chord_error > 0) keys["chord_error"] = drawing.chord_error;
  if (drawing.join_gap > 0) keys["join_gap"] = drawing.join_gap;
  if (!drawing.layers.empty()) keys["layers"] = drawing.layers;
  if (drawing.all_layers) keys["all_layers"] = true;
  if (drawing.drop_open) keys["drop_open"] = true;
  if (drawing.drop_loops_below > 0) keys["drop_loops_below"] = drawing.drop_loops_below;
  return keys;
}

Json part_keys(const StudyPart& part, const std::filesystem::path& folder) {
  Json keys = {{"name", part.name}};
  const std::string file = std::filesystem::proximate(part.file, folder).generic_string() +
                           (part.node.empty() ? "" : "#" + part.node);
  if (part.shape) {
    keys["shape"] = Json::parse(part.shape->json);
    if (!part.shape->shape) keys["shape"]["file"] = file;
    if (part.shape->mesh_error > 0) keys["chord_error"] = part.shape->mesh_error;
  } else {
    keys["file"] = file;
    keys["scale"] = part.scale;
    if (part.up) keys["up"] = name(*part.up);
    if (part.weld) keys["weld"] = *part.weld;
    if (part.stretch != Vec3::Ones()) keys["stretch"] = vector(part.stretch);
    if (part.drawing != OutlineOptions()) keys["drawing"] = drawing_keys(part.drawing);
  }
  keys["pose"] = pose_keys(part.pose);
  return keys;
}

}  // namespace

std::string study_json(const Study& study, const std::string& comment,
                       const std::vector<std::string>& tables,
                       const std::filesystem::path& folder) {
  JsonText out;
  out.member("touche_study", 1);
  if (!study.title.empty()) out.member("title", study.title);
  if (!comment.empty()) out.member("comment", comment);
  out.member("unit", study.unit);
  out.member("tolerance", study.tolerance);
  out.member("clearance_threshold", study.clearance);
  if (!study.max_touching_thickness)
    out.member("touching", "chord_error");
  else if (*study.max_touching_thickness > 0)
    out.member("touching", *study.max_touching_thickness);
  if (study.may_separate) out.member("may_separate", true);
  if (!study.allowed_contacts.empty())
    out.list("allowed_contacts", study.allowed_contacts.size(), [&](std::size_t i) {
      const AllowedContact& pair = study.allowed_contacts[i];
      return Json{{"parts", {study.parts[pair.part_a].name, study.parts[pair.part_b].name}},
                  {"reason", pair.reason}};
    });
  out.list("parts", study.parts.size(),
           [&](std::size_t p) { return part_keys(study.parts[p], folder); });
  out.list("groups", study.groups.size(), [&](std::size_t g) {
    Json names = Json::array();
    for (const std::size_t p : study.groups[g].parts) names.push_back(study.parts[p].name);
    const Json still = pose_keys(study.groups[g].motion.pose(0));
    return Json{
        {"name", study.groups[g].name},
        {"parts", names},
        {"motion", tables[g].empty() ? Json{{"poses", {still, still}}} : Json{{"csv", tables[g]}}}};
  });
  return out.finish();
}

}  // namespace touche::study
