// Word error rate, the basic text normaliser, percentiles.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "core/base/error.h"
#include "core/metrics/text_normaliser.h"
#include "core/metrics/word_error_rate.h"
#include "lab/metrics/percentiles.h"

using namespace braid;
using namespace braid::metrics;

namespace {

std::vector<std::string> words(const std::string &text)
{
    return normalisedWords(text);
}

// The definition, without a table: slow and obvious.
std::int64_t editDistance(std::span<const std::string> a, std::span<const std::string> b)
{
    if (a.empty() || b.empty()) {
        return static_cast<std::int64_t>(a.size() + b.size());
    }
    return std::min({editDistance(a.subspan(1), b.subspan(1)) + (a[0] == b[0] ? 0 : 1), editDistance(a.subspan(1), b) + 1, editDistance(a, b.subspan(1)) + 1});
}

std::vector<std::string> randomWords(std::mt19937 &random, std::size_t most)
{
    std::vector<std::string> out(random() % (most + 1));
    for (std::string &word : out) {
        word = std::string(1, static_cast<char>('a' + random() % 3));
    }
    return out;
}

}  // namespace

class TestMetrics : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void textIsMadeComparable_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("case and punctuation") << "Ask NOT, what: your -- country?"
                                              << "ask not what your country";
        QTest::newRow("contractions keep their apostrophe") << "Don't; we\u2019re the dogs' \u2018friends\u2019"
                                                            << "don't we're the dogs friends";
        QTest::newRow("an apostrophe before a word goes") << "'tis rock 'n' roll"
                                                          << "tis rock n roll";
        QTest::newRow("two apostrophes part words") << "a''b"
                                                    << "a b";
        QTest::newRow("hyphens and slashes part words") << "well-known and/or 3.5"
                                                        << "well known and or 3 5";
        QTest::newRow("spaces") << "  a \t\n b\u00a0c\u3000d "
                                << "a b c d";
        QTest::newRow("accents in capitals") << "\u00c9T\u00c9 \u00d8RE \u0160KODA \u0178 \u017dIVOT"
                                             << "\u00e9t\u00e9 \u00f8re \u0161koda \u00ff \u017eivot";
        QTest::newRow("Greek and Cyrillic") << "\u0391\u03a9 \u0386 \u041c\u0418\u0420 \u0401\u0416"
                                            << "\u03b1\u03c9 \u03ac \u043c\u0438\u0440 \u0451\u0436";
        QTest::newRow("quotes and dashes of every sort") << "\u00abA\u00bb\u2014\u201eb\u201c\u2026 \u300cc\u300d\u3002"
                                                         << "a b c";
        QTest::newRow("other scripts stay") << "\u4f60\u597d\uff0c\u4e16\u754c\uff01 \u0928\u092e\u0938\u094d\u0924\u0947\u0964"
                                            << "\u4f60\u597d \u4e16\u754c \u0928\u092e\u0938\u094d\u0924\u0947";
        QTest::newRow("pictures and notes go") << "\u266a la \U0001F600 la \u266a"
                                               << "la la";
        QTest::newRow("nothing") << " ... "
                                 << "";
    }

    void textIsMadeComparable()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(normalised(text.toStdString())), expected);
        QCOMPARE(QString::fromStdString(normalised(expected.toStdString())), expected);  // doing it twice changes nothing
    }

    void brokenUtf8IsLeftAsItIs()
    {
        for (const std::string &text :
             {std::string("a\xff"
                          "b"),
              std::string("\xc3"), std::string("\xe2\x80"), std::string("\xf0\x9f\x98"), std::string("\xc0\x80"), std::string("\xe0\x81\x81")}) {
            QCOMPARE(normalised(text), text);
        }
    }

    void errorsAreCounted_data()
    {
        QTest::addColumn<QString>("reference");
        QTest::addColumn<QString>("hypothesis");
        QTest::addColumn<int>("substitutions");
        QTest::addColumn<int>("insertions");
        QTest::addColumn<int>("deletions");
        QTest::newRow("same") << "a b c"
                              << "a b c" << 0 << 0 << 0;
        QTest::newRow("one other") << "a b c"
                                   << "a x c" << 1 << 0 << 0;
        QTest::newRow("one too many") << "a b c"
                                      << "a b b c" << 0 << 1 << 0;
        QTest::newRow("one missing") << "a b c"
                                     << "a c" << 0 << 0 << 1;
        QTest::newRow("all missing") << "a b c"
                                     << "" << 0 << 0 << 3;
        QTest::newRow("all too many") << ""
                                      << "a b" << 0 << 2 << 0;
        QTest::newRow("shifted") << "a b c d"
                                 << "b c d e" << 0 << 1 << 1;
        QTest::newRow("one of each") << "a b c d e"
                                     << "x b d e f" << 1 << 1 << 1;
    }

    void errorsAreCounted()
    {
        QFETCH(QString, reference);
        QFETCH(QString, hypothesis);
        const std::vector<std::string> said = words(reference.toStdString()), heard = words(hypothesis.toStdString());
        const WordErrors errors = countWordErrors(said, heard);
        QTEST(static_cast<int>(errors.substitutions), "substitutions");
        QTEST(static_cast<int>(errors.insertions), "insertions");
        QTEST(static_cast<int>(errors.deletions), "deletions");
        QCOMPARE(errors.reference_words, static_cast<std::int64_t>(said.size()));
    }

    void rateIsErrorsPerReferenceWord()
    {
        QCOMPARE(countWordErrors(words("a b c d"), words("a x c")).rate(), 0.5);
        QCOMPARE(WordErrors{}.rate(), 0.0);
        QVERIFY(std::isinf(countWordErrors({}, words("a")).rate()));
        WordErrors sum = countWordErrors(words("a b c d"), words("a b c"));
        sum += countWordErrors(words("a b"), words("x y z"));
        QCOMPARE(sum, (WordErrors{2, 1, 1, 6}));
    }

    void countsAndAlignmentAgreeWithTheDefinition()
    {
        std::mt19937 random(1);
        for (int round = 0; round < 400; ++round) {
            const std::vector<std::string> reference = randomWords(random, 6), hypothesis = randomWords(random, 6);
            const WordErrors errors = countWordErrors(reference, hypothesis);
            QCOMPARE(errors.total(), editDistance(reference, hypothesis));
            QCOMPARE(errors.insertions - errors.deletions, static_cast<std::int64_t>(hypothesis.size()) - static_cast<std::int64_t>(reference.size()));

            // The alignment reads both texts once, from front to back, at the same price.
            std::size_t r = 0, h = 0;
            std::int64_t price = 0;
            for (const Edit &edit : alignWords(reference, hypothesis)) {
                QCOMPARE(edit.reference_index, r);
                QCOMPARE(edit.hypothesis_index, h);
                if (edit.kind == EditKind::Same || edit.kind == EditKind::Substitution) {
                    QCOMPARE(edit.kind == EditKind::Same, reference[r] == hypothesis[h]);
                }
                r += edit.kind == EditKind::Insertion ? 0 : 1;
                h += edit.kind == EditKind::Deletion ? 0 : 1;
                price += edit.kind == EditKind::Same ? 0 : 1;
            }
            QCOMPARE(r, reference.size());
            QCOMPARE(h, hypothesis.size());
            QCOMPARE(price, errors.total());
        }
    }

    void textsTooLongToAlignAreRefused()
    {
        const std::vector<std::string> many(40000, "a");
        QVERIFY(!canAlignWords(many.size(), many.size()) && canAlignWords(many.size(), 100));
        QVERIFY_EXCEPTION_THROWN((void)alignWords(many, many), Error);
    }

    void percentiles()
    {
        const std::vector<double> values = {5, 1, 4, 2, 3};
        QCOMPARE(percentile(values, 50), 3.0);
        QCOMPARE(percentile(values, 0), 1.0);
        QCOMPARE(percentile(values, 100), 5.0);
        QCOMPARE(percentile(values, 95), 4.8);
        QCOMPARE(percentile(values, -3), 1.0);
        QCOMPARE(percentile(values, 300), 5.0);
        QCOMPARE(percentile({}, 50), 0.0);
        QCOMPARE(percentile(std::vector<double>{7}, 95), 7.0);
    }

    void percentilesEqualThoseOfTheSortedList()
    {
        std::mt19937 random(2);
        for (int round = 0; round < 100; ++round) {
            std::vector<double> values(1 + random() % 40);
            for (double &value : values) {
                value = static_cast<double>(random() % 100);
            }
            const double percent = static_cast<double>(random() % 101);
            const double asked = percentile(values, percent);
            std::sort(values.begin(), values.end());
            const double place = percent / 100 * static_cast<double>(values.size() - 1);
            const double low = values[static_cast<std::size_t>(std::floor(place))], high = values[static_cast<std::size_t>(std::ceil(place))];
            QVERIFY(std::abs(asked - (low + (high - low) * (place - std::floor(place)))) < 1e-9);
        }
    }

    void aWindowForgetsTheOldest()
    {
        PercentileWindow window(4);
        QCOMPARE(window.median(), 0.0);
        for (int value = 1; value <= 10; ++value) {
            window.add(value);
        }
        QCOMPARE(window.count(), std::int64_t{10});
        QCOMPARE(window.median(), 8.5);  // of 7, 8, 9, 10
        QCOMPARE(window.at(0), 7.0);
        window.clear();
        QCOMPARE(window.count(), std::int64_t{0});
        window.add(3);
        QCOMPARE(window.p95(), 3.0);
    }
};

QTEST_GUILESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
