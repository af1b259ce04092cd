// SPDX-License-Identifier: Apache-2.0
// Numbers as arguments: numbers of Python and NumPy, and what Python converts to a number without
// loss. The conversions of pybind11 cut fractions and imaginary parts off. Included by all sources.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace touche::python {

/// The name of a value's type.
std::string type_text(pybind11::handle value);

/// TypeError unless it is a real number: no complex number, text, or array with dimensions.
/// InvalidInput if it is too large.
double real_of(pybind11::handle value);

/// TypeError unless it is a whole number. InvalidInput unless it is from `least` to `most`.
std::int64_t whole_of(pybind11::handle value, std::int64_t least, std::int64_t most);
/// The same of what may be 2^63 or more.
std::uint64_t unsigned_of(pybind11::handle value);

template <class Number>
Number argument_of(pybind11::handle value) {
  if constexpr (std::is_same_v<Number, double>) {
    return real_of(value);
  } else if constexpr (std::is_unsigned_v<Number> && sizeof(Number) == sizeof(std::uint64_t)) {
    return unsigned_of(value);
  } else {
    return static_cast<Number>(
        whole_of(value, std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max()));
  }
}

/// The conversion of an argument, whose errors have the argument as `value`: see names_arguments()
/// in _values.py.
template <class Number>
class NumberCaster {
 public:
  static constexpr bool kIsReal = std::is_same_v<Number, double>;
  PYBIND11_TYPE_CASTER(Number, pybind11::detail::const_name<kIsReal>("float", "int"));

  bool load(pybind11::handle source, bool) {
    value = argument_of<Number>(source);
    return true;
  }
  static pybind11::handle cast(Number source, pybind11::return_value_policy, pybind11::handle) {
    if constexpr (kIsReal)
      return PyFloat_FromDouble(source);
    else if constexpr (std::is_unsigned_v<Number>)
      return PyLong_FromUnsignedLongLong(source);
    else
      return PyLong_FromLongLong(source);
  }
};

}  // namespace touche::python

namespace pybind11::detail {

template <>
class type_caster<double> : public touche::python::NumberCaster<double> {};
template <>
class type_caster<int> : public touche::python::NumberCaster<int> {};
template <>
class type_caster<unsigned> : public touche::python::NumberCaster<unsigned> {};
template <>
class type_caster<long> : public touche::python::NumberCaster<long> {};
template <>
class type_caster<unsigned long> : public touche::python::NumberCaster<unsigned long> {};
template <>
class type_caster<long long> : public touche::python::NumberCaster<long long> {};
template <>
class type_caster<unsigned long long> : public touche::python::NumberCaster<unsigned long long> {};

}  // namespace pybind11::detail
