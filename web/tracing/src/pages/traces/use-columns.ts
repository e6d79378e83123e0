import { sessionQuery } from '@assay/account/api/session.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type ColumnId,
  defaultColumns,
  movedOnto,
  parseColumns,
  printColumns,
} from '../../parts/column-choice.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'

/**
 * The columns from the URL, otherwise the user's last choice, which is then written to the URL so that a shared
 * link shows the same columns.
 */
export function useColumns(search: TraceSearch, onChange: (next: TraceSearch) => void) {
  const { data: session } = useQuery(sessionQuery)
  const userId = session?.user.id ?? ''
  const [remembered, setRemembered] = useState(() => parseColumns(read(userId)))
  const named = parseColumns(search.columns)
  const visibleColumns = named ?? remembered ?? defaultColumns

  function address(next: readonly ColumnId[]): void {
    const columns = printColumns(next)
    const { columns: _, ...rest } = search
    onChange(columns === undefined ? rest : { ...rest, columns })
  }

  const isUnnamed = named === undefined && remembered !== undefined
  useEffect(() => {
    if (isUnnamed && printColumns(visibleColumns) !== undefined) address(visibleColumns)
    // oxlint-disable-next-line react/exhaustive-deps -- runs once for each URL without columns
  }, [isUnnamed])

  function choose(next: readonly ColumnId[]): void {
    setRemembered(next)
    write(userId, printColumns(next))
    address(next)
  }
  return {
    visibleColumns,
    choose,
    move: (id: string, ontoId: string) => choose(movedOnto(visibleColumns, id, ontoId)),
  }
}

const toStorageKey = (userId: string) => `assay-trace-columns-${userId}`

function read(userId: string): string | null {
  try {
    return localStorage.getItem(toStorageKey(userId))
  } catch {
    return null
  }
}

function write(userId: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(toStorageKey(userId))
    else localStorage.setItem(toStorageKey(userId), text)
  } catch {
    // Storage is full or disabled; the choice still applies to this visit.
  }
}
