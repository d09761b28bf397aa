"""Run: what is happening, and how far it is."""

from ui import run
from ui.setup import setup

run.draw(setup("run"))
