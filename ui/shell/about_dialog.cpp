#include "ui/shell/about_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QSysInfo>
#include <QVBoxLayout>

#include "ui/shared/async.h"

namespace braid::ui {
namespace {

constexpr int kFactWidth = 380;

QString withoutHome(QString text)
{
    return text.replace(QDir::homePath(), QStringLiteral("~"));
}

ProgramFacts ownFacts()
{
    ProgramFacts facts{{QObject::tr("Qt"), QString::fromLatin1(qVersion())},
                       {QObject::tr("System"), QSysInfo::prettyProductName() + QStringLiteral(", ") + QSysInfo::kernelVersion()},
                       {QObject::tr("Display"), QGuiApplication::platformName()}};
    for (const QScreen *screen : QGuiApplication::screens()) {
        facts.back().second +=
            QStringLiteral(", %1x%2 at %3 %").arg(screen->geometry().width()).arg(screen->geometry().height()).arg(screen->devicePixelRatio() * 100);
    }
    return facts;
}

}  // namespace

QString diagnosticsText(const ProgramFacts &facts, const Settings &settings)
{
    QString text;
    const auto add = [&text](const QString &name, const QString &value) { text += QStringLiteral("%1: %2\n").arg(name, withoutHome(value)); };
    for (const auto &[name, value] : facts) {
        add(name, value);
    }
    const CaptionTuning &tuning = settings.tuning;
    // A model may be a folder of a person's own: its last name says enough.
    add(QStringLiteral("Model chosen"), settings.model_name.section(QLatin1Char('/'), -1));
    add(QStringLiteral("Policy"), QStringLiteral("%1, chunk %2 ms, beam %3, look-back %4, language %5")
                                      .arg(tuning.policy)
                                      .arg(tuning.chunk_ms)
                                      .arg(tuning.beam_size)
                                      .arg(tuning.look_back_tokens)
                                      .arg(tuning.language.isEmpty() ? QStringLiteral("detect") : tuning.language));
    add(QStringLiteral("Source kind"), settings.source_kind == audio::SourceKind::SystemSound ? QStringLiteral("system sound") : QStringLiteral("microphone"));
    add(QStringLiteral("Source through"), settings.source_host_api);
    add(QStringLiteral("Device chosen"), QStringLiteral("%1, %2 threads").arg(QString::fromStdString(settings.compute.device)).arg(settings.compute.threads));
    add(QStringLiteral("Sessions kept"), settings.keeps_journals ? QStringLiteral("yes") : QStringLiteral("no"));
    return text;
}

AboutDialog::AboutDialog(const std::function<ProgramFacts()> &describe, const Settings &settings, QWidget *parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_form(new QFormLayout())
    , m_copy(new QPushButton(tr("Copy diagnostics"), this))
{
    setWindowTitle(tr("About Braid"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    auto *title = new QLabel(tr("Braid %1").arg(QApplication::applicationVersion()), this);
    title->setObjectName(QStringLiteral("title"));
    auto *what = new QLabel(tr("Live captions, live translation and parallel streams, on this machine."), this);
    what->setWordWrap(true);
    column->addWidget(title);
    column->addWidget(what);
    m_form->setHorizontalSpacing(20);
    column->addLayout(m_form);
    m_copy->setToolTip(tr("These lines and what is chosen, without any captions"));
    m_copy->setEnabled(false);
    column->addWidget(m_copy, 0, Qt::AlignLeft);
    if (describe) {
        runInBackground(
            this, describe, [this](const ProgramFacts &facts) { showFacts(facts); },
            [this](const QString &problem) {
                showFacts({{tr("Problem"), problem}});
            });
    } else {
        showFacts({});
    }
}

void AboutDialog::showFacts(const ProgramFacts &facts)
{
    ProgramFacts all{{tr("Braid"), QApplication::applicationVersion()}};
    all.insert(all.end(), facts.begin(), facts.end());
    const ProgramFacts own = ownFacts();
    all.insert(all.end(), own.begin(), own.end());
    for (const auto &[name, value] : all) {
        auto *label = new QLabel(withoutHome(value), this);
        label->setWordWrap(true);
        label->setMinimumWidth(kFactWidth);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setAccessibleName(name);
        m_form->addRow(name, label);
    }
    connect(m_copy, &QPushButton::clicked, this, [this, all] {
        QApplication::clipboard()->setText(diagnosticsText(all, m_settings));
        m_copy->setText(tr("Copied"));
    });
    m_copy->setEnabled(true);
    m_arrived = true;
    adjustSize();
}

}  // namespace braid::ui
