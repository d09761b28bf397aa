"""Names of chunkers where there are several: the strategy in a report, the spec string in a label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evalcore.chunking.registry import CHUNKERS
from evalcore.specs import Spec, Value
from evalcore.text.tokens import CL100K


def strategy_names(chunkers: Sequence[Spec]) -> dict[Spec, str]:
    """Name each chunker for the report: its own name, with what differs where there are several variants."""
    variants = Counter(spec.name for spec in chunkers)
    return {
        spec: spec.name if variants[spec.name] == 1 else _telling_name(spec, chunkers) for spec in chunkers
    }


def _telling_name(spec: Spec, chunkers: Sequence[Spec]) -> str:
    """Return the main parameter and what else differs, without what follows (an overlap from its size)."""
    if not is_known(spec):
        return spec.name
    mine = effective(spec)
    others = [effective(other) for other in chunkers if other.name == spec.name]
    main = CHUNKERS.get(spec.name).main
    told = {}
    for name, value in mine.items():
        is_main = main is not None and name == main.name
        without = CHUNKERS.spec(spec.name, {k: v for k, v in mine.items() if k != name})
        follows = not is_main and effective(without).get(name) == value
        if is_main or (not follows and any(other.get(name) != value for other in others)):
            told[name] = value
    return CHUNKERS.format(CHUNKERS.spec(spec.name, told))


def is_known(chunker: Spec) -> bool:
    """Return whether the chunker's name is registered."""
    return chunker.name in CHUNKERS


def effective(chunker: Spec) -> dict[str, Value]:
    """Return a chunker's parameters as it runs, defaults filled in."""
    if not is_known(chunker):
        return chunker.values
    method = CHUNKERS.get(chunker.name)
    # Our chunkers keep their parameters, derived ones too; a chunker of somebody else may not.
    built = None if method.source else CHUNKERS.build(chunker)
    found: dict[str, Value] = {}
    for parameter in method.parameters:
        given = chunker.values.get(parameter.name, parameter.default)
        value = getattr(built, parameter.name, given)
        if value is not None:
            found[parameter.name] = value
    return found


def complete(chunker: Spec) -> dict[str, Value]:
    """Return `effective` parameters for a report; cl100k_base goes without saying."""
    found = effective(chunker)
    if found.get("tokenizer") == CL100K:
        del found["tokenizer"]
    return found


def chunker_text(chunker: Spec) -> str:
    """Return a chunker's spec string; one that is not known here has its name and what was given."""
    if is_known(chunker):
        return CHUNKERS.format(chunker)
    given = ",".join(f"{name}={value}" for name, value in chunker.params)
    return f"{chunker.name}:{given}" if given else chunker.name
