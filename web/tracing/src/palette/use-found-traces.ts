import type { Trace } from '@assay/contract/traces.ts'
import { formatAge, instantMs } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { foundTracesQuery, recentTracesQuery } from '../api/found-traces.ts'
import { useNavigationContext } from '../shell/use-navigation-context.ts'
import { type Command, matchingCommands } from './command-match.ts'

const debounceMs = 150

export interface FoundTraces {
  readonly commands: readonly Command[]
  readonly isSearching: boolean
}

/** The newest traces whose ID starts with the text or whose name contains it; without a text, the newest live ones. */
export function useFoundTraces(text: string): FoundTraces {
  const navigate = useNavigate()
  const project = useNavigationContext()?.project
  const [query] = useDebouncedValue(text.trim(), debounceMs)
  const { data = [], isFetching } = useQuery({
    ...(query === '' ? recentTracesQuery : foundTracesQuery)(project?.id ?? '', query),
    enabled: project !== undefined,
    placeholderData: keepPreviousData,
  })
  const nowMs = useNow(1_000)
  const commands = data.map(({ project_id: projectId, trace_id: traceId, ...trace }): Command => {
    const run = () =>
      void navigate({ to: '/p/$projectId/traces/$traceId', params: { projectId, traceId } })
    const hint = [formatAge(instantMs(trace.started_at), nowMs), formatStatus(trace)].join(', ')
    const label = trace.root_name === '' ? traceId : trace.root_name
    return { id: traceId, label, hint, keywords: traceId, run }
  })
  const isSearching = isFetching || query !== text.trim()
  // Until the results arrive, show the matching ones of the previous text.
  return { commands: isSearching ? matchingCommands(commands, text) : commands, isSearching }
}

function formatStatus({ status }: Pick<Trace, 'status'>): string {
  return status === 'ERROR' ? 'error' : 'OK'
}
