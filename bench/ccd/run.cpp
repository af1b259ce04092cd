// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "driver.h"
#include "timing.h"
#include "touche/query.h"

namespace touche::bench {
namespace {

// A contact found later than this is a missed one: what samples of a path cannot help being.
constexpr double kLate = 1e-3;
constexpr int kTries = 3;

struct Score {
  std::size_t asked = 0, contacts = 0, missed = 0, invented = 0;
  double error = 0, worst_error = 0;      // of t, of the contacts found
  double seconds = 0, worst_seconds = 0;  // of a case
  std::size_t found() const { return contacts - missed; }
};

double distance_at(const CcdCase& scene, double t) {
  return distance(Object(scene.a), scene.motion_a.motion().pose(t), Object(scene.b),
                  scene.motion_b.motion().pose(t))
      .distance.upper;
}

void judge(const CcdCase& scene, const CcdAnswer& answer, Score& score) {
  ++score.asked;
  score.contacts += scene.contact;
  if (!answer.contact) {
    score.missed += scene.contact;
    return;
  }
  // Within the tolerance it may be said, and after the first contact that is true anyway.
  const bool too_early = !scene.contact || answer.t < scene.time.lower;
  if (too_early && distance_at(scene, answer.t) > 1.01 * scene.tolerance) {
    ++score.invented;
    score.missed += scene.contact;
    return;
  }
  if (!scene.contact) return;
  const double error = std::max({0.0, answer.t - scene.time.upper, scene.time.lower - answer.t});
  if (answer.t > scene.time.upper + kLate) {
    ++score.missed;
    return;
  }
  score.error += error;
  score.worst_error = std::max(score.worst_error, error);
}

std::string row(const std::string& name, const Score& s) {
  const double found = static_cast<double>(s.found());
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.3g} | {:.3g} |\n", name, s.asked,
                     s.contacts, s.missed, s.invented,
                     found > 0 ? fmt::format("{:.2g}", s.error / found) : "–",
                     found > 0 ? fmt::format("{:.2g}", s.worst_error) : "–",
                     1e6 * s.seconds / static_cast<double>(std::max<std::size_t>(1, s.asked)),
                     1e6 * s.worst_seconds);
}

}  // namespace

bool run_ccd(const std::vector<CcdCase>& cases, const std::filesystem::path& csv) {
  std::ofstream out(csv);
  out << "library,family,asked,contacts,missed,invented,mean_time_error,worst_time_error,mean_us,"
         "worst_us\n";
  std::string table =
      "| library | cases | contacts | missed | invented | mean error of t | worst | mean µs | "
      "worst µs |\n|---|---|---|---|---|---|---|---|---|\n";
  bool right = true;
  for (const auto& driver : ccd_drivers()) {
    Score all;
    std::map<std::string, Score> families;
    for (const CcdCase& scene : cases) {
      if (!driver->can(scene)) continue;
      driver->load(scene);
      CcdAnswer answer;
      double seconds = kInfinity;
      for (int i = 0; i < kTries; ++i) {
        const double before = thread_seconds();
        answer = driver->first_contact(scene);
        seconds = std::min(seconds, thread_seconds() - before);
      }
      for (Score* score : {&all, &families[scene.family]}) {
        judge(scene, answer, *score);
        score->seconds += seconds;
        score->worst_seconds = std::max(score->worst_seconds, seconds);
      }
    }
    table += row(driver->name(), all);
    for (const auto& [family, s] : families)
      out << fmt::format("\"{}\",{},{},{},{},{},{:.3g},{:.3g},{:.4g},{:.4g}\n", driver->name(),
                         family, s.asked, s.contacts, s.missed, s.invented,
                         s.found() > 0 ? s.error / static_cast<double>(s.found()) : 0,
                         s.worst_error, 1e6 * s.seconds / static_cast<double>(s.asked),
                         1e6 * s.worst_seconds);
    if (driver->name() == "Touché") right = all.missed == 0 && all.invented == 0;
    fmt::print(stderr, "{}: done\n", driver->name());
  }
  fmt::print("{}", table);
  return right;
}

}  // namespace touche::bench
