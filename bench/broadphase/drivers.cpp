// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

namespace touche::bench {

std::vector<NamedDriver> drivers() {
  std::vector<NamedDriver> all;
  add_touche(all);
  add_embree(all);
  add_fcl(all);
  add_bullet(all);
  add_cgal(all);
  return all;
}

}  // namespace touche::bench
