import type { Trace } from '@assay/contract/traces.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { statsQuery } from '../../../api/trace-stats.ts'
import type { KnownValues } from './completion.ts'

/** Suggested values: the most frequent recent ones and those of the loaded traces. Loaded on first focus. */
export function useKnownValues(projectId: string, traces: readonly Trace[]) {
  const [isEnabled, setEnabled] = useState(false)
  const { data: stats } = useQuery({ ...statsQuery(projectId), enabled: isEnabled })
  const known = useMemo((): KnownValues => {
    if (!isEnabled) return {}
    const recent = traces.slice(0, maxRecentTraces)
    return {
      name: unique([...listNames(stats?.by_name, 'name'), ...recent.map((one) => one.root_name)]),
      model: unique([
        ...listNames(stats?.by_model, 'model'),
        ...recent.flatMap(({ models }) => models),
      ]),
      environment: unique([
        ...listNames(stats?.by_environment, 'environment'),
        ...recent.map(({ environment }) => environment),
      ]),
      service: unique(recent.map(({ service }) => service)),
      session_id: unique(recent.map(({ session_id }) => session_id)),
      user_id: unique(recent.map(({ user_id }) => user_id)),
      tag: unique(recent.flatMap(({ tags }) => tags)),
    }
  }, [isEnabled, stats, traces])
  return { known, loadKnown: () => setEnabled(true) }
}

const maxRecentTraces = 500

function listNames<Name extends string>(
  groups: readonly Readonly<Record<Name, string | null>>[] | undefined,
  name: Name,
): readonly (string | null)[] {
  return groups?.map((group) => group[name]) ?? []
}

function unique(values: readonly (string | null)[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== null && value !== '') as string[]
}
