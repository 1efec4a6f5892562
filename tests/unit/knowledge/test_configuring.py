"""Which configuration a session runs."""

from navlog.projections.knowledge.configuring import Judged, begun, configuration_of, of_session
from navlog.schemas.knowledge import CandidateConfiguration
from navlog.schemas.sessions import InjectionGiven, SessionEnded
from navlog.schemas.settings import Candidate, Embed, Inject, Knowledge, Settings

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


def drawn(variant: str) -> str:
    """A session that the hash puts there."""
    return next(name for n in range(999) if of_session(TRIAL, name := f"s{n}", {}).variant == variant)


def test_a_session_keeps_what_it_began_with() -> None:
    wider = Settings(candidate=Candidate(name="c1", share=1.0, score=0.4))
    assert of_session(wider, drawn(""), {}).variant == "c1"
    assert of_session(wider, drawn(""), {}, "").variant == ""
    narrower = Settings(candidate=Candidate(name="c1", share=0.0, score=0.4))
    assert of_session(narrower, drawn("c1"), {}, "c1").variant == "c1"


def test_a_candidate_that_is_on_trial_no_more_is_run_by_nobody() -> None:
    assert of_session(Settings(), "s", {}, "c1").variant == ""
    other = Settings(candidate=Candidate(name="c2", share=1.0))
    assert of_session(other, "s", {}, "c1").variant == ""
    judged = {"c1": Judged("c1", "dropped", configuration_of(TRIAL.candidate))}
    assert of_session(TRIAL, drawn("c1"), judged, "c1").variant == ""


def test_the_first_injection_says_what_a_session_began_with() -> None:
    first = InjectionGiven(injection="i", session="s", host="h", moment="start", position=1, variant="c1")
    assert begun(None, SessionEnded(session="s", host="h")) is None
    assert begun(None, first) == "c1"
    assert begun("", first) == ""


def test_a_candidate_may_change_what_is_given() -> None:
    trial = Settings(inject=Inject(files=5), candidate=Candidate(name="c", share=1.0, target=900, msus=2))
    inject = of_session(trial, "s", {}).inject
    assert (inject.target, inject.msus) == (900, 2)
    assert (inject.files, inject.cap, inject.msu_share) == (5, Inject().cap, Inject().msu_share)
    judged = {"c": Judged("c", "promoted", configuration_of(trial.candidate))}
    assert of_session(trial, "s", judged) == of_session(trial, "s", {})._replace(variant="")


def test_a_candidate_may_try_another_embedder_and_another_reranker() -> None:
    tried = Candidate(
        name="c", share=1.0, embedder="ollama", embed_model="m", embed_dimensions=512, rerank="http://r"
    )
    trial = Settings(embed=Embed(url="http://u", timeout_s=3.0), candidate=tried)
    runs = of_session(trial, "s", {})
    assert runs.embed == Embed(provider="ollama", url="http://u", model="m", dimensions=512, timeout_s=3.0)
    assert runs.rerank == "http://r"
    assert of_session(trial, "", {}).embed == trial.embed
    without = Settings(
        knowledge=Knowledge(rerank="http://r"), candidate=Candidate(name="c", share=1.0, rerank="none")
    )
    assert of_session(without, "", {}).rerank == "http://r"
    assert of_session(without, "s", {}).rerank == ""


def test_what_a_promoted_summariser_said_is_what_everybody_is_given() -> None:
    """It is in the log under the candidate's name, and went on being given to nobody else."""
    trial = Settings(candidate=Candidate(name="c", share=0.0, summariser="command"))
    judged = {"c": Judged("c", "promoted", configuration_of(trial.candidate))}
    runs = of_session(trial, "s", judged)
    assert (runs.variant, runs.summaries, runs.summariser) == ("", "c", "command")
    rules = Settings(
        knowledge=Knowledge(summariser="endpoint"),
        candidate=Candidate(name="c", share=1.0, summariser="extractive"),
    )
    assert of_session(rules, "s", {})[:3] == ("c", "", "extractive")
