import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { Highlighted } from './Highlighted.tsx'
import { JsonRowView } from './JsonRowView.tsx'
import styles from './json.module.css'
import { jsonMatches, jsonRows } from './json-rows.ts'

interface Props {
  readonly value: unknown
  /** The subject in accessible names: `input`. */
  readonly label: string
}

const initialRows = 300
/** Values with up to this many rows, and nothing that is collapsed, have no search field. */
const rowsUnsearched = 14
const rowsMore = 300
const maxMatches = 200

/** A JSON value as a collapsible tree with search and copy. Renders a bounded part of a large value. */
export function JsonView({ value, label }: Props) {
  const [searchText, setSearchText] = useState('')
  const needle = useDeferredValue(searchText.trim())
  const isLong = useMemo(() => {
    const { rows, isCut } = jsonRows(value, new Map(), rowsUnsearched)
    return isCut || rows.some(({ row }) => row.is === 'collapsed')
  }, [value])
  return (
    <section className={styles.root} aria-label={label}>
      <div className={isLong ? styles.toolbar : styles.corner}>
        {isLong && (
          <TextInput
            size="xs"
            className={styles.search}
            placeholder={`Search ${label}`}
            aria-label={`Search ${label}`}
            leftSection={<IconSearch size={14} />}
            value={searchText}
            onChange={(event) => setSearchText(event.currentTarget.value)}
          />
        )}
        <CopyButton text={() => jsonText(value)} label={`Copy ${label}`} />
      </div>
      {needle === '' ? <Tree value={value} /> : <Matches value={value} needle={needle} />}
    </section>
  )
}

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

function Tree({ value }: { readonly value: unknown }) {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [maxRows, setMaxRows] = useState(initialRows)
  const { rows, isCut } = useMemo(() => jsonRows(value, opened, maxRows), [value, opened, maxRows])
  const toggle = useCallback((path: string, isOpen: boolean) => {
    setOpened((before) => new Map(before).set(path, isOpen))
  }, [])
  return (
    <div className={styles.tree} data-long={rows.length > initialRows || undefined}>
      {rows.map((row) => (
        <JsonRowView
          key={`${row.path}:${row.row.is === 'close' ? 'close' : ''}`}
          row={row}
          onToggle={toggle}
        />
      ))}
      {isCut && (
        <button
          type="button"
          className={styles.more}
          onClick={() => setMaxRows(maxRows + rowsMore)}
        >
          Show more lines
        </button>
      )}
    </div>
  )
}

function Matches({ value, needle }: { readonly value: unknown; readonly needle: string }) {
  const { matches, isCut } = useMemo(() => jsonMatches(value, needle, maxMatches), [value, needle])
  return (
    <div className={styles.tree}>
      <p className={styles.count} role="status">
        {isCut ? `The first ${maxMatches} matches` : matchCount(matches.length)}
      </p>
      {matches.map(({ path, excerpt }) => (
        <div key={path} className={styles.match}>
          <span className={styles.path}>
            <Highlighted text={path === '' ? '(top)' : path} searchText={needle} />
          </span>
          <span className={styles.text}>
            <Highlighted text={excerpt} searchText={needle} />
          </span>
        </div>
      ))}
    </div>
  )
}

function matchCount(count: number): string {
  return count === 0 ? 'No match' : count === 1 ? '1 match' : `${count} matches`
}
