#include "wattune/space.hpp"

#include <algorithm>
#include <chrono>

#include "space/data.hpp"
#include "space/enumerate.hpp"
#include "space/oversize.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

/// The error of an empty space: names the first constraint after which nothing is left.
[[noreturn]] void throw_nothing_valid(const space::Model& model) {
  std::size_t low = 0;                          // these many constraints leave something
  std::size_t high = model.constraints.size();  // these many leave nothing
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (space::any_valid(model, middle) ? low : high) = middle;
  }
  const Constraint& constraint = model.constraints[high - 1];
  const std::string before = high == 1 ? "" : ", after the " + std::to_string(high - 1) + " before it";
  throw Error(ExitCode::nothing_valid,
              "no configuration is valid: constraint '" + constraint.text + "' removes the last ones" + before,
              constraint.origin, "relax it or add values to its parameters");
}

[[noreturn]] void throw_too_many(std::uint64_t limit) {
  throw Error(ExitCode::bad_input, "the space has more than " + std::to_string(limit) + " valid configurations to hold",
              "", "add constraints, tune fewer parameters at a time, or hold a sample");
}

}  // namespace

bool Space::Data::link() {
  block_of.clear();
  first.clear();
  stride.assign(blocks.size(), 1);
  double real_size = 1.0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    first.push_back(static_cast<std::uint32_t>(block_of.size()));
    block_of.insert(block_of.end(), blocks[b].parameters(), static_cast<std::uint32_t>(b));
    real_size *= static_cast<double>(blocks[b].size());
  }
  if (real_size >= 0x1p63) return false;
  size = 1;
  for (std::size_t b = blocks.size(); b-- > 0;) {
    stride[b] = size;
    size *= blocks[b].size();
  }
  return true;
}

Space::Space(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Space::Space(Space&&) noexcept = default;
Space& Space::operator=(Space&&) noexcept = default;
Space::~Space() = default;

Space Space::build(std::vector<Parameter> parameters, std::vector<Constraint> constraints,
                   const SpaceOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  auto data = std::make_unique<Data>();
  data->parameters = std::move(parameters);
  data->constraints = std::move(constraints);
  space::check_parameters(data->parameters, options);
  for (const Parameter& parameter : data->parameters) data->cartesian *= static_cast<double>(parameter.values.size());

  const space::Model model = space::make_model(data->parameters, data->constraints, options);
  const space::Narrowed narrowed = space::narrow(model, data->constraints.size());
  const std::vector<space::Component> components = space::connect(model, narrowed);
  const std::uint64_t limit = std::min<std::uint64_t>(options.max_configurations, 0xfffffffeU);  // 32-bit ranks
  space::Enumeration found = space::enumerate(model, narrowed, components, limit);
  if (found.found == space::Found::nothing) throw_nothing_valid(model);
  data->blocks = std::move(found.blocks);
  if (found.found == space::Found::too_many || !data->link()) {
    if (options.sample == 0) throw_too_many(limit);
    data->blocks.clear();
    data->blocks.push_back(space::sample_oversize(model, narrowed, components, limit, options.sample, options.seed));
    data->link();
    data->complete = false;
  }
  data->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return Space(std::move(data));
}

const std::vector<Parameter>& Space::parameters() const {
  return data_->parameters;
}
const std::vector<Constraint>& Space::constraints() const {
  return data_->constraints;
}
std::uint64_t Space::size() const {
  return data_->size;
}
double Space::cartesian_size() const {
  return data_->cartesian;
}
bool Space::complete() const {
  return data_->complete;
}
double Space::build_seconds() const {
  return data_->seconds;
}

std::size_t Space::bytes() const {
  std::size_t sum = 0;
  for (const space::Block& block : data_->blocks) sum += block.bytes();
  return sum;
}

std::optional<std::size_t> Space::parameter_index(std::string_view name) const {
  for (std::size_t p = 0; p < data_->parameters.size(); ++p) {
    if (data_->parameters[p].name == name) return p;
  }
  return std::nullopt;
}

void Space::digits(ConfigurationId id, std::span<std::uint32_t> digits) const {
  const Data& data = *data_;
  for (std::size_t b = data.blocks.size(); b-- > 1;) {
    const std::uint64_t size = data.blocks[b].size();
    const std::uint64_t rest = id / size;
    data.blocks[b].digits(id - rest * size, digits.data() + data.first[b]);
    id = rest;
  }
  data.blocks[0].digits(id, digits.data());
}

Digits Space::digits(ConfigurationId id) const {
  Digits result(data_->parameters.size());
  digits(id, result);
  return result;
}

std::uint32_t Space::digit(ConfigurationId id, std::size_t parameter) const {
  const std::size_t b = data_->block_of[parameter];
  return data_->blocks[b].digit(data_->rank_in_block(id, b), parameter - data_->first[b]);
}

std::vector<Value> Space::values(ConfigurationId id) const {
  const Digits positions = digits(id);
  std::vector<Value> result;
  result.reserve(positions.size());
  for (std::size_t p = 0; p < positions.size(); ++p) result.push_back(data_->parameters[p].values[positions[p]]);
  return result;
}

std::optional<ConfigurationId> Space::find(std::span<const std::uint32_t> digits) const {
  const Data& data = *data_;
  if (digits.size() != data.parameters.size()) return std::nullopt;
  ConfigurationId id = 0;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const std::uint64_t rank = data.blocks[b].find(digits.data() + data.first[b]);
    if (rank == space::Block::absent) return std::nullopt;
    id = id * data.blocks[b].size() + rank;
  }
  return id;
}

std::optional<ConfigurationId> Space::find_values(std::span<const Value> values) const {
  if (values.size() != data_->parameters.size()) return std::nullopt;
  Digits positions(values.size());
  for (std::size_t p = 0; p < values.size(); ++p) {
    const std::vector<Value>& list = data_->parameters[p].values;
    const auto at = std::find(list.begin(), list.end(), values[p]);
    if (at == list.end()) return std::nullopt;
    positions[p] = static_cast<std::uint32_t>(at - list.begin());
  }
  return find(positions);
}

std::optional<ConfigurationId> Space::default_configuration() const {
  Digits positions;
  for (const Parameter& parameter : data_->parameters) {
    positions.push_back(static_cast<std::uint32_t>(parameter.default_index));
  }
  return find(positions);
}

std::string describe(const Space& space, ConfigurationId id) {
  std::string text;
  const std::vector<Value> values = space.values(id);
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (p > 0) text += ", ";
    text += space.parameters()[p].name + "=" + to_string(values[p]);
  }
  return text;
}

}  // namespace wattune
