"""What one chunk, written without white space, may name.

Decides by its shape alone which type a chunk has and what its canonical form is: one table, the
first row that fits counts. Refuses chunks that are ordinary words, and to look at what stands
beside them (`spread` does).
"""

import hashlib
import ipaddress
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from lapse.model.identifier import Identifier, IdentifierType
from lapse.text.identifiers.checks import luhn, mod_97
from lapse.text.identifiers.dates import date_of, time_of
from lapse.text.identifiers.spelling import bounded, folded, unescaped

Shape: TypeAlias = Callable[[str], Identifier | None]

LONGEST_CHUNK: Final = 2048
"""Nothing longer is read by shape: it is data, and known by its digest."""

_EMAIL: Final = re.compile(r"(?:mailto:)?([^\s@<>,;]+)@([^\s@/]+)")
_HOST: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]+)(?::\d+)?"
)
_LONGEST_HOST: Final = 255
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_DRIVE: Final = re.compile(r"^[a-z]:(?=[\\/])", re.IGNORECASE)
_SLASHES: Final = re.compile(r"[\\/]+")
_UUID: Final = re.compile(
    r"(?:urn:uuid:)?[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}"
)
_LEADING_ZEROS: Final = re.compile(r"(?<![\da-f:.])0+(?=\d+\.)|(?<=\.)0+(?=\d)")
_VERSION: Final = re.compile(r"v(\d+(?:\.\d+)+(?:-?[a-z]+\d*)?)|(\d+(?:\.\d+){2,}(?:-?[a-z]+\d*)?)")
_HARDWARE: Final = re.compile(r"[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}")
_ACCOUNT: Final = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_NATIONAL: Final = re.compile(r"\d{3}-\d{2}-\d{4}")
_DIGITS: Final = re.compile(r"\+?\d+(?:[-.]\d+)*")
_AMOUNT: Final = re.compile(
    r"(?P<before>[$€£¥₹]|[a-z]{3})?(?P<number>\d[\d,.]*)(?P<scale>[km])?(?P<after>[€£¥₹])?"
)
_WORD: Final = re.compile(r"\w++(?:['-]\w++)*")
_BANK: Final = re.compile(r"[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?")
_SEPARATOR: Final = re.compile(r"[^\w]+|_+")

CURRENCIES: Final = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr"}
"""Signs of money, and the codes they are kept as."""

CURRENCY_CODES: Final = frozenset(
    (
        "usd",
        "eur",
        "gbp",
        "jpy",
        "inr",
        "chf",
        "cny",
        "aud",
        "cad",
        "sek",
        "nok",
        "dkk",
        "pln",
        "brl",
    )
)
"""Codes of money that are read beside a number."""

_LONGEST_SUM: Final = 30
_LONGEST_VERSION: Final = 16
_SCALES: Final = {"": 1, "k": 1_000, "m": 1_000_000}


def of_chunk(chunk: str) -> Identifier | None:
    """What a chunk names, or None for an ordinary word.

    Args:
        chunk: Without white space and without the punctuation around it; as `spelling.plain` has
            left it.
    """
    if len(chunk) > LONGEST_CHUNK:
        digest = hashlib.blake2b(chunk.encode("utf-8", "surrogatepass"), digest_size=16)
        return Identifier(type=IdentifierType.CODE, canonical=f"…{digest.hexdigest()}")
    for shape in _SHAPES:
        found = shape(chunk)
        if found is not None:
            return Identifier(type=found.type, canonical=bounded(found.canonical))
    return None


# Two sets of identifiers are compared each with each, and the same ones are cut again and again.
@lru_cache(maxsize=4096)
def groups_of(written: str) -> tuple[str, ...]:
    """The parts that a writer set apart by signs, folded: `KIT-OAK-77` has three."""
    text = folded(written)
    bare = text.removeprefix("urn:uuid:")
    if _UUID.fullmatch(bare):
        digits = bare.replace("-", "")
        return (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return tuple(filter(None, _SEPARATOR.split(text)))


def amount(number: str, currency: str, scale: str = "") -> Identifier | None:
    """An amount of money: `$1.5K` is `usd 1500`, `1,000.00 EUR` is `eur 1000`.

    Args:
        number: Digits with commas and dots.
        currency: A code of three letters, or empty for none.
        scale: Empty, `k` or `m`.
    """
    last = max(number.rfind(","), number.rfind("."))
    decimals = number[last + 1 :] if last >= 0 else ""
    # Three digits after the last sign are thousands, unless a zero stands before it.
    whole = number if len(decimals) == 3 and not number.startswith("0") else number[:last]
    if last < 0:
        whole = number
    digits = re.sub(r"[.,]", "", whole)
    fraction = decimals.rstrip("0") if whole != number else ""
    if not digits or len(digits) > _LONGEST_SUM:
        return None
    value = f"{int(digits)}.{fraction}" if fraction else str(int(digits))
    if scale:
        value = f"{float(value) * _SCALES[scale]:g}"
    return Identifier(type=IdentifierType.AMOUNT, canonical=f"{currency} {value}".strip())


def _email(chunk: str) -> Identifier | None:
    match = _EMAIL.fullmatch(unescaped(chunk))
    if match is None:
        return None
    address = f"{folded(match[1])}@{folded(match[2]).rstrip('.')}"
    return Identifier(type=IdentifierType.EMAIL, canonical=address)


def _handle(chunk: str) -> Identifier | None:
    name = folded(chunk[1:])
    if chunk[0] != "@" or not re.fullmatch(r"\w[\w.-]*", name):
        return None
    return Identifier(type=IdentifierType.HANDLE, canonical=name)


def _url(chunk: str) -> Identifier | None:
    text = unescaped(chunk)
    scheme = _SCHEME.match(text)
    rest = text[scheme.end() :] if scheme else text
    host, slash, path = rest.partition("/")
    host = folded(host)
    if scheme is None and (len(host) > _LONGEST_HOST or _HOST.fullmatch(host) is None):
        return None
    address = f"{host.removeprefix('www.')}{slash}{path}".rstrip("/")
    # Only the host is without case by rule; a person who types a path seldom keeps to its case.
    return Identifier(type=IdentifierType.URL, canonical=address.casefold())


def _path(chunk: str) -> Identifier | None:
    if "/" not in chunk and "\\" not in chunk:
        return None
    parts = _SLASHES.sub("/", _DRIVE.sub("", folded(chunk))).strip("/")
    rooted = "/" if chunk[0] in "/\\" or _DRIVE.match(chunk) else ""
    if not parts:
        return None
    return Identifier(type=IdentifierType.PATH, canonical=f"{rooted}{parts}")


def _uuid(chunk: str) -> Identifier | None:
    bare = chunk.strip("{}").lower()
    if _UUID.fullmatch(bare) is None:
        return None
    digits = bare.removeprefix("urn:uuid:").replace("-", "")
    return Identifier(type=IdentifierType.UUID, canonical=digits)


def _network(chunk: str) -> Identifier | None:
    if _HARDWARE.fullmatch(chunk.lower()):
        return Identifier(type=IdentifierType.NETWORK, canonical=re.sub("[:-]", "", chunk.lower()))
    if chunk.count(".") != 3 and chunk.count(":") < 2:
        return None
    try:
        # Some write each part with three digits, which the standard library refuses.
        address = ipaddress.ip_address(_LEADING_ZEROS.sub("", chunk.strip("[]")))
    except ValueError:
        return None
    return Identifier(type=IdentifierType.NETWORK, canonical=address.compressed)


def _iban(chunk: str) -> Identifier | None:
    letters = chunk.replace("-", "").upper()
    if not letters.isascii() or _ACCOUNT.fullmatch(letters) is None or not mod_97(letters):
        return None
    return Identifier(type=IdentifierType.IBAN, canonical=letters.casefold())


def _version(chunk: str) -> Identifier | None:
    match = _VERSION.fullmatch(chunk.lower())
    # A date or a telephone number has groups of other lengths, and no version is so long.
    if match is None or len(chunk) > _LONGEST_VERSION:
        return None
    number = match[1] or match[2]
    if any(len(each) > 3 for each in re.findall(r"\d+", number)):
        return None
    return Identifier(type=IdentifierType.NUMBER, canonical=number)


def _number(chunk: str) -> Identifier | None:
    if not chunk.isascii() or _DIGITS.fullmatch(chunk) is None:
        return None
    return of_digits(chunk)


def of_digits(written: str) -> Identifier | None:
    """What digits with separators name: a card, a national id, or a number.

    Digits in groups are one number if there are seven or more of them; fewer stay as written, for
    12-3 is not 1-23.
    """
    digits = re.sub(r"\D", "", written)
    if _NATIONAL.fullmatch(written):
        return Identifier(type=IdentifierType.NATIONAL_ID, canonical=digits)
    if 13 <= len(digits) <= 19 and luhn(digits):
        return Identifier(type=IdentifierType.CARD, canonical=digits)
    if len(digits) < 7 or written.count(".") in {1, 2}:
        return Identifier(type=IdentifierType.NUMBER, canonical=written.removeprefix("+"))
    return Identifier(type=IdentifierType.NUMBER, canonical=digits)


def _money(chunk: str) -> Identifier | None:
    match = _AMOUNT.fullmatch(chunk.lower())
    if match is None:
        return None
    mark = match["before"] or match["after"] or ""
    currency = CURRENCIES.get(mark, mark)
    if currency not in CURRENCY_CODES:
        return None
    return amount(match["number"], currency, match["scale"] or "")


def _code(chunk: str) -> Identifier | None:
    text = folded(chunk).strip("#'-_")
    groups = groups_of(text)
    if not groups or not any(each.isalnum() for each in groups):
        return None
    if any(map(str.isdigit, text)):
        return Identifier(type=IdentifierType.CODE, canonical="".join(groups))
    if len(groups) > 1 and _WORD.fullmatch(text) and "'" not in text:
        return Identifier(type=IdentifierType.CODE, canonical=text)
    if _BANK.fullmatch(chunk):
        return Identifier(type=IdentifierType.CODE, canonical=text)
    return None


_SHAPES: Final[tuple[Shape, ...]] = (
    lambda chunk: _email(chunk) if "@" in chunk or "%40" in chunk else None,
    _handle,
    _uuid,
    _network,
    date_of,
    time_of,
    _version,
    _number,
    _iban,
    _money,
    _url,
    _path,
    _code,
)
"""Every shape, the most exact first. An amount comes before a code, and an address before a path,
since the later shapes would take what the earlier know better."""
