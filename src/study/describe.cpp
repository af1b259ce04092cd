// SPDX-License-Identifier: Apache-2.0
#include "study/describe.h"
#include "study/paths.h"

#include <fmt/core.h>

#include <algorithm>

namespace touche {

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

std::string describe_contact(const StudyView& view, const PairStep& pair) {
  const std::string &a = view.study.parts[pair.part_a].name,
                    &b = view.study.parts[pair.part_b].name;
  if (!pair.contact) return fmt::format("{} touches {}", a, b);
  const auto side = [](const std::string& part, Index face, const Feature& feature,
                       const Object& object) {
    const std::string inside =
        feature.kind == FeatureKind::face ? "interior" : describe(feature, object.soup());
    return fmt::format("{} face {} ({})", part, face, inside);
  };
  const Contact& c = *pair.contact;
  return fmt::format("{} touches {}", side(a, c.face_a, c.feature_a, view.parts[pair.part_a]),
                     side(b, c.face_b, c.feature_b, view.parts[pair.part_b]));
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

std::string clearance_clause(const StudyView& view) {
  if (const auto least = study::least_clearance(view); least.proved > 0)
    return fmt::format(
        "; the clearance is proved to be at least {} all the way (least found: {}, {} to {}, s = "
        "{:.4g})",
        study::length(view.study, least.proved),
        study::length(view.study, least.found->path.min_clearance.upper),
        view.study.parts[least.found->part_a].name, view.study.parts[least.found->part_b].name,
        least.found->path.min_clearance_at);
  if (view.study.clearance == 0) return "";
  const Clearance* c = study::smallest_clearance(view.result);
  if (!c)
    return fmt::format("; at the recorded poses no two parts are closer than {}",
                       study::length(view.study, view.study.clearance));
  return fmt::format("; smallest clearance at the recorded poses {} ({} to {}, s = {:.4g})",
                     study::length(view.study, c->distance), view.study.parts[c->part_a].name,
                     view.study.parts[c->part_b].name, view.study.times[c->pose]);
}

std::string contact_clause(const StudyView& view) {
  const PairStep& pair = view.result.pairs[*view.result.first];
  const double s = path_position(view.study, pair.step, pair.time.upper);
  const std::string who = study::describe_contact(view, pair);
  if (pair.status == StepStatus::initially_touching && pair.step == 0)
    return fmt::format("at the very start (s = 0): {}", who);
  return fmt::format("at s = {:.6g} (step {}, poses {} to {}, t in [{:.9g}, {:.9g}]): {}", s,
                     pair.step, pair.step, pair.step + 1, pair.time.lower, pair.time.upper, who);
}

std::string containment_clause(const StudyView& view) {
  if (view.result.containments.empty()) return "";
  const PartInside& pair = view.result.containments.front();
  const bool a_in_b = pair.containment == Containment::a_in_b;
  return fmt::format("{} lies inside {}{}",
                     view.study.parts[a_in_b ? pair.part_a : pair.part_b].name,
                     view.study.parts[a_in_b ? pair.part_b : pair.part_a].name,
                     pair.s > 0 ? fmt::format(" from s = {:.4g} on", pair.s) : "");
}

std::string overlap_clause(const StudyView& view) {
  if (study::only_touching(view.result)) return "; on the whole path parts only touch, none clash";
  const auto thickest = study::thickest_overlap(view.result);
  if (thickest.contact == nullptr ||
      !(thickest.contact->deepest.diameter.lower > view.study.tolerance))
    return "";
  return fmt::format("; on the whole path they overlap up to {} thick ({} and {}, s = {:.4g})",
                     study::length(view.study, thickest.contact->deepest.diameter.lower),
                     view.study.parts[thickest.pair->part_a].name,
                     view.study.parts[thickest.pair->part_b].name, thickest.contact->deepest_at);
}

}  // namespace

std::string verdict_sentence(const StudyView& view) {
  const std::string proved =
      view.result.time.lower > 0
          ? fmt::format("proved free before s = {:.6g}", view.result.time.lower)
          : std::string("nothing is proved free");
  switch (view.result.verdict) {
    case StudyVerdict::free:
      return fmt::format("Free, proved: no contact in {} step{}{}.", view.result.steps.size(),
                         view.result.steps.size() == 1 ? "" : "s", clearance_clause(view));
    case StudyVerdict::inside:
      return fmt::format("Not free: {}, though no face touches another.", containment_clause(view));
    case StudyVerdict::contact: {
      const PairStep& first = view.result.pairs[*view.result.first];
      // An unanswered pair before it could touch earlier.
      const bool surely_first =
          view.result.time.lower >= path_position(view.study, first.step, first.time.lower);
      return fmt::format("{} {}; {}{}.",
                         surely_first ? "First contact" : "Contact, maybe not the first,",
                         contact_clause(view), proved,
                         overlap_clause(view) + (view.result.containments.empty() ? "" : "; ") +
                             containment_clause(view));
    }
    case StudyVerdict::undecided:
      return fmt::format(
          "Not decided: no contact was found, but not every pair could be answered; {}.", proved);
    case StudyVerdict::interrupted:
      return fmt::format(
          "Interrupted: not decided beyond s = {:.6g}{}.", view.result.time.lower,
          view.result.first ? "; a contact was found " + contact_clause(view) : std::string());
  }
  return {};
}

}  // namespace touche
