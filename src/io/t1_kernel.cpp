// The kernel of a T1 file: source, problem sizes, launch geometry and arguments, with Kernel Tuner's meaning of the
// keys that the schema does not have (ProblemSize, GridDivX…).
#include <cmath>

#include "io/t1_reader.hpp"

namespace wattune::io {

namespace {

constexpr const char* axes[] = {"X", "Y", "Z"};
/// Names under which Kernel Tuner gives the problem size to a kernel's source.
constexpr const char* size_names[] = {"problem_size_x", "problem_size_y", "problem_size_z"};

bool known(const T1Context& context, std::string_view name) {
  for (const std::string& other : context.names) {
    if (other == name) return true;
  }
  return false;
}

bool compiles(const LocatedText& text, const T1Context& context) {
  try {
    (void)Expression::compile(text.value, context.names);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Reports what is wrong with an expression of parameters and problem sizes.
void check(const T1Node& node, const LocatedText& text) {
  try {
    (void)Expression::compile(text.value, node.context().names, to_string(text.at));
  } catch (const Error& error) {
    node.report(error);
  }
}

Language read_language(const T1Node& node) {
  const std::string name = node.text(true).value_or("");
  if (name == "CUDA") return Language::cuda;
  if (name == "OpenCL") return Language::opencl;
  if (name == "HIP") return Language::hip;
  if (!name.empty() && name != "Vulkan" && name != "Hypertuner") {
    node.report("'" + name + "' is no language", "CUDA, OpenCL, HIP, Vulkan and Hypertuner are known");
  }
  return Language::automatic;
}

/// By GridDivX/Y/Z. Without any, Kernel Tuner divides x by block_size_x.
std::vector<LocatedText> read_divisors(const T1Node& kernel, std::size_t axis) {
  const T1Node node = kernel[std::string("GridDiv") + axes[axis]];
  std::vector<LocatedText> divisors;
  if (!node.present()) {
    if (axis == 0 && known(kernel.context(), "block_size_x")) divisors.push_back({"block_size_x", node.at()});
    return divisors;
  }
  for (const T1Node& item : node.items()) {
    if (auto text = item.expression()) {
      check(item, *text);
      divisors.push_back(std::move(*text));
    }
  }
  return divisors;
}

/// Without ProblemSize the grid is GlobalSize: blocks in CUDA's terms, threads in OpenCL's.
void read_global_size(const T1Node& kernel, Spec& spec) {
  const bool blocks = kernel["GlobalSizeType"].text().value_or("CUDA") == "CUDA";
  for (std::size_t axis = 0; axis < std::size(axes); ++axis) {
    const T1Node node = kernel["GlobalSize"][axes[axis]];
    auto text = node.expression();
    if (!text) break;
    check(node, *text);
    GridDimension dimension;
    if (blocks) {
      dimension.blocks = std::move(text);
    } else {
      dimension.size = std::move(text);
      if (auto local = kernel["LocalSize"][axes[axis]].expression(); local && compiles(*local, kernel.context())) {
        dimension.divisors.push_back(std::move(*local));
      }
    }
    spec.launch.grid.push_back(std::move(dimension));
  }
}

void read_launch(const T1Node& kernel, Spec& spec) {
  const std::vector<T1Node> sizes = kernel["ProblemSize"].items();
  for (std::size_t axis = 0; axis < sizes.size() && axis < std::size(axes); ++axis) {
    GridDimension dimension;
    dimension.size = sizes[axis].expression();
    // A number goes by its name, so that an override of the problem size reaches the grid.
    if (sizes[axis].json().is_number() && known(kernel.context(), size_names[axis])) {
      dimension.size = LocatedText{size_names[axis], sizes[axis].at()};
    }
    if (dimension.size) check(sizes[axis], *dimension.size);
    dimension.divisors = read_divisors(kernel, axis);
    spec.launch.grid.push_back(std::move(dimension));
  }
  if (sizes.empty()) read_global_size(kernel, spec);

  // Kernel Tuner does not look at LocalSize, and files exist in which it names parameters that there are not.
  for (const char* axis : axes) {
    auto text = kernel["LocalSize"][axis].expression();
    if (!text || !compiles(*text, kernel.context())) break;
    spec.launch.block.push_back(std::move(*text));
  }
  if (auto shared = kernel["SharedMemory"].expression(); shared && shared->value != "0") {
    check(kernel["SharedMemory"], *shared);
    spec.launch.shared_bytes = std::move(shared);
  }
}

/// A size in elements: a number, or an expression over whole value lists, such as "max(filter_width) * 4"; an
/// expression over single values is kept for each configuration.
std::optional<LocatedText> read_size(const T1Node& node) {
  auto text = node.expression();
  if (!text) {
    if (!node.present()) node.report("the number of elements is missing");
    return std::nullopt;
  }
  try {
    const Value size = evaluate_value(text->value, node.context().lists, to_string(node.at()));
    if (size.is_text() || !(size.as_number() >= 0.0) || size.as_number() != std::floor(size.as_number())) {
      node.report("the size is " + to_string(size) + ", not a whole number of elements");
    }
    return LocatedText{to_string(size), node.at()};
  } catch (const Error& error) {
    if (!compiles(*text, node.context())) node.report(error);
    return text;
  }
}

FillSpec read_fill(const T1Node& argument) {
  FillSpec fill;
  const std::string type = argument["FillType"].text().value_or("Constant");
  if (type == "Constant") {
    fill.value = argument["FillValue"].number().value_or(0.0);
  } else if (type == "Random") {
    fill.kind = FillSpec::Kind::random;
    const double scale = argument["FillValue"].number().value_or(1.0);
    fill.low = std::fmin(0.0, scale);
    fill.high = scale == 0.0 ? 1.0 : std::fmax(0.0, scale);
  } else if (type == "BinaryRaw") {
    fill.kind = FillSpec::Kind::file;
    fill.path = argument["DataSource"].text(true).value_or("");
  } else {
    argument["FillType"].report("'" + type + "' is not supported", "Constant, Random and BinaryRaw are");
  }
  return fill;
}

ArgumentKind read_kind(const T1Node& argument) {
  const std::string memory = argument["MemoryType"].text().value_or("Vector");
  if (memory == "Scalar") return ArgumentKind::scalar;
  if (memory == "Local") return ArgumentKind::local;
  if (memory == "Symbol") return ArgumentKind::constant;
  if (memory != "Vector") {
    argument["MemoryType"].report("'" + memory + "' is no memory type", "Scalar, Vector, Local and Symbol are known");
  }
  return argument["MemType"].text().value_or("") == "Constant" ? ArgumentKind::constant : ArgumentKind::buffer;
}

}  // namespace

void read_t1_problem(const T1Node& kernel, Spec& spec) {
  const std::vector<T1Node> sizes = kernel["ProblemSize"].items();
  NamedValues list{"ProblemSize", {}, true};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const T1Node& node = sizes[axis];
    if (axis >= std::size(size_names)) {
      node.report("a problem has at most three dimensions");
      break;
    }
    if (node.json().is_string()) continue;  // an expression of parameters: part of the geometry
    if (!node.json().is_number_integer()) {
      node.report("a problem size is a whole number or an expression");
      continue;
    }
    list.values.emplace_back(node.json().get<std::int64_t>());
    if (known(kernel.context(), size_names[axis])) continue;  // the file has a parameter of that name
    spec.problem.push_back({size_names[axis], list.values.back(), node.at()});
  }
  for (const NamedValue& size : spec.problem) kernel.context().names.push_back(size.name);
  kernel.context().lists.push_back(std::move(list));
}

void read_t1_kernel(const T1Node& kernel, Spec& spec) {
  if (auto name = kernel["KernelName"].text(true)) spec.kernel.name = {std::move(*name), kernel["KernelName"].at()};
  for (const T1Node& file : kernel["KernelFile"].items()) {
    if (auto name = file.text()) spec.kernel.files.push_back({std::move(*name), file.at()});
  }
  if (!kernel["KernelFile"].present()) kernel["KernelFile"].report("the kernel's source file is missing");
  spec.kernel.language = read_language(kernel["Language"]);
  for (const T1Node& option : kernel["CompilerOptions"].items()) {
    if (auto text = option.text()) spec.kernel.options.push_back(std::move(*text));
  }
  read_launch(kernel, spec);
}

void read_t1_arguments(const T1Node& kernel, Spec& spec) {
  bool any_output = false;
  const std::vector<T1Node> items = kernel["Arguments"].items();
  for (const T1Node& item : items) {
    ArgumentSpec argument;
    argument.at = item.at();
    argument.name = item["Name"].text().value_or("argument " + std::to_string(spec.arguments.size() + 1));
    const std::string type = item["Type"].text(true).value_or("float");
    if (const auto element = element_type_from(type)) {
      argument.type = *element;
    } else {
      item["Type"].report("'" + type + "' is no element type", "float, double, int32, uint32 and the like are known");
    }
    argument.kind = read_kind(item);
    if (argument.kind == ArgumentKind::scalar) {
      argument.value = item["FillValue"].expression();
      if (!argument.value) item["FillValue"].report("the value of the scalar is missing");
    } else {
      argument.size = read_size(item["Size"]);
      if (argument.kind != ArgumentKind::local) argument.fill = read_fill(item);
    }
    const T1Node output = item["Output"];
    argument.output = argument.kind == ArgumentKind::buffer && output.present() &&
                      (output.json().is_boolean() ? output.json().get<bool>() : output.number().value_or(0.0) != 0.0);
    any_output = any_output || argument.output;
    spec.arguments.push_back(std::move(argument));
  }
  // Files without `Output` mean what the kernel writes only.
  for (std::size_t i = 0; i < items.size() && !any_output; ++i) {
    ArgumentSpec& argument = spec.arguments[i];
    argument.output =
        argument.kind == ArgumentKind::buffer && items[i]["AccessType"].text().value_or("") == "WriteOnly";
  }
}

}  // namespace wattune::io
