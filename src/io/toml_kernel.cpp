// The kernel of a spec: sources, compiler options, launch geometry, and what its results are compared with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "io/toml_spec.hpp"

namespace wattune::io {

namespace {

constexpr std::string_view language_words[] = {"auto", "cuda", "opencl", "hip", "portable"};
constexpr Language languages[] = {Language::automatic, Language::cuda, Language::opencl, Language::hip,
                                  Language::portable};

std::vector<std::string> plain(const std::vector<LocatedText>& texts) {
  std::vector<std::string> result;
  for (const LocatedText& text : texts) result.push_back(text.value);
  return result;
}

void read_options(TomlTable& table, KernelSpec& kernel) {
  if (auto language = table.choice("language", language_words)) kernel.language = languages[*language];
  kernel.options = plain(table.texts("options"));
  kernel.cuda_options = plain(table.texts("cuda_options"));
  kernel.opencl_options = plain(table.texts("opencl_options"));
  auto defines = table.table("defines");
  if (!defines) return;
  for (const auto& [key, node] : in_file_order(defines->raw())) {
    const std::string name(key->str());
    if (!is_identifier(name)) {
      table.context().report(table.context().position(key->source()), fmt::format("'{}' cannot be a macro", name),
                             "letters, digits and underscores only");
    }
    if (auto body = expression_in(table.context(), *node, name)) kernel.defines[name] = body->value;
  }
}

GridDimension read_dimension(TomlContext& context, const toml::node& node) {
  GridDimension dimension;
  const auto* table = node.as_table();
  if (table == nullptr) {
    dimension.blocks = expression_in(context, node, "grid");
    return dimension;
  }
  TomlTable entry(context, *table, "grid", context.position(node.source()));
  dimension.size = entry.expression("size");
  dimension.divisors = entry.expressions("divide", 64);
  dimension.blocks = entry.expression("blocks");
  if (dimension.blocks && (dimension.size || !dimension.divisors.empty())) {
    context.report(entry.at(), "a grid dimension has either 'blocks' or 'size' and 'divide', not both");
  }
  entry.finish();
  return dimension;
}

void read_reference_files(TomlTable& verify, Spec& spec, const toml::table& table) {
  TomlContext& context = verify.context();
  std::vector<std::string> outputs;
  for (const ArgumentSpec& argument : spec.arguments) {
    if (argument.output) outputs.push_back(argument.name);
  }
  for (const auto& [key, node] : in_file_order(table)) {
    const std::string name(key->str());
    if (std::find(outputs.begin(), outputs.end(), name) == outputs.end()) {
      context.report(context.position(key->source()), fmt::format("'{}' is no argument with output = true", name),
                     base::did_you_mean(name, outputs));
    }
    if (const auto* path = node->as_string()) {
      spec.verification.files[name] = path->get();
    } else {
      verify.wrong_kind(name, *node, "the path of a raw file");
    }
  }
}

/// Which of the ways to verify the table names; reports when it names none or several.
VerificationSpec::Kind kind_of_verification(TomlTable& verify, bool has_files, bool by_default) {
  const bool has_kernel = verify.raw().contains("kernel");
  const int ways = (has_kernel ? 1 : 0) + (has_files ? 1 : 0) + (by_default ? 1 : 0);
  if (ways == 0) {
    verify.context().report(verify.at(), "[verify] names nothing to compare with",
                            "kernel = \"name\", files = { argument = \"file\" } or default = true");
  } else if (ways > 1) {
    verify.context().report(verify.at(), "[verify] has more than one of 'kernel', 'files' and 'default'");
  }
  if (has_kernel) return VerificationSpec::Kind::reference_kernel;
  if (has_files) return VerificationSpec::Kind::reference_file;
  return by_default ? VerificationSpec::Kind::default_configuration : VerificationSpec::Kind::none;
}

}  // namespace

void check_kernel_name(TomlContext& context, const LocatedText& name) {
  std::size_t begin = 0;
  while ((begin = name.value.find('{', begin)) != std::string::npos) {
    const std::size_t end = name.value.find('}', begin);
    if (end == std::string::npos) {
      context.report(name.at, fmt::format("the kernel name '{}' has an open brace", name.value));
      return;
    }
    context.check_expression({name.value.substr(begin + 1, end - begin - 1), name.at});
    begin = end;
  }
  if (name.value.empty()) context.report(name.at, "the kernel name is empty");
}

void read_sources(TomlTable& table, KernelSpec& kernel) {
  std::vector<LocatedText> single = table.texts("file");
  const toml::node* several = table.find("files");
  if (several != nullptr && !several->is_table()) kernel.files = table.texts("files");
  if (!single.empty() && !kernel.files.empty()) {
    table.context().report(single.front().at, "give either 'file' or 'files', not both");
  }
  kernel.files.insert(kernel.files.begin(), single.begin(), single.end());
  if (auto source = table.text("source")) {
    kernel.source = source->value;
    if (!kernel.files.empty()) table.context().report(source->at, "give either 'source' or a file, not both");
  }
}

void read_kernel(TomlTable& top, Spec& spec) {
  auto kernel = top.table("kernel");
  TomlContext& context = top.context();
  if (!kernel) {
    if (top.raw().get("kernel") == nullptr) {
      context.report({spec.at.file, 0, 0}, "no [kernel]: a spec needs the kernel's name and source");
    }
    return;
  }
  if (auto name = kernel->text("name")) {
    spec.kernel.name = *name;
    check_kernel_name(context, *name);
  } else if (kernel->raw().get("name") == nullptr) {
    context.report(kernel->at(), "[kernel] has no 'name'", "name = \"the function\"");
  }
  read_sources(*kernel, spec.kernel);
  if (const toml::node* files = kernel->raw().get("files"); files != nullptr && files->is_table()) {
    kernel->wrong_kind("files", *files, "a text or a list of texts");
  } else if (spec.kernel.files.empty() && spec.kernel.source.empty()) {
    context.report(kernel->at(), "[kernel] has no source", "file = \"kernel.cl\", files = [...] or source = '''...'''");
  }
  read_options(*kernel, spec.kernel);
  kernel->finish();
}

LaunchSpec read_geometry(TomlTable& table) {
  LaunchSpec launch;
  if (const toml::node* grid = table.find("grid")) {
    if (const auto* list = grid->as_array()) {
      for (const toml::node& item : *list) launch.grid.push_back(read_dimension(table.context(), item));
    } else {
      launch.grid.push_back(read_dimension(table.context(), *grid));
    }
    if (launch.grid.size() > 3) {
      table.context().report(table.position_of("grid"),
                             fmt::format("'grid' has {} dimensions; a launch has at most 3", launch.grid.size()));
    }
  }
  launch.block = table.expressions("block", 3);
  launch.shared_bytes = table.expression("shared_bytes");
  return launch;
}

void read_launch(TomlTable& top, Spec& spec) {
  auto launch = top.table("launch");
  if (!launch) return;
  spec.launch = read_geometry(*launch);
  launch->finish();
}

void read_verification(TomlTable& top, Spec& spec) {
  auto verify = top.table("verify");
  if (!verify) return;
  VerificationSpec& verification = spec.verification;
  verification.at = verify->at();
  if (auto name = verify->text("kernel")) {
    verification.kernel.name = *name;
    check_kernel_name(top.context(), *name);
  }
  read_sources(*verify, verification.kernel);
  read_options(*verify, verification.kernel);
  verification.launch = read_geometry(*verify);
  const toml::node* files = verify->raw().get("files");
  const bool has_files = files != nullptr && files->is_table();
  if (has_files) read_reference_files(*verify, spec, *files->as_table());
  verification.kind = kind_of_verification(*verify, has_files, verify->flag("default").value_or(false));
  if (auto tolerance = verify->number("relative", 0.0, HUGE_VAL)) verification.relative_tolerance = *tolerance;
  if (auto tolerance = verify->number("absolute", 0.0, HUGE_VAL)) verification.absolute_tolerance = *tolerance;
  const bool compares =
      std::any_of(spec.arguments.begin(), spec.arguments.end(), [](const ArgumentSpec& a) { return a.output; });
  if (!compares) top.context().report(verify->at(), "[verify] has nothing to compare: no argument has output = true");
  verify->finish();
}

}  // namespace wattune::io
