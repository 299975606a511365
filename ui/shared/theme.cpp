#include "ui/shared/theme.h"

#include <cmath>

#ifdef BRAID_HAVE_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#endif

namespace braid::ui {
namespace {

// One row a theme, in the order of ColourToken.
//                             paper       surface     ink         ink soft    line        accent      on accent   warn        danger      highlight   selection
//                             wave        hover
const Theme kThemes[] = {
    {ThemeKind::Light,
     {0xffFBFAF7, 0xffFFFFFF, 0xff1D1F23, 0xff4F555F, 0xffE3E1DB, 0xff0B6E6E, 0xffFFFFFF, 0xff9A4608, 0xffB42318, 0xffFFE9A8, 0xffCDE7E5, 0xff5F8F8E,
      0xffF1EFE8}},
    {ThemeKind::Dark,
     {0xff14171A, 0xff1B1F23, 0xffECEEF0, 0xffA9B1BB, 0xff2C3238, 0xff4FC3B8, 0xff0E1A1A, 0xffF2B45A, 0xffF38B80, 0xff4A3F17, 0xff1F4745, 0xff4E8F8A,
      0xff23292F}},
    {ThemeKind::HighContrastLight,
     {0xffFFFFFF, 0xffFFFFFF, 0xff000000, 0xff2B2F35, 0xff6B6F76, 0xff004A4A, 0xffFFFFFF, 0xff6E3000, 0xff8A0F08, 0xffFFE066, 0xffA9DDDA, 0xff26605F,
      0xffE9E9E9}},
    {ThemeKind::HighContrastDark,
     {0xff000000, 0xff000000, 0xffFFFFFF, 0xffD6DCE3, 0xff8B949E, 0xff7CF0E4, 0xff000000, 0xffFFD28A, 0xffFFB3AB, 0xff5C4D00, 0xff0E5A55, 0xff7FD1CA,
      0xff262626}},
};

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double gamma(double channel)
{
    return channel <= 0.0031308 ? channel * 12.92 : 1.055 * std::pow(channel, 1 / 2.4) - 0.055;
}

double luminance(const QColor &colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

const Theme &themeFor(ThemeKind kind)
{
    return kThemes[static_cast<std::size_t>(kind) - 1];
}

double contrastRatio(const QColor &one, const QColor &other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor mixed(const QColor &from, const QColor &to, double share)
{
    const auto channel = [share](double a, double b) { return gamma(linear(a) + (linear(b) - linear(a)) * share); };
    return QColor::fromRgbF(static_cast<float>(channel(from.redF(), to.redF())), static_cast<float>(channel(from.greenF(), to.greenF())),
                            static_cast<float>(channel(from.blueF(), to.blueF())));
}

QPalette paletteFor(const Theme &theme)
{
    const auto colour = [&theme](ColourToken token) { return theme.colour(token); };
    QPalette palette;
    palette.setColor(QPalette::Window, colour(ColourToken::Surface));
    palette.setColor(QPalette::WindowText, colour(ColourToken::Ink));
    palette.setColor(QPalette::Base, colour(ColourToken::Surface));
    palette.setColor(QPalette::AlternateBase, colour(ColourToken::Paper));
    palette.setColor(QPalette::Text, colour(ColourToken::Ink));
    palette.setColor(QPalette::PlaceholderText, colour(ColourToken::InkSoft));
    palette.setColor(QPalette::Button, colour(ColourToken::Surface));
    palette.setColor(QPalette::ButtonText, colour(ColourToken::Ink));
    palette.setColor(QPalette::BrightText, colour(ColourToken::Danger));
    palette.setColor(QPalette::Highlight, colour(ColourToken::Accent));
    palette.setColor(QPalette::HighlightedText, colour(ColourToken::OnAccent));
    palette.setColor(QPalette::Link, colour(ColourToken::Accent));
    palette.setColor(QPalette::ToolTipBase, colour(ColourToken::Surface));
    palette.setColor(QPalette::ToolTipText, colour(ColourToken::Ink));
    palette.setColor(QPalette::Mid, colour(ColourToken::Line));
    palette.setColor(QPalette::Dark, colour(ColourToken::Line));
    palette.setColor(QPalette::Light, colour(ColourToken::Surface));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, mixed(colour(ColourToken::InkSoft), colour(ColourToken::Surface), 0.45));
    }
    return palette;
}

QString styleSheetFor(const Theme &theme)
{
    const auto name = [&theme](ColourToken token) { return theme.colour(token).name(); };
    QString sheet = QStringLiteral(
        "* { font-size: 13px; }"
        "QWidget#page, QWidget#paper { background: @paper; }"
        "QWidget#choices, QWidget#status, QWidget#inspector, QWidget#rail { background: @surface; }"
        "QWidget#rail { border-right: 1px solid @line; }"
        "QWidget#choices { border-bottom: 1px solid @line; }"
        "QWidget#status { border-top: 1px solid @line; }"
        "QWidget#inspector { border-left: 1px solid @line; }"
        "QScrollArea { border: none; background: transparent; }"
        "QLabel#title { font-size: 20px; font-weight: 600; }"
        "QLabel#soft, QLabel[soft=\"true\"] { color: @inksoft; }"
        "QLabel#word { font-size: 24px; }"
        "QLabel#section { color: @inksoft; font-size: 12px; font-weight: 600; }"
        "QLabel#problem { color: @danger; }"
        "QComboBox { background: @surface; border: 1px solid @line; border-radius: 6px; padding: 4px 4px 4px 8px; min-height: 20px; }"
        "QComboBox:hover { border-color: @inksoft; }"
        "QComboBox:focus, QAbstractSpinBox:focus, QLineEdit:focus { border: 2px solid @accent; padding-left: 7px; }"
        "QComboBox::drop-down { border: none; width: 20px; }"
        "QComboBox::down-arrow { image: url(:/braid/icons/chevron-@shade.svg); width: 12px; height: 12px; }"
        "QComboBox QAbstractItemView { background: @surface; border: 1px solid @line; selection-background-color: @selection; selection-color: @ink; outline: 0; padding: 4px; }"
        "QAbstractSpinBox, QLineEdit { background: @surface; border: 1px solid @line; border-radius: 6px; padding: 4px 8px; min-height: 20px; }"
        "QAbstractSpinBox { padding-right: 24px; }"
        "QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: 22px; border: none; background: transparent; }"
        "QAbstractSpinBox::up-button { subcontrol-position: top right; }"
        "QAbstractSpinBox::down-button { subcontrol-position: bottom right; }"
        "QAbstractSpinBox::up-arrow { image: url(:/braid/icons/chevron-up-@shade.svg); width: 10px; height: 10px; }"
        "QAbstractSpinBox::down-arrow { image: url(:/braid/icons/chevron-@shade.svg); width: 10px; height: 10px; }"
        "QPushButton { background: @surface; border: 1px solid @line; border-radius: 6px; padding: 5px 14px; min-height: 20px; }"
        "QPushButton:hover { background: @hover; border-color: @inksoft; }"
        "QPushButton:pressed { background: @selection; }"
        "QPushButton:checked { background: @selection; border-color: @accent; }"
        "QPushButton:focus { border: 2px solid @accent; padding: 4px 13px; }"
        "QPushButton:disabled { color: @disabled; }"
        "QPushButton#primary { background: @accent; color: @onaccent; border: 1px solid @accent; font-weight: 600; }"
        "QPushButton#primary:hover { background: @accentsoft; }"
        "QPushButton#primary:focus { border: 2px solid @ink; }"
        "QPushButton#primary:disabled { background: @line; border-color: @line; color: @inksoft; }"
        "QPushButton[choice=\"true\"] { padding: 5px 8px; text-align: left; background-image: url(:/braid/icons/chevron-@shade.svg); background-repeat: no-repeat;"
        " background-position: center right; background-origin: content; }"
        "QPushButton[choice=\"true\"]:focus { padding: 4px 7px; }"
        "QFrame#tuningPanel, QFrame#wordCard { background: @surface; border: 1px solid @inksoft; border-radius: 8px; }"
        "QLabel#cardWord { font-size: 17px; }"
        "QFrame#hairline { background: @line; border: none; }"
        "QWidget#compareSide { background: @paper; }"
        "QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @inksoft; border-radius: 3px; background: @surface; }"
        "QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/braid/icons/check-@shade.svg); }"
        "QCheckBox::indicator:focus { border: 2px solid @accent; }"
        "QCheckBox::indicator:checked:focus { border: 2px solid @ink; }"
        "QCheckBox::indicator:disabled { border-color: @line; }"
        "QSlider::groove:horizontal { height: 4px; background: @line; border-radius: 2px; }"
        "QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }"
        "QSlider::sub-page:horizontal:disabled { background: @line; }"
        "QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; background: @surface; border: 2px solid @accent; }"
        "QSlider::handle:horizontal:focus { background: @accent; border-color: @ink; }"
        "QSlider::handle:horizontal:disabled { border-color: @line; }"
        "QTabBar::tab { background: transparent; color: @inksoft; padding: 6px 9px; border: none; border-bottom: 2px solid transparent; }"
        "QTabBar::tab:first { margin-left: 8px; }"
        "QTabBar::tab:selected { color: @ink; border-bottom: 2px solid @accent; }"
        "QTabBar::tab:hover { color: @ink; }"
        "QTabBar:focus { outline: none; }"
        "QTabBar::tab:focus { background: @hover; }"
        "QListView#revisions { background: transparent; border: none; }"
        "QListView#revisions::item { padding: 4px 2px; }"
        "QPushButton#pill { background: @accent; color: @onaccent; border: 2px solid @accent; border-radius: 16px; padding: 4px 16px; font-weight: 600; }"
        "QPushButton#pill:focus { border-color: @ink; }"
        "QPushButton#link { background: transparent; border: 1px solid transparent; color: @accent; padding: 2px 6px; }"
        "QPushButton#link:hover { text-decoration: underline; }"
        "QPushButton#link:focus { border: 1px solid @accent; }"
        "QToolButton { background: transparent; border: 2px solid transparent; border-radius: 6px; padding: 4px; }"
        "QToolButton:hover { background: @hover; }"
        "QToolButton:focus { border-color: @accent; }"
        "QToolButton:checked { background: @selection; }"
        "QToolButton::menu-indicator { image: none; }"
        "QToolButton[rail=\"true\"] { color: @inksoft; padding: 6px 2px; font-size: 11px; }"
        "QToolButton[rail=\"true\"]:checked { color: @ink; }"
        "QMenu { background: @surface; border: 1px solid @line; padding: 4px; }"
        "QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }"
        "QMenu::item:selected { background: @selection; color: @ink; }"
        "QMenu::item:disabled { color: @disabled; }"
        "QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }"
        "QToolTip { background: @surface; color: @ink; border: 1px solid @line; padding: 6px; }"
        "QFrame#notice { background: @surface; border: 1px solid @line; border-left: 4px solid @accent; border-radius: 0; }"
        "QFrame#notice[severity=\"warn\"] { border-left-color: @warn; }"
        "QFrame#notice[severity=\"danger\"] { border-left-color: @danger; }"
        "QFrame#card { background: @surface; border: 1px solid @line; border-radius: 8px; }"
        "QFrame#welcome { background: @surface; border-bottom: 1px solid @line; }"
        "QFrame#findBar { background: @surface; border: 1px solid @line; border-radius: 8px; }"
        "QPlainTextEdit { background: @paper; border: 1px solid @line; border-radius: 4px; }"
        "QTableView, QTreeView, QListView { background: @surface; border: 1px solid @line; border-radius: 8px; selection-background-color: @selection; selection-color: @ink; outline: 0; gridline-color: @line; }"
        "QTableView::item { padding: 6px 8px; border-bottom: 1px solid @line; }"
        "QTableView:focus { border: 2px solid @accent; }"
        "QHeaderView::section { background: @surface; color: @inksoft; border: none; border-bottom: 1px solid @line; padding: 6px 8px; font-weight: 600; }"
        "QFrame#queueRow QProgressBar { background: @line; border: none; border-radius: 3px; }"
        "QFrame#queueRow QProgressBar::chunk { background: @accent; border-radius: 3px; }"
        "QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }"
        "QScrollBar::handle:vertical { background: @line; border-radius: 3px; min-height: 32px; }"
        "QScrollBar::handle:vertical:hover { background: @inksoft; }"
        "QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }"
        "QScrollBar::handle:horizontal { background: @line; border-radius: 3px; min-width: 32px; }"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
        "QSplitter::handle { background: @line; }");
    const QColor accent_soft = mixed(theme.colour(ColourToken::Accent), theme.colour(ColourToken::Ink), 0.15);
    const QColor disabled = mixed(theme.colour(ColourToken::InkSoft), theme.colour(ColourToken::Surface), 0.45);
    const std::pair<const char *, QString> values[] = {
        {"@paper", name(ColourToken::Paper)},
        {"@surface", name(ColourToken::Surface)},
        {"@inksoft", name(ColourToken::InkSoft)},
        {"@ink", name(ColourToken::Ink)},
        {"@line", name(ColourToken::Line)},
        {"@accentsoft", accent_soft.name()},
        {"@accent", name(ColourToken::Accent)},
        {"@onaccent", name(ColourToken::OnAccent)},
        {"@warn", name(ColourToken::Warn)},
        {"@danger", name(ColourToken::Danger)},
        {"@selection", name(ColourToken::Selection)},
        {"@hover", name(ColourToken::Hover)},
        {"@disabled", disabled.name()},
        {"@shade", theme.isDark() ? QStringLiteral("dark") : QStringLiteral("light")},
    };
    for (const auto &[token, value] : values) {
        sheet.replace(QLatin1String(token), value);
    }
    return sheet;
}

bool systemPrefersDark(const QPalette &system_palette)
{
#ifdef BRAID_HAVE_DBUS
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (bus.isConnected()) {
        QDBusMessage question =
            QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.portal.Desktop"), QStringLiteral("/org/freedesktop/portal/desktop"),
                                           QStringLiteral("org.freedesktop.portal.Settings"), QStringLiteral("Read"));
        question << QStringLiteral("org.freedesktop.appearance") << QStringLiteral("color-scheme");
        const QDBusMessage answer = bus.call(question, QDBus::Block, 300);
        if (answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty()) {
            QVariant value = answer.arguments().constFirst();
            while (value.canConvert<QDBusVariant>()) {
                value = value.value<QDBusVariant>().variant();
            }
            if (value.toUInt() != 0) {
                return value.toUInt() == 1;
            }
        }
    }
#endif
    return system_palette.color(QPalette::Window).lightnessF() < 0.5F;
}

}  // namespace braid::ui
