"""What openai-whisper's English normaliser makes of a hostile battery.

  python tests/parity/make_normaliser_parity.py > tests/parity/normaliser.json      (pip: openai-whisper 20250625)
"""
import json
import random
import sys

from whisper.normalizers import EnglishTextNormalizer
from whisper.version import __version__

by_hand = """
Hello, World!
I won't; you can't. Let's go, y'all! He ain't gonna, I'ma, imma, woulda coulda shoulda, ma'am, wanna gotta
Mr. Smith and Mrs. Jones met Dr. Who, Prof. X, Capt. Y, Gov. Z, St. Paul, Jr. and Sr., Esq., Lt. Col. Gen. Sen. Rep. Pres. Rev. Hon. Asst. Assoc. Ald.
he'd been there, she's been here, they'd gone, it's gone, I'd done, he's got it, we've, I'm, you'll, 'tis, isn't, they're
Hmm, uh, um, mm mhm mmm well hmmm ummm
[Music] (laughs) <unk> hello [applause) (unclosed [nested] <a>b> () (a) ((b)) <<c>>
it 's a space , don 't
1,000,000 and 2,5 and 1,2,3 and 3.14 and .5 and 5. and v1.2.3 and 1..2 and ...
twenty one  twenty-one, two hundred and one, one hundred and twenty three thousand four hundred and fifty six
nineteen eighty four, nineteen eighties, the sixties, twenties and thirtieth, two thousand and ten, twenty twenty
one oh one, double oh seven, triple two, double five, double trouble, o o seven, zero, oh no
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth twentieth zeroth hundredth thousandth millionth
twenty first, forty second, one hundred and first, two hundredth, three thousandths, fifty thousands, sixes and sevens, hundreds
minus five, negative ten, plus one, positive thinking, minus infinity, minus the, plus 3.5, negative
five dollars, ten cents, two dollars and seven cents, $2 and 7 cents, $20 million, 3 euros, one pound, pounds of flesh, dollar, cents
$2.07 $0.07 $0.5 €0.99 £0.1 $01 23 ¢5 $5.00 $1,234.56 $ 5 5$ %5 5% 5 % percent 50 percent fifty per cent per capita ten per head 3.5 percent
two and a half, two and a half million, one and a half dollars, and a half, half and a half, ten  and  a  half
three point one four, point five, zero point zero one, one point, point, point taken, 192 point 168 point 1, ten point ten, three point fourteen
one million two hundred thousand, five hundred thousand million, twelve hundred, two million million, 1.5 million, 2.25 thousand, 1.2345 thousand, 3 decillion, one decillion, 0 million, 0.5 hundred
12345678901234567890 million 000 007 0 00 1s 1st 21st 2 nd 3 rd 4 th 5 s 1960s 80 s a1 b2c3 1a2b x86 mp3 4k 10th 100m
colour favour organise organised travelling grey theatre centre programme aluminium jewellery tyres cheque pyjamas mum
naïve café résumé Ångström œuvre Øre æsthetic straße STRAẞE Þór ðe Łódź đ ﬁne ﬀ Ⅳ ½ ² ① ㎏ ™ © ª º µ ￥ ＡＢＣ １２３
Ünïcödé İstanbul ΣΊΣΥΦΟΣ ΟΔΟΣ, привет Ёж, ΑΣ
日本語 テスト 한국어 가각 ไทย हिन्दी العربية ٣٤٥ ٣.٥ १२३
“curly” ‘quotes’ don’t it’s – — … • · † ‡ § ¶ № ± × ÷ = + - _ under_score a_b _1_ ^ ~ ` | \\ / @ # & * ; : ! ? ¿ ¡ « »
one ones 1 1s 11 10 101 one hundred one one thousand one ones and ones
thousand hundred million, hundred and, and one, and, thousand and one nights, two and two, ten and five, hundred and and five
six six six, six sixteen, sixteen six, twenty six six, six twenty, ten ten, one eleven, eleven one, nineteen nineteen, ninety nine ninety nine
five five five one two one two, four twenty, twenty four seven, seven eleven, two oh one, nineteen oh five, oh five
a o b, o'clock, five o'clock, o, oh oh oh, zero zero, zero five, five zero, zero hundred, oh hundred thousand, zeroes
thirty first hundred, one hundred fifty first, second hand, second second, third world, first of all, one first
I 've seen 'em, rock 'n' roll, '90s, the '60s, y' all, d'you, ma'ams
3D 2nd-hand 5-year-old twenty-five-year-old state-of-the-art e-mail co-op 9/11 24/7 1/2 10:30 a.m. p.m. U.S.A. e.g. i.e. etc.
https://example.com/a?b=c&d=1 user@example.com C++ C# .NET node.js 3.11.7
$ € £ ¢ % . .. $. %% $$5 $5% €5.5% 5¢ ¢ 5 ¢5 and $5 $1 ¢5 $1 and ¢05 €10 and ¢5 cents $3 ¢123
""".strip("\n").split("\n")

special = ["", " ", "   ", "\t\n", ".", "'", "1", "a", "\u00a0x\u2003y\u3000z", "a\u0301e\u0300", "\u200bzero\u200dwidth\ufeff", "x\u0085y\u001cz", "line\nbreak. \nnext",
           "emoji 😀 🇩🇪 👨‍👩‍👧 ok", "\u0e33 \u0f73", "ﷺ", "K Å", "½ and a half", "٣ million", "1" + "0" * 40 + " thousand", "9" * 30 + " and one"]

rng = random.Random(20251121)
number_words = ("zero oh o one two three five six nine ten eleven twelve sixteen nineteen twenty thirty forty ninety hundred thousand million billion decillion "
                "first second third fifth ninth twelfth twentieth ninetieth hundredth thousandths millions ones sixes twenties eighties and point double triple minus plus "
                "negative dollars dollar cents cent pounds euros percent per half a the 1 2 7 10 12 20 100 1000 3.5 0.5 0 007 1,000 $5 $2 €3 ¢7 5% 1st 2nd s th colour").split()
other = ("won't can't it's he'd been she's got mr mrs. dr st. uh um hmm (aside) [x] <y> naïve don’t o'clock ... ! ? , ; - _ £ % grey travelled").split()
mixed = []
for count in range(420):
    pool = number_words if count % 3 else number_words + other
    mixed.append(" ".join(rng.choice(pool) for _ in range(rng.randint(1, 9))))

normalise = EnglishTextNormalizer()
cases = []
for text in by_hand + special + mixed:
    try:
        cases.append([text, normalise(text)])
    except Exception as problem:  # the original gives up on some texts; ours must not, but there is nothing to compare
        print("skipped", repr(text), repr(problem), file=sys.stderr)
print(json.dumps({"openai_whisper": __version__, "cases": cases}, ensure_ascii=True, indent=0))
