"""Knowledge in a real daemon: refreshed by a save, versions by hand, an export of issues, a model."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

import msgspec
import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.projections.knowledge.elements import Elements, as_yaml
from navlog.schemas.control import ReplayArgs, ReplayReply
from navlog.schemas.knowing import FindArgs, Found, KnowledgeArgs, KnowledgeList
from navlog.schemas.tails import TailMeasureArgs, TailMeasureReply
from navlog.schemas.wire import HookArgs, HookReply
from support import tails
from support.endpoint import said, service

SHOP = Path(__file__).parents[2] / "benchmarks" / "knowledge" / "shop"
RECORD = "docs/adr/0002-outbox-for-payments.md"
T = TypeVar("T")

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(120)]


@pytest.fixture
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory) as one:
        yield one


@pytest.fixture
def shop(tmp_path: Path, daemon: Installation) -> Path:
    return taken_up(daemon, tmp_path)


def taken_up(daemon: Installation, tmp_path: Path) -> Path:
    """The sample project, once all of its documents are known."""
    root = tmp_path / "shop"
    shutil.copytree(SHOP, root)
    assert daemon.run("up", str(root)).returncode == 0
    wait_for(lambda: len(listed(daemon, root).documents) == 11)
    return root


def wait_for(what: Callable[[], T], seconds: float = 50.0) -> T:
    until = monotonic() + seconds
    while not (found := what()):
        assert monotonic() < until, "it did not come"
        sleep(0.02)
    return found


def listed(daemon: Installation, root: Path, document: str = "") -> KnowledgeList:
    return ask(daemon.home, "knowledge", KnowledgeList, KnowledgeArgs(project=str(root), document=document))


def decided(daemon: Installation, root: Path) -> str:
    return listed(daemon, root, RECORD).documents[0].latest_decision


def rewrite(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_a_save_makes_a_version_and_a_person_goes_back_and_forth(daemon: Installation, shop: Path) -> None:
    old = listed(daemon, shop).version
    rewrite(shop / RECORD, "A request never calls", "A request may call")
    wait_for(lambda: "may call" in decided(daemon, shop))

    project = ("--project", str(shop))
    back = daemon.run("knowledge", "rollback", str(old), *project)
    assert f"stands at version {old}" in back.stdout, back.stderr
    assert "never calls" in decided(daemon, shop)
    assert listed(daemon, shop).stands_at == old
    assert daemon.run("knowledge", "rollback", "--forward", *project).returncode == 0
    assert "may call" in decided(daemon, shop)

    shown = daemon.run("knowledge", "diff", str(old), *project).stdout
    assert "- latest_decision: A request never calls" in shown
    assert "+ latest_decision: A request may call" in shown
    assert daemon.run("knowledge", "diff", "999999999", *project).returncode == 2
    assert daemon.run("knowledge", "rollback", "1", *project).returncode == 2
    assert daemon.run("knowledge", "rollback", "999999999", *project).returncode == 2
    assert daemon.run("knowledge", "rollback", *project).returncode == 2
    assert daemon.run("knowledge", "show", "none.md", *project).returncode == 2


def test_a_pinned_document_stays_through_saves_and_a_restart(daemon: Installation, shop: Path) -> None:
    assert daemon.run("knowledge", "pin", RECORD, "--project", str(shop)).returncode == 0
    rewrite(shop / RECORD, "A request never calls", "A request may call")
    wait_for(lambda: "may call" in daemon.run("knowledge", "list", RECORD, "--project", str(shop)).stdout)
    assert "never calls" in decided(daemon, shop)
    daemon.run("down")
    assert daemon.run("up", str(shop)).returncode == 0
    assert "never calls" in decided(daemon, shop)
    assert daemon.run("knowledge", "pin", RECORD, "--release", "--project", str(shop)).returncode == 0
    assert "may call" in decided(daemon, shop)


def test_a_pointer_to_a_file_that_is_gone_is_looked_for_anew(daemon: Installation, shop: Path) -> None:
    assert listed(daemon, shop, RECORD).documents[0].entry_pointer == "shop/payments/outbox.py"
    (shop / "shop/payments/outbox.py").unlink()
    gone = "shop/payments/outbox.py"
    found = wait_for(lambda: [o for o in listed(daemon, shop, RECORD).documents if o.entry_pointer != gone])
    assert found[0].state == "FRESH"


def test_documents_come_and_go_and_a_huge_one_is_one_of_them(daemon: Installation, shop: Path) -> None:
    (shop / RECORD).unlink()
    wait_for(lambda: len(listed(daemon, shop).documents) == 10)
    huge = shop / "docs/adr/0009-huge.md"
    huge.write_text("# 9. Huge\n\n## Decision\n\nWe keep it all.\n\n" + "More words on it.\n\n" * 105_000)
    found = wait_for(lambda: [one for one in listed(daemon, shop).documents if "0009" in one.document])
    assert found[0].latest_decision == "We keep it all." or found[0].latest_decision.startswith(
        "We keep it all."
    )


def test_a_record_is_found_by_its_shape_wherever_it_lies(daemon: Installation, shop: Path) -> None:
    text = (shop / RECORD).read_text()
    (shop / "notes").mkdir()
    (shop / "notes/0012-queues.md").write_text(text)
    found = wait_for(lambda: [one for one in listed(daemon, shop).documents if "0012" in one.document])
    assert found[0].kind == "decision"


def test_a_rule_is_found_for_a_prompt_that_would_break_it(daemon: Installation, shop: Path) -> None:
    args = FindArgs(task="Add a SQLAlchemy model for coupons", project=str(shop))
    found = ask(daemon.home, "knowledge-find", Found, args)
    (rule,) = [offer for offer in found.offers if "no ORM" in offer.text]
    heading = (shop / "AGENTS.md").read_text().split("\n").index(f"## {rule.reason.split('; ')[1]}") + 1
    assert rule.reason.startswith("rules AGENTS.md#")
    assert f", line {heading};" in rule.reason
    assert len(found.offers) <= 3
    assert found.rule.endswith("planning again.")
    none = ask(
        daemon.home, "knowledge-find", Found, FindArgs(task="the weather in Lisbon", project=str(shop))
    )
    assert [(offer.text, offer.reason.partition(":")[0]) for offer in none.offers] == [("", "low confidence")]
    assert none.rule == ""


def test_an_export_of_issues_is_taken_once(daemon: Installation, shop: Path, tmp_path: Path) -> None:
    export = tmp_path / "issues.json"
    issues = [
        {"number": n, "title": f"Thing {n} hangs", "state": "open", "updated_at": f"2025-01-{n:02}",
         "comments": [{"id": n, "body": "We decided to queue it."}] if n == 12 else []}
        for n in range(1, 13)
    ]  # fmt: skip
    export.write_text(json.dumps(issues))
    command = ("import", "issues", str(export), "--tracker", "t", "--project", str(shop), "--json")
    assert json.loads(daemon.run(*command).stdout) == {"taken": 13, "repeated": 0, "passed_over": 0}
    found = wait_for(lambda: [one for one in listed(daemon, shop).documents if one.kind == "issues"])
    assert found[0].latest_decision == "#12 (open): We decided to queue it."
    assert json.loads(daemon.run(*command).stdout) == {"taken": 0, "repeated": 13, "passed_over": 0}
    export.write_text("no json")
    refused = daemon.run("import", "issues", str(export), "--project", str(shop))
    assert (refused.returncode, "not JSON" in refused.stderr or "no list" in refused.stderr) == (2, True)


def test_a_replay_makes_no_summary_and_gives_the_same(daemon: Installation, shop: Path) -> None:
    before = daemon.status().position
    reply = ask(daemon.home, "replay", ReplayReply, ReplayArgs(only="knowledge"), silence_s=None)
    assert [one.changed for one in reply.projections] == [False]
    assert daemon.status().position == before
    assert len(listed(daemon, shop).documents) == 11


def test_a_model_s_answer_takes_the_place_of_ours_and_is_asked_for_once(
    daemon: Installation, tmp_path: Path
) -> None:
    root = tmp_path / "one"
    root.mkdir()
    (root / "README.md").write_text("# One\n\nOne is a thing.\n")
    (root / "main.py").write_text("def run() -> None:\n    pass\n")
    good = Elements("It is one, says the model.", "", "", "main.py:run")
    with service(said("this is [no yaml", as_yaml(good))) as model:
        configure(daemon, asking(model.url))
        assert daemon.run("up", str(root)).returncode == 0
        wait_for(lambda: [o for o in listed(daemon, root).documents if o.core_problem == good.core_problem])
        assert listed(daemon, root).documents[0].summariser == "endpoint:m"
        assert len(model.asked) == 2
        daemon.run("down")
        assert daemon.run("up", str(root)).returncode == 0
        wait_for(lambda: listed(daemon, root).documents and not listed(daemon, root).waiting)
        assert listed(daemon, root).documents[0].core_problem == good.core_problem
        assert len(model.asked) == 2, "an answer that is in the log is not asked for again"


def test_what_was_promoted_is_asked_without_its_candidate_and_missed_without_its_endpoint(
    daemon: Installation, tmp_path: Path
) -> None:
    root = tmp_path / "one"
    root.mkdir()
    page = root / "README.md"
    page.write_text("# One\n\nOne is a thing.\n")
    (root / "main.py").write_text("def run() -> None:\n    pass\n")
    answer = as_yaml(Elements("It is one, says the model.", "", "", "main.py:run"))
    with service(said(answer, answer)) as model:
        where = f'[knowledge]\nendpoint = "{model.url}/v1"\nmodel = "m"\n'
        config = configure(daemon, f'{where}[candidate]\nname = "try"\nsummariser = "endpoint"\n')
        assert daemon.run("up", str(root)).returncode == 0
        wait_for(lambda: model.asked)
        assert daemon.run("knowledge", "promote", "--project", str(root)).returncode == 0
        wait_for(lambda: listed(daemon, root).documents[0].summariser == "endpoint:m")
        daemon.run("down")
        config.write_text(where)
        page.write_text("# One\n\nOne is another thing.\n")
        assert daemon.run("up", str(root)).returncode == 0
        wait_for(lambda: len(model.asked) == 2)
        assert "another thing" in str(model.asked[1])
        daemon.run("down")
    config.write_text("")
    assert daemon.run("up", str(root)).returncode == 0
    wait_for(lambda: "knowledge.endpoint is not set any more" in listed(daemon, root).fault)


def test_a_model_that_is_refused_leaves_what_stood(daemon: Installation, tmp_path: Path) -> None:
    root = tmp_path / "one"
    root.mkdir()
    (root / "README.md").write_text("# One\n\nOne is a thing.\n")
    with service(said(as_yaml(Elements("x", "", "", "gone.py")))) as model:
        configure(daemon, asking(model.url))
        assert daemon.run("up", str(root)).returncode == 0
        wait_for(lambda: len(model.asked) == 2 and not listed(daemon, root).waiting)
        query = "SELECT count(*) AS n FROM summary_refusals"
        wait_for(lambda: json.loads(daemon.run("sql", query, "--json").stdout)[0]["n"] == 1)
        assert listed(daemon, root).documents[0].core_problem == "One is a thing."


def configure(daemon: Installation, text: str) -> Path:
    folder = Path(daemon.environ["XDG_CONFIG_HOME"]) / "navlog"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(text)
    return folder / "config.toml"


def asking(url: str) -> str:
    """Settings that name a model as the summariser."""
    return f'[knowledge]\nsummariser = "endpoint"\nendpoint = "{url}/v1"\nmodel = "m"\n'


def hook(daemon: Installation, root: Path, name: str, **fields: object) -> str:
    """What a hook of Claude Code would print."""
    call = {"session_id": "s1", "cwd": str(root), "hook_event_name": name, **fields}
    name = f"call-{name}-{monotonic()}"
    args = HookArgs(host="claude-code", id=name, payload=raw(call), wait_ms=5000)
    return ask(daemon.home, "hook", HookReply, args).stdout


def raw(thing: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(thing))


def test_a_prompt_is_given_its_rule_and_the_reply_is_read(daemon: Installation, tmp_path: Path) -> None:
    configure(daemon, "[citation]\nretries = 1\n")
    root = taken_up(daemon, tmp_path)

    start = hook(daemon, root, "SessionStart", source="startup")
    assert "refurbished tools" in start, "the README's problem is part of the orientation"
    assert "quotes its entry_pointer in backticks" in start, "said once a session"
    given = hook(
        daemon, root, "UserPromptSubmit", prompt="Add a SQLAlchemy model class for the coupons of the shop"
    )
    assert "There is no ORM here" in given
    query = "SELECT count(*) AS n FROM injections"
    wait_for(lambda: json.loads(daemon.run("sql", query, "--json").stdout)[0]["n"] == 2)

    lines = [json.loads(line) for line in daemon.home.daemon_log.read_text().splitlines()]
    traced = {line["event"]: line.get("trace") for line in lines if line["event"].startswith("knowledge_")}
    assert traced.keys() == {"knowledge_refreshed", "knowledge_chosen"}
    assert all(traced.values())
    asked = {line["trace"] for line in lines if line["event"] == "request" and line["verb"] == "hook"}
    assert traced["knowledge_chosen"] in asked, "what was chosen for a hook bears the hook's trace"

    reply = "I put the query into shop/db/queries.py and run the `migrations` of shop/db/migrations.py."
    told = wait_for(lambda: hook(daemon, root, "Stop", last_assistant_message=reply))
    assert json.loads(told)["decision"] == "block"
    assert "`shop/db/queries.py`" in json.loads(told)["reason"]
    again = hook(daemon, root, "Stop", last_assistant_message=reply, stop_hook_active=True)
    assert again == "", "a turn is taken on once"
    checked = "SELECT count(*) AS n FROM citations WHERE continued"
    wait_for(lambda: json.loads(daemon.run("sql", checked, "--json").stdout)[0]["n"] == 1)
    assert daemon.status().measures[""]["quote_miss_ratio"] == 1.0


def test_a_session_whose_window_is_nearly_full_is_given_no_knowledge(
    daemon: Installation, tmp_path: Path
) -> None:
    """Three quarters of the window, less what the session's tail holds: the rest stays free."""
    configure(daemon, "[knowledge]\nwindow = 20000\n")
    root = taken_up(daemon, tmp_path)

    prompt = "Add a SQLAlchemy model class for the coupons of the shop"
    tail = TailMeasureArgs(
        session="s2", host="own", project=str(root), messages=tails.raw(tails.session_of(20, 4_000))
    )
    assert ask(daemon.home, "tail.measure", TailMeasureReply, tail).t > 15_000
    full = hook(daemon, root, "UserPromptSubmit", session_id="s2", prompt=prompt)
    assert "There is no ORM here" not in full
    assert "There is no ORM here" in hook(daemon, root, "UserPromptSubmit", prompt=prompt)
