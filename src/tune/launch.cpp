#include "tune/launch.hpp"

#include <algorithm>
#include <cmath>

#include "wattune/error.hpp"

namespace wattune::tune {
namespace {

constexpr std::size_t max_dimensions = 3;

/// The size to divide: given, or the problem's size in this dimension.
std::optional<Expression> extent(const GridDimension& dimension, std::size_t index, const Environment& environment) {
  if (dimension.size) return environment.compile(*dimension.size);
  if (dimension.blocks) return std::nullopt;
  if (index < environment.constants().size()) return environment.compile({environment.constants()[index].first, {}});
  throw Error(
      ExitCode::bad_input,
      "grid dimension " + std::to_string(index) + " has neither size nor blocks, and the problem has no such dimension",
      "launch.grid", "write { size = \"N\", divide = [\"block_size_x\"] }");
}

/// A size is whole: cutting 10.5 to 10 would leave a part of the problem undone. (Divisors are cut: see the spec.)
std::uint64_t whole_size(const Expression& size, const Environment& environment, std::span<const Value> configuration) {
  const Value value = environment.evaluate(size, configuration);
  if (value.is_number() && value.as_number() != std::trunc(value.as_number()))
    throw Error(ExitCode::bad_input, "the size '" + size.text() + "' is " + to_string(value) + ", not a whole number",
                size.origin(), "divide with // or in `divide`, which rounds up");
  return environment.evaluate_size(size, configuration);
}

}  // namespace

std::vector<LocatedText> block_expressions(const LaunchSpec& spec, const Environment& environment) {
  if (!spec.block.empty()) return spec.block;
  std::vector<LocatedText> block;
  const auto& names = environment.names();
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const char* name : {"block_size_x", "block_size_y", "block_size_z"})
    block.push_back({known(name) ? name : "1", {}});
  return block;
}

Launch::Launch(const LaunchSpec& spec, const Environment& environment)
    : block_texts_(block_expressions(spec, environment)) {
  if (spec.grid.empty())
    throw Error(ExitCode::bad_input, "the launch has no grid", "launch.grid",
                "write grid = [ { size = \"N\", divide = [\"block_size_x\"] } ]");
  if (spec.grid.size() > max_dimensions || block_texts_.size() > max_dimensions) {
    throw Error(ExitCode::bad_input, "a launch has at most three dimensions", "launch");
  }
  for (std::size_t i = 0; i < spec.grid.size(); ++i) {
    Dimension dimension;
    dimension.size = extent(spec.grid[i], i, environment);
    for (const LocatedText& divisor : spec.grid[i].divisors) dimension.divisors.push_back(environment.compile(divisor));
    if (spec.grid[i].blocks) dimension.blocks = environment.compile(*spec.grid[i].blocks);
    grid_.push_back(std::move(dimension));
  }
  for (const LocatedText& text : block_texts_) block_.push_back(environment.compile(text));
  if (spec.shared_bytes) shared_bytes_ = environment.compile(*spec.shared_bytes);
}

Geometry Launch::geometry(const Environment& environment, std::span<const Value> configuration) const {
  Geometry geometry;
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    const Dimension& dimension = grid_[i];
    if (dimension.blocks) {
      geometry.grid[i] = environment.evaluate_size(*dimension.blocks, configuration);
      continue;
    }
    std::uint64_t divisor = 1;
    for (const Expression& factor : dimension.divisors) divisor *= environment.evaluate_size(factor, configuration);
    if (divisor == 0)
      throw Error(ExitCode::bad_input, "a grid divisor is 0", dimension.divisors.front().origin(),
                  "divisors are truncated to whole numbers");
    const std::uint64_t size = whole_size(*dimension.size, environment, configuration);
    geometry.grid[i] = (size + divisor - 1) / divisor;
  }
  for (std::size_t i = 0; i < block_.size(); ++i)
    geometry.block[i] = static_cast<std::uint32_t>(environment.evaluate_size(block_[i], configuration));
  if (std::ranges::any_of(geometry.block, [](std::uint32_t n) { return n == 0; })) {
    throw Error(ExitCode::bad_input, "a block has no threads in one dimension", "launch.block");
  }
  if (shared_bytes_) geometry.shared_bytes = environment.evaluate_size(*shared_bytes_, configuration);
  return geometry;
}

std::vector<Constraint> device_constraints(const LaunchSpec& spec, const Environment& environment,
                                           const DeviceDescription& device) {
  std::vector<Constraint> constraints;
  const std::vector<LocatedText> block = block_expressions(spec, environment);
  const std::string origin = "limit of device " + device.name;
  if (device.max_block_threads > 0) {
    std::string product;
    for (const LocatedText& text : block) product += (product.empty() ? "(" : " * (") + text.value + ")";
    constraints.push_back({product + " <= " + std::to_string(device.max_block_threads), origin});
  }
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (device.max_block[i] > 0 && device.max_block[i] < device.max_block_threads) {
      constraints.push_back({"(" + block[i].value + ") <= " + std::to_string(device.max_block[i]), origin});
    }
  }
  const std::uint64_t local = std::max(device.local_memory_bytes, device.local_memory_optin_bytes);
  if (spec.shared_bytes && local > 0)
    constraints.push_back({"(" + spec.shared_bytes->value + ") <= " + std::to_string(local), origin});
  return constraints;
}

}  // namespace wattune::tune
