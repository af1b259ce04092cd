// SPDX-License-Identifier: Apache-2.0
#include "touche/methods/continuous.h"
#include "base/budget_meter.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "geometry/segment_triangle.h"
#include "methods/continuous/swept_volumes.h"
#include "methods/continuous/triangle_contact.h"
#include "methods/tree/search.h"

namespace touche {
namespace continuous {
namespace {

using bounds::Mixed;
using tree::TreeNode;
using tree::TypedTree;

/// The volumes that a tree's nodes sweep, each computed on first use. A stamp identifies volumes of
/// earlier motions (thesis §9.5).
template <bounds::BoundingVolume V>
class SweptNodes {
 public:
  explicit SweptNodes(std::span<const TreeNode<V>> nodes)
      : nodes_(nodes), volumes_(nodes.size()), stamps_(nodes.size(), 0) {}

  void begin(const SweptVolumes& swept) {
    ++now_;
    swept_.emplace(swept);
  }

  const Mixed& operator[](Index node) {
    if (stamps_[node] != now_) {
      stamps_[node] = now_;
      volumes_[node] = swept_->of(nodes_[node].volume);
    }
    return volumes_[node];
  }

 private:
  std::span<const TreeNode<V>> nodes_;
  std::vector<Mixed> volumes_;
  std::vector<std::uint32_t> stamps_;
  std::uint32_t now_ = 0;
  std::optional<SweptVolumes> swept_;
};

class AnyTest {
 public:
  virtual ~AnyTest() = default;
  virtual ContinuousResult run(const Motion& motion_a, const Motion& motion_b) = 0;
};

template <bounds::BoundingVolume V>
class TypedTest final : public AnyTest {
 public:
  TypedTest(const VolumeTree& a, const VolumeTree& b, const ContinuousOptions& options)
      : a_{typed(a), a.soup()},
        b_{typed(b), b.soup()},
        options_(options),
        how_{.expansion = options.expansion,
             .order = options.order,
             .budget = base::with_any_work(options.budget)},
        swept_a_(a_.tree.nodes()),
        swept_b_(b_.tree.nodes()) {}

  ContinuousResult run(const Motion& motion_a, const Motion& motion_b) override {
    // Seen from the one at rest, a turn stays a turn.
    if (!motion_b.is_still() || motion_a.is_still())
      return run(a_, b_, swept_b_, Motion::relative(motion_a, motion_b));
    ContinuousResult r = run(b_, a_, swept_a_, Motion::relative(motion_b, motion_a));
    std::swap(r.face_a, r.face_b);
    std::swap(r.feature_a, r.feature_b);
    return r;
  }

 private:
  using Body = tree::TreeOfSoup<V>;

  static const TypedTree<V>& typed(const VolumeTree& tree) {
    return static_cast<const TypedTree<V>&>(*base::data_of(tree).tree);
  }

  /// `motion` is b's, seen from a.
  ContinuousResult run(const Body& a, const Body& b, SweptNodes<V>& swept, const Motion& motion) {
    ContinuousResult result;
    const Instants instants(motion, options_.step);
    if (options_.method == ContinuousMethod::sampled) {
      sample(a, b, instants, result);
      return result;
    }
    TriangleTests tests(a.soup, b.soup, instants, options_, result.stats);
    if (options_.method == ContinuousMethod::swept) {
      test_swept(a, b, swept, motion, instants, tests, result);
    } else if (const auto at_end = test_end(a, b, instants.end(), tests, result)) {
      // Objects that intersect at the end have touched at some time. If no root was found, report
      // the end.
      if (tests.first().triangle_a == kNone) {
        report_faces(a, b, *at_end, 1, result);
        return result;
      }
    }
    const TriangleContact& first = tests.first();
    if (first.triangle_a == kNone) return result;
    result.contact = true;
    result.t = first.t;
    result.face_a = a.soup.face_of_triangle(first.triangle_a);
    result.face_b = b.soup.face_of_triangle(first.triangle_b);
    result.feature_a = a.soup.input_feature(first.triangle_a, first.kind_a, first.local_a);
    result.feature_b = b.soup.input_feature(first.triangle_b, first.kind_b, first.local_b);
    return result;
  }

  void test_swept(const Body& a, const Body& b, SweptNodes<V>& swept, const Motion& motion,
                  const Instants& instants, TriangleTests& tests, ContinuousResult& result) {
    const auto slack = [&](const Instant& at) {
      return tree::pose_matrix_of(b.soup, at.b_in_a).slack;
    };
    swept.begin(SweptVolumes(motion, options_.sweep, options_.swept_by,
                             std::max(slack(instants.start()), slack(instants.end()))));
    const auto nodes_a = a.tree.nodes(), nodes_b = b.tree.nodes();
    const bounds::PoseMatrix here;
    const bool in_time = tree::traverse<V>(
        nodes_a, nodes_b, how_, result.stats,
        [&](Index i, Index j) {
          return result.stats.volume_tests <= options_.max_tests &&
                 overlap(Mixed(nodes_a[i].volume), swept[j], here);
        },
        [&](const tree::Node& node_a, const tree::Node& node_b) {
          if (std::max(result.stats.volume_tests, result.stats.primitive_tests) >
              options_.max_tests)
            return false;
          for (Index i = node_a.begin; i < node_a.end; ++i)
            for (Index j = node_b.begin; j < node_b.end; ++j)
              tests.test(a.tree.order()[i], b.tree.order()[j]);
          return true;
        });
    result.complete = in_time && std::max(result.stats.volume_tests,
                                          result.stats.primitive_tests) <= options_.max_tests;
  }

  /// Thesis Fig. 5.24. Returns a pair of triangles that intersects at the end.
  std::optional<query::TriangleIds> test_end(const Body& a, const Body& b, const Instant& end,
                                             TriangleTests& tests, ContinuousResult& result) {
    std::optional<query::TriangleIds> any;
    result.complete =
        tree::for_intersecting<V>(a, b, end.b_in_a, how_, result.stats, [&](Index ta, Index tb) {
          any = query::TriangleIds{ta, tb};
          const Triangle at_a = query::triangle_of(a.soup, ta),
                         at_b = query::triangle_of(b.soup, tb, end.b_in_a);
          std::uint64_t& exact = result.stats.exact_tests;
          for (int k = 0; k < 3; ++k) {
            if (geometry::segment_meets_triangle(at_a[k], at_a[(k + 1) % 3], at_b, exact))
              tests.test_edge_of_a(ta, k, tb);
            if (geometry::segment_meets_triangle(at_b[k], at_b[(k + 1) % 3], at_a, exact))
              tests.test_edge_of_b(ta, tb, k);
          }
          return true;
        });
    return any;
  }

  void sample(const Body& a, const Body& b, const Instants& instants, ContinuousResult& result) {
    for (const Instant& at : instants.grid()) {
      const auto found = [&](Index ta, Index tb) {
        report_faces(a, b, {ta, tb}, at.t, result);
        return false;
      };
      if (!tree::for_intersecting<V>(a, b, at.b_in_a, how_, result.stats, found)) return;
      if (result.contact) break;
    }
    result.complete = true;
  }

  static void report_faces(const Body& a, const Body& b, query::TriangleIds pair, double t,
                           ContinuousResult& result) {
    result.contact = true;
    result.t = t;
    result.face_a = a.soup.face_of_triangle(pair.a);
    result.face_b = b.soup.face_of_triangle(pair.b);
    result.feature_a = {FeatureKind::face, result.face_a};
    result.feature_b = {FeatureKind::face, result.face_b};
  }

  Body a_, b_;
  const ContinuousOptions& options_;
  TraversalOptions how_;
  SweptNodes<V> swept_a_, swept_b_;
};

std::unique_ptr<AnyTest> make_test(const VolumeTree& a, const VolumeTree& b,
                                   const ContinuousOptions& options) {
  const std::string& volume = a.volume();
  if (volume != b.volume())
    throw InvalidInput("trees of different volumes: " + volume + " and " + b.volume());
  if (volume == bounds::Sphere::kName)
    return std::make_unique<TypedTest<bounds::Sphere>>(a, b, options);
  if (volume == bounds::AabbMinMax::kName)
    return std::make_unique<TypedTest<bounds::AabbMinMax>>(a, b, options);
  if (volume == bounds::Obb::kName) return std::make_unique<TypedTest<bounds::Obb>>(a, b, options);
  if (volume == Mixed::kName) return std::make_unique<TypedTest<Mixed>>(a, b, options);
  throw InvalidInput("continuous tests: there is no swept volume for the volume \"" + volume +
                     "\"; sphere, aabb, obb and mixed have one");
}

}  // namespace
}  // namespace continuous

struct ContinuousTest::State {
  VolumeTree a, b;
  ContinuousOptions options;
  std::unique_ptr<continuous::AnyTest> test;

  State(VolumeTree tree_a, VolumeTree tree_b, const ContinuousOptions& how)
      : a(std::move(tree_a)), b(std::move(tree_b)), options(how) {
    if (!(options.step > 0 && options.step <= 1))
      throw InvalidInput("continuous tests: the step must lie in (0, 1]");
    base::require_any_work(options.budget, "continuous tests", "max_tests");
    test = continuous::make_test(a, b, options);
  }
};

ContinuousTest::ContinuousTest(VolumeTree a, VolumeTree b, const ContinuousOptions& options)
    : state_(std::make_unique<State>(std::move(a), std::move(b), options)) {}
ContinuousTest::~ContinuousTest() = default;
ContinuousTest::ContinuousTest(ContinuousTest&&) noexcept = default;
ContinuousTest& ContinuousTest::operator=(ContinuousTest&&) noexcept = default;

ContinuousResult ContinuousTest::operator()(const Motion& motion_a, const Motion& motion_b) {
  return state_->test->run(motion_a, motion_b);
}

}  // namespace touche
