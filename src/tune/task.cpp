#include "tune/task.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "base/text.hpp"
#include "engine/portability.hpp"
#include "wattune/error.hpp"

namespace wattune::tune {
namespace {

std::vector<std::string> names_of(const Spec& spec) {
  std::vector<std::string> names;
  for (const ParameterSpec& parameter : spec.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::pair<std::string, Value>> constants_of(const Spec& spec) {
  std::vector<std::pair<std::string, Value>> constants;
  for (const NamedValue& item : spec.problem) constants.emplace_back(item.name, item.value);
  return constants;
}

std::string read_sources(const KernelSpec& kernel, const std::string& directory) {
  if (kernel.files.empty()) return kernel.source;
  std::string text;
  for (const LocatedText& file : kernel.files) {
    const std::filesystem::path given(file.value);
    text += base::read_file((given.is_absolute() ? given : std::filesystem::path(directory) / given).string(),
                            "kernel source");
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  return text;
}

Language resolve_language(Language asked, const std::string& source) {
  return asked == Language::automatic ? engine::detect_language(source) : asked;
}

/// `#pragma unroll loop_unroll_factor_x` takes a number in every compiler, a macro only in some: put the number there.
/// A factor of 0 leaves the choice to the compiler (the line is dropped).
std::string with_unroll_factors(std::string source,
                                const std::vector<std::pair<std::string, std::string>>& definitions) {
  for (const auto& [name, body] : definitions) {
    if (!name.starts_with("loop_unroll_factor")) continue;
    const std::regex line("^([ \\t]*#[ \\t]*pragma[ \\t]+unroll)[ \\t(]+" + name + "[ \\t)]*$", std::regex::multiline);
    source = std::regex_replace(source, line, body == "0" ? std::string() : std::string("$1 ").append(body));
  }
  return source;
}

/// Replaces every `{expression}` of a name expression such as "gemm<{MWG}, float>".
std::string with_braces(const std::string& name, const Environment& environment, std::span<const Value> configuration,
                        const SourcePosition& at) {
  std::string result;
  std::size_t begin = 0;
  while (true) {
    const std::size_t open = name.find('{', begin);
    if (open == std::string::npos) return result + name.substr(begin);
    const std::size_t close = name.find('}', open);
    if (close == std::string::npos)
      throw Error(ExitCode::bad_input, "'{' without '}' in the kernel's name", to_string(at));
    result += name.substr(begin, open - begin);
    result += to_definition(
        environment.evaluate(environment.compile({name.substr(open + 1, close - open - 1), at}), configuration));
    begin = close + 1;
  }
}

std::string describe_arguments(const Spec& spec) {
  std::string text;
  for (const ArgumentSpec& a : spec.arguments) {
    text += a.name + '|' + std::to_string(static_cast<int>(a.kind)) + '|' + std::string(to_string(a.type)) + '|' +
            (a.size ? a.size->value : "") + '|' + (a.value ? a.value->value : "") + '|' +
            std::to_string(static_cast<int>(a.fill.kind)) + '|' + std::to_string(a.fill.value) + '|' +
            std::to_string(a.fill.step) + '|' + std::to_string(a.fill.low) + '|' + std::to_string(a.fill.high) + '|' +
            std::to_string(a.fill.seed) + '|' + a.fill.path + (a.output ? "|out;" : ";");
  }
  return text;
}

/// As default_position() in spec_space.cpp.
Value default_value(const ParameterSpec& parameter) {
  if (parameter.default_value) return *parameter.default_value;
  if (hardware_setting(parameter.name).empty()) return parameter.values.front();
  return *std::ranges::max_element(parameter.values, {}, [](const Value& value) { return value.as_number(); });
}

std::string describe_profile(const ProfileSpec& profile) {
  std::string text;
  for (const auto* entries : {&profile.names, &profile.fields}) {
    for (const auto& [name, expression] : *entries) text.append(name).append("=").append(expression.value).append(";");
  }
  return text;
}

std::string describe_launch(const LaunchSpec& launch) {
  std::string text;
  for (const GridDimension& d : launch.grid) {
    text += (d.size ? d.size->value : "") + '/';
    for (const LocatedText& divisor : d.divisors) text += divisor.value + ',';
    text += (d.blocks ? d.blocks->value : "") + ';';
  }
  for (const LocatedText& b : launch.block) text += b.value + ',';
  return text + (launch.shared_bytes ? launch.shared_bytes->value : "");
}

}  // namespace

Task::Task(Spec spec, const DeviceDescription& device)
    : spec_(std::move(spec)), environment_(names_of(spec_), constants_of(spec_)), launch_(spec_.launch, environment_) {
  source_ = read_sources(spec_.kernel, spec_.directory);
  language_ = resolve_language(spec_.kernel.language, source_);
  const KernelSpec& reference = spec_.verification.kernel;
  const bool same_source = reference.files.empty() && reference.source.empty();
  reference_source_ = same_source ? source_ : read_sources(reference, spec_.directory);
  reference_language_ = same_source ? language_ : resolve_language(reference.language, reference_source_);
  for (const auto& [name, text] : spec_.kernel.defines)
    defines_.emplace_back(name, environment_.compile({text, spec_.kernel.name.at}));
  options_ = spec_.kernel.options;
  const auto& own = device.interface_name == "cuda" ? spec_.kernel.cuda_options : spec_.kernel.opencl_options;
  options_.insert(options_.end(), own.begin(), own.end());
  if (device.interface_name == "virtual") profile_.emplace(spec_);
  make_key(device);
}

void Task::make_key(const DeviceDescription& device) {
  std::vector<std::string> problem;
  for (const NamedValue& item : spec_.problem) problem.push_back(item.name + "=" + to_string(item.value));
  std::string defines;
  for (const auto& [name, text] : spec_.kernel.defines) defines.append(name).append("=").append(text).append(";");
  const VerificationSpec& verify = spec_.verification;
  const std::string verification = std::to_string(static_cast<int>(verify.kind)) + verify.kernel.name.value +
                                   describe_launch(verify.launch) + std::to_string(verify.absolute_tolerance) + ',' +
                                   std::to_string(verify.relative_tolerance);
  key_.kernel = spec_.kernel.name.value;
  key_.source_hash =
      base::content_hash(source_ + '\0' + reference_source_ + '\0' + std::string(engine::portable_header()) + '\0' +
                         describe_arguments(spec_) + describe_launch(spec_.launch) + defines + verification +
                         (profile_ ? describe_profile(*spec_.profile) : std::string()));
  key_.options = device.interface_name + ' ' + spec_.measure.cache + ' ' + base::join(options_, " ");
  key_.device_uuid = device.uuid;
  key_.driver = device.driver;
  key_.problem = base::join(problem, ", ");
}

std::vector<Value> Task::default_configuration() const {
  std::vector<Value> values;
  for (const ParameterSpec& parameter : spec_.parameters) values.push_back(default_value(parameter));
  return values;
}

std::vector<std::vector<Value>> Task::parameter_values() const {
  std::vector<std::vector<Value>> values;
  for (const ParameterSpec& parameter : spec_.parameters) values.push_back(parameter.values);
  return values;
}

std::vector<std::string> Task::parameter_names() const {
  return names_of(spec_);
}

CompileRequest Task::make_request(const KernelSpec& kernel, const std::string& source, Language language,
                                  std::span<const Value> configuration) const {
  CompileRequest request;
  for (const NamedValue& item : spec_.problem) request.definitions.emplace_back(item.name, to_definition(item.value));
  for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {  // settings of the hardware do not reach the source
    if (hardware_setting(spec_.parameters[i].name).empty())
      request.definitions.emplace_back(spec_.parameters[i].name, to_definition(configuration[i]));
  }
  for (const auto& [name, expression] : defines_)
    request.definitions.emplace_back(name, to_definition(environment_.evaluate(expression, configuration)));
  request.kernel = with_braces(kernel.name.value, environment_, configuration, kernel.name.at);
  request.source = with_unroll_factors(source, request.definitions);
  request.source_name = kernel.files.empty()
                            ? (spec_.kernel.files.empty() ? spec_.name : spec_.kernel.files.front().value)
                            : kernel.files.front().value;
  request.language = language;
  request.options = options_;
  return request;
}

CompileRequest Task::request(std::span<const Value> configuration) const {
  CompileRequest request = make_request(spec_.kernel, source_, language_, configuration);
  if (profile_) request.profile = profile_->evaluate(configuration);
  return request;
}

CompileRequest Task::reference_request() const {
  const std::vector<Value> configuration = default_configuration();
  return make_request(spec_.verification.kernel, reference_source_, reference_language_, configuration);
}

std::optional<Launch> Task::reference_launch() const {
  if (spec_.verification.kind != VerificationSpec::Kind::reference_kernel) return std::nullopt;
  return Launch(spec_.verification.launch, environment_);
}

}  // namespace wattune::tune
