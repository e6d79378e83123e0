import type { AgentTool } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import styles from './cost-calculator.module.css'
import { toolKindLabels } from './run-labels.ts'
import { ToolDialog, type ToolTarget } from './ToolDialog.tsx'

interface Props {
  readonly tools: readonly AgentTool[]
  readonly error: string | undefined
  readonly onChange: (tools: readonly AgentTool[]) => void
}

/** The tools of an agent. Their definitions are sent with each call. */
export function AgentTools({ tools, error, onChange }: Props) {
  const editing = useDialog<ToolTarget>()
  const rows = tools.map((tool, index) => ({ tool, index }))
  return (
    <section className={styles.tools} aria-label="Tools">
      <div className={page.boxHead}>
        <h2 className={page.heading}>Tools</h2>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={tools.length >= limits.agentTools.value}
          onClick={() => editing.open({ tool: undefined, index: tools.length })}
        >
          Add a tool
        </Button>
      </div>
      <DataTable
        caption="Tools"
        rows={rows}
        columns={columns}
        rowKey={({ index }) => String(index)}
        rowName={({ tool }) => tool.name}
        actions={(row) => [
          { label: 'Edit', onSelect: () => editing.open(row) },
          {
            label: 'Remove',
            isDanger: true,
            onSelect: () => onChange(tools.filter((_, index) => index !== row.index)),
          },
        ]}
        empty={
          <p className={page.note}>
            No tools. Their definitions are sent with each call, and their results add to the
            context.
          </p>
        }
      />
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <ToolDialog
        dialog={editing}
        onDone={({ index }, tool) =>
          onChange([...tools.slice(0, index), tool, ...tools.slice(index + 1)])
        }
      />
    </section>
  )
}

interface Row {
  readonly tool: AgentTool
  readonly index: number
}

const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ tool }) => (
      <TwoLines below={tool.description}>
        <strong>{tool.name}</strong>
      </TwoLines>
    ),
  },
  { key: 'kind', header: 'Kind', cell: ({ tool }) => toolKindLabels[tool.kind] },
  {
    key: 'parameters',
    header: 'Parameters',
    align: 'end',
    cell: ({ tool: { content = '' } }) =>
      content === '' ? (
        <span className="dimmed">None</span>
      ) : (
        `${formatCount(content.length)} characters`
      ),
  },
]
