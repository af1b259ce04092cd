// SPDX-License-Identifier: Apache-2.0
#include "numbers.h"

#include "errors.h"

namespace touche::python {
namespace {

[[noreturn]] void refuse(py::handle value, const char* expected) {
  PyErr_Clear();
  raise_of_argument(PyExc_TypeError,
                    std::string("expected ") + expected + ", found " + type_text(value), value);
}

[[noreturn]] void refuse_size(py::handle value, const std::string& range) {
  PyErr_Clear();
  raise_of_argument(nullptr,
                    py::cast<std::string>(py::repr(value)) + ", expected a whole number " + range,
                    value);
}

// A number of NumPy, or an array without dimensions, of a kind that is no real number.
bool is_of_other_kind(py::handle value) {
  if (!py::hasattr(value, "dtype")) return false;
  if (py::hasattr(value, "ndim") && !py::object(value.attr("ndim")).equal(py::int_(0))) return true;
  const py::object dtype = value.attr("dtype");
  if (!py::hasattr(dtype, "kind")) return false;  // of another library, which converts it or not
  const auto kind = py::cast<std::string>(py::str(dtype.attr("kind")));
  return kind.find_first_of("biuf") == std::string::npos;
}

py::object whole_number(py::handle value) {
  if (PyIndex_Check(value.ptr()) == 0 || is_of_other_kind(value)) refuse(value, "a whole number");
  auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) refuse(value, "a whole number");
  return number;
}

}  // namespace

std::string type_text(py::handle value) {
  return py::cast<std::string>(py::type::handle_of(value).attr("__name__"));
}

double real_of(py::handle value) {
  if (PyFloat_CheckExact(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  if (PyComplex_Check(value.ptr()) || is_of_other_kind(value)) refuse(value, "a number");
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) refuse(value, "a number");
    PyErr_Clear();
    raise_of_argument(nullptr, "the number is too large", value);
  }
  return number;
}

std::int64_t whole_of(py::handle value, std::int64_t least, std::int64_t most) {
  const py::object number = whole_number(value);
  const long long whole = PyLong_AsLongLong(number.ptr());
  const bool is_huge = whole == -1 && PyErr_Occurred() != nullptr;
  if (is_huge || whole < least || whole > most)
    refuse_size(value, "from " + std::to_string(least) + " to " + std::to_string(most));
  return whole;
}

std::uint64_t unsigned_of(py::handle value) {
  const py::object number = whole_number(value);
  const unsigned long long whole = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred() != nullptr) refuse_size(value, "from 0 to below 2**64");
  return whole;
}

}  // namespace touche::python
