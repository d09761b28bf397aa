"""Grid: what is compared."""

from ui import grid
from ui.setup import setup

grid.draw(setup("grid"))
