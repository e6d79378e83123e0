import { type CollectedEvaluator, isJudge } from '@assay/contract/evaluators.ts'
import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconGripVertical, IconX } from '@tabler/icons-react'
import { MoveButton } from '../../parts/MoveButton.tsx'
import { categoryLabels } from './evaluator-labels.ts'
import styles from './evaluators.module.css'

interface Props {
  readonly evaluator: CollectedEvaluator
  readonly at: number
  readonly isLast: boolean
  readonly isDragged: boolean
  /** With the id of the evaluator, or null when the drag ends. */
  readonly onDrag: (id: string | null) => void
  readonly onDragOver: () => void
  readonly onMove: (places: -1 | 1) => void
  readonly onRemove: () => void
}

/** One evaluator of an ordered list. */
export function OrderedEvaluator(props: Props) {
  const { evaluator, at, isLast, isDragged, onDrag, onDragOver, onMove, onRemove } = props
  const { id, name, category } = evaluator
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons do the same by keyboard
    <li
      className={styles.item}
      data-dragged={isDragged || undefined}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onDrag(id)
      }}
      onDragEnter={onDragOver}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => event.preventDefault()}
      onDragEnd={() => onDrag(null)}
    >
      <IconGripVertical size={14} className={styles.handle} aria-hidden />
      <span className={styles.position} aria-hidden>
        {at + 1}
      </span>
      <span className={styles.itemName} title={name}>
        {name}
      </span>
      <span className={styles.itemNote}>
        {categoryLabels[category]}
        {isJudge(evaluator) && ', needs a model'}
      </span>
      <MoveButton label={`Move ${name} up`} isAtEnd={at === 0} onMove={() => onMove(-1)}>
        <IconChevronUp size={14} />
      </MoveButton>
      <MoveButton label={`Move ${name} down`} isAtEnd={isLast} onMove={() => onMove(1)}>
        <IconChevronDown size={14} />
      </MoveButton>
      <ActionIcon size={22} aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
    </li>
  )
}
