import type { BlueprintTool } from '@assay/contract/blueprint.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import styles from './synthetic.module.css'
import { listParameters } from './tool-parameters.ts'

export function ToolsView({ tools }: { readonly tools: readonly BlueprintTool[] }) {
  return (
    <DataTable
      caption="Tools"
      rows={tools}
      columns={columns}
      rowKey={({ name }) => name}
      empty={<p className={page.note}>The agent has no tools.</p>}
    />
  )
}

const columns: readonly Column<BlueprintTool>[] = [
  {
    ...{ key: 'name', header: 'Tool' },
    cell: ({ name, description }) => (
      <TwoLines below={description}>
        <strong>{name}</strong>
      </TwoLines>
    ),
  },
  {
    ...{ key: 'parameters', header: 'Parameters' },
    cell: ({ parameters }) => <Parameters schema={parameters} />,
  },
  {
    ...{ key: 'effect', header: 'Effect' },
    cell: ({ effect, entity }) =>
      effect === 'none' || entity === null ? (
        <span className="dimmed">None</span>
      ) : (
        `${effectLabels[effect]} ${entity}`
      ),
  },
  {
    ...{ key: 'mode', header: 'Mode' },
    cell: ({ mode }) => (mode === 'simulated' ? 'Simulated' : 'Real'),
  },
]

const effectLabels = {
  ...{ read: 'Reads', create: 'Creates', update: 'Changes', delete: 'Deletes' },
} as const

function Parameters({ schema }: { readonly schema: BlueprintTool['parameters'] }) {
  const parameters = listParameters(schema)
  if (parameters.length === 0) return <span className="dimmed">None</span>
  return (
    <ul className={styles.parameters}>
      {parameters.map(({ name, type, isRequired, description, values }) => (
        <li key={name} title={description}>
          <code>{name}</code>{' '}
          <span className="dimmed">
            {values.length > 0 ? values.join(' | ') : type}
            {!isRequired && ', optional'}
          </span>
        </li>
      ))}
    </ul>
  )
}
