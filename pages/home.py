"""Home: three ways to begin, or where the project stands."""

from ui import home
from ui.setup import setup

home.draw(setup("home"))
