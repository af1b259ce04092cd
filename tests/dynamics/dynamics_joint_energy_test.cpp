// SPDX-License-Identifier: Apache-2.0
// Chains and loops of joints without a motor never win energy, and go on where their loops cannot.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "dynamic_bodies.h"
#include "test_scale.h"

namespace touche::dynamics_joint_energy_test {
namespace {

using namespace test;

constexpr double kFree = std::numeric_limits<double>::infinity();

struct Link {
  bool is_box;
  double radius, mass;
  Vec3 velocity;
};
/// By the numbers of its links; −1 stands for the world. It sits between them, or, where they are
/// no neighbours, at the centre of the first.
struct LinkJoint {
  JointType type;
  int a, b;
  Vec3 axis;
  double least = -kFree, most = kFree;
};
/// Links of one length on one line through (0, 0, height), turned about an axis.
struct Chain {
  double tolerance, dt, length, height, angle;
  Vec3 axis;
  std::vector<Link> links;
  std::vector<LinkJoint> joints;
  Vec3 place = Vec3::Zero();
  bool contacts = false;
};

struct ChainWorld {
  World world;
  Dynamics dynamics;
  std::vector<NodeId> links;
  std::vector<JointId> joints;

  explicit ChainWorld(const Chain& chain, const Vec3& gravity = {0, 0, -kGravity})
      : dynamics(world, {.tolerance = chain.tolerance, .gravity = gravity, .surface = {0, 0}}) {
    const int count = static_cast<int>(chain.links.size());
    const Pose all = at(chain.place + chain.height * Vec3::UnitZ()) *
                     Pose::from_axis_angle(chain.axis, chain.angle, {0, 0, 0});
    const auto along = [&](double k) { return all * at({(k - 0.5 * count) * chain.length, 0, 0}); };
    for (int k = 0; k < count; ++k) {
      const Link& link = chain.links[static_cast<std::size_t>(k)];
      const double half = (chain.contacts ? 0.44 : 0.5) * chain.length, r = link.radius;
      const Object object =
          link.is_box ? box({2 * half, 2 * r, 2 * r}) : Object(scenes::cylinder(r, 2 * r, 10));
      const NodeId id = links.emplace_back(world.add(object, along(k + 0.5)));
      dynamics.add(id, 1.0, {link.velocity, {0, 0, 0}});
      dynamics.add(id, link.mass / dynamics.mass(id).mass, {link.velocity, {0, 0, 0}});
    }
    const auto node = [&](int k) { return k < 0 ? NodeId{} : links[static_cast<std::size_t>(k)]; };
    for (const LinkJoint& joint : chain.joints) {
      const bool is_loop = joint.b - joint.a != 1;
      joints.push_back(dynamics.join({.type = joint.type,
                                      .a = node(joint.a),
                                      .b = node(joint.b),
                                      .point = along(is_loop ? 0.5 : joint.b).translation(),
                                      .axis = joint.axis,
                                      .least = joint.least,
                                      .most = joint.most,
                                      .contacts = chain.contacts && joint.a >= 0 && !is_loop}));
    }
  }
  void add_floor(const Vec3& place) {
    world.add(Object(scenes::box({-20, -20, -1}, {20, 20, 0})), at(place), {.fixed = true});
  }
  Vec3 centre() const {
    Vec3 sum = Vec3::Zero();
    double mass = 0;
    for (const NodeId id : links) {
      const MassProperties& of = dynamics.mass(id);
      sum += of.mass * (world.pose(id) * of.centre);
      mass += of.mass;
    }
    return sum / mass;
  }
};

double lost_time(const DynamicsResult& result) {
  double lost = 0;
  for (const LostTime& of : result.lost) lost += of.time;
  return lost;
}

/// Returns by how much its energy exceeds at some time that at an earlier one, in units of the
/// greatest energy that moved it until then.
double greatest_gain(ChainWorld& chain, double dt, double time) {
  double least = energy(chain.dynamics), moved = chain.dynamics.kinetic_energy(), gain = 0;
  const double height = chain.dynamics.potential_energy();
  for (int step = 0; step < time / dt; ++step) {
    (void)chain.dynamics.step(dt);
    const double now = energy(chain.dynamics), kinetic = chain.dynamics.kinetic_energy();
    if (!std::isfinite(now)) return kFree;
    moved = std::max({moved, kinetic, height - chain.dynamics.potential_energy()});
    gain = std::max(gain, (now - least) / moved);
    least = std::min(least, now);
  }
  return gain;
}

const Chain kStraightLoop = {
    1.21734582e-06,
    1.0 / 240,
    0.711866306,
    3.13559892,
    0.296631945,
    {-0.165738157, -0.565625554, 0.807835748},
    {{false, 0.0399040482, 0.373481896, {-1.90986868, -6.28630162, 2.95280449}},
     {true, 0.116268998, 38.4934012, {0.873645306, -0.343655996, 0.113767929}},
     {true, 0.0788628492, 17.70938, {-0.596163715, 0.518075557, 0.657200504}},
     {true, 0.0363086718, 3.75386934, {0.296658509, -0.28270763, 0.910520098}},
     {true, 0.0779478645, 17.3008273, {0.290040723, 0.302425802, -0.782048792}}},
    {{JointType::fixed, -1, 0, {-0.232036911, 0.970298992, -0.0684013047}},
     {JointType::ball, 0, 1, {-0.679525038, 0.632993978, 0.37089668}},
     {JointType::fixed, 1, 2, {-0.232036911, 0.970298992, -0.0684013047}},
     {JointType::fixed, 2, 3, {-0.232036911, 0.970298992, -0.0684013047}},
     {JointType::ball, 3, 4, {0.289503179, 0.177310011, -0.940611008}},
     {JointType::ball, 0, 4, {0, 0, 1}}},
    {0, 0, 0},
    false};

const Chain kLoopWithLimits = {
    5.27407753e-06,
    1.0 / 60,
    0.547258812,
    2.64177644,
    0.403039777,
    {-0.262150208, 0.910681063, -0.319276165},
    {{true, 0.0573940321, 0.0551273514, {0.4911206, -0.568141951, -0.231427771}},
     {false, 0.106698894, 249.895865, {-1.60155376, 1.52212362, -6.9225167}},
     {false, 0.045962849, 0.0440446446, {-0.15252941, 6.89226008, -7.54310899}},
     {true, 0.104248605, 0.991832323, {0.479561956, 6.6648389, 5.31218185}},
     {false, 0.100252441, 4.77817242, {0.471872403, 0.624093741, 0.541830345}}},
    {{JointType::hinge,
      -1,
      0,
      {-0.710113634, -0.283202193, -0.644620155},
      -0.620472709,
      0.800559748},
     {JointType::ball, 0, 1, {0.106096196, 0.986325525, -0.126117228}},
     {JointType::ball, 1, 2, {0.106096196, 0.986325525, -0.126117228}},
     {JointType::slider, 2, 3, {0.203905982, 0.131294219, -0.970146473}, -0.056170024, 0.175311045},
     {JointType::ball, 3, 4, {0.106096196, 0.986325525, -0.126117228}},
     {JointType::ball, 0, 4, {0, 0, 1}}},
    {-7.88548755, -26.9528084, 28.8895093},
    false};

const Chain kOnTheFloor = {
    2.38723733e-05,
    1.0 / 60,
    0.341845844,
    1.61532252,
    0.286531597,
    {-0.0366125831, 0.188639522, -0.981363668},
    {{true, 0.0999600152, 13.6482201, {0.666265567, -0.128477518, -0.22334339}},
     {true, 0.0562097819, 0.420621384, {-6.2413359, 5.11314633, -5.55062501}},
     {false, 0.116577384, 2.53002602, {-0.228853673, -0.516434445, 0.314047731}}},
    {{JointType::hinge, 0, 1, {0.277078225, 0.960680706, -0.0178952237}},
     {JointType::ball, 1, 2, {0.277078225, 0.960680706, -0.0178952237}}},
    {-158.846979, -124.846554, -30.2238746},
    true};

const Chain kAnchoredWithLimits = {
    3.90680881e-06,
    1.0 / 30,
    0.778489137,
    3.33546741,
    0.161032578,
    {-0.519321134, -0.328798602, 0.788794675},
    {{false, 0.0464230204, 0.588056243, {2.70213125, -4.42887245, 7.70896964}},
     {true, 0.0545616305, 9.27015998, {7.83567961, 4.16238591, 6.62047951}},
     {false, 0.0783167989, 2.82347189, {6.55463973, -4.77233604, 6.91505121}},
     {false, 0.0403883808, 0.387246957, {6.41007407, 7.04211279, -4.28199262}},
     {true, 0.11248216, 39.3985141, {0.95514511, 0.805514099, -0.160389261}}},
    {{JointType::fixed, -1, 0, {-0.616752741, 0.739738788, 0.269077278}},
     {JointType::slider,
      0,
      1,
      {-0.124264227, 0.98846093, -0.0866221229},
      -0.253841659,
      0.0680184822},
     {JointType::ball, 1, 2, {-0.124264227, 0.98846093, -0.0866221229}},
     {JointType::hinge, 2, 3, {-0.124264227, 0.98846093, -0.0866221229}, -0.443456973, 0.645012948},
     {JointType::ball, 3, 4, {0.366051917, -0.895812121, -0.252044914}}},
    {334.030656, -51.981692, 18.6401868},
    false};

const Chain kClosedLimits = {
    8.14984073e-05,
    1.0 / 30,
    0.318740552,
    1.95622166,
    0.47152125,
    {0.316058235, -0.945930233, 0.0729601723},
    {{true, 0.032627309, 1.34933404, {-0.0219205491, 0.777998751, -0.975202177}},
     {true, 0.0595892208, 4.37536069, {-0.753999452, 0.0956611205, -0.170378746}},
     {false, 0.121791265, 9.88860429, {0.688611395, -0.566253992, -0.927411166}},
     {false, 0.0505341045, 0.755871009, {0.681809531, -0.830236437, -0.0649227088}},
     {true, 0.113989693, 15.4227133, {-0.944617666, 0.698050057, 0.543526275}}},
    {{JointType::slider,
      -1,
      0,
      {-0.806421056, -0.584099144, -0.0922673841},
      -0.168463107,
      0.149859263},
     {JointType::hinge, 0, 1, {-0.0657655877, 0.988518652, 0.136035884}, -0.519371433, 0.545152065},
     {JointType::fixed, 1, 2, {-0.0657655877, 0.988518652, 0.136035884}},
     {JointType::ball, 2, 3, {-0.0657655877, 0.988518652, 0.136035884}},
     {JointType::hinge, 3, 4, {-0.0657655877, 0.988518652, 0.136035884}, 0, 0},
     {JointType::ball, 0, 4, {0, 0, 1}}},
    {0, 0, 0},
    false};

const Chain kThrown = {
    5.6056338e-05,
    1.0 / 60,
    0.534575067,
    1.96223512,
    0.0595738936,
    {0.0527121291, -0.668783451, -0.741586223},
    {{false, 0.0349886226, 0.0989239564, {1.38381887, -0.953729705, -1.49929229}},
     {true, 0.0523717215, 7.34141172, {5.09253482, 7.17604021, -3.82312402}},
     {true, 0.111848086, 118.023866, {0.412734337, -4.84801325, 5.50953348}}},
    {{JointType::hinge,
      0,
      1,
      {0.0440905122, 0.999019459, 0.00401824352},
      -0.187826892,
      0.157758982},
     {JointType::ball, 1, 2, {0.0440905122, 0.999019459, 0.00401824352}},
     {JointType::ball, 0, 2, {0, 0, 1}}},
    {0, 0, 0},
    true};

const Chain kThrownHeavy = {
    2.69811923e-06,
    1.0 / 30,
    0.74451968,
    2.34013542,
    0.0284193236,
    {-0.778334367, 0.263723431, 0.569776768},
    {{true, 0.105051215, 49.5215846, {-7.52261301, -7.73705687, -1.14931082}},
     {true, 0.129999818, 509.704782, {0.64853506, 0.500928884, 0.757871184}},
     {true, 0.092881289, 0.481481652, {0.469574619, 5.20444071, 7.55950765}}},
    {{JointType::ball, 0, 1, {-0.0162733771, 0.999624283, -0.0220560822}},
     {JointType::hinge, 1, 2, {-0.0162733771, 0.999624283, -0.0220560822}, -1.02456593, 0.31489336},
     {JointType::ball, 0, 2, {0, 0, 1}}},
    {0, 0, 0},
    false};

// ---- energy -------------------------------------------------------------------------------------

constexpr double kMostGain = 0.01, kGainOfHits = 0.001;

TEST(DynamicsJointEnergy, ALoopThatIsNearlySingularWinsNone) {
  ChainWorld chain(kStraightLoop);
  EXPECT_LT(greatest_gain(chain, kStraightLoop.dt, 2), kMostGain);
}

TEST(DynamicsJointEnergy, LimitsOfALoopGiveNone) {
  ChainWorld chain(kLoopWithLimits);
  EXPECT_LT(greatest_gain(chain, kLoopWithLimits.dt, 2), kMostGain);
}

TEST(DynamicsJointEnergy, LinksOnTheFloorWinNone) {
  ChainWorld chain(kOnTheFloor);
  chain.add_floor(kOnTheFloor.place);
  EXPECT_LT(greatest_gain(chain, kOnTheFloor.dt, 2), kMostGain);
}

TEST(DynamicsJointEnergy, LimitsOfAnAnchoredChainGiveNone) {
  ChainWorld chain(kAnchoredWithLimits);
  EXPECT_LT(greatest_gain(chain, kAnchoredWithLimits.dt, 2), kMostGain);
}

TEST(DynamicsJointEnergy, WhoLosesAllOfItsTimeWinsNone) {
  ChainWorld chain(kClosedLimits);
  EXPECT_LT(greatest_gain(chain, kClosedLimits.dt, 2), kMostGain);
}

// Some of them are anchored, some closed into a loop.
TEST(DynamicsJointEnergy, RandomChainsWinNone) {
  for (int i = 0; i < scaled(80, 20); ++i) {
    base::Random random(static_cast<std::uint64_t>(i));
    Chain chain{random.uniform(1e-5, 1e-3),
                1.0 / 30,
                random.uniform(0.3, 0.8),
                3,
                random.uniform(0, 0.5),
                random.direction(),
                {},
                {}};
    const int count = 2 + static_cast<int>(random.below(4));
    const bool is_anchored = random.below(3) == 0, is_loop = random.below(3) == 0;
    for (int k = 0; k < count; ++k)
      chain.links.push_back({random.below(2) == 0, random.uniform(0.03, 0.15),
                             std::pow(10, random.uniform(-1, 1)), random.in_box(5)});
    for (int k = is_anchored ? 0 : 1; k < count; ++k) {
      constexpr JointType types[] = {JointType::ball, JointType::hinge, JointType::slider};
      LinkJoint joint{types[random.below(3)], k - 1, k, random.direction()};
      if (joint.type != JointType::ball) {
        joint.least = -random.uniform(0, 0.3);
        joint.most = random.uniform(0, 0.3);
      }
      chain.joints.push_back(joint);
    }
    if (is_loop && count > 2) chain.joints.push_back({JointType::ball, 0, count - 1, {0, 0, 1}});
    ChainWorld made(chain);
    EXPECT_LT(greatest_gain(made, chain.dt, 1), 2 * kMostGain) << "chain " << i;
  }
}

// ---- hit without restitution --------------------------------------------------------------------

/// A chain of links without limits, and what flies at it.
void add_shots(ChainWorld& made, base::Random& random, double speed) {
  const int shots = 1 + static_cast<int>(random.below(3));
  for (int s = 0; s < shots; ++s) {
    const auto target = random.below(static_cast<Index>(made.links.size()));
    const Vec3 from = random.direction();
    const Pose pose = at(made.world.pose(made.links[target]).translation() +
                         random.uniform(0.8, 1.5) * from + random.in_box(0.1));
    const NodeId shot = random.below(2) == 0 ? made.world.add(Shape::sphere(0.12), pose)
                                             : made.world.add(box({0.2, 0.25, 0.15}), pose);
    const double density = std::pow(10, random.uniform(0, 3));
    made.dynamics.add(shot, density, {-speed * from, random.in_box(speed)});
  }
}

// Contacts give nothing in a step: no more is left than flights swing.
TEST(DynamicsJointEnergy, ChainsThatAreHitWinNone) {
  int hits = 0;
  for (int i = 0; i < scaled(60, 30); ++i) {
    base::Random random(static_cast<std::uint64_t>(i));
    const double speed = std::pow(10, random.uniform(-1, 2));
    const bool is_still = random.below(2) == 0, is_anchored = random.below(3) == 0;
    Chain chain{std::pow(10, random.uniform(-5, -3)),
                1.0 / 60,
                random.uniform(0.3, 0.6),
                3,
                random.uniform(0, 0.5),
                random.direction(),
                {},
                {}};
    chain.contacts = random.below(2) == 0;
    const int count = 2 + static_cast<int>(random.below(9));
    for (int k = 0; k < count; ++k)
      chain.links.push_back({random.below(2) == 0, random.uniform(0.03, 0.1),
                             std::pow(10, random.uniform(-1, 1)),
                             is_still ? Vec3(Vec3::Zero()) : Vec3(random.in_box(0.3 * speed))});
    for (int k = is_anchored ? 0 : 1; k < count; ++k)
      chain.joints.push_back({random.below(2) == 0 ? JointType::ball : JointType::hinge, k - 1, k,
                              random.direction()});
    const Vec3 gravity = random.below(2) == 0 ? Vec3(0, 0, -kGravity) : Vec3(Vec3::Zero());
    ChainWorld made(chain, gravity);
    add_shots(made, random, speed);
    double before = energy(made.dynamics), greatest = made.dynamics.kinetic_energy();
    for (int step = 0; step < 0.3 / chain.dt + 4 / speed / chain.dt && step < 60; ++step) {
      const DynamicsResult& result = made.dynamics.step(chain.dt);
      const double now = energy(made.dynamics);
      greatest = std::max(greatest, made.dynamics.kinetic_energy());
      if (!result.impacts.empty() || !result.contacts.empty()) {
        ++hits;
        EXPECT_LE(now, before + kGainOfHits * greatest) << "chain " << i << ", step " << step;
      }
      before = now;
    }
  }
  EXPECT_GT(hits, scaled(300, 100));
}

// ---- loops that cannot follow -------------------------------------------------------------------

TEST(DynamicsJointEnergy, LoopsOnOneLineFlyOn) {
  for (const Chain& thrown : {kThrown, kThrownHeavy}) {
    ChainWorld chain(thrown);
    Vec3 momentum = Vec3::Zero();
    double mass = 0;
    for (const Link& link : thrown.links) {
      momentum += link.mass * link.velocity;
      mass += link.mass;
    }
    const Vec3 start = chain.centre();
    const int steps = static_cast<int>(std::lround(1 / thrown.dt));
    for (int step = 0; step < steps; ++step) {
      ASSERT_EQ(lost_time(chain.dynamics.step(thrown.dt)), 0) << "step " << step;
      for (const JointId joint : chain.joints)
        ASSERT_LT(chain.dynamics.joint_state(joint).drift, 1e-8);
    }
    const double time = steps * thrown.dt;
    const Vec3 end = start + time * momentum / mass - 0.5 * time * time * kGravity * Vec3::UnitZ();
    // Steps in which limits act are solved like resting contacts: positions are off by some g dt².
    EXPECT_LT((chain.centre() - end).norm(), 0.005);
    Vec3 now = Vec3::Zero();
    for (std::size_t k = 0; k < chain.links.size(); ++k) {
      const NodeId id = chain.links[k];
      now += thrown.links[k].mass * chain.dynamics.velocity(id).linear;
    }
    now += mass * time * kGravity * Vec3::UnitZ();
    EXPECT_LT((now - momentum).norm(), 1e-6 * momentum.norm());
  }
}

}  // namespace
}  // namespace touche::dynamics_joint_energy_test
