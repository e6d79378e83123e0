import { decodeText } from './decode-text.ts'
import {
  countReadable,
  type DocumentInput,
  type DocumentOutcome,
  DocumentRefused,
  type DocumentText,
} from './document.ts'
import { readDocx } from './docx-text.ts'
import { readHtml } from './html-text.ts'
import { readPdf } from './pdf-text.ts'

/*
 * The text of a document. Its time and memory depend on the document: run it in the process of document-reader.ts.
 */

export async function readDocument(input: DocumentInput): Promise<DocumentOutcome> {
  if (input.bytes.length === 0) return { problem: 'empty' }
  try {
    const { title, text, notes, pages } = await readFormat(input)
    if (countReadable(text, 1) === 0) return { problem: 'empty' }
    const { format, maxChars } = input
    const shortTitle = title.slice(0, titleMax).toWellFormed()
    return { ...cut(text, maxChars), format, title: shortTitle, notes, pages }
  } catch (error) {
    if (error instanceof DocumentRefused) return { problem: error.problem }
    throw error
  }
}

const titleMax = 200

type Content = Pick<DocumentText, 'title' | 'text' | 'notes' | 'pages'>

async function readFormat({ format, bytes, charset, maxChars }: DocumentInput): Promise<Content> {
  switch (format) {
    case 'pdf':
      return await readPdf(bytes, maxChars)
    case 'docx':
      return { ...readDocx(bytes), notes: [] }
    case 'html':
      return readPage(decodeText(bytes, charset ?? charsetInside(bytes)))
    case 'markdown': {
      const text = decodeText(bytes, charset, maxChars)
      return { title: /^#{1,2} +(.+)$/m.exec(text.slice(0, 10_000))?.[1] ?? '', text, notes: [] }
    }
    case 'json': {
      const text = decodeText(bytes, charset)
      return { title: '', text, notes: isJson(text) ? [] : ['The file is not valid JSON.'] }
    }
    case 'csv':
    case 'text':
      return { title: '', text: decodeText(bytes, charset, maxChars), notes: [] }
  }
}

function readPage(html: string): Content {
  const { title, text, hasOmitted } = readHtml(html)
  const note = 'Navigation and hidden parts of the page were left out.'
  return { title, text, notes: hasOmitted ? [note] : [] }
}

function charsetInside(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  return /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(start)?.[1]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function cut(text: string, maxChars: number) {
  if (text.length <= maxChars) return { text: text.toWellFormed(), truncated: false }
  return { text: text.slice(0, maxChars).toWellFormed(), truncated: true }
}
