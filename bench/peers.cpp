// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

namespace touche::bench {

const std::vector<Peer>& peers() {
  static const std::vector<Peer> all{
      touche_peer(), fcl_peer(), fcl_advancement_peer(), bullet_peer(), ode_peer(), cgal_peer(),
#ifdef TOUCHE_BENCH_PQP
      pqp_peer(),
#endif
  };
  return all;
}

}  // namespace touche::bench
