#include "lab/corpus/fast_convolution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>

namespace braid::corpus {
namespace {

using Value = std::complex<float>;

// exp(-2 pi i k / size), k below size / 2. Kept: a trainer convolves with the same few sizes all day.
std::shared_ptr<const std::vector<Value>> twiddles(std::size_t size)
{
    static std::mutex lock;
    static std::map<std::size_t, std::shared_ptr<const std::vector<Value>>> kept;
    const std::lock_guard hold(lock);
    auto &entry = kept[size];
    if (!entry) {
        std::vector<Value> made(size / 2);
        for (std::size_t k = 0; k < made.size(); ++k) {
            const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size);
            made[k] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
        }
        entry = std::make_shared<const std::vector<Value>>(std::move(made));
    }
    return entry;
}

// Without the checks for infinities that operator* makes.
Value times(Value a, Value b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

void fourier(std::span<Value> values, Transform direction)
{
    const std::size_t size = values.size();
    if (size < 2) {
        return;
    }
    const auto table = twiddles(size);
    for (std::size_t i = 1, j = 0; i < size; ++i) {
        std::size_t bit = size >> 1U;
        for (; (j & bit) != 0; bit >>= 1U) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            std::swap(values[i], values[j]);
        }
    }
    if (direction == Transform::Inverse) {
        for (Value &value : values) {
            value = std::conj(value);
        }
    }
    for (std::size_t half = 1; half < size; half *= 2) {
        const std::size_t step = size / (2 * half);
        for (std::size_t begin = 0; begin < size; begin += 2 * half) {
            for (std::size_t k = 0; k < half; ++k) {
                const Value turned = times(values[begin + half + k], (*table)[k * step]);
                const Value kept = values[begin + k];
                values[begin + k] = kept + turned;
                values[begin + half + k] = kept - turned;
            }
        }
    }
    if (direction == Transform::Inverse) {
        const float scale = 1.0F / static_cast<float>(size);
        for (Value &value : values) {
            value = std::conj(value) * scale;
        }
    }
}

void convolve(std::span<float> sound, std::span<const float> filter, std::size_t delay)
{
    if (sound.empty() || filter.empty()) {
        return;
    }
    // Overlap and save: blocks of `size` of which the last `hop` values are right. The filter is real, so two blocks of sound go through
    // at once, one as the real and one as the imaginary part.
    const std::size_t size = std::max<std::size_t>(1024, std::bit_ceil(2 * filter.size()));
    const std::size_t hop = size - filter.size() + 1;
    std::vector<Value> spectrum(size);
    std::copy(filter.begin(), filter.end(), spectrum.begin());
    fourier(spectrum, Transform::Forward);
    const std::vector<float> in(sound.begin(), sound.end());
    const auto at = [&in](std::ptrdiff_t i) { return i < 0 || i >= static_cast<std::ptrdiff_t>(in.size()) ? 0.0F : in[static_cast<std::size_t>(i)]; };
    std::vector<Value> block(size);
    const std::size_t end = in.size() + delay;  // of the convolution's values that are wanted
    for (std::size_t first = delay; first < end; first += 2 * hop) {
        const auto begin = static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(filter.size()) + 1;
        for (std::size_t i = 0; i < size; ++i) {
            block[i] = {at(begin + static_cast<std::ptrdiff_t>(i)), at(begin + static_cast<std::ptrdiff_t>(i + hop))};
        }
        fourier(block, Transform::Forward);
        for (std::size_t i = 0; i < size; ++i) {
            block[i] = times(block[i], spectrum[i]);
        }
        fourier(block, Transform::Inverse);
        for (std::size_t i = 0; i < hop; ++i) {
            const Value value = block[filter.size() - 1 + i];
            if (first + i < end) {
                sound[first + i - delay] = value.real();
            }
            if (first + hop + i < end) {
                sound[first + hop + i - delay] = value.imag();
            }
        }
    }
}

}  // namespace braid::corpus
