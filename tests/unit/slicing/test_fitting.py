"""Places under a cap: never passed, and what finds no room is counted."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.slicing.fitting import Form, Offer, fit, left, shown
from navlog.projections.tokens import count_tokens
from navlog.schemas.slices import Role

LATE: frozenset[Role] = frozenset({"near"})
OFFERS = st.lists(
    st.builds(
        Offer,
        path=st.text("abc/", max_size=30),
        line=st.integers(1, 9999),
        end_line=st.just(1),
        symbol=st.text("ab", max_size=20),
        role=st.sampled_from(["call", "test", "near"]),
        reason=st.text("ab ", max_size=40),
        forms=st.lists(st.builds(Form, st.text("ab \n编", max_size=300), st.booleans()), max_size=3),
    ),
    max_size=25,
)


@given(OFFERS, st.integers(0, 600), st.integers(0, 600))
def test_no_cap_is_ever_passed_not_even_by_the_whole_text(offers: list[Offer], cap: int, soft: int) -> None:
    fitted = fit(offers, cap, soft, LATE)
    assert sum(one.tokens for one in fitted) <= cap
    assert count_tokens("\n".join(shown(one.offer, one.form) for one in fitted)) <= cap


@given(OFFERS, st.integers(0, 600))
def test_every_offer_is_given_or_counted(offers: list[Offer], cap: int) -> None:
    fitted = fit(offers, cap, cap, LATE)
    given_ = Counter(one.offer.role for one in fitted)
    assert given_ + Counter(left(offers, fitted)) == Counter(offer.role for offer in offers)


@given(OFFERS)
def test_with_room_everything_is_given_in_its_best_form(offers: list[Offer]) -> None:
    fitted = fit(offers, 10**6, 10**6)
    assert [(one.offer, one.form) for one in fitted] == [
        (offer, offer.forms[0] if offer.forms else None) for offer in offers
    ]


def test_a_text_that_does_not_fit_gives_way_to_its_shorter_form() -> None:
    offer = Offer("a.py", 1, 9, "f", "changed", "body changed", (Form("x " * 500, False), Form("x", True)))
    (fitted,) = fit([offer], 60, 60)
    assert fitted.form == Form("x", True)


def test_pointers_come_before_texts_and_late_roles_after_both() -> None:
    near = Offer("n.py", 1, 1, "n", "near", "calls it", ())
    call = Offer("c.py", 1, 1, "c", "call", "calls it", (Form("c(1)", True),))
    only_call = sum(one.tokens for one in fit([call], 100, 100))
    assert [one.offer.role for one in fit([near, call], only_call, only_call, LATE)] == ["call"]
    assert [one.offer.role for one in fit([near, call], 100, 100, LATE)] == ["call", "near"]
