import { sourceExtensions } from '@assay/contract/synthetic.ts'

/*
 * What is read from a document, and the limits within which it is read.
 */

export type DocumentFormat = 'text' | 'markdown' | 'csv' | 'json' | 'html' | 'pdf' | 'docx'

export interface DocumentText {
  readonly format: DocumentFormat
  /** Empty if the document has none. */
  readonly title: string
  readonly text: string
  /** Sentences about what was left out or changed. */
  readonly notes: readonly string[]
  /** Of a PDF. */
  readonly pages?: number | undefined
  /** Whether text beyond the limit was left out. */
  readonly truncated: boolean
}

/** `empty`: it has no letter and no digit. */
export type DocumentProblem = 'empty' | 'encrypted' | 'unreadable' | 'unsupported' | 'too_large'

export type DocumentOutcome = DocumentText | { readonly problem: DocumentProblem }

export interface DocumentSettings {
  readonly format: DocumentFormat
  /** Of the text; what follows is left out. */
  readonly maxChars: number
  /** The charset of a Content-Type header. */
  readonly charset?: string | undefined
}

export interface DocumentInput extends DocumentSettings {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Ends the reading of a document. */
export class DocumentRefused extends Error {
  readonly problem: DocumentProblem

  constructor(problem: DocumentProblem) {
    super(`The document is ${problem}.`)
    this.problem = problem
  }
}

export const documentLimits = {
  pages: 500,
  /** Of a stream, decompressed. A page of dense drawings has some megabytes. */
  pdfStreamBytes: 64 * 2 ** 20,
  zipEntries: 2000,
  zipEntryBytes: 32 * 2 ** 20,
  zipBytes: 64 * 2 ** 20,
  /** Of a compressed entry, above `zipRatioFrom` bytes. Text compresses to a tenth. */
  zipRatio: 200,
  zipRatioFrom: 2 ** 20,
  tags: 1_000_000,
  htmlDepth: 1000,
} as const

const formats: Readonly<Record<(typeof sourceExtensions)[number], DocumentFormat>> = {
  txt: 'text',
  log: 'text',
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  html: 'html',
  htm: 'html',
  pdf: 'pdf',
  docx: 'docx',
}

/** By the last extension; undefined for one that is not supported. */
export function formatOfName(name: string): DocumentFormat | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name.trim())?.[1]?.toLowerCase() ?? ''
  const known = sourceExtensions.find((one) => one === extension)
  return known && formats[known]
}

/** Letters and digits, up to `max`. */
export function countReadable(text: string, max: number): number {
  let count = 0
  for (const _ of text.matchAll(/[\p{L}\p{N}]/gu)) {
    count += 1
    if (count >= max) break
  }
  return count
}
