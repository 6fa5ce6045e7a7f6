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

/// The texts of one evaluation, kept by the thread until its next evaluation that makes one.
class MadeTexts {
 public:
  TextStore& store() {
    thread_local TextStore texts;
    if (!used_) texts.clear();
    used_ = true;
    return texts;
  }

 private:
  bool used_ = false;
};

}  // namespace

Evaluation Code::evaluate(std::span<const Scalar> slots) const {
  // Uninitialised on purpose: clearing the whole stack would cost more than most expressions.
  alignas(Scalar) std::array<std::byte, stack_limit * sizeof(Scalar)>
      storage;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  auto* const stack = reinterpret_cast<Scalar*>(storage.data());
  MadeTexts made;
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
        const auto op = static_cast<Binary>(at->a);
        Evaluation result = binary(op, stack[top - 2], stack[top - 1]);
        if (result.error == EvaluationError::type)
          result = text_binary(op, stack[top - 2], stack[top - 1], made.store());
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
      case Op::positive: {
        const Evaluation result = positive(stack[top - 1]);
        if (!result.ok()) return result;
        stack[top - 1] = result.value;
        break;
      }
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
      case Op::text_of: {
        const Evaluation result = text_of(stack[top - 1], made.store());
        if (!result.ok()) return result;
        stack[top - 1] = result.value;
        break;
      }
      case Op::in: {
        top -= at->b;
        stack[top - 1] = Scalar::of(contains(std::span<const Scalar>(stack + top, at->b), stack[top - 1]));
        break;
      }
      case Op::in_constants:
        stack[top - 1] = Scalar::of(contains(std::span<const Scalar>(constants.data() + at->a, at->b), stack[top - 1]));
        break;
      case Op::in_text: {
        const Scalar& whole = stack[--top];
        Scalar& part = stack[top - 1];
        if (whole.kind != Scalar::Kind::text || part.kind != Scalar::Kind::text) return failed(EvaluationError::type);
        part = Scalar::of(whole.text->find(*part.text) != std::string::npos);
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
