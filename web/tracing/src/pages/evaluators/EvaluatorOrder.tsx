import { type CollectedEvaluator, evaluatorCategories } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { Input, Select } from '@mantine/core'
import { useId, useState } from 'react'
import { moveItem } from '../../parts/move-item.ts'
import { categoryLabels } from './evaluator-labels.ts'
import styles from './evaluators.module.css'
import { OrderedEvaluator } from './OrderedEvaluator.tsx'

interface Props {
  readonly evaluators: readonly CollectedEvaluator[]
  readonly value: readonly string[]
  readonly error?: string | undefined
  readonly onChange: (ids: string[]) => void
}

const max = limits.evaluatorsPerCollection.value

/** Chooses evaluators and the order in which they run: by dragging, or with the buttons of each. */
export function EvaluatorOrder({ evaluators, value, error, onChange }: Props) {
  const id = useId()
  const [dragged, drag] = useState<string | null>(null)
  const [moveNote, setMoveNote] = useState('')
  const byId = new Map(evaluators.map((one) => [one.id, one]))
  const chosen = value.flatMap((one) => byId.get(one) ?? [])
  function move(from: number, to: number): void {
    const next = moveItem(value, from, to)
    if (next === value) return
    onChange([...next])
    setMoveNote(`${byId.get(value[from]!)?.name} is now at position ${to + 1}.`)
  }
  return (
    <Input.Wrapper
      id={id}
      label="Evaluators"
      required
      description={`They run in this order. ${countOf(chosen.length, 'evaluator')} of at most ${max}.`}
      error={error}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Select
        id={id}
        aria-invalid={error !== undefined}
        placeholder={chosen.length < max ? 'Add an evaluator…' : 'The collection is full'}
        disabled={chosen.length >= max}
        searchable
        className={styles.add}
        value={null}
        onChange={(added) => {
          if (added !== null) onChange([...value, added])
        }}
        nothingFoundMessage="No other evaluator has this name"
        maxDropdownHeight={260}
        data={evaluatorCategories.flatMap((category) => {
          const items = evaluators.filter(
            (one) => one.category === category && !value.includes(one.id),
          )
          if (items.length === 0) return []
          return {
            group: categoryLabels[category],
            items: items.map((one) => ({ value: one.id, label: one.name })),
          }
        })}
      />
      <ol className={styles.order} aria-label="Evaluators in order">
        {chosen.map((one, at) => (
          <OrderedEvaluator
            key={one.id}
            evaluator={one}
            at={at}
            isLast={at === chosen.length - 1}
            isDragged={dragged === one.id}
            onDrag={drag}
            onDragOver={() => {
              if (dragged !== null && dragged !== one.id) move(value.indexOf(dragged), at)
            }}
            onMove={(places) => move(at, at + places)}
            onRemove={() => onChange(value.filter((each) => each !== one.id))}
          />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {moveNote}
      </p>
    </Input.Wrapper>
  )
}
