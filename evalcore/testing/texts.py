"""The texts that checks run on: ordinary ones, and those on which programs stumble."""

from __future__ import annotations

ORDINARY = """# Loans

A reader may keep a book for 21 days. A late return costs 15 cents a day, and at most 6 euros.

Periodicals are read in the hall. The newest number of each stands on the shelf by the window.

## Reservations

| Kind | Days kept |
| --- | --- |
| Book | 7 |
| Map | 3 |

- Reservations are free.
- They lapse when nobody comes.

Whoever loses a book pays what a new one costs. Damage is judged by the librarian on duty.
"""

OTHER = """# Opening hours

The library is open from nine to six. On Sundays it is closed, and so it is on public holidays.

Groups of more than ten announce their visit a week before.
"""

LONG = "\n\n".join(
    f"Shelf {n} holds the letters of year {1700 + n}. They were bound in red. Nobody has read all of them."
    for n in range(160)
)

AWKWARD: dict[str, str] = {
    "one_word": "word",
    "cjk": "図書館は九時に開きます。日曜日は休みです。本は二十一日間借りられます。" * 12,
    "emoji": "Books 📚 and maps 🗺️ for families 👩‍👩‍👧, closed 🙂. " * 20 + "👩‍👩‍👧🙂" * 40,
    "combining_marks": "Cafe\u0301 and re\u0301sume\u0301, n\u0303 and o\u0302\u0301. " * 20,
    "windows_line_ends": "One line.\r\nAnother line.\r\n\r\nA new paragraph.\r\n" * 12,
    "long_line": "letters " * 3000,
    "long_word": "x" * 5000,
}

PASSAGES = (
    "A reader may keep a book for 21 days.",
    "A late return costs 15 cents a day.",
    "Periodicals are read in the hall.",
    "Reservations lapse when nobody comes.",
    "The library is open from nine to six.",
    "Whoever loses a map pays for a new one.",
    "Groups announce their visit a week before.",
    "Damage is judged by the librarian on duty.",
    "The cellar holds letters bound in red leather.",
    "Visitors leave coats and bags in a locker.",
    "Copies cost ten cents for each page.",
    "Children under twelve borrow without a fee.",
    "The reading room has forty seats.",
    "Newspapers of the last month lie in boxes.",
)
"""Fourteen passages with words of their own."""

QUESTIONS = ("How long may a reader keep a book?", "What does a late return cost?", "Who judges damage?")
