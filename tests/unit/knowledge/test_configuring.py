"""Which configuration a session runs."""

from navlog.projections.knowledge.configuring import Judged, configuration_of, of_session
from navlog.schemas.knowledge import CandidateConfiguration
from navlog.schemas.settings import Candidate, Settings

TRIAL = Settings(candidate=Candidate(name="c1", score=0.4, mode="fact"))


def test_about_a_tenth_of_the_sessions_run_the_candidate() -> None:
    runs = [of_session(TRIAL, f"session-{number}", {}) for number in range(2000)]
    tried = [one for one in runs if one.variant]
    assert 140 < len(tried) < 260
    assert {(one.variant, one.score, one.mode) for one in tried} == {("c1", 0.4, "fact")}
    assert {(one.variant, one.score, one.mode) for one in runs if not one.variant} == {("", 0.25, "must")}


def test_a_session_keeps_its_configuration() -> None:
    assert of_session(TRIAL, "s", {}) == of_session(TRIAL, "s", {})


def test_without_a_candidate_or_a_session_nothing_is_tried() -> None:
    assert all(of_session(Settings(), f"s{n}", {}).variant == "" for n in range(50))
    assert of_session(Settings(candidate=Candidate(name="c", share=1.0)), "", {}).variant == ""


def test_a_promoted_candidate_counts_for_everybody() -> None:
    judged = {"c1": Judged("c1", "promoted", configuration_of(TRIAL.candidate))}
    runs = {of_session(TRIAL, f"s{number}", judged) for number in range(50)}
    assert {(one.variant, one.score, one.mode) for one in runs} == {("", 0.4, "fact")}


def test_a_dropped_candidate_counts_for_nobody() -> None:
    judged = {"c1": Judged("c1", "dropped", CandidateConfiguration(score=0.9))}
    assert {of_session(TRIAL, f"s{number}", judged).score for number in range(50)} == {0.25}
