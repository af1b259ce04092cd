// SPDX-License-Identifier: Apache-2.0
// FCL for a convex hull and a soup. Its file includes FCL's own headers only.
#pragma once

#include <memory>

#include "driver.h"

namespace touche::bench {

class SoupPeer {
 public:
  virtual ~SoupPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// The hull is at `place`, the soup at the origin.
  virtual bool intersects(const PlaceData& place) = 0;
  virtual double distance(const PlaceData& place) = 0;  ///< 0 where they meet
};

std::unique_ptr<SoupPeer> fcl_soup_peer(const HullData& hull, const HullData& soup, bool libccd);

}  // namespace touche::bench
