"""Hit rate of search by keyword, by meaning and by both, on written pairs among distractors.

    python benchmarks/recall.py [--distractors 5000] [--pairs FILE...] [--misses]

Each pair is a question as a person asks it weeks later, the message that answers it, and near
misses that share words with the question. All of them are messages of an archive, among others
that come from the samples' texts and are generated; the product is asked as an agent asks it,
and the place of the answer's ref is what counts. How the two kinds are joined was chosen on
``data/recall-choice.jsonl`` alone, so that what is reported was never tuned for. ``--misses`` names the questions that no order
answers.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from messages import Messages

from generator.history.canonical import encode
from generator.model.session import Head, Message
from generator.paths import Home
from generator.tools.memory_search import TOOL
from generator.workspace import Workspace

DATA = Path(__file__).with_name("data")
SAMPLES = Path(__file__).parent.parent / "tests" / "fixtures" / "samples"
ORDERS = ("relevance", "semantic", "hybrid")
DEPTHS = (1, 5, 10)
START = datetime(2026, 1, 5, tzinfo=UTC)
A_SESSION = 40

# What agents and people say all day, with gaps for words of the subject: in the pairs' languages,
# so that a language alone gives nothing away.
SENTENCES = (
    "Done: {a} is renamed to {b}, all callers follow.",
    "I looked at {a}; it reads {b} twice, which is slow but right.",
    "Should {a} go into the release, or wait for {b}?",
    "The meeting on {a} is moved to {day}, the room stays the same.",
    "Reminder: {a} needs a new owner before {day}.",
    "Booked {a} for {n} people on {day}; the confirmation is in the {b} folder.",
    "Tests of {a} pass, {n} of them; {b} is skipped on Windows.",
    "Error in {a}: expected {n}, got {m}. The value comes from {b}.",
    "Draft for {a} is ready, {n} words. Shorter, or is it fine for {b}?",
    "The invoice for {a} came to {n}.{m} euros, paid on {day}.",
    "Added a paragraph on {a} to the handbook and linked it from {b}.",
    "{a} 已经改好，{b} 也一起更新了，共 {n} 处。",
    "{a} 的會議改到{zday}，地點不變，請帶 {b} 的資料。",
    "{a} 測試通過 {n} 項，{b} 還有 {m} 項要看。",
    "關於 {a}：先照 {b} 的做法，{zday}再討論。",
    "{a} 报错，期望 {n}，实际 {m}，原因在 {b}。",
    "訂了 {n} 份 {a}，{zday}送到，費用從 {b} 出。",
    "把 {a} 的说明写进 {b} 了，你有空看一下。",
)
SUBJECTS_EN = (
    "the price list,the newsletter,the login form,the parser,the office chairs,the search page,"
    "the backup,the road map,the shipping label,the budget,the release notes,the calendar sync,"
    "the upload limit,the coffee order,the database index,the photo gallery,the contract,"
    "the support inbox,the train tickets,the cache,the survey,the phone list,the style guide,"
    "the queue worker,the translation,the holiday plan,the monitoring,the test data,the sitemap,"
    "the customer export,the demo,the password policy,the printer,the warehouse report"
).split(",")
SUBJECTS_ZH = (
    "報價單,電子報,登入頁,解析器,辦公椅,搜尋頁,備份,藍圖,出貨標籤,預算,版本說明,行事曆,上傳限制,"
    "咖啡訂單,索引,相簿,合約,客服信箱,車票,缓存,问卷,通讯录,样式规范,队列,翻译,休假表,监控,测试数据,"
    "网站地图,客户导出,演示,密码规则,打印机,仓库报表"
).split(",")
DAYS = "Monday Tuesday Wednesday Thursday Friday".split()
ZH_DAYS = "週一 週二 週三 周四 周五".split()


@dataclass(frozen=True)
class Pair:
    """A question and the message that answers it."""

    id: str
    kind: str
    question: str
    answer: str
    near: tuple[str, ...]


def read_pairs(paths: list[Path]) -> list[Pair]:
    pairs = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            raw = json.loads(line)
            raw["near"] = tuple(raw["near"])
            pairs.append(Pair(**raw))
    return pairs


def sample_texts() -> Iterator[str]:
    """Yield what the samples' agents and people said."""

    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in ("text", "content", "message") and isinstance(inner, str):
                    yield inner
                else:
                    yield from texts(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from texts(inner)

    for path in sorted(SAMPLES.rglob("*.json*")):
        for line in path.read_text("utf-8", "replace").splitlines():
            try:
                yield from texts(json.loads(line))
            except ValueError:
                continue


def distractors(count: int) -> list[str]:
    """Return texts that answer nothing: the samples', sentences of every day, generated ones."""
    choose = random.Random(11)
    source = Messages(seed=5, words=3000)
    found = list(dict.fromkeys(text for text in sample_texts() if 20 < len(text) < 2000))
    while len(found) < count:
        if choose.random() < 0.25:
            found.append(source.text())
            continue
        parts = []
        for sentence in choose.choices(SENTENCES, k=choose.randint(1, 3)):
            chinese = not sentence.isascii()
            first, second = choose.sample(SUBJECTS_ZH if chinese else SUBJECTS_EN, 2)
            parts.append(
                sentence.format(
                    a=first,
                    b=second,
                    n=choose.randint(2, 90),
                    m=choose.randint(2, 90),
                    day=choose.choice(DAYS),
                    zday=choose.choice(ZH_DAYS),
                )
            )
        found.append(" ".join(parts))
    return found[:count]


def fill(home: Home, pairs: list[Pair], count: int) -> dict[str, str]:
    """Write the archive; return the ref of each pair's answer."""
    texts = [(pair.id, pair.answer) for pair in pairs]
    texts += [("", near) for pair in pairs for near in pair.near]
    texts += [("", text) for text in distractors(count)]
    random.Random(3).shuffle(texts)
    refs: dict[str, str] = {}
    folder = home.history / "bench"
    folder.mkdir(parents=True)
    for number, start in enumerate(range(0, len(texts), A_SESSION)):
        session = f"bench-{number:04}"
        begun = START + timedelta(hours=number)
        with (folder / f"{session}.jsonl").open("wb") as handle:
            handle.write(encode(Head(id=session, agent="bench", created=begun, updated=begun)))
            for n, (name, text) in enumerate(texts[start : start + A_SESSION], start=1):
                role = "user" if n % 2 else "assistant"
                moment = begun + timedelta(minutes=n)
                handle.write(encode(Message(n=n, id=f"m{n}", role=role, text=text, ts=moment)))
                if name:
                    refs[name] = f"conversation:{session}#{n}"
    return refs


def rank(workspace: Workspace, order: str, question: str, ref: str) -> tuple[int | None, float]:
    begun = time.process_time()
    result = TOOL.call({"query": question, "order": order, "limit": max(DEPTHS)}, workspace)
    spent = time.process_time() - begun
    refs = [hit.ref for hit in result.hits]
    return (refs.index(ref) if ref in refs else None), spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--distractors", type=int, default=5000)
    parser.add_argument(
        "--pairs", type=Path, nargs="*", default=sorted(DATA.glob("recall-pairs-*"))
    )
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    pairs = read_pairs(options.pairs)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        refs = fill(home, pairs, options.distractors)
        workspace = Workspace(home=home, cwd=Path(folder), environ={})
        begun = time.process_time()
        embed_all(workspace)
        print(f"index and vectors: {time.process_time() - begun:.1f} CPU seconds")
        ranks: dict[str, dict[str, list[int | None]]] = {
            order: defaultdict(list) for order in ORDERS
        }
        spent: dict[str, list[float]] = defaultdict(list)
        for pair in pairs:
            for order in ORDERS:
                place, seconds = rank(workspace, order, pair.question, refs[pair.id])
                ranks[order][pair.kind].append(place)
                ranks[order]["all"].append(place)
                spent[order].append(seconds)
            if options.misses and all(ranks[order][pair.kind][-1] is None for order in ORDERS):
                print(f"missed: {pair.id} {pair.question}")
    print_table(ranks)
    for order in ORDERS:
        print(f"{order}: {statistics.median(spent[order]) * 1000:.1f} ms of CPU a query")


def embed_all(workspace: Workspace) -> None:
    from generator.recall.meaning import bring_up_to_date
    from generator.recall.store import open_recall

    recall = open_recall(workspace)
    recall.refresh()
    bring_up_to_date(recall)


def print_table(ranks: dict[str, dict[str, list[int | None]]]) -> None:
    names = {"relevance": "keyword", "semantic": "semantic", "hybrid": "hybrid"}
    heads = [f"{names[order]} @{depth}" for order in ORDERS for depth in DEPTHS]
    print("| kind | pairs | " + " | ".join(heads) + " |")
    print("|---|--:|" + "--:|" * len(heads))
    for kind in sorted(ranks["relevance"], key=lambda kind: kind == "all"):
        cells = []
        for order in ORDERS:
            places = ranks[order][kind]
            for depth in DEPTHS:
                hits = sum(place is not None and place < depth for place in places)
                cells.append(f"{hits / len(places):.2f}")
        print(f"| {kind} | {len(ranks['relevance'][kind])} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
