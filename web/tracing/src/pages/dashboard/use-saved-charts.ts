import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { savedViewsQuery, useSaveView } from '../../api/saved-views.ts'
import { formatCustomCharts, parseCustomCharts } from './custom-charts.ts'

const page = 'dashboard'
const name = 'My charts'

export interface SavedCharts {
  /** As text. Undefined until they are loaded. */
  readonly saved: string | undefined
  readonly save: (charts: string) => void
  readonly error: Error | null
}

/** The user's charts for a project. */
export function useSavedCharts(projectId: string): SavedCharts {
  const views = useQuery(savedViewsQuery(projectId))
  const { mutate, isPending, variables, error } = useSaveView(projectId)
  const stored = views.data?.find((view) => view.page === page && view.name === name)
  const query = isPending ? variables.query : stored?.query
  const saved = views.data && (new URLSearchParams(query).get('charts') ?? '')
  const isLoaded = saved !== undefined

  // Charts were stored in the browser before.
  useEffect(() => {
    const local = isLoaded ? readLocal(projectId) : null
    if (local === null) return
    const charts = formatCustomCharts(parseCustomCharts(`${saved},${local}`))
    const view = { page, name, query: `charts=${charts}` } as const
    mutate(view, { onSuccess: () => localStorage.removeItem(toStorageKey(projectId)) })
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the stored charts are loaded
  }, [isLoaded, projectId])

  return {
    saved,
    save: (charts) => mutate({ page, name, query: `charts=${charts}` }),
    error: views.error ?? error,
  }
}

const toStorageKey = (projectId: string) => `assay.charts.${projectId}`

function readLocal(projectId: string): string | null {
  try {
    return localStorage.getItem(toStorageKey(projectId))
  } catch {
    return null
  }
}
