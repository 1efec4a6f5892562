"""The journal as the eventsourcing library's DCB recorder: its shipped checks, and what they leave out."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from eventsourcing.dcb.api import DCBAppendCondition, DCBEvent, DCBQuery, DCBQueryItem
from eventsourcing.dcb.tests import DCBRecorderTestCase
from eventsourcing.persistence import IntegrityError, OperationalError, ProgrammingError
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.journal import Journal
from navlog.daemon.journal.dcb import JournalRecorder, _unwrapped, _wrapped
from navlog.schemas.payloads import check_payload
from navlog.schemas.settings import Log
from support.journal import open_journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = open_journal(tmp_path, Log(segment_bytes=2000))
    yield journal
    journal.close()


@pytest.fixture
def recorder(journal: Journal) -> JournalRecorder:
    return JournalRecorder(journal, project="p", source="test")


def test_the_shipped_check_of_append_and_read_runs(recorder: JournalRecorder, journal: Journal) -> None:
    DCBRecorderTestCase()._test_append_read(recorder)
    assert journal.position == 13  # what it appends: it really ran
    assert journal.state.segments > 1  # and over a segment's end


def test_the_shipped_check_holds_on_a_log_that_has_events(recorder: JournalRecorder) -> None:
    for _ in range(5):
        recorder.append([DCBEvent(type="other", data=b"x")])
    DCBRecorderTestCase()._test_append_subscribe(recorder, initial_position=5)


def test_the_shipped_check_of_subscribing_runs(recorder: JournalRecorder, journal: Journal) -> None:
    DCBRecorderTestCase()._test_append_subscribe(recorder)
    assert journal.position == 2


def test_a_check_that_must_fail_fails(recorder: JournalRecorder) -> None:
    recorder.append([DCBEvent(type="other", data=b"x")])
    with pytest.raises(AssertionError):
        DCBRecorderTestCase()._test_append_read(recorder)


@given(st.binary())
def test_payloads_stay_byte_for_byte(data: bytes) -> None:
    check_payload(_wrapped(data))
    assert _unwrapped(_wrapped(data)) == data


@pytest.mark.parametrize(
    "data",
    [b"{}", b'{"a": 1}', b'{"base64":"AAAA"}', b'{"base64":1}', b' {"a":1}', b'{"a":1} ', b'{"a":\n1}'],
)
def test_payloads_that_look_alike_are_told_apart(data: bytes) -> None:
    assert _unwrapped(_wrapped(data)) == data


def test_an_object_in_json_is_stored_as_it_is(recorder: JournalRecorder, journal: Journal) -> None:
    recorder.append([DCBEvent(type="t", data=b'{"a": 1}')])
    assert [bytes(record.data) for record in journal.read()] == [b'{"a": 1}']


def test_of_many_who_append_under_one_condition_one_wins(recorder: JournalRecorder) -> None:
    query = DCBQuery(items=[DCBQueryItem(tags=["lease"])])
    outcomes: list[bool] = []

    def take() -> None:
        try:
            recorder.append([DCBEvent("taken", b"", ["lease"])], DCBAppendCondition(query))
            outcomes.append(True)
        except IntegrityError:
            outcomes.append(False)

    takers = [Thread(target=take) for _ in range(8)]
    for thread in takers:
        thread.start()
    for thread in takers:
        thread.join()
    assert sorted(outcomes) == [False] * 7 + [True]


def test_a_subscription_filters_and_ends_when_it_is_stopped(recorder: JournalRecorder) -> None:
    for number in range(6):
        recorder.append([DCBEvent(type=f"type{number % 2}", data=b"", tags=[])])
    query = DCBQuery(items=[DCBQueryItem(types=["type1"])])
    with recorder.subscribe(query, after=2) as subscription:
        assert [next(subscription).position, next(subscription).position] == [4, 6]
        subscription.stop()
        assert list(subscription) == []


def test_faults_are_the_library_s(recorder: JournalRecorder, journal: Journal) -> None:
    with pytest.raises(ProgrammingError):
        recorder.append([])
    with pytest.raises(ProgrammingError):
        recorder.append([DCBEvent(type="\ud800", data=b"")])
    journal.close()
    with pytest.raises(OperationalError):
        recorder.append([DCBEvent(type="t", data=b"")])
