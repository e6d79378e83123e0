import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { Highlighted } from '@assay/ui/Highlighted.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { RevealMore } from '@assay/ui/RevealMore.tsx'
import { useNearViewport } from '@assay/ui/use-near-viewport.ts'
import { useReveal } from '@assay/ui/use-reveal.ts'
import { TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment, memo, useDeferredValue, useMemo, useState } from 'react'
import { toAttributeSearch } from './attribute-search.ts'
import styles from './attribute-table.module.css'

interface Props {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly label: string
  /** The project whose traces can be filtered by them. */
  readonly filterIn?: string
}

const rowsAtOnce = 50
/** Of a value. */
const maxCharacters = 600
/** So many rows need no filter. */
const rowsUnfiltered = 8

/** A table of attributes, sorted by name, with a filter if there are many. */
export function AttributeTable({ attributes, label, filterIn }: Props) {
  const [searchText, setSearchText] = useState('')
  const searched = useDeferredValue(searchText.trim())
  const rows = useMemo(() => toRows(attributes), [attributes])
  const found = useMemo(() => findRows(rows, searched.toLowerCase()), [rows, searched])
  if (rows.length === 0) return <p className={styles.none}>No {label}.</p>
  return (
    <>
      {rows.length > rowsUnfiltered && (
        <div className={styles.filter}>
          <TextInput
            size="xs"
            placeholder={`Filter ${label}`}
            aria-label={`Filter ${label}`}
            leftSection={<IconSearch size={14} />}
            value={searchText}
            onChange={(event) => setSearchText(event.currentTarget.value)}
          />
          <span className="dimmed" role="status">
            {searched === '' ? '' : `${found.length} of ${rows.length}`}
          </span>
          <CopyButton
            text={() => JSON.stringify(attributes, null, 2)}
            label={`Copy all ${label} as JSON`}
          />
        </div>
      )}
      {found.length === 0 ? (
        <p className={styles.none}>No match</p>
      ) : (
        <Rows key={searched} rows={found} searchText={searched} {...{ label, filterIn }} />
      )}
    </>
  )
}

interface Row {
  readonly name: string
  readonly value: unknown
  readonly text: string
}

interface RowsProps {
  readonly rows: readonly Row[]
  readonly label: string
  readonly filterIn: string | undefined
  readonly searchText: string
}

function Rows({ rows, label, filterIn, searchText }: RowsProps) {
  const reveal = useReveal(rows.length, rowsAtOnce, rowsAtOnce)
  return (
    <>
      <table className={styles.attributes}>
        <caption className="visually-hidden">{label}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        {Array.from({ length: Math.ceil(reveal.count / rowsAtOnce) }, (_, at) => (
          // A body is only ever followed by further ones.
          <Body key={at} start={at * rowsAtOnce} {...{ rows, filterIn, searchText }} />
        ))}
      </table>
      <RevealMore reveal={reveal} noun={label} />
    </>
  )
}

interface BodyProps {
  readonly rows: readonly Row[]
  readonly start: number
  readonly filterIn: string | undefined
  readonly searchText: string
}

/**
 * Rows that are revealed together, which the browser lays out together. Far from the viewport they are plain text, which
 * the browser can search: thousands of others would block the page when they go.
 */
const Body = memo(({ rows, start, filterIn, searchText }: BodyProps) => {
  const { place, isNearViewport } = useNearViewport<HTMLTableSectionElement>()
  const RowView = start === 0 || isNearViewport ? AttributeRow : PlainRow
  return (
    <tbody ref={place}>
      {rows.slice(start, start + rowsAtOnce).map((row) => (
        <RowView key={row.name} {...{ row, filterIn, searchText }} />
      ))}
    </tbody>
  )
})

function toRows(attributes: Props['attributes']): readonly Row[] {
  return Object.entries(attributes)
    .map(([name, value]) => ({ name, value, text: formatValue(value) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function findRows(rows: readonly Row[], needle: string): readonly Row[] {
  const includes = (text: string) => text.toLowerCase().includes(needle)
  return needle === '' ? rows : rows.filter(({ name, text }) => includes(name) || includes(text))
}

interface AttributeRowProps {
  readonly row: Row
  readonly filterIn: string | undefined
  readonly searchText: string
}

function AttributeRow({ row, filterIn, searchText }: AttributeRowProps) {
  const { name, value, text } = row
  const search = toAttributeSearch(name, value)
  return (
    <tr>
      <th scope="row">
        {searchText === '' ? (
          <WrappedName name={name} />
        ) : (
          <Highlighted text={name} searchText={searchText} />
        )}
      </th>
      <td>
        <LongText {...{ text, maxCharacters }} />
      </td>
      <td className={styles.rowActions}>
        {filterIn !== undefined && search !== undefined && (
          <Link
            to="/p/$projectId/traces"
            params={{ projectId: filterIn }}
            search={search}
            aria-label={`Filter by ${name}`}
            title="Filter by this"
          >
            <IconFilter size={14} />
          </Link>
        )}
        <CopyButton text={text} label={`Copy ${name}`} />
      </td>
    </tr>
  )
}

function PlainRow({ row: { name, text } }: Pick<AttributeRowProps, 'row'>) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{text.length <= maxCharacters ? text : <LongText {...{ text, maxCharacters }} />}</td>
    </tr>
  )
}

/** Breaks after the dots and underscores of a name rather than within its words. */
function WrappedName({ name }: Pick<Row, 'name'>) {
  return name.split(/(?<=[._/])/).map((part, at) => (
    // Parts are never reordered.
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ))
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
