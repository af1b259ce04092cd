// SPDX-License-Identifier: Apache-2.0
#include "study/describe.h"
#include "study/paths.h"

#include <fmt/core.h>

#include <algorithm>

namespace touche {

std::string_view name(StepStatus status) {
  switch (status) {
    case StepStatus::free:
      return "free";
    case StepStatus::contact:
      return "contact";
    case StepStatus::initially_touching:
      return "initially_touching";
    case StepStatus::undecided:
      return "undecided";
    case StepStatus::not_examined:
      return "not_examined";
  }
  return "?";
}

std::string_view name(StudyVerdict verdict) {
  switch (verdict) {
    case StudyVerdict::free:
      return "free";
    case StudyVerdict::contact:
      return "contact";
    case StudyVerdict::undecided:
      return "undecided";
    case StudyVerdict::interrupted:
      return "interrupted";
  }
  return "?";
}

namespace study {

std::string describe(const Feature& feature, const PolygonSoup& soup) {
  switch (feature.kind) {
    case FeatureKind::vertex:
      return fmt::format("vertex {}", feature.index);
    case FeatureKind::edge:
      return fmt::format("edge {}–{}", soup.corner_vertex(feature.index),
                         soup.corner_vertex(soup.next_corner(feature.index)));
    case FeatureKind::face:
      return "face";
  }
  return "?";
}

std::string describe_contact(const Study& study, const std::vector<Object>& parts,
                             const PairStep& pair) {
  const std::string &a = study.parts[pair.part_a].name, &b = study.parts[pair.part_b].name;
  if (!pair.contact) return fmt::format("{} touches {}", a, b);
  const auto side = [](const std::string& part, Index face, const Feature& feature,
                       const Object& object) {
    const std::string inside =
        feature.kind == FeatureKind::face ? "interior" : describe(feature, object.soup());
    return fmt::format("{} face {} ({})", part, face, inside);
  };
  const Contact& c = *pair.contact;
  return fmt::format("{} touches {}", side(a, c.face_a, c.feature_a, parts[pair.part_a]),
                     side(b, c.face_b, c.feature_b, parts[pair.part_b]));
}

std::string length(const Study& study, double value) {
  return fmt::format("{:.4g} {}", value, study.unit == "um" ? "µm" : study.unit);
}

const Clearance* smallest_clearance(const StudyResult& result) {
  const auto smallest = std::min_element(
      result.clearances.begin(), result.clearances.end(),
      [](const Clearance& x, const Clearance& y) { return x.distance < y.distance; });
  return smallest == result.clearances.end() ? nullptr : &*smallest;
}

}  // namespace study

namespace {

std::string clearance_clause(const Study& study, const StudyResult& result) {
  if (const auto least = study::least_clearance(study, result); least.proved > 0)
    return fmt::format(
        "; the clearance is proved to be at least {} all the way (least found: {}, {} to {}, s = "
        "{:.4g})",
        study::length(study, least.proved), study::length(study, least.found->path.least.found),
        study.parts[least.found->part_a].name, study.parts[least.found->part_b].name,
        least.found->path.least.at);
  if (study.clearance_threshold == 0) return "";
  const Clearance* c = study::smallest_clearance(result);
  if (!c)
    return fmt::format("; at the recorded poses no two parts are closer than {}",
                       study::length(study, study.clearance_threshold));
  return fmt::format("; smallest clearance at the recorded poses {} ({} to {}, s = {:.4g})",
                     study::length(study, c->distance), study.parts[c->part_a].name,
                     study.parts[c->part_b].name, study.times[c->pose]);
}

std::string contact_clause(const Study& study, const std::vector<Object>& parts,
                           const StudyResult& result) {
  const PairStep& pair = result.pairs[*result.first];
  const double s = path_position(study, pair.step, pair.touched_at);
  const std::string who = study::describe_contact(study, parts, pair);
  if (pair.status == StepStatus::initially_touching && pair.step == 0)
    return fmt::format("at the very start (s = 0): {}", who);
  return fmt::format("at s = {:.6g} (step {}, poses {} to {}, t in [{:.9g}, {:.9g}]): {}", s,
                     pair.step, pair.step, pair.step + 1, pair.free_until, pair.touched_at, who);
}

std::string containment_clause(const Study& study, const StudyResult& result) {
  for (const PairPath& pair : result.paths) {
    Containment inside = pair.path.before;
    for (const ContactInterval& c : pair.path.contacts)
      if (inside == Containment::none) inside = c.after;
    if (inside == Containment::none) continue;
    const bool a_in_b = inside == Containment::a_in_b;
    return fmt::format("; but {} lies inside {}",
                       study.parts[a_in_b ? pair.part_a : pair.part_b].name,
                       study.parts[a_in_b ? pair.part_b : pair.part_a].name);
  }
  return "";
}

std::string overlap_clause(const Study& study, const StudyResult& result) {
  if (study::only_touching(result)) return "; on the whole path parts only touch, none clash";
  const auto thickest = study::thickest_overlap(result);
  if (thickest.contact == nullptr || !(thickest.contact->deepest.lower > study.tolerance))
    return "";
  return fmt::format("; on the whole path they overlap up to {} thick ({} and {}, s = {:.4g})",
                     study::length(study, thickest.contact->deepest.lower),
                     study.parts[thickest.pair->part_a].name,
                     study.parts[thickest.pair->part_b].name, thickest.contact->deepest_at);
}

}  // namespace

std::string verdict_sentence(const Study& study, const std::vector<Object>& parts,
                             const StudyResult& result) {
  const std::string proved = result.free_until > 0
                                 ? fmt::format("proved free before s = {:.6g}", result.free_until)
                                 : std::string("nothing is proved free");
  switch (result.verdict) {
    case StudyVerdict::free:
      return fmt::format("Free, proved: no contact in {} step{}{}{}.", result.steps.size(),
                         result.steps.size() == 1 ? "" : "s", clearance_clause(study, result),
                         containment_clause(study, result));
    case StudyVerdict::contact: {
      const PairStep& first = result.pairs[*result.first];
      // An unanswered pair before it could touch earlier.
      const bool surely_first =
          result.free_until >= path_position(study, first.step, first.free_until);
      return fmt::format("{} {}; {}{}.",
                         surely_first ? "First contact" : "Contact, maybe not the first,",
                         contact_clause(study, parts, result), proved,
                         overlap_clause(study, result) + containment_clause(study, result));
    }
    case StudyVerdict::undecided:
      return fmt::format(
          "Not decided: no contact was found, but not every pair could be answered; {}.", proved);
    case StudyVerdict::interrupted:
      return fmt::format("Interrupted: not decided beyond s = {:.6g}{}.", result.free_until,
                         result.first
                             ? "; a contact was found " + contact_clause(study, parts, result)
                             : std::string());
  }
  return {};
}

}  // namespace touche
