"""The verbs of a tail: what a host that owns its messages is told, and that the log has it."""

import msgspec
import pytest

from navlog.daemon.nudging.memory import Memory
from navlog.projections.nudging.session import Session
from navlog.schemas.errors import RequestRefused, UsageError
from navlog.schemas.tails import Message, Part, TailMeasureArgs, TailReduceArgs
from support.tails import Office, arc, prompt, raw, session_of, unheard

WIDE = 1_000_000  # tokens of a window of which 50,000 are protected


def test_a_session_that_grows_is_told_once_a_level_and_in_rising_words(office: Office) -> None:
    told = []
    for arcs in range(0, 200, 4):
        office.measure(session_of(arcs), window=WIDE)
        reply = office.measure(result=f"r{arcs}", tool="bash", window=WIDE)
        if reply.reminder:
            told.append((reply.level, reply.reminder))
    assert [level for level, _ in told] == ["gentle", "firm", "urgent"]
    assert "as you go" in told[0][1]
    assert "Do one ctx_reduce now" in told[1][1]
    assert "Before the next tool call" in told[2][1]
    assert office.types().count("nudge_shown") == 3


def test_a_level_that_lasts_is_said_again_in_one_line_after_a_cadence_and_five_turns(office: Office) -> None:
    office.measure(session_of(100), result="r99")
    assert office.measure(session_of(130, turns=5), result="r129").why == "turns"
    assert office.measure(session_of(124, turns=6), result="r123").why == "cadence"
    reply = office.measure(session_of(130, turns=6), result="r130")
    assert reply.reminder.strip().startswith("<system-reminder>\nStill urgent: ")


def test_hints_name_the_tag_with_its_tool_and_input_where_no_mark_is_shown(office: Office) -> None:
    reply = office.measure(session_of(100), result="r99")
    assert "2 (bash: run 0)" in reply.reminder
    shown = Office(office.journal)
    reply = shown.measure(session_of(100), session="other", result="r99", shows=True)
    assert "2 (bash); " in reply.reminder


def test_parts_are_numbered_in_order_and_marked_where_the_host_shows_it(office: Office) -> None:
    reply = office.measure(session_of(2), shows=True)
    assert [(part.block, part.tag, part.mark) for part in reply.parts] == [
        ("u0#0", 1, "§1§ "), ("a0#0", 2, ""), ("r0#0", 2, "§2§ "), ("a1#0", 3, ""), ("r1#0", 3, "§3§ "),
    ]  # fmt: skip
    more = office.measure(session_of(3), shows=True)
    assert [part.tag for part in more.parts] == [1, 2, 2, 3, 3, 4, 4]
    assert not any(part.mark for part in office.measure(session_of(3)).parts)


def test_only_what_is_new_has_to_be_sent(office: Office) -> None:
    whole = session_of(80)
    first = office.measure(whole)
    grown = [*whole, *arc(80, 1_000)]
    order = [message.id for message in grown]
    reply = office.measure(grown[-2:], order=order)
    assert [part.block for part in reply.parts] == ["a80#0", "r80#0"]
    assert reply.t == first.t + 1_000 + len('{"command":"run 80"}')
    assert office.measure(order=order).t == reply.t
    again = Office(office.journal)
    assert again.measure(grown[-2:], order=order).missing == order[:-2]
    assert again.measure(grown, order=order).t == reply.t


def test_a_message_that_changed_is_counted_anew(office: Office) -> None:
    whole = session_of(3)
    before = office.measure(whole).t
    longer = msgspec.structs.replace(whole[0], parts=(Part(kind="text", text="x" * 105),))
    assert office.measure([longer], order=[message.id for message in whole]).t == before + 100


@pytest.mark.parametrize(
    "messages",
    [b"7", b"{}", b'{"id":"a"}', b'{"id":"a","role":"user","parts":[{"kind":"no"}]}', b"[" * 900],
)
def test_what_is_no_message_is_refused_and_changes_nothing(office: Office, messages: bytes) -> None:
    before = office.measure(session_of(3))
    args = TailMeasureArgs(session="s", host="own", messages=[*raw([prompt(0)]), msgspec.Raw(messages)])
    with pytest.raises(RequestRefused):
        office.desk.measure(args, "", unheard)
    assert office.measure(order=None).t == before.t


def test_an_id_that_comes_twice_is_refused(office: Office) -> None:
    with pytest.raises(RequestRefused):
        office.measure([prompt(0), prompt(0)])
    with pytest.raises(RequestRefused):
        office.measure([prompt(0)], order=["u0", "u0"])


def test_without_a_tool_or_a_user_turn_nothing_is_ever_said(office: Office) -> None:
    office.measure(session_of(200), session="none", reduce_tool="")
    reply = office.measure(session="none", reduce_tool="", result="r", message=True)
    assert (reply.why, reply.reminder, reply.message) == ("no_reduce_tool", "", None)
    later = office.measure(session="none", result="r2", message=True)
    assert (later.why, later.reminder, later.message) == ("no_reduce_tool", "", None)  # the verdict is frozen
    reply = office.measure(session_of(200, turns=0), session="alone", result="r", message=True)
    assert (reply.why, reply.reminder, reply.message) == ("no_user_turn", "", None)


def test_no_verdict_is_taken_before_it_matters(office: Office) -> None:
    office.measure(session_of(3), reduce_tool="")
    assert "reduce_tool_judged" not in office.types()
    assert office.measure(session_of(200), result="r").reminder


def test_never_twice_into_one_result_and_never_into_the_tool_s_own(office: Office) -> None:
    office.measure(session_of(100))
    assert office.measure(result="r99", tool="mcp__navlog__ctx_reduce").why == "own_result"
    assert office.measure(result="r99", tool="bash").reminder
    office.measure(session_of(300))
    assert office.measure(result="r99").why == "same_result"


def test_a_reduce_leaves_u_at_once_and_t_as_it_is_then_grace_holds(office: Office) -> None:
    before = office.measure(session_of(100), result="r99")
    reply = office.reduce("2-41")
    assert reply.queued == list(range(2, 42))
    spared = sum(1_000 + len(f'{{"command":"run {number}"}}') for number in range(40))
    assert (reply.u, reply.t) == (before.u - spared, before.t)
    assert reply.text.startswith("Set aside: 2-41. It is marked as spent;")
    after = office.measure(session_of(101), result="r100")
    assert (after.why, after.u) == ("reduced", reply.u + 1_000 + len('{"command":"run 84"}'))
    assert "baseline_taken" in office.types()
    assert office.measure(session_of(110), result="r109").why == "grace"


def test_what_cannot_be_set_aside_is_refused_with_the_reason(office: Office) -> None:
    office.measure(session_of(100))
    office.reduce("3")
    reply = office.reduce("3, 101, 500-600")
    assert reply.refused == [("3", "already queued"), ("101", "protected"), ("500-600", "unknown")]
    assert "Not set aside: 3: already queued; 101: protected; 500-600: unknown." in reply.text
    for wrong in ("", "x", "5-3", "1;2"):
        with pytest.raises(UsageError):
            office.reduce(wrong)
    with pytest.raises(UsageError, match="Nothing of this session"):
        office.desk.reduce(TailReduceArgs(session="new", drop="1"), "", unheard)


def test_what_a_compaction_took_is_already_gone(office: Office) -> None:
    office.measure(session_of(100))
    summary = Message(id="sum", role="user", parts=(Part(kind="text", text="so far"),), summary=True)
    office.measure([summary, *arc(200, 1_000)])
    assert office.reduce("2-4").refused == [
        ("2", "already gone"),
        ("3", "already gone"),
        ("4", "already gone"),
    ]


def test_drops_are_applied_only_where_the_prefix_is_sent_anew(office: Office) -> None:
    office.measure(session_of(100), removes=True, shows=True)
    office.reduce("2-3")
    quiet = office.measure(removes=True)
    assert (quiet.dropped, "drops_applied" in office.types()) == ([], False)
    reply = office.measure(session_of(100), removes=True, shows=True, rewrites=True, result="r99")
    assert [(one.block, one.placeholder) for one in reply.dropped] == [
        ("r0#0", "[dropped §2§]"), ("r1#0", "[dropped §3§]"),
    ]  # fmt: skip
    assert (reply.why, reply.t) == ("drops_applied", quiet.t - 2 * (1_000 + len('{"command":"run 0"}')))
    marks = {part.block: part.mark for part in reply.parts}
    assert (marks["r0#0"], marks["r2#0"]) == ("", "§4§ ")
    assert office.measure(removes=True, rewrites=True).dropped == reply.dropped  # each time


def test_one_s_own_loop_gets_its_tail_rewritten(office: Office) -> None:
    reply = office.reduce("2", messages=raw(session_of(100)))
    assert reply.queued == [2]
    assert reply.messages
    assert [part.text for message in reply.messages[1:3] for part in message.parts] == ["", "[dropped §2§]"]
    assert [len(message.parts) for message in reply.messages] == [1] * 201
    assert office.measure(reply.messages).t == office.measure().t  # a placeholder counts as nothing


def test_channel_2_is_sent_once_and_ends_with_its_cycle(office: Office) -> None:
    first = office.measure(session_of(200), message=True)
    assert first.message
    assert "Most of this session's tail is spent." in first.message.text
    assert office.measure(session_of(201), message=True).message is None
    reply = office.sent(first.message.token)
    assert (reply.lease, reply.taken) == ("delivered", True)
    assert (office.sent(first.message.token).taken, office.sent("other").taken) == (False, False)
    assert office.measure(session_of(202), message=True).message is None
    office.measure(session_of(20))
    assert "nudge_cycle_reset" in office.types()
    assert office.measure(session_of(203), message=True).message


def test_a_send_that_failed_is_due_again_and_one_that_is_unknown_expires(office: Office) -> None:
    first = office.measure(session_of(200), message=True).message
    assert first
    assert office.sent(first.token, failed=True).lease == "pending"
    second = office.measure(message=True).message
    assert second
    assert second.token != first.token
    office.now += 599
    assert office.measure(message=True).message is None
    office.now += 1
    assert office.measure(message=True).message
    assert office.types().count("nudge_expired") == 1
    office.now += 600
    assert office.sent(second.token).taken is False


def test_after_a_restart_everything_is_as_it_was(office: Office) -> None:
    office.measure(session_of(200), result="r199", message=False)
    office.reduce("5-9")
    office.measure(session_of(201), message=True)
    again = Memory(office.journal).of("s")[1]
    assert again == office.memory.of("s")[1]
    assert again != Session()
    assert (again.channel.grace, set(again.queued)) != (None, set())


def test_what_did_not_change_is_not_written_again(office: Office) -> None:
    office.measure(session_of(30))
    before = office.types()
    office.measure(session_of(30))
    office.measure(result="r29")
    assert office.types() == before


def test_turns_that_a_compaction_took_still_count(office: Office) -> None:
    assert office.measure(session_of(3, turns=7)).turn == 7
    summary = Message(id="sum", role="user", parts=(Part(kind="text", text="so far"),), summary=True)
    assert office.measure([summary, prompt(8)]).turn == 8


def test_a_message_that_is_due_does_not_go_out_on_the_heels_of_a_reduce(office: Office) -> None:
    office.measure(session_of(200))
    office.reduce("2")
    assert office.types().count("nudge_armed") == 1
    assert office.measure(message=True).message is None
    assert office.measure(message=True).message
