// Is a kernel's output right? Element by element against a reference, with absolute and relative tolerance.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "wattune/spec.hpp"

namespace wattune::tune {

/// "" when every element satisfies |got - expected| <= absolute + relative * |expected| (as numpy.allclose); else one
/// sentence with the number of differing elements and the worst of them. NaN equals only NaN; spans are of equal size.
std::string difference(ElementType type, std::span<const std::byte> got, std::span<const std::byte> expected,
                       double absolute, double relative);

}  // namespace wattune::tune
