"""The dashboard's entrypoint: `streamlit run app.py`."""

from __future__ import annotations

from ui.setup import navigation

navigation().run()
