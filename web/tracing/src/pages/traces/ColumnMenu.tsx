import { useDragOrder } from '@assay/ui/use-drag-order.ts'
import { Button, Popover } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconColumns3, IconGripVertical } from '@tabler/icons-react'
import {
  type ColumnId,
  columnIds,
  defaultColumns,
  moved,
  toggled,
} from '../../parts/column-choice.ts'
import { MoveButton } from '../../parts/MoveButton.tsx'
import styles from './menus.module.css'
import { columns } from './trace-columns.tsx'

interface Props {
  readonly visibleColumns: readonly ColumnId[]
  readonly choose: (next: readonly ColumnId[]) => void
  readonly move: (id: string, ontoId: string) => void
}

/** Lists the visible columns in order, then the hidden ones. */
export function ColumnMenu({ visibleColumns, choose, move }: Props) {
  const order = useDragOrder(visibleColumns, move)
  const others = columnIds.filter((id) => !visibleColumns.includes(id))
  const isDefault = visibleColumns.join() === defaultColumns.join()
  return (
    <Popover position="bottom-end" shadow="md" width={280} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconColumns3 size={14} />}
          classNames={{ label: styles.label ?? '', section: styles.icon ?? '' }}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown}>
        <ul className={styles.list} aria-label="Visible columns, left to right">
          {visibleColumns.map((id, at) => (
            <li key={id} className={styles.item} {...order.itemProps(id)}>
              <IconGripVertical size={14} className={styles.grip} aria-hidden />
              <Choice id={id} isShown onToggle={() => choose(toggled(visibleColumns, id))} />
              <MoveButton
                label={`Move ${getColumnName(id)} left`}
                isAtEnd={at === 0}
                onMove={() => choose(moved(visibleColumns, id, -1))}
              >
                <IconChevronUp size={14} />
              </MoveButton>
              <MoveButton
                label={`Move ${getColumnName(id)} right`}
                isAtEnd={at === visibleColumns.length - 1}
                onMove={() => choose(moved(visibleColumns, id, 1))}
              >
                <IconChevronDown size={14} />
              </MoveButton>
            </li>
          ))}
        </ul>
        {others.length > 0 && (
          <ul className={styles.list} aria-label="Hidden columns">
            {others.map((id) => (
              <li key={id} className={styles.item}>
                <Choice
                  id={id}
                  isShown={false}
                  onToggle={() => choose(toggled(visibleColumns, id))}
                />
              </li>
            ))}
          </ul>
        )}
        {!isDefault && (
          <Button variant="subtle" fullWidth onClick={() => choose(defaultColumns)}>
            Reset to default
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

interface ChoiceProps {
  readonly id: ColumnId
  readonly isShown: boolean
  readonly onToggle: () => void
}

function Choice({ id, isShown, onToggle }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        className={styles.check}
        checked={isShown}
        disabled={id === 'name'}
        onChange={onToggle}
      />
      {getColumnName(id)}
    </label>
  )
}

function getColumnName(id: ColumnId): string {
  return columns[id].longTitle ?? columns[id].header
}
