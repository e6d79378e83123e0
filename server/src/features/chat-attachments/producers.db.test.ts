import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addAttachment } from '@assay/contract/chat-attachments.ts'
import { beforeAll, expect, test } from 'vitest'
import { attachmentForm } from '../../../test/attachment-form.ts'
import { addUser } from '../../../test/people.ts'
import { readTables } from '../../../test/read-tables.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'

/*
 * Files that people attach, from the programs that they make them with: see e2e/record/README.md. Damaged and hostile
 * files are those of the other tests.
 */

const folder = join(import.meta.dirname, 'fixtures')
const service = runningService()
let ana: Credentials

beforeAll(async () => {
  ana = await service.signedIn(await addUser(service.accounts))
})

const upload = (file: string) =>
  service.call(addAttachment, attachmentForm(file, readFileSync(join(folder, file))), ana)

const writerPdf = [
  'Acme Outdoor, internal\nReturns policy\n',
  'Tents can be returned for 30 days.',
  'Country Days\nÖsterreich 30\nČesko 14\n',
  '1 Counted from the delivery.\nVersion of May',
]
const writerDocx = `Acme Outdoor, internal

# Returns policy
Tents can be returned for 30 days.
Unused goods
With the receipt
Country | Days
Österreich | 30
Česko | 14

Counted from the delivery.

Version of May`
const wordDocx = `Acme Outdoor, internal

# Returns policy
Tents can be returned for 30 days. Boots, too.
Country | Days
Österreich | 30
Česko | 14
Unused goods

Version of May`
const prices = (separator: string) =>
  `Artikel;Preis\nSchlafsäcke;12,50 €\n„Zelt“;99,00 €\n`.replaceAll(';', separator)

interface Read {
  readonly file: string
  readonly promise: string
  /** The text, or parts of it in their order. */
  readonly text: string | readonly string[]
  readonly more?: object
}

const read: readonly Read[] = [
  {
    file: 'libreoffice.docx',
    promise:
      'chat case 19: a document of LibreOffice has its header, notes and footer, no deleted text',
    text: writerDocx,
  },
  {
    file: 'word.docx',
    promise:
      'chat case 19: a document of Word has its header, inserted text and footer, no deleted text',
    text: wordDocx,
  },
  {
    file: 'libreoffice.pdf',
    promise: 'an export of LibreOffice to PDF is read line by line',
    text: writerPdf,
    more: { pages: 1, notes: [] },
  },
  {
    file: 'linearized.pdf',
    promise: 'a PDF for the web, with its objects in streams, is read',
    text: writerPdf,
  },
  {
    file: 'latex.pdf',
    promise: 'a PDF of LaTeX has whole words with ligatures, and its footnote last',
    text: [
      '1 Returns policy\nTents can be returned for 30 days.',
      'An efficient office finds the fifth floor.',
      'Österreich 30',
      '1Counted from the delivery.',
    ],
  },
  {
    file: 'owner-password.pdf',
    promise: 'chat case 17: a PDF that is protected from copying with AES is read',
    text: writerPdf,
  },
  {
    file: 'owner-password-rc4.pdf',
    promise: 'chat case 17: a PDF that is protected from copying with RC4 is read',
    text: writerPdf,
  },
  {
    file: 'text-and-scan.pdf',
    promise: 'chat case 16: a PDF of text and a scan is read, with a note',
    text: writerPdf,
    more: { pages: 2, notes: ['1 of 2 pages have no text. They may be scans.'] },
  },
  {
    file: 'excel-windows-1252.csv',
    promise: 'chat case 18: a table that Excel saves as CSV is decoded',
    text: prices(';'),
  },
  {
    file: 'excel-unicode.tsv',
    promise: 'chat case 18: a table that Excel saves as Unicode text is decoded',
    text: prices('\t'),
  },
  {
    file: 'shift-jis.csv',
    promise: 'chat case 18: a long table with Japanese at its end is decoded',
    text: ['id,name\n', '取引先,東京都千代田区\n返品は三十日以内にお願いします,はい\n'],
  },
  {
    file: 'byte-order-mark.json',
    promise: 'JSON with a byte order mark is read without a note',
    text: '{"Rückgabe": "30 Tage", "Länder": ["Österreich"]}',
    more: { notes: [] },
  },
  {
    file: 'colors.log',
    promise: 'a log of git with colors has none',
    text: ['@@ -1,2 +1,2 @@\n-30 days\n+14 days\n returns\n'],
  },
]

const refused: readonly (readonly [file: string, what: string, code: string])[] = [
  ['scan.pdf', 'chat case 16: a scan', 'EMPTY'],
  ['password.pdf', 'chat case 17: a PDF with a password', 'ENCRYPTED'],
  ['password.docx', 'chat case 17: a document of Word with a password', 'ENCRYPTED'],
]

/** Those that are in the text, each after the one before. */
function partsIn(text: string, parts: readonly string[]): readonly string[] {
  let from = 0
  return parts.filter((part) => {
    const at = text.indexOf(part, from)
    if (at >= 0) from = at + part.length
    return at >= 0
  })
}

test('every file is in a table', () => {
  const named = [...read.map(({ file }) => file), ...refused.map(([file]) => file)]
  expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(named.toSorted())
})

test.each(read.map((one) => [one.promise, one] as const))(
  '%s',
  async (_promise, { file, text, more }) => {
    const { status, data } = await upload(file)
    expect(status).toBe(200)
    expect(data).toMatchObject({ name: file, truncated: false, findings: [], ...more })
    if (typeof text === 'string') expect(data.text).toBe(text)
    else expect(partsIn(data.text, text)).toEqual(text)
  },
)

test.each(refused)('%s: %s is refused as %s', async (file, _what, code) => {
  const before = await readTables(service)
  const { status, error } = await upload(file)
  expect([status, error.code]).toEqual([422, code])
  expect(await readTables(service)).toEqual(before)
})
