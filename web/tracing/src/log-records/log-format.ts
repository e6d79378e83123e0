import { formatCount } from '@assay/ui/number-format.ts'
import { type SeverityName, severityNames } from '../api/trace-logs.ts'

/*
 * Formats log records.
 */

/** The name of an OpenTelemetry severity number (1 to 24); undefined if unspecified. */
export function toSeverityName(severity: number): SeverityName | undefined {
  return severity < 1 ? undefined : severityNames[Math.min(5, Math.floor((severity - 1) / 4))]
}

const lineCharacters = 400

/** The body on one line, truncated. */
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
  /** The maximum number of records the server scans per page. */
  readonly scannedPerPage: number
}

/** The number of matches, and how far the search has got. */
export function formatCoverage({
  found,
  pages,
  hasMore,
  hasFilters,
  scannedPerPage,
}: SearchCoverage): string {
  const records = `${formatCount(found)} ${found === 1 ? 'record' : 'records'}`
  if (!hasMore) return records
  if (!hasFilters) return `${records} loaded, more available`
  return `${records} in the newest ${formatCount(pages * scannedPerPage)} (scroll to search further)`
}
