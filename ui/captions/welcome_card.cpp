#include "ui/captions/welcome_card.h"

#include <QCheckBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace braid::ui {

QString homeAsTilde(const QString &path)
{
    const QString home = QDir::homePath();
    return path == home || path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

WelcomeCard::WelcomeCard(SettingsStore &settings, const QString &kept_in, QWidget *parent)
    : QFrame(parent)
    , m_lines{tr("Braid writes down what is said while it is said: by you, by this computer, in recordings. Below: one that comes with it."),
              kept_in.isEmpty() ? tr("Sound stays on this machine, and nothing is kept of it.")
                                : tr("Sound stays on this machine. Words and sound are kept in %1, unless you want none kept.").arg(kept_in),
              tr("The model in the box is good for clear English; for other languages, accents and noise there are better ones.")}
{
    setObjectName(QStringLiteral("welcome"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Welcome to Braid"));
    setAccessibleDescription(m_lines.join(QLatin1Char(' ')));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 10, 12, 10);
    column->setSpacing(4);
    for (const QString &line : m_lines) {
        auto *label = new QLabel(line, this);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        column->addWidget(label);
    }
    auto *row = new QHBoxLayout();
    row->setSpacing(8);
    auto *microphone = new QPushButton(tr("Use my microphone"), this);
    microphone->setObjectName(QStringLiteral("primary"));
    auto *better = new QPushButton(tr("Get a better model\u2026"), this);
    better->setObjectName(QStringLiteral("link"));
    row->addWidget(microphone);
    row->addWidget(better);
    if (!kept_in.isEmpty()) {
        auto *keep = new QCheckBox(tr("Keep sessions"), this);
        keep->setChecked(settings.values().keeps_journals);
        keep->setAccessibleDescription(tr("Also in Settings, at any time"));
        connect(keep, &QCheckBox::toggled, this, [&settings](bool keeps) { settings.update([keeps](Settings &s) { s.keeps_journals = keeps; }); });
        row->addWidget(keep);
    }
    row->addStretch(1);
    auto *close = new QToolButton(this);
    close->setText(QStringLiteral("\u00d7"));
    close->setAccessibleName(tr("Close"));
    close->setToolTip(tr("Close"));
    row->addWidget(close);
    column->addLayout(row);
    connect(microphone, &QPushButton::clicked, this, &WelcomeCard::microphoneWanted);
    connect(better, &QPushButton::clicked, this, &WelcomeCard::betterModelWanted);
    connect(close, &QToolButton::clicked, this, &WelcomeCard::dismissed);
}

}  // namespace braid::ui
