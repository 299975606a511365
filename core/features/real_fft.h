// The 400-point transform of Whisper's spectrogram: two frames at a time, in double precision.
//
// Our own, because Debian has no pocketfft, FFTW's licence (GPL) is not Braid's, and libav's transform is not there in every build.
//
// Double, because a quiet band beside a loud tone lies up to eight decades below it in power, where single precision would show in
// the fifth digit of the result; two frames, because that fills a 128-bit register on every processor we build for. Each frame's
// result is the same whatever stands beside it. Thread: const functions from any thread.
#pragma once

#include <array>
#include <complex>
#include <span>
#include <vector>

namespace braid::features {

class PowerSpectrum400 {
  public:
    static constexpr int kPoints = 400;
    static constexpr int kBins = 201;
    static constexpr int kLanes = 2;

    PowerSpectrum400();
    // |DFT|^2 of two frames of 400 real values each; the window is applied by this function.
    // `power` is bin after bin, two values each: power[bin * 2 + lane].
    void compute(const std::array<const float *, kLanes> &frames, std::span<const double> window, std::span<double> power) const;

  private:
    std::vector<std::complex<double>> m_twiddles;  // exp(-2 pi i k / 400), k = 0 .. 399
};

}  // namespace braid::features
