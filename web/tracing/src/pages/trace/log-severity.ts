import type { LogRecord } from '@assay/contract/logs.ts'

/*
 * Formats log records.
 */

export interface Severity {
  readonly level: 'quiet' | 'info' | 'warn' | 'bad'
  readonly word: string
}

const names = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** The severity, with the client's own text if there is one. */
export function severityOf({ severity, severity_text }: LogRecord): Severity {
  // OpenTelemetry severity numbers start at 1, four per name.
  const name = names[Math.floor((severity - 1) / 4)]
  const level =
    name === 'error' || name === 'fatal'
      ? 'bad'
      : name === 'warn' || name === 'info'
        ? name
        : 'quiet'
  const sentSeverity = severity_text === null || severity_text === '' ? undefined : severity_text
  return { level, word: sentSeverity?.toLowerCase() ?? name ?? 'unspecified' }
}

/** The body as text; undefined if it is missing or better shown as JSON. */
export function bodyText({ body }: LogRecord): string | undefined {
  if (body === null || body === undefined) return undefined
  if (typeof body === 'string') return body
  const text = JSON.stringify(body)
  return text.length <= 160 ? text : undefined
}
