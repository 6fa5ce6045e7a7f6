#include "wattune/spec_profile.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tune/environment.hpp"
#include "tune/launch.hpp"
#include "wattune/error.hpp"
#include "wattune/expression.hpp"

namespace wattune {
namespace {

std::vector<std::string> parameter_names(const Spec& spec) {
  std::vector<std::string> names;
  for (const ParameterSpec& parameter : spec.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::pair<std::string, Value>> problem_of(const Spec& spec) {
  std::vector<std::pair<std::string, Value>> constants;
  for (const NamedValue& item : spec.problem) constants.emplace_back(item.name, item.value);
  return constants;
}

const ProfileField& field_named(const std::string& name, const std::string& where) {
  const auto fields = profile_fields();
  const auto found = std::ranges::find(fields, name, &ProfileField::name);
  if (found == fields.end()) throw Error(ExitCode::bad_input, "a profile has no '" + name + "'", where);
  return *found;
}

}  // namespace

class SpecProfile::Impl {
 public:
  explicit Impl(const Spec& spec)
      : environment_(parameter_names(spec), problem_of(spec)), launch_(spec.launch, environment_) {
    const ProfileSpec& profile = *spec.profile;
    names_ = environment_.names();
    for (const auto& [name, text] : profile.names) {
      lets_.push_back(Expression::compile(text.value, names_, to_string(text.at)));
      names_.push_back(name);
    }
    for (const auto& [name, text] : profile.fields) {
      const std::string where = to_string(text.at);
      fields_.push_back({&field_named(name, where), Expression::compile(text.value, names_, where)});
    }
  }

  [[nodiscard]] KernelProfile evaluate(std::span<const Value> configuration) const {
    std::vector<Scalar> slots;
    slots.reserve(names_.size());
    for (const Value& value : configuration) slots.push_back(Scalar::of(value));
    for (const auto& [name, value] : environment_.constants()) slots.push_back(Scalar::of(value));
    if (slots.size() + lets_.size() != names_.size())
      throw Error(ExitCode::internal, "a configuration of another space");
    for (const Expression& let : lets_) slots.push_back(value_of(let, slots));
    KernelProfile profile;
    for (const auto& [field, expression] : fields_) {
      const Scalar value = value_of(expression, slots);
      const double number = value.as_number();
      if (!(number >= field->low && number <= field->high)) {
        throw Error(ExitCode::bad_input,
                    "'" + std::string(field->name) + "' = " + to_string(value.to_value()) +
                        (number > field->high ? " is too large" : " is too small") + named_values(expression, slots),
                    expression.origin(),
                    "between " + to_string(Value(field->low)) + " and " +
                        (field->high < 1e300 ? to_string(Value(field->high)) : "any"));
      }
      profile.*field->member = number;
    }
    complete(profile, configuration);
    return profile;
  }

 private:
  struct Field {
    const ProfileField* field;
    Expression expression;
  };

  [[nodiscard]] std::string named_values(const Expression& expression, std::span<const Scalar> slots) const {
    std::string text;
    for (const std::uint32_t slot : expression.variables())
      text += (text.empty() ? " for " : ", ") + names_[slot] + "=" + to_string(slots[slot].to_value());
    return text;
  }

  [[nodiscard]] Scalar value_of(const Expression& expression, std::span<const Scalar> slots) const {
    // An expression may read names up to its own; the rest of the slots is not there yet.
    const Evaluation result = expression.evaluate(slots);
    const bool number = result.ok() && result.value.kind != Scalar::Kind::text;
    if (number) return result.value;
    throw Error(ExitCode::bad_input,
                (result.ok() ? "a text where a number is wanted" : std::string(to_string(result.error))) + " in '" +
                    expression.text() + "'" + named_values(expression, slots),
                expression.origin());
  }

  /// What the launch already says.
  void complete(KernelProfile& profile, std::span<const Value> configuration) const {
    if (profile.blocks > 0.0 && profile.threads > 0.0 && profile.local_bytes > 0.0) return;
    const Geometry geometry = launch_.geometry(environment_, configuration);
    const auto product = [](const auto& sizes) {
      return static_cast<double>(sizes[0]) * static_cast<double>(sizes[1]) * static_cast<double>(sizes[2]);
    };
    if (profile.blocks <= 0.0) profile.blocks = product(geometry.grid);
    if (profile.threads <= 0.0) profile.threads = product(geometry.block);
    if (profile.local_bytes <= 0.0) profile.local_bytes = static_cast<double>(geometry.shared_bytes);
  }

  tune::Environment environment_;
  tune::Launch launch_;
  std::vector<std::string> names_;
  std::vector<Expression> lets_;
  std::vector<Field> fields_;
};

SpecProfile::SpecProfile(const Spec& spec) {
  if (!spec.profile) {
    throw Error(ExitCode::bad_input, "the spec has no [profile]", to_string(spec.at),
                "a virtual GPU runs no code: [profile] tells it what the kernel does (docs/virtual-gpu.md)");
  }
  impl_ = std::make_shared<const Impl>(spec);
}

KernelProfile SpecProfile::evaluate(std::span<const Value> configuration) const {
  return impl_->evaluate(configuration);
}

}  // namespace wattune
