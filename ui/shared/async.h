// Work off the GUI thread, with its answer on it: the window never waits.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <QCoreApplication>
#include <QPointer>
#include <QString>
#include <QThreadPool>

namespace braid::ui {

// Runs `work` on a pool thread; then, if `context` is still alive, `done(result)` or `failed(sentence)` on the GUI thread.
template <typename Work, typename Done, typename Failed>
void runInBackground(QObject *context, Work work, Done done, Failed failed)
{
    using Result = std::invoke_result_t<Work>;
    // The pointer is only read on the GUI thread, where `context` lives and dies.
    auto alive = std::make_shared<QPointer<QObject>>(context);
    QThreadPool::globalInstance()->start([alive, work = std::move(work), done = std::move(done), failed = std::move(failed)]() mutable {
        std::shared_ptr<Result> result;
        QString problem;
        try {
            result = std::make_shared<Result>(work());
        } catch (const std::exception &error) {
            problem = QString::fromUtf8(error.what());
        }
        QCoreApplication *application = QCoreApplication::instance();
        if (application == nullptr) {
            return;
        }
        QMetaObject::invokeMethod(
            application,
            [alive, result, problem, done = std::move(done), failed = std::move(failed)]() mutable {
                if (alive->isNull()) {
                    return;
                }
                if (result) {
                    done(std::move(*result));
                } else {
                    failed(problem);
                }
            },
            Qt::QueuedConnection);
    });
}

}  // namespace braid::ui
