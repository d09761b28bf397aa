"""Questions: what is asked and the passages that answer it."""

from ui import questions
from ui.setup import setup

questions.draw(setup("questions"))
