import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import type { ReactNode } from 'react'
import type { TraceGroup } from '../api/trace-sessions.ts'
import { CostText } from '../parts/CostText.tsx'

/** The columns of a list of trace groups. `link` renders the ID. */
export function traceGroupColumns(
  header: string,
  link: (id: string) => ReactNode,
): readonly Column<TraceGroup>[] {
  return [
    { key: 'id', header, width: '34%', cell: ({ id }) => link(id) },
    {
      key: 'last_seen',
      header: 'Last seen',
      cell: ({ last_seen_at }) => <TimeText at={last_seen_at} withAge />,
      narrow: 'bare',
    },
    {
      key: 'first_seen',
      header: 'First seen',
      cell: ({ first_seen_at }) => <TimeText at={first_seen_at} />,
      narrow: 'hidden',
    },
    {
      key: 'traces',
      header: 'Traces',
      align: 'end',
      cell: ({ trace_count }) => formatCount(trace_count),
    },
    {
      key: 'errors',
      header: 'Errors',
      cell: ({ error_count }) =>
        error_count === 0 ? zero : <StatusMark isError word={formatCount(error_count)} />,
    },
    { key: 'tokens', header: 'Tokens', align: 'end', narrow: 'hidden', cell: tokensCell },
    {
      key: 'cost',
      header: 'Cost',
      hint: 'Excludes calls without a price',
      align: 'end',
      // A zero sum may consist of unknown costs only, so it is shown as unknown.
      cell: (group) => (
        <CostText usd={group.cost_usd === 0 ? null : group.cost_usd} calls={group} />
      ),
    },
  ]
}

const zero = <span className="dimmed">0</span>

function tokensCell({ tokens_in, tokens_out }: TraceGroup): ReactNode {
  if (tokens_in + tokens_out === 0) return zero
  return (
    <span
      title={`${formatCount(tokens_in)} input tokens, ${formatCount(tokens_out)} output tokens`}
    >
      {formatTokens(tokens_in)} <span className="dimmed">→</span> {formatTokens(tokens_out)}
    </span>
  )
}
