import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { isTyping } from '@assay/ui/shortcut-keys.ts'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { TraceStep } from './TraceStep.tsx'
import styles from './trace.module.css'
import { type ListNeighbors, useListNeighbors } from './use-list-neighbors.ts'
import type { TraceViewName } from './view-search.ts'

const route = getRouteApi('/signed-in/p/$projectId/traces/$traceId')

interface Props {
  readonly trace: Trace
}

/** Links to the previous and next trace of the list that led here, also with `[` and `]`; nothing without one. */
export function ListSteps({ trace }: Props) {
  const neighbors = useListNeighbors(trace)
  const { view } = usePageSearch(route)
  useStepKeys(neighbors, view)
  if (neighbors === undefined) return null
  const { previous, next, position } = neighbors
  return (
    <nav className={styles.steps} aria-label="List">
      <TraceStep to={previous} word="Previous trace in list" view={view}>
        <IconChevronUp size={15} aria-hidden />
      </TraceStep>
      <span className={styles.position}>{position}</span>
      <TraceStep to={next} word="Next trace in list" view={view}>
        <IconChevronDown size={15} aria-hidden />
      </TraceStep>
    </nav>
  )
}

function useStepKeys(neighbors: ListNeighbors | undefined, view: TraceViewName | undefined): void {
  const navigate = useNavigate()
  function go(key: string): boolean {
    const to = key === '[' ? neighbors?.previous : key === ']' ? neighbors?.next : undefined
    if (to === undefined) return false
    void navigate({
      to: '/p/$projectId/traces/$traceId',
      params: { projectId: to.project_id, traceId: to.trace_id },
      search: view === undefined ? {} : { view },
    })
    return true
  }
  const latest = useRef(go)
  useEffect(() => {
    latest.current = go
  })
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      // On some keyboards, brackets need AltGr, which is reported as Ctrl and Alt.
      const isPlain = event.getModifierState('AltGraph') || !(event.ctrlKey || event.altKey)
      if (!isPlain || event.metaKey || event.defaultPrevented || isTyping(event.target)) return
      if (latest.current(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
