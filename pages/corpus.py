"""Corpus: the documents that are cut and searched."""

from ui import corpus
from ui.setup import setup

corpus.draw(setup("corpus"))
