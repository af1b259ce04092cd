// SPDX-License-Identifier: Apache-2.0
// One library, one scene: whether it finds every pair, and then how fast.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver.h"

namespace touche::bench {

struct Effort {
  int frames = 120;     ///< that are timed
  int rounds = 2;       ///< of the same frames; the best time of each frame counts
  double seconds = 10;  ///< in a round, after which fewer frames have to do, but ten at least
};

struct FrameTimes {
  std::string wrong;  ///< what is, empty when nothing is; otherwise nothing was timed
  int frames = 0;
  double init = 0;              ///< seconds, as all here: CPU time of the process
  double mean = 0, median = 0;  ///< of a frame
  double worst = 0;             ///< the slowest one
  double pairs = 0;             ///< mean of a frame
  double bytes = 0;             ///< a box, beside the pairs
};

/// Keeps what is true of the frames of one setting for the next library.
class Contest {
 public:
  Contest(const Setting& setting, const Effort& effort);

  FrameTimes measure(const NamedDriver& driver);

 private:
  std::string check(Driver& driver, Frames& frames, int frame);
  std::string verify(const NamedDriver& driver);
  std::string time(const NamedDriver& driver, bool first, std::vector<double>& best,
                   FrameTimes& result);

  Setting setting_;
  Effort effort_;
  std::map<int, std::vector<std::uint64_t>> truth_;  // by frame
};

}  // namespace touche::bench
