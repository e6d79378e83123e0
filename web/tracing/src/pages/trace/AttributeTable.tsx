import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { Highlighted } from '@assay/ui/Highlighted.tsx'
import { LongText } from '@assay/ui/LongText.tsx'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import styles from './span.module.css'

interface Props {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly label: string
}

const initialRows = 200

/** A filterable table of attributes, sorted by name. */
export function AttributeTable({ attributes, label }: Props) {
  const [searchText, setSearchText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const needle = searchText.trim().toLowerCase()
  const rows = useMemo(
    () =>
      Object.entries(attributes)
        .map(([name, value]) => ({ name, text: formatValue(value) }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    [attributes],
  )
  const found = rows.filter(
    ({ name, text }) => name.toLowerCase().includes(needle) || text.toLowerCase().includes(needle),
  )
  const shown = isWhole ? found : found.slice(0, initialRows)
  if (rows.length === 0) return <p className={styles.none}>No {label}.</p>
  return (
    <>
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
          {needle === '' ? '' : `${found.length} of ${rows.length}`}
        </span>
        <CopyButton
          text={() => JSON.stringify(attributes, null, 2)}
          label={`Copy all ${label} as JSON`}
        />
      </div>
      <table className={styles.attributes}>
        <caption className="visually-hidden">{label}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">Copy</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, text }) => (
            <tr key={name}>
              <th scope="row">
                <Highlighted text={name} searchText={searchText.trim()} />
              </th>
              <td>
                <LongText text={text} maxCharacters={600} />
              </td>
              <td>
                <CopyButton text={text} label={`Copy ${name}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < found.length && (
        <button type="button" className={styles.showAll} onClick={() => setWhole(true)}>
          Show all {found.length}
        </button>
      )}
    </>
  )
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
