import type { Blueprint, BlueprintEntity, BlueprintRow, Cell } from '@assay/contract/blueprint.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import page from '../../page/page.module.css'
import styles from './synthetic.module.css'

interface Props {
  readonly record: Blueprint['system_of_record']
  readonly name: string | undefined
  readonly onSelect: (entity: string) => void
}

/** The records that the tools work on, one table at a time. */
export function RecordsView({ record: { entities, relations }, name, onSelect }: Props) {
  const entity = entities.find((one) => one.name === name) ?? entities[0]
  if (entity === undefined) return <p className={page.note}>The blueprint has no records.</p>
  const references = relations.filter(
    ({ from_entity, to_entity }) => from_entity === entity.name || to_entity === entity.name,
  )
  return (
    <div className={styles.stack}>
      <NativeSelect
        label="Table"
        className={styles.narrow}
        data={entities.map((one) => ({
          value: one.name,
          label: `${one.name} (${one.rows.length})`,
        }))}
        value={entity.name}
        onChange={(event) => onSelect(event.currentTarget.value)}
      />
      {references.length > 0 && (
        <ul className={styles.list} aria-label="Relations">
          {references.map(({ from_entity, from_field, to_entity, to_field }) => (
            <li key={`${from_entity}.${from_field}.${to_entity}.${to_field}`}>
              <code>
                {from_entity}.{from_field}
              </code>{' '}
              refers to{' '}
              <code>
                {to_entity}.{to_field}
              </code>
            </li>
          ))}
        </ul>
      )}
      <Rows key={entity.name} entity={entity} />
    </div>
  )
}

interface Row {
  readonly at: number
  readonly cells: BlueprintRow
}

function Rows({ entity: { name, fields, rows } }: { readonly entity: BlueprintEntity }) {
  const [numbered, columns] = useMemo(
    () => [rows.map((cells, at): Row => ({ at, cells })), fields.map(toColumn)],
    [fields, rows],
  )
  return (
    <DataTable
      caption={`Records of ${name}`}
      noun={['record', 'records']}
      rows={numbered}
      columns={columns}
      rowKey={({ at }) => String(at)}
      empty={<p className={page.note}>The table has no records.</p>}
    />
  )
}

function toColumn({ name, type, unique }: BlueprintEntity['fields'][number]): Column<Row> {
  const isNumber = type === 'integer' || type === 'number'
  return {
    ...{ key: name, header: name, hint: unique === true ? `${type}, unique` : type },
    ...(isNumber ? { align: 'end' as const } : {}),
    className: styles.cell,
    cell: ({ cells }) => formatCell(cells[name]),
    sortValue: ({ cells }) => toSortValue(cells[name]),
  }
}

function formatCell(value: Cell | undefined) {
  if (value === null || value === undefined) return <span className="dimmed">—</span>
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

function toSortValue(value: Cell | undefined): string | number | null {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}
