import { Button, Menu, Popover, TextInput } from '@mantine/core'
import { IconFilterPlus } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { type FilterName, filterNames, filters } from '../../../parts/filter-definitions.ts'
import { withTerm } from '../../../parts/filter-terms.ts'
import type { TraceSearch } from '../../../parts/trace-search.ts'
import { type KnownValues, valuesFor } from './completion.ts'
import styles from './query.module.css'
import { findMismatches } from './query-text.ts'
import { readTerm } from './read-term.ts'

interface Props {
  readonly search: TraceSearch
  readonly known: KnownValues
  readonly onOpen: () => void
  readonly onChange: (next: TraceSearch) => void
}

/** The mode and the time range have their own controls. */
const offered = filterNames.filter(
  (name) => !filters[name].isTypedOnly && !['mode', 'range', 'from', 'to'].includes(name),
)

/** A menu of all filters, each with a matching input. */
export function AddFilter(props: Props) {
  const { search, known, onOpen, onChange } = props
  const [name, setName] = useState<FilterName>('name')
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      trapFocus
      // The button opens a menu, and its items this dialog.
      withRoles={false}
    >
      <Popover.Target>
        <div>
          <Menu width={190} onOpen={onOpen}>
            <Menu.Target>
              <Button variant="default" leftSection={<IconFilterPlus size={14} />}>
                Filter
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {offered.map((one) => (
                <Menu.Item
                  key={one}
                  onClick={() => {
                    setName(one)
                    setOpen(true)
                  }}
                >
                  {filters[one].label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={filters[name].label}>
        <ValueForm
          key={name}
          name={name}
          known={known}
          onValue={(value) => {
            const term = readTerm(name, [value])
            if (typeof term === 'string') return term
            const next = withTerm(search, term)
            const [mismatch] = findMismatches(next)
            if (mismatch !== undefined) return mismatch
            setOpen(false)
            onChange(next)
            return undefined
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface FormProps {
  readonly name: FilterName
  readonly known: KnownValues
  /** Returns an error message for an invalid value. */
  readonly onValue: (value: string) => string | undefined
}

function ValueForm({ name, known, onValue }: FormProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const listId = useId()
  const { label, hint, valueHint = hint, takes } = filters[name]
  if (takes.form === 'choice') {
    return (
      <div className={styles.choices} role="group" aria-label={label}>
        {Object.entries(takes.choices).map(([value, words], at) => (
          <Button
            key={value}
            variant="default"
            onClick={() => onValue(value)}
            {...(at === 0 ? { 'data-autofocus': true } : {})}
          >
            {words}
          </Button>
        ))}
      </div>
    )
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setProblem(onValue(text.trim()))
      }}
    >
      <TextInput
        size="xs"
        label={label}
        description={valueHint}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        list={listId}
        inputMode={takes.form === 'amount' ? 'decimal' : 'text'}
        error={problem}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <datalist id={listId}>
        {valuesFor(name, text, known).map(({ value }) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </datalist>
      <Button type="submit">Apply</Button>
    </form>
  )
}
