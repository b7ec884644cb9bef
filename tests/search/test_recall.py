"""One-word queries over mixed text against a brute-force scan under the query's meaning.

Nothing that the scan finds may be missed, and what the index finds beyond must share its stem.
The scan below shares no code with the index but the fold of Chinese scripts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import pytest
from lines import LineCollection

from generator.search import SearchIndex
from generator.search.folding import fold_script
from generator.search.inflections import stem

TEXTS = """\
Deploy the service to production and restart nginx afterwards.
The deployment failed: deployed twice, deploys are locked.
ModuleNotFoundError: No module named 'requests_toolbelt' in /usr/lib/python3/dist-packages
def parse_xml_file(path: str) -> Tree: return XmlParser().parse(path)
class HTTPServerConnection extends BaseConnection { getUserName() { return this.userName } }
error E0425: cannot find value `foo_bar` in this scope --> src/main.rs:12:5
commit 3f2a9bc7d1e04c55a0b9 Fix the race in lock_manager.py (#1234)
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
C:\\Users\\alice\\AppData\\Local\\Temp\\build.log was not found
curl -X POST https://api.example.com/v2/users/42?verbose=true
git rebase --onto main feature/login-page && git push --force-with-lease
The c++ compiler and the C# compiler; objective-c too. Plain c as well.
Coverage is at 100%_done and 100% of lines; 100 files.
key=value; retry-count: 3; max_retry_count=5; RETRY_COUNT
os.path.join(os.getcwd(), 'data.tar.gz') std::vector<int> foo->bar
Retrying the request; retried 3 times; it retries; a retry queue
running runs run runner
The cache was cached; caching caches
Process exited with code 137 (SIGKILL), exit status -9, errno ENOSPC
HTTP 502 Bad Gateway; ECONNREFUSED 127.0.0.1:5432
部署流程需要先检查日志，然后重启服务。
錯誤重試三次後仍然失敗，請檢查網路設定。
使用Redis缓存来提高性能，缓存命中率很低
错误重试的逻辑在 retry_handler.py 里
数据库连接池配置：max_connections=100
我们把部署脚本放进 /opt/部署/脚本.sh
ログインに失敗しました。パスワードを確認してください。
データベース接続エラーが発生しました
テストが全て通りました、リリース準備完了
半角ｶﾀｶﾅと全角カタカナ
서버에 연결할 수 없습니다. 데이터베이스 오류
한국어 형태소 분석기 테스트
ＡＰＩ の ＫＥＹ を設定する
全角数字１２３と半角数字123
Привет мир, ошибка подключения к базе
Η σύνδεση απέτυχε
naïve café résumé
CAFÉ in capitals, NAÏVE too
पिता कह रहा है
user@example.com wrote: don't panic
v2.3.1-beta.4 released on 2026-05-05T12:30:45Z
uuid 123e4567-e89b-12d3-a456-426614174000 seen
the username and userName and user_name and USERNAME
snake_case_name kebab-case-name dot.case.name path/case/name
iPhone and macOS and GitHub and getURLs and IOError
__init__.py and __name__ == "__main__" and _private
if (a != b && c || d) { x += 1; } // TODO(alice): fix
printf("%s\\n", name); $HOME/.config ~/.bashrc
emoji 🎉 party → next step ✅ done
test_parse_xml_file passed, test_parse_json skipped
日本語のparseXml関数とgetUserを使う
机器学习模型训练完成，准确率95%
PR#42 and issue #42 and GH-42
Straße und Fluß, groß
ﬁle with a ligature, ﬁnd it
x1 y2 z3 utf8 sha256 md5sum base64
3.14159 and 1,000,000 and 1e-5 and 0xDEADBEEF
Stack trace: at com.example.app.Main.run(Main.java:42)
node_modules/@types/node/index.d.ts
SELECT * FROM users WHERE user_id = 42 ORDER BY created_at DESC;
""".splitlines()

QUERIES = """\
deploy
deployments
service
nginx
ModuleNotFoundError
requests_toolbelt
toolbelt
/usr/lib/python3
dist-packages
python3
parse_xml_file
xml_file
parse_xml
XmlParser
parser
HTTPServerConnection
ServerConnection
HTTPServer
getUserName
userName
user
E0425
foo_bar
src/main.rs
3f2a9bc7d1e04c55a0b9
9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
lock_manager.py
build.log
AppData
https://api.example.com/v2/users
--force-with-lease
c++
C#
c
100%_
100%
retry-count
retry_count
retries
os.path
std::vector
foo->bar
run
cache
137
ENOSPC
127.0.0.1
部署
部署流程
流程
错误重试
錯誤重試
網路
网
署
Redis缓存
缓存
使用redis
パスワード
カタカナ
ｶﾀｶﾅ
エラー
接続
데이터베이스
오류
테스트
ＡＰＩ
key
１２３
ошибка
σύνδεση
café
CAFÉ
कह
don't
v2.3.1-beta.4
2026-05-05
e89b
123e4567-e89b-12d3-a456-426614174000
case
dot.case
path/case
__init__
_private
🎉
→
parseXml関数
関数とgetUser
95%
#42
strasse
file
utf8
sha
sername
ername
3.14159
0xdeadbeef
com.example.app
Main.java:42
@types/node
user_id
学习模型
ser_nam
odule
""".splitlines()


def fold(text: str) -> str:
    return fold_script(unicodedata.normalize("NFKC", text))


CJK = re.compile("[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_edge(text: str, at: int) -> bool:
    """Whether a word may begin or end at this place of folded text."""
    if at in {0, len(text)}:
        return True
    left, right = text[at - 1], text[at]
    if not (left.isalnum() and right.isalnum()):
        return unicodedata.category(right)[0] != "M"
    if CJK.match(left) or CJK.match(right):
        return True
    if left.isdigit() and right.isalpha() and right.isupper():
        return (
            bool(re.search("[a-z]", text[max(0, at - 8) : at])) or text[at + 1 : at + 2].islower()
        )
    if right.isupper():
        return not left.isupper() or text[at + 1 : at + 2].islower()
    return False


def whole(query: str, text: str) -> bool:
    folded, wanted = fold(text), fold(query)
    if len(folded.casefold()) != len(folded):
        folded = folded.casefold()
    low = folded.casefold()
    needle = wanted.casefold()
    for match in re.finditer(f"(?={re.escape(needle)})", low):
        start, end = match.start(), match.start() + len(needle)
        left = not needle[0].isalnum() or CJK.match(needle[0]) or is_edge(folded, start)
        right = not needle[-1].isalnum() or CJK.match(needle[-1]) or is_edge(folded, end)
        if left and right:
            return True
    return False


def scan(query: str) -> set[int]:
    found = {number for number, text in enumerate(TEXTS, 1) if whole(query, text)}
    if found:
        return found
    needle = fold(query).casefold()
    stems = {number for number, text in enumerate(TEXTS, 1) if shares_stem(query, text)}
    return stems or {
        number for number, text in enumerate(TEXTS, 1) if needle in fold(text).casefold()
    }


def shares_stem(query: str, text: str) -> bool:
    words = re.findall("[a-z]+", fold(text).casefold())
    words += [part.casefold() for part in re.findall("[A-Z]?[a-z]+", fold(text))]
    return stem(fold(query).casefold()) in map(stem, words)


@pytest.fixture(scope="module")
def texts_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    folder = tmp_path_factory.mktemp("recall")
    lines = LineCollection(folder / "lines")
    lines.say("t.jsonl", *TEXTS)
    index = SearchIndex(folder / "index", [lines])
    index.refresh()
    yield index
    index.close()


@pytest.mark.parametrize("query", QUERIES)
def test_nothing_is_missed(texts_index: SearchIndex, query: str) -> None:
    results = texts_index.search(query, limit=100, refresh=False)
    found = {int(hit.ref.partition("#")[2]) for hit in results.hits}
    expected = scan(query)
    assert expected, "a query that finds nothing proves nothing"
    assert expected <= found
    assert all(shares_stem(query, TEXTS[number - 1]) for number in found - expected)


def test_there_are_enough_queries() -> None:
    assert len(set(QUERIES)) >= 60
