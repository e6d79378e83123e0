"""Makes the documents that the tests of attachments read, with the programs that people make them with.

Needs soffice (LibreOffice Writer), pdflatex, qpdf, and the packages of requirements.txt.
"""

import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import docx
import img2pdf
import msoffcrypto.format.ooxml
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from PIL import Image, ImageDraw, ImageFont

HEADER = "Acme Outdoor, internal"
FOOTER = "Version of May"
TITLE = "Returns policy"
RULE = "Tents can be returned for 30 days."
DELETED = "This sentence was deleted."
ROWS = [("Country", "Days"), ("Österreich", "30"), ("Česko", "14")]
NOTE = "Counted from the delivery."
PASSWORD = "a password"


def run(*command: object, **options: object) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, **options)


def open_document() -> str:
    """A text document of LibreOffice with header, footer, footnote, table, list and a tracked deletion."""
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in ROWS
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "style")
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/"
  office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>{TITLE}</dc:title></office:meta>
<office:automatic-styles><style:page-layout style:name="pm1">
  <style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="pm1">
  <style:header><text:p>{HEADER}</text:p></style:header>
  <style:footer><text:p>{FOOTER}</text:p></style:footer>
</style:master-page></office:master-styles>
<office:body><office:text>
<text:tracked-changes text:track-changes="true"><text:changed-region text:id="c1"><text:deletion>
  <office:change-info><dc:creator>A</dc:creator><dc:date>2026-05-01T00:00:00</dc:date></office:change-info>
  <text:p> {DELETED}</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">{TITLE}</text:h>
<text:p>{RULE}<text:change text:change-id="c1"/><text:note text:id="n1" text:note-class="footnote">
  <text:note-citation>1</text:note-citation><text:note-body><text:p>{NOTE}</text:p></text:note-body>
</text:note></text:p>
<text:list><text:list-item><text:p>Unused goods</text:p></text:list-item>
<text:list-item><text:p>With the receipt</text:p></text:list-item></text:list>
<table:table table:name="t"><table:table-column table:number-columns-repeated="2"/>{cells}</table:table>
</office:text></office:body></office:document>"""


def make_writer_files(folder: Path, work: Path) -> None:
    source = work / "libreoffice.fodt"
    source.write_text(open_document(), encoding="utf-8")
    profile = f"-env:UserInstallation=file://{work}/profile"
    for target in ("docx:MS Word 2007 XML", "pdf:writer_pdf_Export"):
        run("soffice", profile, "--headless", "--convert-to", target, "--outdir", folder, source)


def make_word_file(path: Path) -> None:
    """By python-docx, whose template was saved by Word."""
    document = docx.Document()
    document.core_properties.title = TITLE
    document.sections[0].header.paragraphs[0].text = HEADER
    document.sections[0].footer.paragraphs[0].text = FOOTER
    document.add_heading(TITLE, level=1)
    paragraph = document.add_paragraph(RULE)
    inserted = parse_xml(
        f'<w:ins {nsdecls("w")} w:id="1" w:author="A" w:date="2026-05-01T00:00:00Z">'
        "<w:r><w:t xml:space=\"preserve\"> Boots, too.</w:t></w:r></w:ins>"
    )
    deleted = parse_xml(
        f'<w:del {nsdecls("w")} w:id="2" w:author="A" w:date="2026-05-01T00:00:00Z">'
        f"<w:r><w:delText> {DELETED}</w:delText></w:r></w:del>"
    )
    paragraph._p.append(inserted)
    paragraph._p.append(deleted)
    table = document.add_table(rows=0, cols=2)
    for row in ROWS:
        for cell, text in zip(table.add_row().cells, row):
            cell.text = text
    document.add_paragraph("Unused goods", style="List Bullet")
    document.save(path)


def make_encrypted_word_file(source: Path, path: Path) -> None:
    with source.open("rb") as plain, path.open("wb") as encrypted:
        msoffcrypto.format.ooxml.OOXMLFile(plain).encrypt(PASSWORD, encrypted)


def make_latex_file(path: Path, work: Path) -> None:
    rows = r" \\ ".join(" & ".join(row) for row in ROWS)
    (work / "latex.tex").write_text(
        rf"""\documentclass{{article}}\usepackage[utf8]{{inputenc}}\usepackage[T1]{{fontenc}}
\usepackage{{times}}\begin{{document}}\section{{{TITLE}}}
{RULE} An efficient office finds the fifth floor.\footnote{{{NOTE}}} Wrong hyphen-ation of a very long
line of unquestionably extraordinary incomprehensibilities that the engine breaks at some syllable.
\begin{{tabular}}{{ll}}{rows}\end{{tabular}}
\[ E = mc^2 \]
\end{{document}}""",
        encoding="utf-8",
    )
    run("pdflatex", "-interaction=batchmode", "latex.tex", cwd=work)
    path.write_bytes((work / "latex.pdf").read_bytes())


def make_scan(path: Path) -> None:
    page = Image.new("1", (827, 1169), 1)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(24)
    for line, text in enumerate((TITLE, RULE)):
        draw.text((100, 100 + 40 * line), text, fill=0, font=font)
    png = io.BytesIO()
    page.save(png, "PNG")
    path.write_bytes(img2pdf.convert(png.getvalue(), creationdate=None, nodate=True))


def make_protected_files(folder: Path) -> None:
    plain = folder / "libreoffice.pdf"
    run("qpdf", plain, "--encrypt", PASSWORD, PASSWORD, "256", "--", folder / "password.pdf")
    run("qpdf", plain, "--encrypt", "", PASSWORD, "256", "--modify=none", "--extract=n", "--",
        folder / "owner-password.pdf")
    run("qpdf", plain, "--allow-weak-crypto", "--encrypt", "", PASSWORD, "128", "--use-aes=n", "--",
        folder / "owner-password-rc4.pdf")
    run("qpdf", "--linearize", "--object-streams=generate", "--deterministic-id", plain,
        folder / "linearized.pdf")
    run("qpdf", "--empty", "--deterministic-id", "--pages", plain, folder / "scan.pdf", "--",
        folder / "text-and-scan.pdf")


def make_texts(folder: Path) -> None:
    """As Excel saves them: a list separator of the locale, and "Unicode Text" as UTF-16 with tabs."""
    table = "Artikel;Preis\r\nSchlafsäcke;12,50 €\r\n„Zelt“;99,00 €\r\n"
    (folder / "excel-windows-1252.csv").write_bytes(table.encode("cp1252"))
    unicode_text = table.replace(";", "\t")
    (folder / "excel-unicode.tsv").write_bytes(b"\xff\xfe" + unicode_text.encode("utf-16-le"))
    japanese = "取引先,東京都千代田区\r\n返品は三十日以内にお願いします,はい\r\n"
    (folder / "shift-jis.csv").write_bytes(b"id,name\r\n" * 600 + japanese.encode("shift_jis"))
    data = json.dumps({"Rückgabe": "30 Tage", "Länder": ["Österreich"]}, ensure_ascii=False)
    (folder / "byte-order-mark.json").write_bytes(data.encode("utf-8-sig"))
    (folder / "colors.log").write_bytes(make_log().encode())


def make_log() -> str:
    """Of git, with colors."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "old").write_text("30 days\nreturns\n")
        (folder / "new").write_text("14 days\nreturns\n")
        command = ["git", "diff", "--no-index", "--color=always", "old", "new"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        make_writer_files(folder, work)
        make_word_file(folder / "word.docx")
        make_encrypted_word_file(folder / "word.docx", folder / "password.docx")
        make_latex_file(folder / "latex.pdf", work)
    make_scan(folder / "scan.pdf")
    make_protected_files(folder)
    make_texts(folder)


main(Path(sys.argv[1]))
