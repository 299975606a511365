#include "ui/shared/file_dialogs.h"

#include <utility>

#include <QDir>
#include <QFileDialog>
#include <QStandardPaths>

#include "ui/shared/notice_bar.h"

namespace braid::ui {

namespace {

// Files of people lie among their documents, not where the program was started; later dialogs begin where the one before ended.
void beginWherePeopleKeepFiles(QFileDialog &dialog)
{
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    if (dialog.directory() == QDir::current()) {
        dialog.setDirectory(QDir(documents).exists() ? documents : QDir::homePath());
    }
}

}  // namespace

void askWhereToSave(QWidget *page, const SaveQuestion &question, std::function<void(const std::filesystem::path &)> save)
{
    askWhatToSave(page, question, [save = std::move(save)](const std::filesystem::path &file, int) { save(file); });
}

void askWhatToSave(QWidget *page, const SaveQuestion &question, std::function<void(const std::filesystem::path &, int filter)> save)
{
    auto *dialog = new QFileDialog(page, question.title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    beginWherePeopleKeepFiles(*dialog);
    dialog->setNameFilters(question.filters);
    dialog->setDefaultSuffix(suffixOfFilter(question.filters.first()));
    if (!question.file_name.isEmpty()) {
        dialog->selectFile(question.file_name);
    }
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) { dialog->setDefaultSuffix(suffixOfFilter(filter)); });
    QObject::connect(dialog, &QFileDialog::fileSelected, page, [save = std::move(save), dialog, filters = question.filters](const QString &name) {
        save(name.toStdString(), static_cast<int>(filters.indexOf(dialog->selectedNameFilter())));
    });
    dialog->open();
}

void askWhatToOpen(QWidget *page, const QString &title, const QStringList &filters, OpenCount count,
                   std::function<void(const std::vector<std::filesystem::path> &)> open)
{
    auto *dialog = new QFileDialog(page, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(count == OpenCount::One ? QFileDialog::ExistingFile : QFileDialog::ExistingFiles);
    beginWherePeopleKeepFiles(*dialog);
    dialog->setNameFilters(filters);
    QObject::connect(dialog, &QFileDialog::filesSelected, page, [open = std::move(open)](const QStringList &names) {
        std::vector<std::filesystem::path> files;
        for (const QString &name : names) {
            files.emplace_back(name.toStdString());
        }
        open(files);
    });
    dialog->open();
}

void askForFolder(QWidget *page, const QString &title, std::function<void(const std::filesystem::path &)> take)
{
    auto *dialog = new QFileDialog(page, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    beginWherePeopleKeepFiles(*dialog);
    QObject::connect(dialog, &QFileDialog::fileSelected, page, [take = std::move(take)](const QString &name) { take(name.toStdString()); });
    dialog->open();
}

QString suffixOfFilter(const QString &filter)
{
    const auto dot = filter.lastIndexOf(QLatin1Char('.'));
    return filter.mid(dot + 1, filter.lastIndexOf(QLatin1Char(')')) - dot - 1);
}

void tellSaved(NoticeStack &notices, const std::filesystem::path &file, const SaveNotices &keys)
{
    notices.inform(QObject::tr("Saved as %1.").arg(QString::fromStdString(file.string())), keys.saved);
}

bool saveAndTell(NoticeStack &notices, const std::filesystem::path &file, const std::function<void()> &write, const SaveNotices &keys)
{
    try {
        write();
    } catch (const std::exception &error) {
        notices.add({Severity::Danger, QString::fromUtf8(error.what()), {}, {}, keys.problem});
        return false;
    }
    tellSaved(notices, file, keys);
    return true;
}

}  // namespace braid::ui
