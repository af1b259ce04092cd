// SPDX-License-Identifier: Apache-2.0
#include "viewer/proved.h"

#include <algorithm>
#include <set>
#include <utility>

namespace touche::viewer {
namespace {

constexpr std::size_t kMostProvedContacts = 10000, kMostBands = 2000;

protocol::Verdict verdict_of(StudyVerdict verdict) {
  switch (verdict) {
    case StudyVerdict::undecided:
      return protocol::Verdict::undecided;
    case StudyVerdict::free:
      return protocol::Verdict::free;
    case StudyVerdict::contact:
      return protocol::Verdict::contact;
    case StudyVerdict::inside:
      return protocol::Verdict::inside;
    case StudyVerdict::open:
      return protocol::Verdict::open;
    case StudyVerdict::interrupted:
      break;
  }
  return protocol::Verdict::interrupted;
}

protocol::Verdict verdict_of(SimulationVerdict verdict) {
  switch (verdict) {
    case SimulationVerdict::undecided:
      return protocol::Verdict::undecided;
    case SimulationVerdict::free:
      return protocol::Verdict::free;
    case SimulationVerdict::contact:
      return protocol::Verdict::contact;
    case SimulationVerdict::interrupted:
      break;
  }
  return protocol::Verdict::interrupted;
}

bool is_allowed(const Study& study, std::size_t a, std::size_t b) {
  return std::any_of(study.allowed_contacts.begin(), study.allowed_contacts.end(),
                     [&](const AllowedContact& c) { return c.part_a == a && c.part_b == b; });
}

void describe(const std::optional<Contact>& contact, protocol::PathContact& told) {
  told.face_a = contact ? contact->face_a : kNone;
  told.face_b = contact ? contact->face_b : kNone;
  if (!contact) return;
  told.point = 0.5 * (contact->point_a + contact->point_b);
  told.normal = contact->normal;
}

// Returns the contacts of paths, and of steps for pairs whose path was not followed.
std::vector<protocol::PathContact> contacts_of(const StudyResult& result, const Opened& opened) {
  std::vector<protocol::PathContact> contacts;
  const auto pair = [&](std::size_t a, std::size_t b) {
    protocol::PathContact told;
    told.a = opened.parts[a].node;
    told.b = opened.parts[b].node;
    told.allowed = is_allowed(result.study, a, b);
    told.thickness_upper = kInfinity;
    return told;
  };
  for (const PairPath& path : result.paths)
    for (const ContactInterval& interval : path.path.contacts) {
      protocol::PathContact told = pair(path.part_a, path.part_b);
      told.s_lower = interval.start.lower;
      told.s_upper = std::min(interval.start.upper, 1.0);
      told.s_end = interval.end.lower;
      told.thickness_lower = interval.deepest.diameter.lower;
      told.thickness_upper = interval.deepest.diameter.upper;
      describe(interval.first, told);
      contacts.push_back(told);
    }
  std::set<std::pair<std::size_t, std::size_t>> followed;
  for (const PairPath& path : result.paths) followed.emplace(path.part_a, path.part_b);
  for (const PairStep& step : result.pairs) {
    if (step.status != StepStatus::contact && step.status != StepStatus::initially_touching)
      continue;
    if (followed.contains({step.part_a, step.part_b})) continue;
    protocol::PathContact told = pair(step.part_a, step.part_b);
    told.s_lower = path_position(result.study, step.step, step.time.lower);
    told.s_upper = told.s_end =
        path_position(result.study, step.step, std::min(step.time.upper, 1.0));
    describe(step.contact, told);
    contacts.push_back(told);
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const auto& a, const auto& b) { return a.s_upper < b.s_upper; });
  return contacts;
}

std::uint32_t thickest_of(const std::vector<protocol::PathContact>& contacts) {
  std::uint32_t thickest = kNone;
  for (std::uint32_t c = 0; c < contacts.size(); ++c)
    if (contacts[c].thickness_lower > (thickest == kNone ? 0 : contacts[thickest].thickness_lower))
      thickest = c;
  return thickest;
}

}  // namespace

std::vector<protocol::Band> clearance_bands(const StudyResult& result, std::size_t most) {
  std::vector<double> times;
  if (result.paths.size() < result.path_count) return {};  // the others may be nearer
  for (const PairPath& pair : result.paths)
    for (const ClearanceSample& sample : pair.path.samples) times.push_back(sample.t);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.size() < 2) return {};

  std::vector<protocol::Band> bands(times.size() - 1);
  for (std::size_t i = 0; i < bands.size(); ++i)
    bands[i] = {times[i], times[i + 1], kInfinity, kInfinity};
  for (const PairPath& pair : result.paths) {
    const std::vector<ClearanceSample>& samples = pair.path.samples;
    for (std::size_t i = 0, s = 0; i < bands.size() && s < samples.size(); ++i) {
      while (s + 1 < samples.size() && samples[s + 1].t <= bands[i].s_start) ++s;
      if (samples[s].t > bands[i].s_start) continue;
      bands[i].lower = std::min(bands[i].lower, samples[s].clearance.lower);
      if (samples[s].t == bands[i].s_start)
        bands[i].upper = std::min(bands[i].upper, samples[s].clearance.upper);
    }
  }
  // Lower bounds are finite numbers in messages: nothing is nearer than what is not known.
  for (protocol::Band& band : bands)
    if (band.lower == kInfinity) band.lower = 0;
  if (bands.size() <= most) return bands;

  std::vector<protocol::Band> fewer;
  const std::size_t each = (bands.size() + most - 1) / most;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (i % each == 0) {
      fewer.push_back(bands[i]);
      continue;
    }
    fewer.back().s_end = bands[i].s_end;
    fewer.back().lower = std::min(fewer.back().lower, bands[i].lower);
    fewer.back().upper = std::min(fewer.back().upper, bands[i].upper);
  }
  return fewer;
}

protocol::Proved proved_message(const StudyResult& result, const Opened& opened) {
  protocol::Proved proved;
  proved.verdict = verdict_of(result.verdict);
  proved.sentence = verdict_sentence(result);
  proved.details = verdict_details(result);
  proved.explanation = explanation(result);
  proved.first_lower = result.time.lower;
  proved.first_upper = result.time.upper;
  proved.contacts = contacts_of(result, opened);
  if (proved.contacts.size() > kMostProvedContacts) proved.contacts.resize(kMostProvedContacts);
  proved.profile = clearance_bands(result, kMostBands);
  proved.thickest = thickest_of(proved.contacts);
  proved.study = result.study.file.generic_string();
  return proved;
}

protocol::Proved proved_message(const SimulationResult& result, const Opened& opened) {
  protocol::Proved proved;
  proved.verdict = verdict_of(result.verdict);
  proved.sentence = verdict_sentence(result);
  proved.first_lower = proved.first_upper = kInfinity;
  for (const SimulationImpact& impact : result.impacts) {
    if (proved.contacts.size() == kMostProvedContacts) break;
    protocol::PathContact told;
    told.s_lower = told.s_upper = told.s_end = impact.time;
    told.a = opened.parts[impact.body_a].node;
    told.b = opened.parts[impact.body_b].node;
    told.face_a = told.face_b = kNone;
    told.point = impact.point;
    told.normal = impact.normal;
    told.thickness_upper = kInfinity;
    told.allowed = true;
    proved.contacts.push_back(told);
  }
  if (!proved.contacts.empty())
    proved.first_lower = proved.first_upper = proved.contacts.front().s_upper;
  proved.thickest = kNone;
  proved.study = result.simulation.file.generic_string();
  return proved;
}

}  // namespace touche::viewer
