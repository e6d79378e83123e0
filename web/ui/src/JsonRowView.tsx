import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { memo } from 'react'
import { countOf } from './count-of.ts'
import { isExactNumber } from './exact-json.ts'
import styles from './json.module.css'
import type { Container } from './json-members.ts'
import type { JsonRow } from './json-rows.ts'
import { LongText } from './LongText.tsx'

interface Props {
  readonly row: JsonRow
  readonly onToggle: (path: string, isOpen: boolean) => void
}

const indentPx = 16
const maxIndents = 24

/** One line of a JSON tree. It is rendered again only when it changes, because a tree can have thousands. */
export const JsonRowView = memo(JsonRowLine, (before, next) => {
  const isSame = before.onToggle === next.onToggle && before.row.path === next.row.path
  return isSame && before.row.depth === next.row.depth && isSameRow(before.row.row, next.row.row)
})

function isSameRow(before: JsonRow['row'], next: JsonRow['row']): boolean {
  if (before.is === 'leaf') return next.is === 'leaf' && before.value === next.value
  if (next.is !== before.is || before.container.size !== next.container.size) return false
  return before.is !== 'collapsed' || (next.is === 'collapsed' && before.preview === next.preview)
}

function JsonRowLine({ row: { path, depth, name, row }, onToggle }: Props) {
  const isContainer = row.is === 'open' || row.is === 'collapsed'
  return (
    <div className={styles.row} style={{ paddingLeft: Math.min(depth, maxIndents) * indentPx }}>
      {isContainer ? (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={row.is === 'open'}
          aria-label={`${row.is === 'open' ? 'Collapse' : 'Expand'} ${name ?? 'value'}`}
          onClick={() => onToggle(path, row.is !== 'open')}
        >
          {row.is === 'open' ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        </button>
      ) : (
        <span className={styles.toggle} />
      )}
      {name !== undefined && <span className={styles.name}>{name}: </span>}
      {row.is === 'leaf' && <Leaf value={row.value} />}
      {row.is === 'open' && <span className={styles.bracket}>{getBrackets(row.container)[0]}</span>}
      {row.is === 'close' && (
        <span className={styles.bracket}>{getBrackets(row.container)[1]}</span>
      )}
      {row.is === 'collapsed' && (
        <button type="button" className={styles.collapsed} onClick={() => onToggle(path, true)}>
          {getBrackets(row.container).join(row.preview)}{' '}
          <span className={styles.size}>{formatSize(row.container)}</span>
        </button>
      )}
    </div>
  )
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') {
    return (
      <span className={styles.string}>
        "<LongText text={value} />"
      </span>
    )
  }
  const isNumber = typeof value === 'number' || isExactNumber(value)
  const type = isNumber ? styles.digits : styles.word
  return <span className={type}>{JSON.stringify(value)}</span>
}

function getBrackets({ isArray }: Container): readonly [string, string] {
  return isArray ? ['[', ']'] : ['{', '}']
}

function formatSize({ isArray, size }: Container): string {
  const noun = isArray ? 'item' : 'member'
  return countOf(size, noun)
}
