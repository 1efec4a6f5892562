"""`overlay review`: one candidate after the other, judged by a key.

The loop (`Review`) knows no terminal: it takes keys and gives lines, so a test can play it.
"""

import getpass
import sys
from collections.abc import Callable, Iterable, Iterator

import click
from msgspec.structs import replace

from navlog.daemon.cli.frame import Command, counted, example, json_option, say_json
from navlog.daemon.cli.here import ask_here, project_option
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import Action, Candidate, CandidatesArgs, CandidatesReply, JudgeArgs, JudgeReply
from navlog.schemas.names import shown

HELP = "a accept  r reject  s skip  u undo  A accept all that are left  R reject all  q quit"
LAST = ("", "Nothing is left.  u undo the last one  any other key ends")
EVIDENCE = 6
Judge = Callable[[JudgeArgs], int]  # gives the position
NOWHERE = -1  # the position of what a rejected proposal leaves among the judgements: nothing


@click.command(cls=Command, epilog=example("navlog overlay review --at-least 0.6"))
@click.argument("concept", required=False)
@project_option
@click.option("--relations", is_flag=True, help="Relations of all concepts instead of concepts.")
@click.option(
    "--at-least",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="0..1",
    help="Only candidates as sure as this.",
)
@click.option("--who", default=getpass.getuser, show_default="your login", help="Who judges.")
@json_option
def review(
    concept: str | None, *, project: str | None, relations: bool, at_least: float, who: str, as_json: bool
) -> None:
    """Judge what nobody judged: agents' proposals, then concepts; or the relations of CONCEPT."""
    args = CandidatesArgs(project=project, concept=concept or "", relations=relations)
    reply = ask_here("overlay-candidates", CandidatesReply, args, changes=not as_json)
    found = [one for one in reply.candidates if one.by or one.confidence >= at_least]
    if as_json:
        say_json(found)
        return
    if not sys.stdin.isatty():
        raise UsageError(
            "A review needs a terminal.", hint="navlog overlay review --json, then navlog overlay accept …"
        )

    def judge(args: JudgeArgs) -> int:
        return next(
            (one.position for one in ask_here("overlay", JudgeReply, args, changes=True).judgements), NOWHERE
        )

    for line in Review(found, reply.project, who, judge).run(_keys()):
        click.echo(line)


class Review:
    """``judge`` writes one judgement down and gives its position."""

    def __init__(self, candidates: Iterable[Candidate], project: str, who: str, judge: Judge) -> None:
        self._left = list(candidates)
        self._done: list[tuple[Candidate, int]] = []  # 0: skipped
        self._project = project
        self._who = who
        self._judge = judge

    def run(self, keys: Iterator[str]) -> Iterator[str]:
        """The lines to show, until nothing is left, `q`, or no more keys; the last one can be undone, too."""
        yield HELP if self._left else "Nothing is left to judge."
        while self._left or self._done:
            yield from self._ask(self._left[0]) if self._left else LAST
            key = next(keys, "q")
            if key == "q" or (key != "u" and not self._left):
                break
            yield from self._act(key)
        yield self._sum()

    def _ask(self, one: Candidate) -> Iterator[str]:
        yield ""
        sure = f"proposed by {one.by}" if one.by else f"{one.confidence:.2f}"
        yield f"{shown(one.says)}  ({sure}; {counted(len(self._left), 'candidate')} left)"
        for why in one.evidence[:EVIDENCE]:
            yield f"    {shown(why.says)}" + (f"  {shown(why.pointer)}" if why.path else "")

    def _act(self, key: str) -> Iterator[str]:
        if key in "arAR":
            yield from self._say(key.lower(), len(self._left) if key.isupper() else 1)
        elif key == "s":
            self._done.append((self._left.pop(0), 0))
        elif key == "u":
            yield self._undo()
        else:
            yield HELP

    def _say(self, key: str, count: int) -> Iterator[str]:
        action: Action = "accept" if key == "a" else "reject"
        word = f"{action}ed"
        for _ in range(count):
            one = self._left[0]
            self._done.append((one, self._judge(self._args(one, action))))
            self._left.pop(0)
        yield f"  {word}" if count == 1 else f"  {word}: {count:,}"

    def _args(self, one: Candidate, action: Action) -> JudgeArgs:
        return JudgeArgs(
            action=action, project=self._project, who=self._who, target=one.concept,
            relation=one.relation, other=one.other,
        )  # fmt: skip

    def _undo(self) -> str:
        if not self._done:
            return "  There is nothing to undo."
        one, position = self._done.pop()
        if position:
            back = JudgeArgs(action="withdraw", project=self._project, who=self._who, why="undone")
            self._judge(
                replace(back, action="reopen", target=one.concept)
                if one.by
                else replace(back, position=position)
            )
        self._left.insert(0, one)
        return "  undone"

    def _sum(self) -> str:
        judged = sum(1 for _, position in self._done if position)
        return f"{judged:,} judged, {len(self._done) - judged:,} skipped, {len(self._left):,} left"


def _keys() -> Iterator[str]:
    """A key at a time, without Enter; Ctrl-C and Ctrl-D are `q`."""
    while True:
        try:
            yield click.getchar()
        except (KeyboardInterrupt, EOFError):
            return
