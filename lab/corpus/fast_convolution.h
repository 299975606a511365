// Convolution with a long filter through the Fourier transform; our own for the reasons in features/real_fft.h. Thread: any.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace braid::corpus {

// The discrete Fourier transform of 2^n values in place, forwards; backwards where `inverse`, divided by their number.
enum class Transform { Forward = 1, Inverse };
void fourier(std::span<std::complex<float>> values, Transform direction);

// sound := (sound * filter)[delay ...], of the sound's own length. `delay` below the filter's length.
void convolve(std::span<float> sound, std::span<const float> filter, std::size_t delay);

}  // namespace braid::corpus
