import { Button, Popover } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconColumns3 } from '@tabler/icons-react'
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
  readonly onChoose: (next: readonly ColumnId[]) => void
}

/** Lists the visible columns in order, then the hidden ones. */
export function ColumnMenu({ visibleColumns, onChoose }: Props) {
  const others = columnIds.filter((id) => !visibleColumns.includes(id))
  const isDefault = visibleColumns.join() === defaultColumns.join()
  return (
    <Popover position="bottom-end" shadow="md" width={280} trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={14} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown}>
        <ul className={styles.list} aria-label="Visible columns, left to right">
          {visibleColumns.map((id, at) => (
            <li key={id} className={styles.item}>
              <Choice id={id} isShown onToggle={() => onChoose(toggled(visibleColumns, id))} />
              <MoveButton
                label={`Move ${getColumnName(id)} left`}
                isAtEnd={at === 0}
                onMove={() => onChoose(moved(visibleColumns, id, -1))}
              >
                <IconChevronUp size={14} />
              </MoveButton>
              <MoveButton
                label={`Move ${getColumnName(id)} right`}
                isAtEnd={at === visibleColumns.length - 1}
                onMove={() => onChoose(moved(visibleColumns, id, 1))}
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
                  onToggle={() => onChoose(toggled(visibleColumns, id))}
                />
              </li>
            ))}
          </ul>
        )}
        {!isDefault && (
          <Button variant="subtle" fullWidth onClick={() => onChoose(defaultColumns)}>
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
