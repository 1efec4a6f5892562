"""A prompt: which of its words are a person's, and whether it says what work is to be done.

Ours, read back, is no prompt: the blocks that `quoting.fence` makes and the reminders of
`nudging.wording`; nor is the host's own reminder. Judges by form and by a short list of nods in English and
Chinese; understands nothing.
"""

import re
import unicodedata

from navlog.projections.terms import IS_CJK

# A block whose end is missing goes to the end: cut off, it is still not a person's.
_FENCED = re.compile(r"<navlog ([0-9a-f]{16,64})>.*?(?:</navlog \1>|\Z)", re.DOTALL)
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_BARE = re.compile(r"[^\w]+")
_COMMAND = re.compile(r"\s*/[a-z][\w:-]*(\s+\S{0,20})?\s*\Z", re.IGNORECASE)  # /clear, /model opus
# A nod, not a task: said in answer to what the agent proposed. A handful of words each; more is work.
_NODS = """
y yes yep yeah yup ok okay k sure fine good great nice perfect cool thanks thx no nope n stop wait continue
proceed go next again retry resume done right correct agreed exactly please do it that this on ahead for the
and so keep going carry looks lgtm thank you very much sounds all well try approved approve accept
"""
NODS = frozenset(_NODS.split())
_NODS_CJK = re.compile(
    r"(好的?|可以|行|对的?|是的?|嗯+|继续|接着|往下|下一步|请|吧|了|啊|做|开始|同意|谢谢|没问题|没错|不|不用|不要|停|停止"
    r"|等等|再来|重试|确认|就这样|来|干|搞|改|你|我|一下|干得|漂亮|很|完美)+"
)


def own_words(text: str) -> str:
    """``text`` without what navlog or the host put in; "" where a person said nothing."""
    if "<" not in text:
        return text.strip()
    return _REMINDER.sub("", _FENCED.sub("", text)).strip()


def says_a_task(text: str) -> bool:
    """Whether the words ask for something by themselves: not "yes", "go on", "继续", "/clear" or "?"."""
    if _COMMAND.match(text):
        return False
    words = [word for word in _BARE.split(unicodedata.normalize("NFKC", text).lower()) if word]
    return any(not _is_nod(word) for word in words)


def _is_nod(word: str) -> bool:
    if IS_CJK.match(word):
        return bool(_NODS_CJK.fullmatch(word))
    return word in NODS or word.isdecimal() or len(word) == 1
