// A space that is a list of configurations instead of constraints: the points of a recording. One block holds them all,
// unless they are the whole product of the value lists.
#include <algorithm>
#include <chrono>

#include "space/data.hpp"
#include "space/model.hpp"
#include "space/radix_sort.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

std::vector<std::uint32_t> lengths_of(std::span<const Parameter> parameters) {
  std::vector<std::uint32_t> lengths;
  for (const Parameter& parameter : parameters) lengths.push_back(static_cast<std::uint32_t>(parameter.values.size()));
  return lengths;
}

/// Positions that occur; the rest of a Domain is for constraints, of which there are none.
std::vector<space::Domain> domains_of(std::span<const std::uint32_t> digits,
                                      const std::vector<std::uint32_t>& lengths) {
  std::vector<space::Domain> domains(lengths.size());
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    std::vector<std::uint8_t> occurs(lengths[p], 0);
    for (std::size_t at = p; at < digits.size(); at += lengths.size()) occurs[digits[at]] = 1;
    for (std::uint32_t position = 0; position < lengths[p]; ++position) {
      if (occurs[position] != 0) domains[p].positions.push_back(position);
    }
  }
  return domains;
}

template <class Code>
space::Block block_of(std::span<const std::uint32_t> digits, const std::vector<std::uint32_t>& lengths,
                      const space::Layout& layout) {
  std::vector<Code> codes(digits.size() / lengths.size(), Code{0});
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (std::size_t p = 0; p < lengths.size(); ++p)
      codes[i] |= space::pack<Code>(digits[i * lengths.size() + p], layout.fields()[p]);
  }
  space::radix_sort(codes, layout.bits());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return {lengths, domains_of(digits, lengths), codes};
}

void check_digits(std::span<const std::uint32_t> digits, const std::vector<std::uint32_t>& lengths) {
  if (digits.size() % lengths.size() != 0)
    throw Error(ExitCode::internal, "a list of configurations that ends within one");
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (digits[at] >= lengths[at % lengths.size()])
      throw Error(ExitCode::internal, "a configuration with a value that is not in its list");
  }
}

}  // namespace

Space Space::of_points(std::vector<Parameter> parameters, std::span<const std::uint32_t> digits) {
  const auto start = std::chrono::steady_clock::now();
  if (digits.empty())
    throw Error(ExitCode::nothing_valid, "no configuration is listed", "", "a recording needs at least one entry");
  auto data = std::make_unique<Data>();
  data->parameters = std::move(parameters);
  space::check_parameters(data->parameters, {});
  const std::vector<std::uint32_t> lengths = lengths_of(data->parameters);
  check_digits(digits, lengths);
  for (const std::uint32_t length : lengths) data->cartesian *= length;
  const space::Layout layout(lengths);
  if (layout.bits() > space::widest_code_bits) {
    throw Error(ExitCode::bad_input, "the space is too large: a configuration takes more than 128 bits", "",
                "tune fewer parameters at a time");
  }
  space::Block block = layout.bits() <= 64 ? block_of<std::uint64_t>(digits, lengths, layout)
                                           : block_of<space::Wide>(digits, lengths, layout);
  // The whole product is kept as one block a parameter, which takes no memory and answers faster.
  if (static_cast<double>(block.size()) == data->cartesian) return build(std::move(data->parameters), {});
  data->blocks.push_back(std::move(block));
  data->link();
  data->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return Space(std::move(data));
}

}  // namespace wattune
