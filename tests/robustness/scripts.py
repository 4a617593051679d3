"""Sentences in twenty scripts, and what else a text may be made of.

Decides the texts: everyday sentences, each with a word or two that none of the others holds.
Refuses to judge what is found.
"""

from collections.abc import Mapping
from typing import Final

SENTENCES: Final[Mapping[str, str]] = {
    "Latin": "Zoë orders a crème brûlée on Thursdays",
    "Greek": "Η Μαρία πίνει τον καφέ της χωρίς ζάχαρη",
    "Cyrillic": "Олег боится высоты и любит шахматы",
    "Armenian": "Անին ապրում է Երևանում քրոջ հետ",
    "Georgian": "ნინო ყოველ დილით დარბის მდინარესთან",
    "Hebrew": "דוד אלרגי לבוטנים ואוהב תמרים",
    "Arabic": "ليلى تدرس الكيمياء في جامعة القاهرة",
    "Syriac": "ܡܪܝܡ ܟܬܒܐ ܟܬܒܐ ܒܒܝܬܐ",
    "Devanagari": "रमेश को तीखा खाना पसंद नहीं है",
    "Bengali": "মিতা রবিবারে মাছ রান্না করে",
    "Gurmukhi": "ਹਰਪ੍ਰੀਤ ਅੰਮ੍ਰਿਤਸਰ ਵਿੱਚ ਰਹਿੰਦਾ ਹੈ",
    "Tamil": "கவிதா காலையில் நீச்சல் பயிற்சி செய்கிறாள்",
    "Telugu": "రవి హైదరాబాదులో పుస్తకాలు అమ్ముతాడు",
    "Sinhala": "නිමල් හවසට තේ බොනවා",
    "Thai": "สมชายชอบปั่นจักรยานตอนเช้า",
    "Khmer": "សុខាចូលចិត្តញ៉ាំត្រីអាំង",
    "Ethiopic": "አበበ በየቀኑ ቡና ይጠጣል",
    "Han": "小明周末去杭州爬山",
    "Kana": "さくらは毎朝パンを焼きます",
    "Hangul": "민수는 주말마다 부산에서 낚시를 한다",
}
"""One sentence in each script, in logical order; three of them run from right to left."""

RIGHT_TO_LEFT: Final = ("Hebrew", "Arabic", "Syriac")

SIGNS: Final[Mapping[str, str]] = {
    "a family": "Her avatar is 👩‍👩‍👧‍👦 lighthouse",
    "a flag of tags": "He supports 🏴󠁧󠁢󠁷󠁬󠁳󠁿 cymrugby",
    "skin and hair": "Signs mails with 🧑🏽‍🦱 curlysig",
    "keycaps": "The code begins 1️⃣2️⃣ keycapcode",
    "variation": "Heart ❤︎ not ❤️ plainheart",
    "joiners": "می‌خواهم به تهران بروم",
    "zero width": "split\u200bword zerowidthmark",
    "soft hyphen": "co\u00adoperate softmark",
    "directions": "\u2067abc\u2069 isolatemark \u202eoverride\u202c",
    "marks piled up": "z\u0351\u036b\u0343\u036ao\u0321 zalgomark",
    "beyond the first plane": "𝔤𝔬𝔱𝔥𝔦𝔠 𓀀𓁐 𐌰𐌱 planemark",
    "private use": "logo \ue000\uf8ff privatemark",
    "line ends": "one\u2028two\u2029three\r\nfour lineendmark",
    "controls": "bell\x07tab\tescape\x1b[31m controlmark",
    "no character": "half \ufffd \ufdd0\uffff nonmark",
    "byte order": "\ufeffbommark at the front",
}
"""Texts of signs, each with one plain word of its own where signs are no words."""

LONG_TOKEN_BYTES: Final = 64 * 1024


def long_texts() -> dict[str, str]:
    """Texts of 64 KiB without a space, in letters of one, two, three and four bytes."""
    letters = {"Latin": "ab", "Cyrillic": "жщ", "Han": "山水", "Gothic": "𐌰𐌱", "digits": "42"}
    return {
        name: _repeated(pair, LONG_TOKEN_BYTES // len(pair.encode()))
        for name, pair in letters.items()
    }


def _repeated(pair: str, times: int) -> str:
    # Of uneven steps, so that no two parts of the text are the same for long.
    return "".join(pair if at % 7 < at % 5 else pair[::-1] for at in range(times))
