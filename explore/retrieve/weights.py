"""The figures of ranking, each with where it came from; it computes nothing.

Two benchmarks decide: R, the share of the lines changed by 160 commits of 8 repositories that an answer to the commit's
subject holds, watched on 90 commits of 6 other repositories (`benchmarks/mine_cases.py`); and N, NDCG@10 over questions
on 15 repositories. A figure is the middle of what does about equally well on all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Weights:
    """Figures without a unit; scores are in BM25's, where a rare word is worth 10 or so."""

    k1: float = 1.2
    """How soon a word's repetition stops to count. BM25's usual value; 2 and more lose on R and N."""
    b: float = 0.4
    """How far a long symbol is held to its length; 0.25 to 0.4 do equally well, 0.6 loses 5 points on other R."""
    file_b: float = 0.5
    """The same for files: 0.4 to 0.6 is flat; 0.75 loses a point on N to small files that matched by accident."""
    name: float = 4.0
    """Occurrences that one in the symbol's name stands for; 2 to 8 is nearly flat."""
    scope: float = 1.0
    """The same for a name around the symbol."""
    order: float = 0.2
    """What a verb that says what to do with code ("add", "fix") counts beside another word; 0.1 to 0.2 best on R."""
    pair: float = 0.7
    """What two words in a row written as one (`base path`, `basepath`) count; 0.5 to 1 equal, 0 loses half a point."""
    relative: float = 0.4
    """What a word of the same stem counts beside the one asked for; 0.2 to 0.6 is flat on R, 0.4 best on N: half a
    point there, and a point of the files on both R."""
    synonym: float = 0.6
    """What a word of the same meaning counts where the one asked for occurs nowhere; 0.5 to 0.8 equal: half a point on
    N, nothing on R."""
    held: float = 0.4
    """The share of a word's worth where it is a part of a longer word of a name (`error` in `errorhandler`); 0.3 to 0.5
    is flat, 0 and 1 cost a point of R."""
    beside: float = 0.04
    """The share of a symbol's score that goes to the ones directly before and after; 0.03 to 0.06 equal, 0.1 loses a
    third of a point on N."""
    named: float = 4.0
    """What a spelled-out name adds to the symbol it means; 4 to 6 equal."""
    named_best: float = 0.3
    """What it adds on top, as a share of the best score by words, so that a long question does not drown the name;
    1 takes room from the rest on R, 0 loses a point there."""
    other_case: float = 0.5
    """The factor for a symbol that differs from the spelled name by case, as `Request` and `request` do."""
    other_scope: float = 0.3
    """The factor where a name was spelled with what is around it and the symbol stands elsewhere."""
    member: float = 2.0
    """What the members of a symbol that is named gain; 1 to 3 equal, 0 costs a point on R."""
    listed: float = 2.0
    """What the outer symbols of a file that is named gain; 1 to 3 equal."""
    fade: float = 0.5
    """The share at which each next symbol counts for its file; 0.3 and 0.7 lose on both."""
    whole: float = 2.0
    """What a file's score as one text counts beside its symbols; 1.5 to 2 best, 4 loses two points on R."""
    own_file: float = 0.15
    """The share of the file's score that each of its symbols gets, which orders symbols between files."""
    file_name: float = 0.5
    """What a file gains whose name is all asked for, as a share of its weight; 0.5 to 0.8 is flat."""
    folder: float = 0.5
    """What a file gains where its folders hold all the words; 0.5 to 0.8 is flat."""
    alike: float = 0.5
    """What a path's word counts that only begins like a word asked for (`ser` and `serialize`); 0.3 to 0.6 is flat."""
    on_path: float = 0.7
    """The share of a named symbol's gain that one on a call path between named symbols gets."""
    names_file: float = 1.0
    """What a file gains that has the one symbol of a name spelled out, as a share of its weight; of several each gains
    its part. A quarter of a point on N and R; 2 loses both."""
    path_file: float = 2.0
    """The factor for the file of such a symbol, from the system that inspired this one."""
    file_named: float = 3.0
    """The factor for a file that the question names; 2 to 3 equal."""
    elsewhere: float = 0.75
    """The factor for a file of another platform (`src/win`): of twins, that which can run here is first. Half a point
    on N, from one repository; nothing on R."""
    test: float = 0.2
    sample: float = 0.5
    generated: float = 0.2
    """Factors for what nobody asks for unless they say so."""
    document: float = 0.1
    """The same for documents, which come behind all source besides; chosen."""


MEASURED: Final = Weights()
"""The figures as they stand."""
