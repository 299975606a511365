#include "ui/library/history_page.h"

#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/library/journal_export.h"
#include "ui/shared/async.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/page_heading.h"

namespace braid::ui {

HistoryPage::HistoryPage(const std::filesystem::path &journal_folder, QWidget *parent)
    : QWidget(parent)
    , m_folder(journal_folder)
    , m_notices(new NoticeStack(this))
    , m_search(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_empty(new QLabel(this))
    , m_open(new QPushButton(tr("Open"), this))
    , m_save(new QPushButton(tr("Save as\u2026"), this))
    , m_bin(new QPushButton(tr("Move to bin"), this))
{
    auto *heading = new PageHeading(tr("History"), this);
    QVBoxLayout *layout = layOutPage(*this, *heading);
    m_search->setPlaceholderText(tr("Search all sessions"));
    m_search->setAccessibleName(tr("Search all sessions"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(240);
    heading->add(m_search);
    layout->addWidget(m_notices);
    layout->addWidget(m_table, 1);
    m_empty->setWordWrap(true);
    m_empty->setProperty("soft", true);
    layout->addWidget(m_empty, 1);
    auto *bottom = new QHBoxLayout;
    m_open->setObjectName(QStringLiteral("primary"));
    m_open->setAccessibleName(tr("Open session"));
    m_save->setAccessibleName(tr("Save session as"));
    m_bin->setAccessibleName(tr("Move session to bin"));
    bottom->addWidget(m_open);
    bottom->addWidget(m_save);
    bottom->addStretch(1);
    bottom->addWidget(m_bin);
    layout->addLayout(bottom);

    m_found.setSourceModel(&m_model);
    m_found.setFilterRole(HistoryModel::kWholeTextRole);
    m_found.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_found.setFilterKeyColumn(HistoryModel::Text);
    m_table->setModel(&m_found);
    m_table->setAccessibleName(tr("Sessions"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(36);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setColumnWidth(HistoryModel::When, 260);
    m_table->setColumnWidth(HistoryModel::Kind, 120);
    m_table->setColumnWidth(HistoryModel::Length, 90);
    m_table->setColumnWidth(HistoryModel::Source, 180);

    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model.setSearched(text.simplified());
        m_found.setFilterFixedString(text.simplified());
        reviseState();
    });
    connect(m_table, &QTableView::activated, this, &HistoryPage::openSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::reviseState);
    connect(m_open, &QPushButton::clicked, this, &HistoryPage::openSelected);
    connect(m_save, &QPushButton::clicked, this, &HistoryPage::saveSelected);
    connect(m_bin, &QPushButton::clicked, this, &HistoryPage::binSelected);
    reviseState();
}

void HistoryPage::refresh()
{
    runInBackground(
        this, [folder = m_folder] { return readSessions(folder); },
        [this](std::vector<SessionEntry> sessions) {
            m_model.setSessions(std::move(sessions));
            if (m_found.rowCount() > 0) {
                m_table->selectRow(0);
            }
            reviseState();
            Q_EMIT refreshed();
        },
        [this](const QString &problem) {
            m_notices->add({Severity::Danger, problem, {}, {}, QStringLiteral("history")});
        });
}

int HistoryPage::shownSessions() const
{
    return m_found.rowCount();
}

int HistoryPage::selectedRow() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : m_found.mapToSource(rows.first()).row();
}

void HistoryPage::reviseState()
{
    const bool chosen = selectedRow() >= 0;
    for (QPushButton *button : {m_open, m_save, m_bin}) {
        button->setEnabled(chosen);
    }
    m_empty->setVisible(m_found.rowCount() == 0);
    m_table->setVisible(m_found.rowCount() > 0);
    m_empty->setText(
        m_model.rowCount() == 0
            ? tr("Nothing here yet. Every session is kept in %1 \u2013 captions with their sound, translations, conversations \u2013 unless you switch that off under Settings.")
                  .arg(QString::fromStdString(m_folder.string()))
            : tr("No session holds these words."));
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
}

void HistoryPage::openSelected()
{
    const int row = selectedRow();
    if (row < 0) {
        return;
    }
    const SessionEntry &session = m_model.session(row);
    Q_EMIT openRequested(session.info.kind, session.folder, m_search->text().simplified());
}

void HistoryPage::saveSelected()
{
    const int row = selectedRow();
    if (row >= 0) {
        askWhereToSave(this, {tr("Save session"), journalFilters(m_model.session(row).info.kind), {}},
                       [this](const std::filesystem::path &file) { saveSelectedTo(file); });
    }
}

bool HistoryPage::saveSelectedTo(const std::filesystem::path &file)
{
    const int row = selectedRow();
    if (row < 0) {
        return false;
    }
    return saveAndTell(*m_notices, file, [&] { exportJournal(m_model.session(row).folder, file); }, {QStringLiteral("history"), QStringLiteral("history")});
}

void HistoryPage::binSelected()
{
    const int row = selectedRow();
    if (row < 0) {
        return;
    }
    const QString folder = QString::fromStdString(m_model.session(row).folder.string());
    QString in_bin;
    if (!QFile::moveToTrash(folder, &in_bin)) {
        m_notices->add({Severity::Danger, tr("%1 could not be moved to the bin. It is still here.").arg(folder), {}, {}, QStringLiteral("history")});
        return;
    }
    m_model.remove(row);
    reviseState();
    Notice notice{Severity::Information, tr("The session is in the bin."), {}, {}, QStringLiteral("history")};
    if (!in_bin.isEmpty()) {
        notice.actions.push_back(
            {tr("Undo"), [this, folder, in_bin] {
                 if (!QFile::rename(in_bin, folder)) {
                     m_notices->add(
                         {Severity::Danger, tr("It could not be taken back. It is in the bin as %1.").arg(in_bin), {}, {}, QStringLiteral("history")});
                 }
                 refresh();
             }});
    }
    m_notices->add(notice);
}

}  // namespace braid::ui
