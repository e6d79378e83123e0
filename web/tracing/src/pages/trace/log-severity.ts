import type { LogRecord } from '@assay/contract/logs.ts'

/*
 * A log record in words.
 */

export interface Severity {
  readonly level: 'quiet' | 'info' | 'warn' | 'bad'
  readonly word: string
}

const names = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** How grave a record is, in the sender's word where there is one. */
export function severityOf({ severity, severity_text }: LogRecord): Severity {
  // OpenTelemetry counts four steps to each name, from 1 on.
  const name = names[Math.floor((severity - 1) / 4)]
  const level =
    name === 'error' || name === 'fatal'
      ? 'bad'
      : name === 'warn' || name === 'info'
        ? name
        : 'quiet'
  const sentSeverity = severity_text === null || severity_text === '' ? undefined : severity_text
  return { level, word: sentSeverity?.toLowerCase() ?? name ?? 'not told' }
}

/** The body as a text; undefined for one that is better shown as JSON, or that is not there. */
export function bodyText({ body }: LogRecord): string | undefined {
  if (body === null || body === undefined) return undefined
  if (typeof body === 'string') return body
  const text = JSON.stringify(body)
  return text.length <= 160 ? text : undefined
}
