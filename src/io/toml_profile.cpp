// [profile] of a spec: what a launch of the kernel asks of a device, for virtual GPUs.
#include <fmt/format.h>

#include <algorithm>

#include "io/toml_spec.hpp"
#include "wattune/kernel_profile.hpp"

namespace wattune::io {
namespace {

/// [profile.let]: names for what several fields share. They become known to the expressions after them.
void read_names(TomlTable& profile, ProfileSpec& read) {
  auto table = profile.table("let");
  if (!table) return;
  TomlContext& context = profile.context();
  for (const auto& [key, node] : in_file_order(table->raw())) {
    const std::string name(key->str());
    const SourcePosition at = context.position(key->source());
    if (!is_identifier(name)) {
      context.report(at, fmt::format("'{}' cannot be used in expressions", name),
                     "letters, digits and underscores only");
      continue;
    }
    if (std::ranges::find(context.names, name) != context.names.end()) {
      context.report(at, fmt::format("'{}' is taken by a parameter, a problem size or an earlier name", name));
      continue;
    }
    if (auto expression = expression_in(context, *node, name)) read.names.emplace_back(name, std::move(*expression));
    context.names.push_back(name);
  }
}

}  // namespace

void read_profile(TomlTable& top, Spec& spec) {
  auto table = top.table("profile");
  if (!table) return;
  ProfileSpec profile;
  profile.at = table->at();
  const std::size_t known = top.context().names.size();
  read_names(*table, profile);
  for (const ProfileField& field : profile_fields()) {
    if (auto value = table->expression(field.name))
      profile.fields.emplace_back(std::string(field.name), std::move(*value));
  }
  top.context().names.resize(known);  // nothing else may use what is named here
  table->finish();
  spec.profile = std::move(profile);
}

}  // namespace wattune::io
