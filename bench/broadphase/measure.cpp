// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <malloc.h>

#include <algorithm>
#include <ctime>
#include <numeric>

#include "truth.h"

namespace touche::bench {
namespace {

constexpr int kWarmUp = 10;

// Counts the process: some libraries have threads of their own even where they should use one.
double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double allocated() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

}  // namespace

Contest::Contest(const Setting& setting, const Effort& effort)
    : setting_(setting), effort_(effort) {}

// The next frame, which has that number, compared with what is true.
std::string Contest::check(Driver& driver, Frames& frames, int frame) {
  driver.frame(frames.next());
  auto known = truth_.find(frame);
  if (known == truth_.end()) known = truth_.emplace(frame, all_pairs(frames.boxes())).first;
  return difference(driver.pairs(), known->second);
}

std::string Contest::verify(const NamedDriver& named) {
  Frames frames(setting_);
  const std::unique_ptr<Driver> driver = named.make();
  driver->init(frames.boxes());
  const int checked = setting_.bodies > 200'000 ? 1 : kWarmUp;
  for (int i = 0; i < checked; ++i)
    if (std::string wrong = check(*driver, frames, i); !wrong.empty()) return wrong;
  return {};
}

std::string Contest::time(const NamedDriver& named, bool first, std::vector<double>& best,
                          FrameTimes& result) {
  Frames frames(setting_);
  best.reserve(static_cast<std::size_t>(effort_.frames));
  const double memory = allocated(), start = cpu_seconds();
  const std::unique_ptr<Driver> driver = named.make();
  driver->init(frames.boxes());
  result.init = cpu_seconds() - start;
  for (int i = 0; i < kWarmUp; ++i) driver->frame(frames.next());
  const auto count = first ? static_cast<std::size_t>(effort_.frames) : best.size();
  double pairs = 0, spent = 0;
  std::size_t done = 0;
  while (done < count && (!first || done < 10 || spent < effort_.seconds)) {
    const std::span<const Moved> moved = frames.next();
    const double before = cpu_seconds();
    const std::size_t found = driver->frame(moved);
    const double seconds = cpu_seconds() - before;
    spent += seconds;
    pairs += static_cast<double>(found);
    if (first)
      best.push_back(seconds);
    else
      best[done] = std::min(best[done], seconds);
    ++done;
  }
  result.pairs = pairs / static_cast<double>(done);
  const double bytes =
      driver->bytes() > 0 ? static_cast<double>(driver->bytes()) : allocated() - memory;
  result.bytes = (bytes - static_cast<double>(driver->pair_bytes())) / setting_.bodies;
  return first ? check(*driver, frames, kWarmUp + static_cast<int>(done)) : std::string();
}

FrameTimes Contest::measure(const NamedDriver& driver) {
  FrameTimes result;
  result.wrong = verify(driver);
  std::vector<double> times;
  for (int round = 0; round < effort_.rounds && result.wrong.empty(); ++round)
    result.wrong = time(driver, round == 0, times, result);
  if (!result.wrong.empty()) return result;
  result.frames = static_cast<int>(times.size());
  result.mean = std::accumulate(times.begin(), times.end(), 0.0) / result.frames;
  std::sort(times.begin(), times.end());
  result.median = times[times.size() / 2];
  result.worst = times.back();
  return result;
}

}  // namespace touche::bench
