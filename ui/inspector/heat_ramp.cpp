#include "ui/inspector/heat_ramp.h"

#include <algorithm>
#include <cmath>

#include <QColor>

namespace braid::ui {
namespace {

struct Lab {
    double lightness, a, b;
};

double toLinear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double toGamma(double channel)
{
    channel = std::clamp(channel, 0.0, 1.0);
    return channel <= 0.0031308 ? channel * 12.92 : 1.055 * std::pow(channel, 1 / 2.4) - 0.055;
}

// Bjoern Ottosson's OKLab, from linear sRGB.
Lab toLab(const QColor &colour)
{
    const double r = toLinear(colour.redF());
    const double g = toLinear(colour.greenF());
    const double b = toLinear(colour.blueF());
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

QColor fromLab(const Lab &lab)
{
    const double l = std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
    const double m = std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
    const double s = std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
    return QColor::fromRgbF(static_cast<float>(toGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
                            static_cast<float>(toGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
                            static_cast<float>(toGamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)));
}

Lab between(const Lab &from, const Lab &to, double share)
{
    return {from.lightness + (to.lightness - from.lightness) * share, from.a + (to.a - from.a) * share, from.b + (to.b - from.b) * share};
}

}  // namespace

HeatRamp::HeatRamp(const Theme &theme)
{
    const Lab from = toLab(theme.colour(ColourToken::Surface));
    const Lab ink = toLab(theme.colour(ColourToken::Ink));
    const Lab accent = toLab(theme.colour(ColourToken::Accent));
    for (std::size_t index = 0; index < m_colours.size(); ++index) {
        const double share = static_cast<double>(index) / 255;
        Lab lab = between(from, ink, share);
        // Lightness runs straight from surface to ink; the accent's hue swells in the middle and fades at the ends.
        const double hue = std::sin(share * 3.14159265358979) * 0.95;
        lab.a += (accent.a - lab.a) * hue;
        lab.b += (accent.b - lab.b) * hue;
        m_colours[index] = fromLab(lab).rgb();
    }
}

QRgb HeatRamp::colour(double value) const
{
    return m_colours[static_cast<std::size_t>(std::clamp(std::isfinite(value) ? value : 0.0, 0.0, 1.0) * 255 + 0.5)];
}

double HeatRamp::lightness(QRgb colour)
{
    return toLab(QColor(colour)).lightness;
}

}  // namespace braid::ui
