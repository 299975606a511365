// The time of day on a page's clock: captures begin at some time of a day, recordings at none. Plain values.
#pragma once

#include <vector>

#include <QDateTime>

#include "core/base/sample_clock.h"

namespace braid::ui {

struct DayTime {
    Sample from = 0;  // of the page's clock
    QDateTime began;  // invalid: a recording, which has no time of day
};
using DayTimes = std::vector<DayTime>;  // by `from`

// Of a place of the page; invalid where it has none.
[[nodiscard]] inline QDateTime dayTimeAt(const DayTimes &times, Sample sample)
{
    const DayTime *last = nullptr;
    for (const DayTime &each : times) {
        if (each.from <= sample) {
            last = &each;
        }
    }
    return last == nullptr || !last->began.isValid() ? QDateTime() : last->began.addMSecs((sample - last->from) * 1000 / kSampleRateHz);
}

}  // namespace braid::ui
