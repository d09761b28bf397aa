"""Report: what to take away."""

from ui import report
from ui.setup import setup

report.draw(setup("report"))
