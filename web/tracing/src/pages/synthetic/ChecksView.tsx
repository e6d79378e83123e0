import type { BlueprintCheck } from '@assay/contract/blueprint.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import page from '../../page/page.module.css'
import styles from './synthetic.module.css'

interface Props {
  readonly checks: readonly BlueprintCheck[]
  readonly notes: readonly string[]
}

/** What was checked without a model, and what was left out or changed. */
export function ChecksView({ checks, notes }: Props) {
  return (
    <div className={styles.stack}>
      <DataTable caption="Checks" rows={checks} columns={columns} rowKey={({ name }) => name} />
      {notes.length > 0 && (
        <section className={styles.section} aria-label="Notes">
          <h2 className={page.heading}>Notes</h2>
          <ul className={styles.notes}>
            {notes.map((note, at) => (
              <li key={at}>{note}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const columns: readonly Column<BlueprintCheck>[] = [
  { key: 'name', header: 'Check', cell: ({ name }) => labels[name] ?? name },
  {
    ...{ key: 'passed', header: 'Result' },
    cell: ({ passed }) => <StatusMark isError={!passed} word={passed ? 'Passed' : 'Failed'} />,
  },
  {
    ...{ key: 'detail', header: 'Detail' },
    className: styles.cell,
    cell: ({ detail }) => detail || <span className="dimmed">—</span>,
  },
]

const labels: Readonly<Record<string, string>> = {
  records: 'Records have valid types, unique keys and existing references',
  relations: 'Relations connect existing fields',
  quotes: 'Every policy quotes a sentence of the source',
  tools: 'Every table is read or changed by a tool',
  tasks: 'The expected calls of every task work on the records',
  instructions_in_source: 'The source has no instructions to a model',
}
