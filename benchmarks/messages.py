"""Generated messages that look like an agent's history: English, code, Chinese.

The same seed gives the same messages. Words follow Zipf's law, so that there are very common and
very rare ones; code is made of identifiers, paths, numbers and hashes; Chinese of two- to
four-character words.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate

COMMON = (
    "the to of and a in is it that for you on with this be are as not have from at can but if "
    "we by an was will or all so there what which one use when do has no run file error test "
    "should then code into build how need out up check make new change function now add see "
    "first set line get value server fix call data type work return name log time message"
).split()
SYLLABLES = "ba be co da de fi ga ho in ka la lo ma mi ne no or pa pe ra re ri sa se so ta te ti to un va ve xi yo za".split()
VERBS = "get set parse load save open close read write build make check find fetch run init".split()
NOUNS = "user file path node token index config session error value list page query cache".split()
FOLDERS = "src lib tests docs tools core api server client utils scripts models".split()
HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严"


class Messages:
    """A source of messages.

    Args:
        seed: Messages of two sources with one seed are equal.
        words: Distinct English words beside the common ones.
    """

    def __init__(self, seed: int = 7, words: int = 30_000) -> None:
        self._random = random.Random(seed)
        made: dict[str, None] = {}
        while len(made) < words:
            made["".join(self._random.choices(SYLLABLES, k=self._random.randint(2, 4)))] = None
        self.words = COMMON + list(made)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))
        han = [
            "".join(self._random.choices(HAN, k=self._random.choice((2, 2, 2, 2, 3, 4))))
            for _ in range(12_000)
        ]
        self.han = list(dict.fromkeys(han))
        self._han_weights = list(accumulate(1 / (rank + 5) for rank in range(len(self.han))))

    def word(self) -> str:
        """Return a word; the common ones come often."""
        return self.words[bisect(self._weights, self._random.random() * self._weights[-1])]

    def identifier(self) -> str:
        """Return an identifier, path, hash or number."""
        choose = self._random
        kind = choose.randrange(8)
        verb, noun, rare = choose.choice(VERBS), choose.choice(NOUNS), self.word()
        if kind == 0:
            return f"{verb}_{noun}_{rare}"
        if kind == 1:
            return f"{verb}{noun.title()}{rare.title()}"
        if kind == 2:
            return f"{choose.choice(FOLDERS)}/{choose.choice(FOLDERS)}/{rare}_{noun}.py"
        if kind == 3:
            return f"{choose.getrandbits(40):010x}"
        if kind == 4:
            return f"self.{noun}.{verb}({rare})"
        if kind == 5:
            return f"E{choose.randrange(9999):04d}"
        if kind == 6:
            return f"{rare}={choose.randrange(1000)}"
        return f"{noun}-{rare}"

    def text(self) -> str:
        """Return one message of some 600 characters."""
        choose = self._random
        kind, size = choose.random(), choose.randint(10, 150)
        if kind < 0.5:
            words = [self.word() for _ in range(size)]
            return " ".join(words).capitalize() + "."
        if kind < 0.8:
            lines = []
            for _ in range(max(2, size // 6)):
                parts = [self.identifier() for _ in range(choose.randint(1, 3))]
                lines.append(
                    "    " * choose.randint(0, 2)
                    + " ".join(parts)
                    + choose.choice(("", ":", " ->"))
                )
            return "\n".join(lines)
        pieces: list[str] = []
        for number in range(size):
            pieces.append(
                self.han[bisect(self._han_weights, choose.random() * self._han_weights[-1])]
            )
            if number % 9 == 8:
                pieces.append(choose.choice("，。；："))
            if number % 25 == 24:
                pieces.append(self.identifier())
        return "".join(pieces)

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self.text()
