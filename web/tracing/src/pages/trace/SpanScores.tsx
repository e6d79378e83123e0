import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { NamedScores } from './NamedScores.tsx'
import { usePeopleScores } from './use-people-scores.ts'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly spanId: string
}

/** What people think of one span. */
export function SpanScores({ projectId, traceId, spanId }: Props) {
  const people = usePeopleScores(projectId, traceId)
  if (people.query.isPending) return <TableSkeleton rows={2} />
  const scores = people.scores.filter(({ span_id }) => span_id === spanId)
  return <NamedScores people={people} scores={scores} spanId={spanId} />
}
