import type { BlueprintCheck, BlueprintTask } from '@assay/contract/blueprint.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { RowDetails } from '../../parts/RowDetails.tsx'
import { categoryLabels } from '../../scenarios/category-labels.ts'
import styles from './synthetic.module.css'

interface Props {
  readonly tasks: readonly BlueprintTask[]
  readonly check: BlueprintCheck | undefined
  /** The id of the task whose calls are shown. */
  readonly open: string | undefined
  readonly onToggle: (id: string) => void
}

/** The tasks whose expected calls work on the records, and why others were left out. */
export function TasksView({ tasks, check, open, onToggle }: Props) {
  return (
    <div className={styles.stack}>
      {check !== undefined && !check.passed && (
        <p className={styles.warning}>
          Tasks that failed the dry run were left out: {check.detail}.
        </p>
      )}
      <DataTable
        caption="Tasks"
        noun={['task', 'tasks']}
        rows={tasks}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ title }) => title}
        isRowClickable
        details={{
          isOpen: ({ id }) => id === open,
          onToggle: ({ id }) => onToggle(id),
          render: (task) => <Task task={task} />,
        }}
        empty={<p className={page.note}>The blueprint has no tasks.</p>}
      />
    </div>
  )
}

const columns: readonly Column<BlueprintTask>[] = [
  {
    ...{ key: 'title', header: 'Task', isRowHeader: true },
    cell: ({ id, title, brief }) => (
      <TwoLines below={brief}>
        <strong>
          {id}: {title}
        </strong>
      </TwoLines>
    ),
  },
  {
    ...{ key: 'category', header: 'Category' },
    cell: ({ category }) => categoryLabels[category],
    sortValue: ({ category }) => category,
  },
  {
    ...{ key: 'calls', header: 'Calls', align: 'end' },
    cell: ({ expected_calls: calls }) => calls.length,
  },
  {
    ...{ key: 'dry-run', header: 'Dry run' },
    cell: () => <StatusMark isError={false} word="Passed" />,
  },
]

function Task({ task }: { readonly task: BlueprintTask }) {
  const facts = [
    ['The user wants', task.brief],
    ['Can provide', task.known.join('; ')],
    ['Cannot provide', task.unknown.join('; ')],
    ['Expected outcome', task.expected_outcome],
  ] as const
  return (
    <RowDetails facts={facts}>
      <ol className={styles.list} aria-label="Expected calls">
        {task.expected_calls.map(({ tool, arguments: sent }, at) => (
          <li key={at}>
            <code className={styles.code}>
              {tool}({JSON.stringify(sent)})
            </code>
          </li>
        ))}
      </ol>
    </RowDetails>
  )
}
