#include "ui/translation/translation_page.h"

#include <algorithm>

#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "ui/shared/async.h"
#include "ui/shared/find_bar.h"
#include "ui/shared/page_frame.h"
#include "ui/translation/bilingual_view.h"
#include "ui/translation/source_line.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_controls.h"
#include "ui/translation/translation_inspector.h"
#include "ui/translation/translation_side.h"
#include "ui/translation/translation_status.h"

namespace braid::ui {
namespace {

constexpr int kFiguresEveryMs = 250;

TranslationKit kitOf(const Services &services)
{
    if (services.make_translation_kit) {
        return services.make_translation_kit();
    }
    TranslationKit kit;
    kit.backend = std::make_unique<TranslationEngineBackend>();
    kit.make_translator = [](const TranslatorChoices &) -> translation::Translator {
        throw Error(ErrorKind::Usage, "this build of Braid has no models: translation needs libtorch");
    };
    return kit;
}

}  // namespace

TranslationPage::TranslationPage(Services &services, SettingsStore &settings, Appearance &appearance, CaptionController &captions, QWidget *parent)
    : RoomPage(parent)
    , m_services(services)
    , m_settings(settings)
    , m_appearance(appearance)
    , m_captions(captions)
    , m_choices(new TranslationChoicesRow(services, settings, this))
    , m_paper(new QWidget(this))
    , m_notices(new NoticeStack(m_paper))
    , m_sides(new QSplitter(Qt::Horizontal, m_paper))
    , m_side(new TranslationSide(kitOf(services), tr("left side"), appearance, m_paper))
    , m_find(new FindBar(m_side->view().finder(), m_side->view(), tr("Find in both languages"), FindBar::Place::TopRight, m_paper))
    , m_empty(new EmptyState(*m_side->view().viewport(), appearance))
    , m_source(new SourceLine(m_paper))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_inspectors(new QStackedWidget(this))
    , m_inspector(new TranslationInspector(m_side->controller(), appearance, m_inspectors))
    , m_status(new TranslationStatus(appearance, this))
    , m_captions_feed(captions)
{
    setObjectName(QStringLiteral("page"));
    setUpColumns(*m_sides);
    m_sides->addWidget(m_side);
    QVBoxLayout *paper = layOutPaper(*m_paper, *m_notices);
    paper->addWidget(m_sides, 1);
    paper->addWidget(m_source);

    m_inspectors->addWidget(m_inspector);
    m_splitter->addWidget(m_paper);
    m_splitter->addWidget(m_inspectors);
    setUpColumns(*m_splitter);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_choices);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_status);

    connectChoices();
    connectSource();
    connectSide(*m_side, *m_inspector);
    m_figures.setSingleShot(true);
    m_figures.setInterval(kFiguresEveryMs);
    connect(&m_figures, &QTimer::timeout, this, &TranslationPage::reviseFigures);
    m_source->setMode(settings.values().translation_typing);
    setInspectorOpen(settings.values().inspector_open);
    showCompute();
    reviseState();
    reviseSource();
    reviseEmptyState();
}

TranslationPage::~TranslationPage()
{
    // Inspectors look at the controllers while they go.
    delete m_inspectors;
    delete m_find;
}

void TranslationPage::connectChoices()
{
    connect(m_choices, &TranslationChoicesRow::startStopRequested, this, &TranslationPage::startOrStop);
    connect(m_choices, &TranslationChoicesRow::openRequested, this, &TranslationPage::openDialog);
    connect(m_choices, &TranslationChoicesRow::compareRequested, this, &TranslationPage::compare);
    connect(m_choices, &TranslationChoicesRow::tuningChanged, this, &TranslationPage::retune);
    connect(m_choices, &TranslationChoicesRow::listsChanged, this, [this] {
        reviseState();
        reviseEmptyState();
    });
    connect(m_choices, &TranslationChoicesRow::sourceChanged, this, [this] {
        for (TranslationSide *each : sides()) {
            each->controller().endSource();
        }
        reviseSource();
        reviseEmptyState();
    });
    connect(&m_settings, &SettingsStore::changed, this, [this](const Settings &before) {
        if (!(before.compute == m_settings.values().compute)) {
            showCompute();
            retune();
        }
    });
}

void TranslationPage::connectSource()
{
    connect(m_source, &SourceLine::typed, this, &TranslationPage::addText);
    connect(m_source, &SourceLine::modeChanged, this, [this](TypingMode mode) { m_settings.update([mode](Settings &s) { s.translation_typing = mode; }); });
    connect(m_source, &SourceLine::openRequested, this, &TranslationPage::openDialog);
    connect(m_source, &SourceLine::captionsRequested, this, &TranslationPage::captionsRequested);
    connect(m_source, &SourceLine::leaveRequested, this, [this] { m_side->view().setFocus(); });
    connect(&m_captions_feed, &CaptionsFeed::arrived, this, &TranslationPage::giveCaptions);
    connect(&m_captions, &CaptionController::activityChanged, this, [this] {
        // What was said last has no successor to end its sentence.
        if (m_captions.activity() == RunActivity::Idle && m_settings.values().translation_source == TranslationSource::Captions) {
            for (TranslationSide *each : sides()) {
                each->controller().endSentence();
            }
        }
        reviseSource();
    });
}

void TranslationPage::connectSide(TranslationSide &side, TranslationInspector &inspector)
{
    TranslationController &controller = side.controller();
    const bool is_first = &side == m_side;
    connect(&side.view(), &BilingualView::captionSizeRequested, this, &RoomPage::captionSizeRequested);
    connect(&side.view(), &BilingualView::inspectedChanged, this, [this, &side, &inspector] {
        m_inspectors->setCurrentWidget(&inspector);
        showInspected(side, inspector);
    });
    connect(&controller.text(), &BilingualText::changed, this, [this, &side, &inspector] {
        showInspected(side, inspector);
        reviseEmptyState();
    });
    connect(&controller.text(), &BilingualText::cleared, this, [this, &side, &inspector] {
        showInspected(side, inspector);
        reviseEmptyState();
    });
    connect(&inspector, &TranslationInspector::wordPointedAt, &side, [&side](int word) {
        side.view().hover(word < 0 ? std::nullopt : std::optional(PieceRef{TextSide::Target, word}));
    });
    connect(&inspector, &TranslationInspector::wordClicked, &side, [&side](int word) { side.view().pin(PieceRef{TextSide::Target, word}); });
    connect(&controller, &TranslationController::snapshotChanged, this, [this, &inspector, is_first] {
        if (is_first) {
            m_status->show(m_side->controller().snapshot());
        }
        inspector.showState();
        reviseState();
        if (!m_figures.isActive()) {
            m_figures.start();
        }
    });
    connect(&controller, &TranslationController::activityChanged, this, [this] {
        reviseState();
        reviseSource();
        reviseEmptyState();
    });
    connect(&controller, &TranslationController::noticeRaised, this, [this](const QString &sentence) { m_notices->inform(sentence, sentence); });
    connect(&controller, &TranslationController::failed, m_notices, &NoticeStack::raiseProblem);
}

std::vector<TranslationSide *> TranslationPage::sides() const
{
    return m_other ? std::vector<TranslationSide *>{m_side, m_other.get()} : std::vector<TranslationSide *>{m_side};
}

bool TranslationPage::isRunning() const
{
    const auto all = sides();
    return std::any_of(all.begin(), all.end(), [](const TranslationSide *each) { return each->controller().activity() != RunActivity::Idle; });
}

// --- what shows ------------------------------------------------------------------------------------------------------------------

void TranslationPage::showInspected(TranslationSide &side, TranslationInspector &inspector)
{
    const BilingualView &view = side.view();
    if (!m_inspectors->isHidden()) {
        inspector.show(view.inspected(), view.hovered() ? tr("Under the pointer") : tr("Pinned"));
    }
}

void TranslationPage::reviseState()
{
    const auto all = sides();
    const bool loading = m_side->controller().snapshot().state == runtime::RunState::Loading;
    const bool stopping =
        std::all_of(all.begin(), all.end(), [](const TranslationSide *each) { return each->controller().activity() != RunActivity::Running; });
    m_choices->setActivity(!isRunning() ? RunActivity::Idle : stopping ? RunActivity::Stopping : RunActivity::Running, loading);
    const QString from = m_choices->sourceLanguage();
    const QString languages = from.isEmpty() ? QString() : tr("%1 \u2192 %2").arg(from, m_choices->targetLanguage());
    const QString how = describe(m_choices->controls().tuning());
    m_side->setTitle(languages.isEmpty() || isComparing() ? how : tr("%1    %2").arg(languages, how));
    m_side->showState();
}

void TranslationPage::reviseFigures()
{
    if (!m_other) {
        return;
    }
    const auto &mine = m_side->controller().snapshot().statistics;
    const auto &others = m_other->controller().snapshot().statistics;
    m_side->showFigures(costLines(mine, others));
    m_other->showFigures(costLines(others, mine));
}

void TranslationPage::reviseSource()
{
    if (m_settings.values().translation_source == TranslationSource::Typed) {
        m_source->showField(m_choices->sourceLanguage());
        return;
    }
    const bool listening = m_captions.activity() != RunActivity::Idle;
    const bool following = m_side->controller().activity() == RunActivity::Running;
    m_source->showFollowed(following && listening ? tr("Follows the captions of %1 as they settle.").arg(m_captions.present().source_title)
                           : following            ? tr("Follows the captions. They are not running: start them, and what they settle is translated.")
                           : listening            ? tr("The captions are running. Press Start to translate them.")
                                                  : tr("Press Start here and on the Captions page: what is said there is translated here."));
}

void TranslationPage::reviseEmptyState()
{
    const bool empty = m_side->controller().text().isEmpty();
    m_empty->setVisible(empty);
    if (!empty) {
        return;
    }
    const translation::TranslationSnapshot &snapshot = m_side->controller().snapshot();
    const bool typed = m_settings.values().translation_source == TranslationSource::Typed;
    QString title = tr("The translation will stand here");
    QString text = typed ? tr("Type or paste below, or drop a text on this window. Words are translated while you go on.")
                         : tr("Start the captions, and press Space here.");
    if (m_side->controller().activity() != RunActivity::Idle) {
        const bool ready = snapshot.state == runtime::RunState::Listening || snapshot.state == runtime::RunState::Draining;
        title = ready ? tr("Waiting for the first words") : snapshot.activity.empty() ? tr("Starting\u2026") : QString::fromStdString(snapshot.activity);
        text = ready ? text : tr("What you give meanwhile is kept and translated afterwards.");
    }
    m_empty->showWords(title, text);
}

void TranslationPage::showCompute()
{
    if (!m_services.describe_compute) {
        return;
    }
    runInBackground(
        this, [describe = m_services.describe_compute, compute = m_settings.values().compute] { return describe(compute); },
        [this](const QString &where) { m_status->setCompute(where, m_services.slow_blas_warning); },
        [this](const QString &problem) { m_status->setCompute(tr("not usable"), problem); });
}

void TranslationPage::setInspectorOpen(bool open)
{
    if (showInspectorColumn(*m_splitter, *m_inspectors, open)) {
        showInspected(*m_side, *m_inspector);
    }
}

void TranslationPage::openInspectorTab(int tab)
{
    if (tab >= 1 && tab <= static_cast<int>(TranslationTab::Timing)) {
        for (TranslationInspector *each : {m_inspector, m_other_inspector}) {
            if (each != nullptr) {
                each->openPage(tab);
            }
        }
    }
}

void TranslationPage::setPresentation(Presentation presentation)
{
    const bool window = presentation == Presentation::Window;
    m_choices->setVisible(window);
    m_source->setVisible(window);
    m_status->setVisible(window);
    m_notices->setVisible(window && !m_notices->sentences().isEmpty());
    m_inspectors->setVisible(window && m_settings.values().inspector_open);
    for (TranslationSide *each : sides()) {
        each->setHeadShown(window);
        each->setFiguresShown(window && isComparing());
        each->view().setVerticalScrollBarPolicy(window ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
        each->view().followLive();
    }
    m_side->view().setFocus();
}

void TranslationPage::goLive()
{
    for (TranslationSide *each : sides()) {
        each->view().followLive();
    }
}

void TranslationPage::find()
{
    m_find->open();
}

void TranslationPage::openTuning()
{
    m_choices->controls().openPanel();
}

void TranslationPage::stepTuning(int direction)
{
    m_choices->controls().stepK(direction);
}

void TranslationPage::takeFocus()
{
    if (m_settings.values().translation_source == TranslationSource::Typed) {
        m_source->field().setFocus();
    } else {
        m_side->view().setFocus();
    }
}

KeyUse TranslationPage::takeKey(int key)
{
    if (key == Qt::Key_S) {
        m_side->view().changeSide();
        return KeyUse::Taken;
    }
    if (key == Qt::Key_T && m_settings.values().translation_source == TranslationSource::Typed) {
        m_source->field().setFocus();
        return KeyUse::Taken;
    }
    return KeyUse::NotMine;
}

}  // namespace braid::ui
