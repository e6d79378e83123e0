import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import type { LogRecord } from '@assay/contract/logs.ts'
import { Button } from '@mantine/core'
import { spanLink } from '../../parts/span-link.ts'
import type { LogSearch } from './log-search.ts'

interface Props {
  readonly projectId: string
  readonly log: LogRecord
  readonly search: LogSearch
  readonly onChange: (next: LogSearch) => void
}

/** The trace of a record, and filters for similar records. */
export function LogActions({ projectId, log, search, onChange }: Props) {
  const { trace_id, span_id } = log
  const { open: _, ...closed } = search
  return (
    <>
      {trace_id !== null && (
        <LinkButton {...spanLink(projectId, trace_id, span_id)}>
          {span_id === null ? 'Open trace' : 'Open span'}
        </LinkButton>
      )}
      {filters.map(([name, label]) => {
        const value = log[name]
        if (value === null || search[name] === value) return null
        return (
          <Button
            key={name}
            variant="default"
            onClick={() => onChange({ ...closed, [name]: value })}
          >
            {label}
          </Button>
        )
      })}
    </>
  )
}

const filters = [
  ['trace_id', 'Filter to this trace'],
  ['service', 'Filter to this service'],
  ['event_name', 'Filter to this event'],
] as const
