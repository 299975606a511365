// Numbers of stored tensors, and what tests/parity/make_weight_files.py says they should be.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/weights/tensor_store.h"

namespace braid::test {

using weights::DType;
using weights::StoredTensor;

inline float halfToFloat(std::uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const int mantissa = bits & 1023;
    const double size = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return static_cast<float>((bits & 0x8000) != 0 ? -size : size);
}

template <typename T>
T load(const std::byte *at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

inline std::vector<double> numbersOf(const StoredTensor &tensor)
{
    std::vector<double> numbers;
    const auto step = bytesPerElement(tensor.dtype);
    for (std::size_t at = 0; step > 0 && at + step <= tensor.bytes.size(); at += step) {
        const auto *bytes = tensor.bytes.data() + at;
        switch (tensor.dtype) {
        case DType::Float64:
            numbers.push_back(load<double>(bytes));
            break;
        case DType::Float32:
            numbers.push_back(load<float>(bytes));
            break;
        case DType::Float16:
            numbers.push_back(halfToFloat(load<std::uint16_t>(bytes)));
            break;
        case DType::BFloat16: {
            const std::uint32_t bits = std::uint32_t{load<std::uint16_t>(bytes)} << 16;
            float value;
            std::memcpy(&value, &bits, 4);
            numbers.push_back(value);
            break;
        }
        case DType::Int64:
            numbers.push_back(static_cast<double>(load<std::int64_t>(bytes)));
            break;
        case DType::Int32:
            numbers.push_back(load<std::int32_t>(bytes));
            break;
        case DType::Int16:
            numbers.push_back(load<std::int16_t>(bytes));
            break;
        case DType::Int8:
            numbers.push_back(load<std::int8_t>(bytes));
            break;
        case DType::UInt8:
            numbers.push_back(load<std::uint8_t>(bytes));
            break;
        case DType::Bool:
            numbers.push_back(load<std::uint8_t>(bytes));
            break;
        default:
            break;  // blocks: weights/blocks.h
        }
    }
    return numbers;
}

inline nlohmann::json readJson(const std::string &path)
{
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

// Empty where the tensor is what `wanted` ({dtype, shape, values, sum}) says; else what differs.
inline std::string difference(const StoredTensor *tensor, const nlohmann::json &wanted)
{
    if (tensor == nullptr) {
        return "missing";
    }
    if (dtypeName(tensor->dtype) != wanted["dtype"].get<std::string>()) {
        return "type " + std::string(dtypeName(tensor->dtype));
    }
    if (tensor->shape != wanted["shape"].get<std::vector<std::int64_t>>()) {
        return "shape";
    }
    const auto numbers = numbersOf(*tensor);
    if (numbers.size() != static_cast<std::size_t>(tensor->elementCount())) {
        return "count " + std::to_string(numbers.size());
    }
    double sum = 0;
    for (const auto number : numbers) {
        sum += number;
    }
    const auto values = wanted["values"].get<std::vector<double>>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (numbers[i] != values[i]) {
            return "value " + std::to_string(i) + " is " + std::to_string(numbers[i]);
        }
    }
    const auto wanted_sum = wanted["sum"].get<double>();
    return std::abs(sum - wanted_sum) <= 1e-9 * std::max(1.0, std::abs(wanted_sum)) ? "" : "sum " + std::to_string(sum);
}

}  // namespace braid::test
