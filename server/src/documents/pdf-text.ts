import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { DocumentRefused, documentLimits } from './document.ts'
import { refuseLargeStreams } from './pdf-streams.ts'

/*
 * The text of a PDF, page by page.
 */

export interface PdfText {
  readonly title: string
  readonly text: string
  readonly notes: readonly string[]
  readonly pages: number
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** Takes longer than most documents. Without it, the first document waits. */
export async function loadPdfEngine(): Promise<void> {
  await getResolvedPDFJS()
}

/** Ends with the page that reaches `maxChars`. */
export async function readPdf(bytes: Uint8Array, maxChars: number): Promise<PdfText> {
  await refuseLargeStreams(bytes)
  const pdf = await open(bytes)
  const last = Math.min(pdf.numPages, documentLimits.pages)
  const pages: string[] = []
  let length = 0
  for (let number = 1; number <= last && length <= maxChars; number += 1) {
    const text = await readPage(pdf, number)
    pages.push(text)
    length += text.length
  }
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} as Record<string, unknown> }))
  const title = (info as Readonly<Record<string, unknown>>)['Title']
  return {
    title: typeof title === 'string' ? title.trim() : '',
    text: pages.join('\n\n').trim(),
    notes: notesOn(pages, pdf.numPages),
    pages: pdf.numPages,
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // The engine takes the memory of what it is passed.
    return await getDocumentProxy(Uint8Array.from(bytes), {
      ...{ verbosity: 0, isEvalSupported: false, disableFontFace: true, useSystemFonts: false },
      ...{ maxImageSize: 0, enableXfa: false },
    })
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new DocumentRefused(isLocked ? 'encrypted' : 'unreadable')
  }
}

async function readPage(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  } catch {
    throw new DocumentRefused('unreadable')
  }
}

const isBlank = (page: string) => !/[\p{L}\p{N}]/u.test(page)

function notesOn(pages: readonly string[], count: number): readonly string[] {
  const blank = pages.filter(isBlank).length
  return [
    ...(pages.length < count ? [`Read pages 1 to ${pages.length} of ${count}.`] : []),
    ...(blank > 0 && blank < pages.length
      ? [`${blank} of ${pages.length} pages have no text. They may be scans.`]
      : []),
  ]
}
