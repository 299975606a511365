#include "ui/models/models_page.h"

#include <QFileDialog>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/shared/page_heading.h"

namespace braid::ui {
namespace {

constexpr qsizetype kLanguagesNamed = 6;

QString languagesText(const QStringList &codes)
{
    if (codes.isEmpty()) {
        return {};
    }
    QStringList shown = codes.mid(0, kLanguagesNamed);
    return codes.size() > kLanguagesNamed ? QObject::tr("%1 and %2 more languages").arg(shown.join(QStringLiteral(", "))).arg(codes.size() - kLanguagesNamed)
                                          : shown.join(QStringLiteral(", "));
}

}  // namespace

QString sizeText(std::uint64_t bytes)
{
    const double megabytes = static_cast<double>(bytes) / 1e6;
    return megabytes < 1000 ? QObject::tr("%1 MB").arg(megabytes, 0, 'f', megabytes < 10 ? 1 : 0) : QObject::tr("%1 GB").arg(megabytes / 1000, 0, 'f', 1);
}

ModelsPage::ModelsPage(const Services &services, SettingsStore &settings, QWidget *parent)
    : QWidget(parent)
    , m_services(services)
    , m_settings(settings)
    , m_cards(new QVBoxLayout)
    , m_folders(new QLabel(this))
{
    auto *heading = new PageHeading(tr("Models"), this);
    QVBoxLayout *layout = layOutPage(*this, *heading);
    QPushButton *elsewhere = heading->addButton(tr("Use a folder\u2026"), tr("Use a model from another folder"));
    elsewhere->setToolTip(tr("A Whisper folder as Hugging Face keeps it, anywhere on this machine"));
    QPushButton *elsewhere_file = heading->addButton(tr("Use a file\u2026"), tr("Use a model from a single file"));
    elsewhere_file->setToolTip(tr("OpenAI's .pt, CarelessWhisper's .pt or .ckpt"));
    QPushButton *refresh = heading->addButton(tr("Look again"), tr("Look for models again"));
    m_folders->setProperty("soft", true);
    m_folders->setWordWrap(true);
    m_folders->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_folders);
    auto *content = new QWidget(this);
    content->setObjectName(QStringLiteral("paper"));
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    m_cards->setSpacing(12);
    column->addLayout(m_cards);
    column->addStretch(1);
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Installed models"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    layout->addWidget(scroll, 1);

    QStringList folders;
    for (const std::filesystem::path &folder : services.model_folders) {
        folders << QString::fromStdString(folder.string());
    }
    m_folders->setText(folders.isEmpty() ? QString() : tr("Looked for in %1").arg(folders.join(QStringLiteral(", "))));

    connect(refresh, &QPushButton::clicked, this, &ModelsPage::refreshRequested);
    connect(elsewhere, &QPushButton::clicked, this, [this] {
        auto *dialog = new QFileDialog(this, tr("Choose a model folder"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        connect(dialog, &QFileDialog::fileSelected, this, &ModelsPage::modelChosen);
        dialog->open();
    });
    connect(elsewhere_file, &QPushButton::clicked, this, [this] {
        auto *dialog = new QFileDialog(this, tr("Choose a model file"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        dialog->setNameFilters({tr("Models (*.pt *.ckpt *.safetensors)"), tr("All files (*)")});
        connect(dialog, &QFileDialog::fileSelected, this, &ModelsPage::modelChosen);
        dialog->open();
    });
    connect(&settings, &SettingsStore::changed, this, [this](const Settings &before) {
        if (before.model_name != m_settings.values().model_name) {
            rebuild();
        }
    });
    rebuild();
}

void ModelsPage::show(const std::vector<ModelEntry> &models)
{
    m_models = models;
    rebuild();
}

void ModelsPage::rebuild()
{
    m_summaries.clear();
    while (QLayoutItem *item = m_cards->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    if (m_models.empty()) {
        auto *none = new QLabel(
            tr("No model is installed in these folders. Put a Whisper folder into one of them and look again, or use a folder from elsewhere."), this);
        none->setWordWrap(true);
        m_cards->addWidget(none);
    }
    for (const ModelEntry &model : m_models) {
        addCard(model);
    }
}

void ModelsPage::addCard(const ModelEntry &model)
{
    auto *card = new QFrame(this);
    card->setObjectName(QStringLiteral("card"));
    card->setAccessibleName(model.name);
    auto *row = new QHBoxLayout(card);
    row->setContentsMargins(16, 12, 16, 12);
    auto *column = new QVBoxLayout;
    column->setSpacing(4);
    row->addLayout(column, 1);
    auto *name = new QLabel(QStringLiteral("<b>%1</b>").arg(model.name.toHtmlEscaped()), card);
    column->addWidget(name);
    const QString streams = !model.made_for_streaming ? QString()
                            : model.least_chunk_ms < model.most_chunk_ms
                                ? tr("made for live captions, %1 to %2 ms").arg(model.least_chunk_ms).arg(model.most_chunk_ms)
                                : tr("made for live captions, %1 ms").arg(model.least_chunk_ms);
    QStringList facts{model.description, sizeText(model.bytes), languagesText(model.languages), streams};
    facts.removeAll(QString());
    auto *facts_label = new QLabel(facts.join(QStringLiteral(" \u00b7 ")), card);
    facts_label->setWordWrap(true);
    column->addWidget(facts_label);
    auto *path = new QLabel(QString::fromStdString(model.path.string()), card);
    path->setProperty("soft", true);
    path->setWordWrap(true);
    path->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(path);
    if (!model.problem.isEmpty()) {
        auto *problem = new QLabel(QStringLiteral("\u26a0 ") + model.problem, card);
        problem->setObjectName(QStringLiteral("problem"));
        problem->setWordWrap(true);
        problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(problem);
    }
    const QString chosen = m_settings.values().model_name;
    const bool in_use = model.problem.isEmpty() && (chosen == model.name || (chosen.isEmpty() && m_summaries.isEmpty()));
    if (model.problem.isEmpty()) {
        auto *use = new QPushButton(in_use ? tr("In use \u2713") : tr("Use"), card);
        use->setAccessibleName(in_use ? tr("%1 is in use").arg(model.name) : tr("Use %1").arg(model.name));
        use->setEnabled(!in_use);
        connect(use, &QPushButton::clicked, this, [this, model_name = model.name] { Q_EMIT modelChosen(model_name); });
        row->addWidget(use, 0, Qt::AlignTop);
    }
    m_cards->addWidget(card);
    m_summaries << model.name + QStringLiteral(" \u00b7 ") + facts.join(QStringLiteral(" \u00b7 ")) +
                       (model.problem.isEmpty() ? QString() : QStringLiteral(" \u00b7 ") + model.problem);
}

}  // namespace braid::ui
