#include "ui/streams/lane_look.h"

#include <algorithm>

#include <QObject>
#include <QTextBoundaryFinder>

namespace braid::ui {
namespace {

// Marks that turn the direction of text: one left open in a name would turn the rest of every sentence that it stands in.
bool turnsText(QChar character)
{
    const char16_t code = character.unicode();
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool canBeSeen(const QString &text)
{
    const auto characters = text.toUcs4();
    return std::any_of(characters.begin(), characters.end(), [](char32_t c) { return QChar::isPrint(c) && !QChar::isSpace(c); });
}

}  // namespace

QString layoutNameOf(const streams::Stream &stream)
{
    return QString::fromStdString(stream.label.empty() ? stream.name : stream.label);
}

QString colourTitle(streams::LaneColour colour)
{
    switch (colour) {
    case streams::LaneColour::Blue:
        return QObject::tr("Blue");
    case streams::LaneColour::Orange:
        return QObject::tr("Orange");
    case streams::LaneColour::Green:
        return QObject::tr("Green");
    case streams::LaneColour::Pink:
        return QObject::tr("Pink");
    case streams::LaneColour::Sky:
        return QObject::tr("Sky blue");
    case streams::LaneColour::Vermilion:
        return QObject::tr("Vermilion");
    case streams::LaneColour::Yellow:
        return QObject::tr("Yellow");
    case streams::LaneColour::Grey:
        break;
    }
    return QObject::tr("Grey");
}

QString laneNameFrom(const QString &typed)
{
    QString name;
    for (const QChar character : typed) {
        if (!turnsText(character)) {
            name += character.category() == QChar::Other_Control ? QChar(u' ') : character;
        }
    }
    name = name.simplified();
    QTextBoundaryFinder characters(QTextBoundaryFinder::Grapheme, name);
    for (int count = 0; count < kMostLaneNameCharacters && characters.position() < name.size(); ++count) {
        characters.toNextBoundary();
    }
    name = name.left(characters.position()).trimmed();
    return canBeSeen(name) ? name : QString();
}

LaneLooks laneLooks(const streams::Layout &layout, const QStringList &kept)
{
    LaneLooks looks(layout.size());
    for (const QString &entry : kept) {
        const QStringList parts = entry.split(QLatin1Char('\t'));
        const int stream = parts.size() == 3 ? layout.indexOf(parts[0].toStdString()) : -1;
        if (stream < 0) {
            continue;
        }
        LaneLook &look = looks[static_cast<std::size_t>(stream)];
        const auto colour = std::find_if(streams::kLaneColours.begin(), streams::kLaneColours.end(),
                                         [word = parts[1].toStdString()](const auto &named) { return named.word == word; });
        look.colour = colour == streams::kLaneColours.end() ? std::nullopt : std::optional(colour->value);
        look.name = laneNameFrom(parts[2]);
    }
    return looks;
}

QStringList looksText(const streams::Layout &layout, const LaneLooks &looks)
{
    QStringList kept;
    for (std::size_t stream = 0; stream < std::min(layout.size(), looks.size()); ++stream) {
        const LaneLook &look = looks[stream];
        if (look.isAsInLayout()) {
            continue;
        }
        const auto colour =
            std::find_if(streams::kLaneColours.begin(), streams::kLaneColours.end(), [&look](const auto &named) { return named.value == look.colour; });
        const std::string word(colour == streams::kLaneColours.end() ? std::string_view() : colour->word);
        kept << QString::fromStdString(layout.streams[stream].name + "\t" + word + "\t") + look.name;
    }
    return kept;
}

}  // namespace braid::ui
