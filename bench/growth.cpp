// SPDX-License-Identifier: Apache-2.0
#include "growth.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "random.h"
#include "shapes.h"
#include "timing.h"
#include "touche/io.h"
#include "touche/touche.h"

namespace touche::bench {
namespace {

constexpr int kQueries = 20;
constexpr double kTolerance = 1e-6;

/// Seconds of the thread's CPU time.
double timed(const std::function<void()>& work) {
  const double before = thread_seconds();
  work();
  return thread_seconds() - before;
}

double mean(const std::function<void(scenes::Random&)>& query) {
  scenes::Random random(5);
  return timed([&] {
           for (int i = 0; i < kQueries; ++i) query(random);
         }) /
         kQueries;
}

Pose random_pose(scenes::Random& random, double away) {
  const Vec3 axis = random.direction();
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  return Pose::from_axis_angle(axis, angle, away * random.direction());
}

/// Loads the file, builds, queries; one line of figures.
std::string measure_file(const std::filesystem::path& file) {
  PolygonSoup soup;
  const double load = timed([&] { soup = load_soup(file); });
  std::vector<Object> object;
  const double build =
      timed([&] { object.emplace_back(std::move(soup), "sphere", BuildOptions{.threads = 1}); });
  const Object& sphere = object.front();
  const double hit = mean([&](scenes::Random& random) {
    (void)intersects(sphere, Pose(), sphere, random_pose(random, random.uniform(1, 3)));
  });
  const double apart = mean([&](scenes::Random& random) {
    (void)distance(sphere, Pose(), sphere, random_pose(random, random.uniform(2.3, 3)));
  });
  const double impact = mean([&](scenes::Random& random) {
    const Pose start = random_pose(random, 3);
    const Pose end = Pose::from_axis_angle(random.direction(), 1.5, Vec3::Zero()) * start;
    const Motion motion = Motion::interpolated(
        start, Pose::from_quaternion_unchecked(end.rotation(), 0.3 * start.translation()));
    (void)time_of_impact(sphere, Motion::at(Pose()), sphere, motion, {.tolerance = kTolerance});
  });
  const Index triangles = sphere.soup().triangle_count();
  return fmt::format("{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{:.1f}", triangles, load, build, hit,
                     apart, impact,
                     static_cast<double>(sphere.memory().hierarchy_bytes) / triangles);
}

/// Runs `work` in a child process; what it returns, and its peak memory in MiB.
std::pair<std::string, long> in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    bool done = false;
    try {
      const std::string text = work();
      done = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    } catch (const std::exception& error) {
      fmt::print(stderr, "touche_bench: {}\n", error.what());
    }
    _exit(done ? 0 : 1);
  }
  close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t length = read(ends[0], text.data(), text.size());  // it fits a pipe's buffer
  close(ends[0]);
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0 || length < 0)
    throw std::runtime_error("a measurement did not end well");
  text.resize(static_cast<std::size_t>(length));
  return {text, usage.ru_maxrss / 1024};
}

}  // namespace

void measure_growth(Index most, const std::filesystem::path& csv) {
  if (csv.has_parent_path()) std::filesystem::create_directories(csv.parent_path());
  std::ofstream out(csv);
  const std::string header =
      "triangles,load,build,intersects,distance,time_of_impact,hierarchy_bytes_per_triangle,"
      "peak_MiB";
  const auto say = [&](const std::string& line) {
    out << line << '\n' << std::flush;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  };
  say(header);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("touche-growth-{}.ply", getpid());
  for (int halves = 6;; ++halves) {
    const auto triangles = static_cast<Index>(std::lround(std::pow(10.0, halves / 2.0)));
    if (triangles > most) break;
    in_child([&] {
      save(scenes::bumpy_sphere(triangles, 1), file);
      return std::string("saved");
    });
    const auto [line, peak] = in_child([&] { return measure_file(file); });
    std::filesystem::remove(file);
    say(fmt::format("{},{}", line, peak));
  }
  if (!out) throw std::runtime_error(csv.string() + ": cannot be written");
}

}  // namespace touche::bench
