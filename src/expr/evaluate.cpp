#include <array>
#include <cstddef>

#include "expr/program.hpp"

namespace wattune::expr {
namespace {

/// value in (elements…): Python's equality with any of them.
bool contains(std::span<const Scalar> elements, const Scalar& value) {
  for (const Scalar& element : elements) {
    if (equal(element, value)) return true;
  }
  return false;
}

}  // namespace

Evaluation Code::evaluate(std::span<const Scalar> slots) const {
  // Uninitialised on purpose: clearing the whole stack would cost more than most expressions.
  alignas(Scalar) std::array<std::byte, stack_limit * sizeof(Scalar)>
      storage;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  auto* const stack = reinterpret_cast<Scalar*>(storage.data());
  std::size_t top = 0;  // number of values on the stack
  const Instruction* const begin = instructions.data();
  const Instruction* const end = begin + instructions.size();
  for (const Instruction* at = begin; at != end; ++at) {
    switch (at->op) {
      case Op::constant:
        stack[top++] = constants[at->a];
        break;
      case Op::load:
        stack[top++] = slots[at->a];
        break;
      case Op::binary: {
        const Evaluation result = binary(static_cast<Binary>(at->a), stack[top - 2], stack[top - 1]);
        if (!result.ok()) return result;
        stack[--top - 1] = result.value;
        break;
      }
      case Op::compare: {
        const Evaluation result = compare(static_cast<Compare>(at->a), stack[top - 2], stack[top - 1]);
        if (!result.ok()) return result;
        stack[--top - 1] = result.value;
        break;
      }
      case Op::negate: {
        const Evaluation result = negate(stack[top - 1]);
        if (!result.ok()) return result;
        stack[top - 1] = result.value;
        break;
      }
      case Op::positive:
        if (stack[top - 1].kind == Scalar::Kind::text) return failed(EvaluationError::type);
        if (stack[top - 1].kind == Scalar::Kind::boolean)
          stack[top - 1] = Scalar::of(std::int64_t{stack[top - 1].boolean});
        break;
      case Op::logical_not:
        stack[top - 1] = Scalar::of(!stack[top - 1].truthy());
        break;
      case Op::call: {
        top -= at->b;
        const Evaluation result = call(static_cast<Function>(at->a), std::span<const Scalar>(stack + top, at->b));
        if (!result.ok()) return result;
        stack[top++] = result.value;
        break;
      }
      case Op::in: {
        top -= at->b;
        const bool found = contains(std::span<const Scalar>(stack + top, at->b), stack[top - 1]);
        stack[top - 1] = Scalar::of(found != (at->a == 1));
        break;
      }
      case Op::in_text: {
        const Scalar& whole = stack[--top];
        Scalar& part = stack[top - 1];
        if (whole.kind != Scalar::Kind::text || part.kind != Scalar::Kind::text) return failed(EvaluationError::type);
        part = Scalar::of((whole.text->find(*part.text) != std::string::npos) != (at->a == 1));
        break;
      }
      case Op::duplicate_under: {
        const Scalar y = stack[top - 1];
        stack[top - 1] = stack[top - 2];
        stack[top - 2] = y;
        stack[top++] = y;
        break;
      }
      case Op::drop_under:
        stack[top - 2] = stack[top - 1];
        --top;
        break;
      case Op::pop:
        --top;
        break;
      case Op::jump:
        at = begin + at->a - 1;
        break;
      case Op::jump_if_false:
        if (!stack[--top].truthy()) at = begin + at->a - 1;
        break;
      case Op::jump_if_false_or_pop:
        if (!stack[top - 1].truthy()) {
          at = begin + at->a - 1;
        } else {
          --top;
        }
        break;
      case Op::jump_if_true_or_pop:
        if (stack[top - 1].truthy()) {
          at = begin + at->a - 1;
        } else {
          --top;
        }
        break;
    }
  }
  return {stack[0], EvaluationError::none};
}

}  // namespace wattune::expr
