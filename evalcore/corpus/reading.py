"""One file or text in, one document out, inside this process and without time or memory limits."""

from __future__ import annotations

from dataclasses import replace

from evalcore.corpus.base import Reading
from evalcore.corpus.document import Document, MediaType
from evalcore.corpus.encoding import damaged_share, decode, repair_surrogates
from evalcore.corpus.language import detect_language
from evalcore.corpus.limits import Limits, megabytes
from evalcore.corpus.markdown import markdown_elements
from evalcore.corpus.names import clean_name, media_type_of, refusal, stem
from evalcore.corpus.plaintext import paragraph_elements
from evalcore.errors import DocumentError

_DAMAGED = 0.02
_BINARY = (MediaType.PDF, MediaType.DOCX)


def read_text(doc_id: str, text: str, media_type: MediaType) -> Document:
    """Read a text that is decoded already: Markdown, plain text or HTML.

    Markdown and plain text stay as they are but for a byte order mark and lone surrogates.

    Raises:
        DocumentError: for a media type that is no text.
    """
    if media_type in _BINARY:
        raise DocumentError(f"{doc_id}: {media_type} is read from bytes, not from text; use read_bytes")
    return _document(doc_id, doc_id, media_type, _read_decoded(text, media_type))


def read_bytes(name: str, data: bytes, limits: Limits | None = None, *, layout: bool = False) -> Document:
    """Read a file by its extension; the id is its name without folders and extension.

    Time and memory are not bounded here (`evalcore.corpus.loading` does that); sizes are. `layout` keeps the
    columns of a PDF apart.

    Raises:
        DocumentError: one line that begins with the file's name.
    """
    name = clean_name(name)
    try:
        if reason := refusal(name):
            raise DocumentError(reason)
        limits = limits or Limits()
        check_size(len(data), limits)
        media_type = media_type_of(name) or MediaType.TEXT
        reading = _read(data, media_type, limits, layout)
        _check_length(reading.text, limits)
    except DocumentError as error:
        raise DocumentError(f"{name}: {error}") from error
    return _document(stem(name), name, media_type, reading)


def check_size(size: int, limits: Limits) -> None:
    """Refuse a file of more bytes than the limit.

    Raises:
        DocumentError: the message has no file name yet.
    """
    if size > limits.file_bytes:
        raise DocumentError(
            f"has {megabytes(size)}; at most {megabytes(limits.file_bytes)} are allowed: split it"
        )


def _check_length(text: str, limits: Limits) -> None:
    if len(text) > limits.characters:
        raise DocumentError(
            f"has {len(text):,} characters of text; at most {limits.characters:,} are read: split it"
        )


def _read(data: bytes, media_type: MediaType, limits: Limits, layout: bool) -> Reading:
    if media_type is MediaType.PDF:
        from evalcore.corpus.pdf import read_pdf

        return read_pdf(data, layout=layout)
    if media_type is MediaType.DOCX:
        from evalcore.corpus.docx import read_docx

        return read_docx(data, limits)
    return _read_encoded(data, media_type)


def _read_encoded(data: bytes, media_type: MediaType) -> Reading:
    declared = None
    if media_type is MediaType.HTML:
        from evalcore.corpus.html import declared_encoding

        declared = declared_encoding(data)
    decoded = decode(data, declared)
    reading = _read_decoded(decoded.text, media_type)
    guess = f"states no encoding; read as {decoded.encoding}, a guess: check accented letters"
    notes = reading.notes + ((guess,) if decoded.guessed else ())
    return replace(reading, metadata={**reading.metadata, "encoding": decoded.encoding}, notes=notes)


def _read_decoded(text: str, media_type: MediaType) -> Reading:
    text, lone = repair_surrogates(text.removeprefix("\ufeff"))
    notes = (f"{lone:,} lone surrogates (halves of characters) became U+FFFD",) if lone else ()
    if media_type is MediaType.HTML:
        from evalcore.corpus.html import read_html

        reading = read_html(text)
        return replace(reading, notes=notes + reading.notes)
    elements = markdown_elements(text) if media_type is MediaType.MARKDOWN else paragraph_elements(text)
    return Reading(text, elements, notes=notes)


def _document(doc_id: str, name: str, media_type: MediaType, reading: Reading) -> Document:
    metadata = {"file": name, "media_type": str(media_type), **reading.metadata}
    language = detect_language(reading.text)
    if language is not None:
        metadata["language"] = language
    notes = [*reading.notes, *_text_notes(reading, media_type)]
    return Document(
        doc_id, reading.text, reading.elements, metadata, tuple(f"{name}: {note}" for note in notes)
    )


def _text_notes(reading: Reading, media_type: MediaType) -> list[str]:
    notes = []
    if not reading.text.strip() and media_type is not MediaType.PDF:
        notes.append("there is no text in it; it counts as a document but nothing can be found in it")
    if replaced := reading.text.count("\ufffd"):
        notes.append(f"{replaced:,} replacement characters (U+FFFD) stand where characters could not be read")
    share = damaged_share(reading.text)
    if share >= _DAMAGED:
        notes.append(
            f"{share:.0%} of its characters look wrong: the text may be damaged; compare with the original"
        )
    return notes
