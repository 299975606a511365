#include "core/features/real_fft.h"

#include <cmath>
#include <numbers>

namespace braid::features {

namespace {

// Two doubles, one of each frame. A vector type of g++ and clang: arithmetic is lane by lane.
using Lanes = double __attribute__((vector_size(16)));

struct Value {
    Lanes re;
    Lanes im;
};

inline Value operator+(const Value &a, const Value &b)
{
    return {a.re + b.re, a.im + b.im};
}
inline Value operator-(const Value &a, const Value &b)
{
    return {a.re - b.re, a.im - b.im};
}
inline Value scaled(const Value &a, double factor)
{
    return {a.re * factor, a.im * factor};
}
inline Value turned(const Value &a, const std::complex<double> &w)
{
    return {a.re * w.real() - a.im * w.imag(), a.re * w.imag() + a.im * w.real()};
}
inline Value timesMinusI(const Value &a)
{
    return {a.im, -a.re};
}

// A real frame of 400 is transformed as 200 complex values (even samples real, odd ones imaginary); 200 = 5 x 5 x 8.
constexpr int kHalf = PowerSpectrum400::kPoints / 2;

void butterfly5(const std::array<Value, 5> &a, std::array<Value, 5> &out)
{
    // Cosines and sines of a fifth and two fifths of a turn.
    constexpr double c1 = 0.309016994374947424, c2 = -0.809016994374947424;
    constexpr double s1 = 0.951056516295153572, s2 = 0.587785252292473129;
    const Value sum14 = a[1] + a[4], sum23 = a[2] + a[3], difference14 = a[1] - a[4], difference23 = a[2] - a[3];
    const Value even1 = a[0] + scaled(sum14, c1) + scaled(sum23, c2);
    const Value even2 = a[0] + scaled(sum14, c2) + scaled(sum23, c1);
    const Value odd1 = timesMinusI(scaled(difference14, s1) + scaled(difference23, s2));
    const Value odd2 = timesMinusI(scaled(difference14, s2) - scaled(difference23, s1));
    out = {a[0] + sum14 + sum23, even1 + odd1, even2 + odd2, even2 - odd2, even1 - odd1};
}

void butterfly8(const std::array<Value, 8> &a, std::array<Value, 8> &out)
{
    constexpr double kRootHalf = std::numbers::sqrt2 / 2;
    const auto four = [](const Value &p, const Value &q, const Value &r, const Value &s) {
        const Value even_sum = p + r, even_difference = p - r, odd_sum = q + s, odd_difference = timesMinusI(q - s);
        return std::array<Value, 4>{even_sum + odd_sum, even_difference + odd_difference, even_sum - odd_sum, even_difference - odd_difference};
    };
    const std::array<Value, 4> even = four(a[0], a[2], a[4], a[6]);
    std::array<Value, 4> odd = four(a[1], a[3], a[5], a[7]);
    odd[1] = scaled(odd[1] + timesMinusI(odd[1]), kRootHalf);
    odd[2] = timesMinusI(odd[2]);
    odd[3] = scaled(timesMinusI(odd[3]) - odd[3], kRootHalf);
    for (std::size_t k = 0; k < 4; ++k) {
        out[k] = even[k] + odd[k];
        out[k + 4] = even[k] - odd[k];
    }
}

// One pass of the Stockham form of the mixed-radix transform: before it, `done` values of each of the 200 / done interleaved
// sequences are transformed; after it, Radix times as many. The order stays natural, so no digit reversal is needed.
template <int Radix, typename Butterfly>
void pass(const Value *in, Value *out, int done, const std::complex<double> *twiddles, Butterfly butterfly)
{
    const int rest = kHalf / (done * Radix);
    const int twiddle_step = PowerSpectrum400::kPoints / (done * Radix);
    std::array<Value, Radix> a;
    std::array<Value, Radix> b;
    for (int j = 0; j < done; ++j) {
        for (int k = 0; k < rest; ++k) {
            for (int q = 0; q < Radix; ++q) {
                const Value &value = in[j * rest * Radix + q * rest + k];
                a[static_cast<std::size_t>(q)] = j == 0 || q == 0 ? value : turned(value, twiddles[q * j * twiddle_step]);
            }
            butterfly(a, b);
            for (int p = 0; p < Radix; ++p) {
                out[(j + p * done) * rest + k] = b[static_cast<std::size_t>(p)];
            }
        }
    }
}

}  // namespace

PowerSpectrum400::PowerSpectrum400()
{
    m_twiddles.reserve(kPoints);
    for (int k = 0; k < kPoints; ++k) {
        m_twiddles.push_back(std::polar(1.0, -2 * std::numbers::pi * k / kPoints));
    }
}

void PowerSpectrum400::compute(const std::array<const float *, kLanes> &frames, std::span<const double> window, std::span<double> power) const
{
    std::array<Value, kHalf> a;
    std::array<Value, kHalf> b;
    for (int n = 0; n < kHalf; ++n) {
        const double even = window[static_cast<std::size_t>(2 * n)];
        const double odd = window[static_cast<std::size_t>(2 * n + 1)];
        a[static_cast<std::size_t>(n)] = {Lanes{frames[0][2 * n] * even, frames[1][2 * n] * even},
                                          Lanes{frames[0][2 * n + 1] * odd, frames[1][2 * n + 1] * odd}};
    }
    pass<5>(a.data(), b.data(), 1, m_twiddles.data(), butterfly5);
    pass<5>(b.data(), a.data(), 5, m_twiddles.data(), butterfly5);
    pass<8>(a.data(), b.data(), 25, m_twiddles.data(), butterfly8);

    // From the packed transform Z to that of the real frame: X[k] = E + w^k O, with E and O those of the even and odd samples.
    for (int k = 0; k < kBins; ++k) {
        const Value &z = b[static_cast<std::size_t>(k % kHalf)];
        const Value &mirror = b[static_cast<std::size_t>((kHalf - k) % kHalf)];
        const Value even = {(z.re + mirror.re) * 0.5, (z.im - mirror.im) * 0.5};
        const Value odd = {(z.im + mirror.im) * 0.5, (mirror.re - z.re) * 0.5};
        const Value x = even + turned(odd, m_twiddles[static_cast<std::size_t>(k)]);
        const Lanes squared = x.re * x.re + x.im * x.im;
        power[static_cast<std::size_t>(k * kLanes)] = squared[0];
        power[static_cast<std::size_t>(k * kLanes + 1)] = squared[1];
    }
}

}  // namespace braid::features
