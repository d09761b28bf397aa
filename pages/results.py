"""Results: the verdict first, then the table it rests on."""

from ui import results
from ui.setup import setup

results.draw(setup("results"))
