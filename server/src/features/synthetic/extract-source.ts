import { limits } from '@assay/contract/limits.ts'
import {
  type ExtractBody,
  type SyntheticSource,
  sourceExtensions,
} from '@assay/contract/synthetic.ts'
import {
  countReadable,
  type DocumentOutcome,
  type DocumentProblem,
  formatOfName,
} from '../../documents/document.ts'
import type { DocumentOutbound } from '../../documents/document-outbound.ts'
import type { DocumentReader } from '../../documents/document-reader.ts'
import { type FetchProblem, FetchRefused, fetchDocument } from '../../documents/fetch-document.ts'
import { Failure } from '../../platform/failure.ts'
import type { MemberBudget } from '../../platform/member-budget.ts'
import type { Requester } from '../../platform/requester.ts'

/*
 * The text of a source, from a text, a URL or a file.
 */

export interface ExtractPorts {
  readonly documentReader: DocumentReader
  readonly outbound: DocumentOutbound
  readonly documents: MemberBudget
}

export async function extractSource(
  body: ExtractBody,
  requester: Requester,
  signal: AbortSignal,
  ports: ExtractPorts,
): Promise<SyntheticSource> {
  if (body.text !== undefined) return fromText(body.text)
  const release = ports.documents.take(requester)
  try {
    return await fromDocument(body, requester, signal, ports)
  } finally {
    release()
  }
}

function fromText(whole: string): SyntheticSource {
  refuseLarge(Buffer.byteLength(whole))
  const text = whole.slice(0, limits.sourceTextLength.value).toWellFormed()
  refuseUnreadable(text, 'Paste more text.')
  const truncated = text.length < whole.length
  return {
    ...{ text, label: 'Pasted text', title: '', format: 'text' },
    ...{ chars: text.length, truncated, notes: truncated ? [cutNote] : [] },
  }
}

const cutNote = `The text was cut after ${limits.sourceTextLength.value.toLocaleString('en-US')} characters.`

async function fromDocument(
  { url, file }: ExtractBody,
  requester: Requester,
  signal: AbortSignal,
  { documentReader, outbound }: ExtractPorts,
): Promise<SyntheticSource> {
  const [owner] = requester
  const document =
    file === undefined ? await fetched(url ?? '', owner, signal, outbound) : uploaded(file)
  const { bytes, format, charset } = document
  const settings = { format, charset, maxChars: limits.sourceTextLength.value }
  const outcome = await documentReader.read({ owner, signal }, { bytes, ...settings })
  if ('problem' in outcome) throw unusable(outcome.problem)
  const hint =
    format === 'html'
      ? 'The page has hardly any text. If it needs JavaScript to show its text, paste the text.'
      : 'The document has hardly any text. If its pages are scans, use a version with text.'
  refuseUnreadable(outcome.text, hint)
  return toSource(outcome, document)
}

interface Received {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly format: NonNullable<ReturnType<typeof formatOfName>>
  readonly charset?: string | undefined
  readonly label: string
  readonly notes: readonly string[]
}

function uploaded({ name, content_base64: content }: NonNullable<ExtractBody['file']>): Received {
  const format = formatOfName(name)
  if (format === undefined) throw unusable('unsupported')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(content) || content.length % 4 !== 0) {
    throw new Failure('VALIDATION_ERROR', 'file.content_base64 must be Base64')
  }
  const bytes = Buffer.from(content, 'base64')
  refuseLarge(bytes.length)
  return { bytes, format, label: name, notes: [] }
}

async function fetched(
  url: string,
  organizationId: string,
  signal: AbortSignal,
  outbound: DocumentOutbound,
): Promise<Received> {
  try {
    const document = await fetchDocument(url, {
      outbound: outbound(organizationId),
      timeoutMs: limits.fetchSeconds.value * 1000,
      maxBytes: limits.sourceBytes.value,
      redirectsMax: limits.fetchRedirects.value,
      signal,
    })
    const { finalUrl, isRedirected } = document
    const note = `Redirected to ${finalUrl}`.slice(0, limits.sourceNoteLength.value)
    return { ...document, label: new URL(url).hostname, notes: isRedirected ? [note] : [] }
  } catch (error) {
    if (error instanceof FetchRefused) throw fetchFailure(error)
    throw error
  }
}

function toSource(
  { text, title, format, truncated, notes }: Exclude<DocumentOutcome, { problem: unknown }>,
  document: Received,
): SyntheticSource {
  return {
    ...{ text, title, format, truncated, chars: text.length, label: document.label },
    notes: [...document.notes, ...notes, ...(truncated ? [cutNote] : [])],
  }
}

/** For the text of a source that another request sends, too. */
export function refuseLarge(bytes: number): void {
  if (bytes <= limits.sourceBytes.value) return
  throw new Failure('VALIDATION_ERROR', 'The source is larger than 4 MiB.', { status: 413 })
}

export function refuseUnreadable(text: string, hint: string): void {
  const least = limits.sourceReadable.value
  if (countReadable(text, least) >= least) return
  const message = `The source has fewer than ${least} letters and digits.`
  throw new Failure('VALIDATION_ERROR', message, { status: 422, details: { hint } })
}

const problems: Readonly<Record<DocumentProblem, readonly [message: string, hint: string]>> = {
  empty: [
    'The document has no text.',
    'If its pages are scans, use a version with text. If a page needs JavaScript, paste its text.',
  ],
  encrypted: ['The document is protected by a password.', 'Save it without a password.'],
  unreadable: [
    'The document cannot be read.',
    'It is damaged, is of another format than its name, or decompresses to too much. Save it again, or paste its text.',
  ],
  unsupported: [
    'Files of this type are not supported.',
    `Use .${sourceExtensions.join(', .')}, or paste the text.`,
  ],
  too_large: ['The document is too large.', 'Split it.'],
}

function unusable(problem: DocumentProblem): Failure {
  const [message, hint] = problems[problem]
  return new Failure('VALIDATION_ERROR', message, { status: 422, details: { hint } })
}

const fetchProblems: Readonly<
  Record<Exclude<FetchProblem, 'too_large'>, readonly [message: string, hint: string]>
> = {
  unreachable: [
    'The URL cannot be read.',
    'It must begin with http:// or https://, without a port, and its address must be public and respond.',
  ],
  too_late: ['The URL did not respond in time.', 'Try again, or paste the text.'],
  redirects: ['The URL redirects too often.', 'Use the address that your browser shows at last.'],
  status: ['The URL responds with an error.', 'It must be readable without signing in.'],
  type: ['The URL is no document of a supported type.', 'Use a page, a text, a PDF or a .docx.'],
}

function fetchFailure({ problem, target, status, cause }: FetchRefused): Failure {
  if (problem === 'too_large') {
    return new Failure('VALIDATION_ERROR', 'The document at the URL is larger than 4 MiB.', {
      ...{ status: 413, details: { target } },
    })
  }
  const [message, hint] = fetchProblems[problem]
  const sentence = status === undefined ? message : `The URL responds with ${status}.`
  return new Failure('VALIDATION_ERROR', sentence, {
    ...{ status: 422, details: { target, hint }, cause },
  })
}
