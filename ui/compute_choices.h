// Where models run and in which numbers, as a person chose it. Plain data.
#pragma once

#include <QString>

namespace braid::ui {

struct ComputeChoices {
    QString device = QStringLiteral("auto");
    QString number_type = QStringLiteral("float32");
    int threads = 0;  // 0: the program's own choice
    friend bool operator==(const ComputeChoices &, const ComputeChoices &) = default;
};

}  // namespace braid::ui
