import { formatCount } from '@assay/ui/number-format.ts'
import { type Severity, severities } from './log-search.ts'

/*
 * Log records in words.
 */

/** The name of a severity of 1 to 24 as OpenTelemetry counts; undefined for what was not told. */
export function severityOf(severity: number): Severity | undefined {
  return severity < 1 ? undefined : severities[Math.min(5, Math.floor((severity - 1) / 4))]
}

const lineCharacters = 400

/** The body of a record in one line, cut where nobody reads on. */
export function formatBodyLine(body: unknown): string {
  const text = typeof body === 'string' ? body : body === null ? '' : (JSON.stringify(body) ?? '')
  const line = text
    .slice(0, lineCharacters * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > lineCharacters ? `${line.slice(0, lineCharacters)}…` : line
}

export interface SearchCoverage {
  readonly found: number
  readonly pages: number
  readonly hasMore: boolean
  readonly hasFilters: boolean
  /** So many records are looked through for a page at most. */
  readonly scannedPerPage: number
}

/** How many records are there, and how far it has been looked for more. */
export function formatCoverage({
  found,
  pages,
  hasMore,
  hasFilters,
  scannedPerPage,
}: SearchCoverage): string {
  const records = `${formatCount(found)} ${found === 1 ? 'record' : 'records'}`
  if (!hasMore) return hasFilters ? `${records}, looked through all` : records
  if (!hasFilters) return `${records} loaded, more below`
  return `${records} in the newest ${formatCount(pages * scannedPerPage)} looked through at most, more below`
}
