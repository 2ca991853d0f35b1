"""
What the name of an agent, session, tool or namespace may be: the rule of the gateway, except that it alone
judges whether a word mixes scripts.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

from ._identifier import excerpt

_MAX_BYTES = 256
_PLAIN = re.compile(r"[!-)+-Z\\-~](?:[ -)+-Z\\-~]{0,254}[!-)+-Z\\-~])?")
_LOOSE_MARK = re.compile(r"(?:^| )(.)", re.DOTALL)
_MASKED = "[masked:"

# Default ignorable code points outside the categories below, and the blanks that count as symbols, letters
# and a mark.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
# A character without a category here may have one in the gateway's version of Unicode.
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))

_SYSTEMS = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)

NAME_EXPECTATION = (
    "1 to 256 bytes of printable text (UTF-8, Normalization Form C): no *, no control characters, no space at "
    "either end, and letters of one script in each word"
)


def is_name(value: object) -> bool:
    return isinstance(value, str) and name_fault(value) is None


def name_fault(text: str) -> str | None:
    """Why a text is not a name, and what to write instead; None when it is one."""
    if _PLAIN.fullmatch(text) is not None:
        return None
    if text == "":
        return "it is empty: write a name"
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > _MAX_BYTES:
        return f"it has {size} bytes: leave out {size - _MAX_BYTES} of them"
    for character in text:
        if unicodedata.category(character) in _HIDDEN or _UNSEEN.match(character) is not None:
            return f"it holds {_point(character)}, which nobody sees: leave it out"
        if character != " " and unicodedata.category(character) == "Zs":
            return f"it holds the blank {_point(character)}: write a plain space (U+0020)"
    if text[0] == " ":
        return "it begins with a space (U+0020): leave it out"
    if text[-1] == " ":
        return "it ends with a space (U+0020): leave it out"
    if "*" in text:
        return "it holds * (U+002A): write the exact name, because * stands for anything in globs"
    return _reading_fault(text)


def require_name(field: str, value: object) -> None:
    """Raises ValueError that names the field."""
    if not is_name(value):
        raise ValueError(f"{field}: {refusal(value)}")


def refusal(value: object) -> str:
    """What was expected, what came, and what to write."""
    said = f"expected {NAME_EXPECTATION}; got {excerpt(value)}"
    fault = name_fault(value) if isinstance(value, str) else None
    return said if fault is None else f"{said}: {fault}"


def is_surely_unmixed(text: str) -> bool:
    """Whether no word mixes scripts, as far as the names of characters tell; false where they leave a doubt."""
    if text.isascii():
        return True
    for is_word, word in groupby(text, lambda one: unicodedata.category(one)[0] in "LMN"):
        letters = [one for one in word if not ("0" <= one <= "9")] if is_word else []
        scripts = {unicodedata.name(one, "UNKNOWN").split()[0] for one in letters}
        if len(scripts) > 1 and not any(scripts <= system for system in _SYSTEMS):
            return False
    return True


def _reading_fault(text: str) -> str | None:
    normal = unicodedata.normalize("NFC", text)
    if normal != text:
        found = next(one for one, other in zip(text, f"{normal}\0") if one != other)
        return f"{_point(found)} is not in Normalization Form C: write the composed form"
    for loose in _LOOSE_MARK.finditer(text):
        if unicodedata.category(loose[1])[0] == "M":
            return f"the mark {_point(loose[1])} stands on no letter: put it behind one"
    if _MASKED in text:
        return f"it holds {_MASKED}, which stands for a secret in rows: write the name itself"
    return None


def _point(character: str) -> str:
    return f"U+{ord(character):04X}"
