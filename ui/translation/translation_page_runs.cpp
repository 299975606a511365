// What goes in and out of the Translation page: typed text, files, captions; runs on one side or two; saved translations.
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/utf8.h"
#include "core/translation/translation_journal.h"
#include "ui/shared/async.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/find_bar.h"
#include "ui/shared/recovery_offer.h"
#include "ui/translation/bilingual_view.h"
#include "ui/translation/source_line.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_controls.h"
#include "ui/translation/translation_export.h"
#include "ui/translation/translation_inspector.h"
#include "ui/translation/translation_page.h"
#include "ui/translation/translation_side.h"
#include "ui/translation/translation_status.h"

namespace braid::ui {
namespace {

constexpr int kIdleEndsSentenceMs = 2000;         // a speaker's pause finishes the sentence
constexpr std::size_t kMostTextBytes = 8U << 20;  // more than any book; every word of it is kept with its times

QString readTexts(const std::vector<std::filesystem::path> &files)
{
    QString all;
    for (const std::filesystem::path &file : files) {
        const std::string bytes = readTextFile(file, kMostTextBytes);
        if (bytes.find('\0') != std::string::npos || !text::isValidUtf8(bytes)) {
            throw Error(ErrorKind::Input, "this is no text in UTF-8", file.string(), "Save it as UTF-8 text; recordings are opened on the Captions page");
        }
        all += QString::fromStdString(bytes);
        if (!all.endsWith(QLatin1Char('\n'))) {
            all += QLatin1Char('\n');
        }
    }
    return all;
}

}  // namespace

// --- runs ------------------------------------------------------------------------------------------------------------------------

bool TranslationPage::beginRun(const QString &source_name)
{
    m_notices->clearProblem();
    QString problem;
    auto choices = m_choices->choices(problem);
    if (!choices) {
        m_notices->raiseProblem(problem);
        return false;
    }
    if (m_settings.values().keeps_journals) {
        choices->journal_folder = m_services.journal_folder;  // the other side has the same source
    }
    m_source_name = source_name;
    const bool follows = m_settings.values().translation_source == TranslationSource::Captions;
    m_side->view().followLive();
    m_side->controller().start(*choices, source_name, follows ? kIdleEndsSentenceMs : 0);
    return m_side->controller().activity() == RunActivity::Running && (!m_other || beginOther(source_name));
}

bool TranslationPage::beginOther(const QString &source_name)
{
    QString problem;
    auto choices = m_choices->choices(problem);
    if (!choices) {
        m_notices->raiseProblem(problem);
        return false;
    }
    const QString language = choices->tuning.language;
    choices->tuning = m_other_controls->tuning();
    choices->tuning.language = language;
    const bool follows = m_settings.values().translation_source == TranslationSource::Captions;
    m_other->view().followLive();
    m_other->controller().start(*choices, source_name, follows ? kIdleEndsSentenceMs : 0);
    return m_other->controller().activity() == RunActivity::Running;
}

void TranslationPage::startOrStop()
{
    if (isRunning()) {
        for (TranslationSide *each : sides()) {
            each->controller().stop();
        }
        return;
    }
    if (m_settings.values().translation_source == TranslationSource::Captions) {
        followCaptions();
    } else if (beginRun(tr("typed text"))) {
        m_source->field().setFocus();
    }
}

void TranslationPage::addText(const QString &text)
{
    if (text.size() > static_cast<qsizetype>(kMostTextBytes)) {
        m_notices->raiseProblem(tr("This text is longer than 8 million letters. Cut it into parts and give them one after the other."));
        return;
    }
    // White space alone begins nothing.
    if (m_side->controller().activity() != RunActivity::Running && (text.trimmed().isEmpty() || !beginRun(tr("typed text")))) {
        return;
    }
    for (TranslationSide *each : sides()) {
        each->controller().addText(text);
    }
}

void TranslationPage::followCaptions()
{
    if (beginRun(tr("captions"))) {
        giveCaptions();
    }
}

// Everything the captions have settled and we have not yet been given: what was said before Start as well.
void TranslationPage::giveCaptions()
{
    const bool follows = m_settings.values().translation_source == TranslationSource::Captions && m_side->controller().activity() == RunActivity::Running;
    const std::span<const text::TranscriptItem> fresh = follows ? m_captions_feed.take() : std::span<const text::TranscriptItem>();
    for (TranslationSide *each : sides()) {
        if (!fresh.empty()) {
            each->controller().addCaptions(fresh);
        }
    }
}

void TranslationPage::retune()
{
    QString problem;
    auto choices = m_choices->choices(problem);
    if (choices) {
        m_side->controller().retune(*choices);
        if (m_other) {
            const QString language = choices->tuning.language;
            choices->tuning = m_other_controls->tuning();
            choices->tuning.language = language;
            m_other->controller().retune(*choices);
        }
    } else if (isRunning()) {
        m_notices->raiseProblem(problem);
    }
    reviseState();
    reviseSource();
}

void TranslationPage::newPage()
{
    for (TranslationSide *each : sides()) {
        each->controller().clearPage();
    }
    m_captions_feed.skip();
    m_notices->clearProblem();
    reviseState();
    reviseEmptyState();
    takeFocus();
}

// --- what a crash cut off --------------------------------------------------------------------------------------------------------

void TranslationPage::offerRecovery(const std::vector<runtime::InterruptedRun> &runs)
{
    offerInterruptedRuns(
        *m_notices, runs, [this](const runtime::InterruptedRun &run) { openJournal(run.folder); },
        [this](const QString &problem) { m_notices->raiseProblem(problem); });
}

void TranslationPage::openJournal(const std::filesystem::path &folder, const QString &words)
{
    runInBackground(
        this, [folder] { return translation::readTranslationJournal(folder); },
        [this, folder, words](const translation::RecoveredTranslation &translation) {
            newPage();
            m_side->controller().show(translation);
            m_source_name = QString::fromStdString(translation.info.source);
            settleIfInterrupted(folder, translation.state, [this](const QString &problem) { m_notices->raiseProblem(problem); });
            m_find->openWith(words);
        },
        [this](const QString &problem) { m_notices->raiseProblem(problem); });
}

// --- two sides -------------------------------------------------------------------------------------------------------------------

void TranslationPage::compare()
{
    if (m_other) {
        endComparing();
    } else {
        beginComparing();
    }
    m_choices->setComparing(isComparing());
}

void TranslationPage::beginComparing()
{
    TranslationKit kit;
    if (m_services.make_translation_kit) {
        kit = m_services.make_translation_kit();
    } else {
        m_notices->raiseProblem(tr("This build of Braid has no models: translation needs libtorch."));
        return;
    }
    m_other = std::make_unique<TranslationSide>(std::move(kit), tr("right side"), m_appearance, m_sides);
    m_other_controls = new TranslationControls(tr(", right side"), m_other.get());
    m_other_controls->show(m_settings.values().translation_other);
    m_other->headRow().insertWidget(0, &m_other_controls->tuningButton());
    m_other->headRow().insertWidget(0, &m_other_controls->paradigmBox());
    m_other_inspector = new TranslationInspector(m_other->controller(), m_appearance, m_inspectors);
    m_other_inspector->openPage(m_inspector->page());
    m_inspectors->addWidget(m_other_inspector);
    m_sides->addWidget(m_other.get());
    m_sides->setSizes({1000, 1000});
    connectSide(*m_other, *m_other_inspector);
    connect(m_other_controls, &TranslationControls::changed, this, [this] {
        m_settings.update([this](Settings &s) { s.translation_other = m_other_controls->tuning(); });
        retune();
    });
    // Both show the same sentences.
    for (const auto &[one, other] : {std::pair(m_side, m_other.get()), std::pair(m_other.get(), m_side)}) {
        connect(&one->view(), &BilingualView::scrolled, &other->view(), &BilingualView::showSentence);
        connect(&one->view(), &BilingualView::followingChanged, &other->view(), [from = &one->view(), to = &other->view()] {
            if (from->following() == Following::Live) {
                to->followLive();
            }
        });
    }
    for (TranslationSide *each : sides()) {
        each->setFiguresShown(true);
    }
    giveSourceAgain();
    reviseState();
    reviseFigures();
}

// The new side gets the whole source that the page has, so that both sides translate the same.
void TranslationPage::giveSourceAgain()
{
    const BilingualText &text = m_side->controller().text();
    const RunActivity activity = m_side->controller().activity();
    if (text.isEmpty() && activity == RunActivity::Idle) {
        return;
    }
    if (!beginOther(m_source_name)) {
        return;
    }
    if (hasTimes(text)) {
        text::Transcript items;
        for (const SentencePair &sentence : text.sentences()) {
            if (!items.empty() && sentence.line != text.sentences()[static_cast<std::size_t>(&sentence - text.sentences().data()) - 1].line) {
                items.emplace_back(text::LineBreak{});
            }
            for (int index = sentence.first_unit; index < sentence.first_unit + sentence.unit_count; ++index) {
                const translation::ArrivedUnit &unit = text.unit(index);
                text::Word word;
                word.text = unit.text;
                word.starts_without_space = unit.starts_without_space;
                word.start_sample = unit.sound ? unit.sound->start_sample : 0;
                word.end_sample = unit.sound ? unit.sound->end_sample : 0;
                items.emplace_back(std::move(word));
            }
        }
        m_other->controller().addCaptions(items);
    } else if (!text.isEmpty()) {
        m_other->controller().addText(text.plainText(TextSide::Source, 0, text.unitCount() - 1) + QLatin1Char(' '));
    }
    if (activity != RunActivity::Running) {
        m_other->controller().endSource();
    }
}

void TranslationPage::endComparing()
{
    m_other->controller().clearPage();
    m_inspectors->setCurrentWidget(m_inspector);
    delete m_other_inspector;
    m_other_inspector = nullptr;
    m_other_controls = nullptr;  // a child of the side
    m_other.reset();
    m_side->setFiguresShown(false);
    reviseState();
}

// --- files -----------------------------------------------------------------------------------------------------------------------

void TranslationPage::openDialog()
{
    askWhatToOpen(this, tr("Open texts"), {tr("Text (*.txt *.md *.text)"), tr("All files (*)")}, OpenCount::Many,
                  [this](const std::vector<std::filesystem::path> &files) { openFiles(files); });
}

void TranslationPage::openFiles(const std::vector<std::filesystem::path> &files)
{
    if (files.empty()) {
        return;
    }
    runInBackground(
        this, [files] { return readTexts(files); }, [this, files](const QString &text) { takeOpened(files, text); },
        [this](const QString &problem) { m_notices->raiseProblem(problem); });
}

void TranslationPage::openWhenReady(const std::filesystem::path &file)
{
    if (m_choices->listsArrived()) {
        openFiles({file});
    } else {
        connect(
            m_choices, &TranslationChoicesRow::listsChanged, this, [this, file] { openFiles({file}); }, Qt::SingleShotConnection);
    }
}

void TranslationPage::takeOpened(const std::vector<std::filesystem::path> &files, const QString &text)
{
    m_settings.update([](Settings &s) { s.translation_source = TranslationSource::Typed; });
    if (m_side->controller().activity() != RunActivity::Running && !beginRun(QString::fromStdString(files.front().filename().string()))) {
        return;
    }
    addText(text);
}

void TranslationPage::save()
{
    if (m_side->controller().text().wordCount() == 0) {
        m_notices->raiseProblem(tr("There is no translation to save yet."));
        return;
    }
    askWhereToSave(this, {tr("Save the translation"), translationFilters(), tr("translation.txt")},
                   [this](const std::filesystem::path &file) { saveTo(file); });
}

bool TranslationPage::saveTo(const std::filesystem::path &file)
{
    return saveAndTell(*m_notices, file, [&] { exportTranslation(m_side->controller().text(), file); });
}

}  // namespace braid::ui
