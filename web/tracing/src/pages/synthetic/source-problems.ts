import { ApiError } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { sourceExtensions } from '@assay/contract/synthetic.ts'

/*
 * Why a source cannot be read: found before it is sent, or by the service.
 */

const maxBytes = limits.sourceBytes.value
/** Rounded up, so that a size above the limit does not look like the limit. */
const formatMib = (bytes: number) => `${Math.ceil((bytes / 2 ** 20) * 10) / 10} MiB`
export const maxSize = formatMib(maxBytes)
export const extensionList = sourceExtensions.map((one) => `.${one}`).join(', ')

export function findTextProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Required'
  const bytes = new TextEncoder().encode(text).length
  return bytes <= maxBytes
    ? undefined
    : `The text has ${formatMib(bytes)}. A source has at most ${maxSize}: paste the part that you need.`
}

export function findUrlProblem(url: string): string | undefined {
  if (url.trim() === '') return 'Required'
  return URL.canParse(url.trim()) && /^https?:/i.test(url.trim())
    ? undefined
    : 'Enter a whole address, such as https://example.com/returns.'
}

export function findFileProblem({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  if (!sourceExtensions.some((one) => one === extension)) {
    return `Files of this type are not supported. Use ${extensionList}, or paste the text.`
  }
  if (size === 0) return 'The file is empty.'
  return size <= maxBytes
    ? undefined
    : `The file has ${formatMib(size)}. A source has at most ${maxSize}: split it, or paste the part that you need.`
}

/** What happened, what to do, and which host it is about. */
export function formatRefusal(error: Error): string {
  if (!(error instanceof ApiError)) return error.message
  const { hint, target } = error.details
  // A proxy may refuse large requests without a message.
  const message = error.status === 413 && error.code === 'UNREACHABLE' ? tooLarge : error.message
  const host = typeof target === 'string' && target !== '' ? ` Host: ${target}.` : ''
  return `${message}${typeof hint === 'string' ? ` ${hint}` : ''}${host}`
}

const tooLarge = `The source is too large. It may have at most ${maxSize}.`
