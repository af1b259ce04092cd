// SPDX-License-Identifier: Apache-2.0
#include "evaluation/continuous_methods.h"

namespace touche::evaluation {

const std::vector<NamedMethod>& continuous_methods() {
  using enum RootMethod;
  using enum Sweep;
  constexpr auto kSwept = ContinuousMethod::swept, kMixed = ContinuousMethod::mixed,
                 kSampled = ContinuousMethod::sampled;
  constexpr auto kApproximate = InsideTest::approximate;
  // Five distances along the motion, as in thesis §10.2.
  constexpr double kStep = 0.25;
  static const std::vector<NamedMethod> methods = {
      {"static, at the end", {.method = kSampled, .step = 1}, true},
      {"static, at four steps", {.method = kSampled, .step = kStep}, true},
      {"mixed, regula falsi", {.method = kMixed, .roots = regula_falsi}, true},
      {"linear", {.roots = linear}, true},
      {"regula falsi", {.roots = regula_falsi}, true},
      {"quadratic", {.roots = quadratic}, true},
      {"sampling", {.roots = sampling, .step = kStep}, true},
      {"sampling, regula falsi", {.roots = sampling_regula_falsi, .step = kStep}, true},
      {"linear, approximate", {.method = kSwept, .roots = linear, .inside = kApproximate}},
      {"regula falsi, approximate", {.roots = regula_falsi, .inside = kApproximate}},
      {"quadratic, approximate", {.roots = quadratic, .inside = kApproximate}},
      {"sampling, approximate", {.roots = sampling, .inside = kApproximate, .step = kStep}},
      {"sampling, regula falsi, approximate",
       {.roots = sampling_regula_falsi, .inside = kApproximate, .step = kStep}},
      {"regula falsi, motion length", {.sweep = motion_length, .roots = regula_falsi}},
      {"regula falsi, enclosing", {.sweep = start_end_enclosing, .roots = regula_falsi}},
      {"regula falsi, enclosing length", {.sweep = motion_length_enclosing, .roots = regula_falsi}},
      {"sampling, regula falsi, enclosing",
       {.sweep = start_end_enclosing, .roots = sampling_regula_falsi, .step = kStep}},
      {"regula falsi, swept by spheres", {.swept_by = SweptBy::sphere, .roots = regula_falsi}},
      {"regula falsi, swept by aabb", {.swept_by = SweptBy::aabb, .roots = regula_falsi}},
  };
  return methods;
}

}  // namespace touche::evaluation
