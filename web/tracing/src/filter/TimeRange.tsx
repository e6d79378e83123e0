import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { Button, Menu, Popover, TextInput } from '@mantine/core'
import { IconCalendar, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { localInput, utcInstant } from './local-input.ts'
import styles from './time-range.module.css'
import { pickTime, type Range, ranges, type TimeSearch, withTime } from './time-range.ts'

interface Props<Search extends TimeSearch> {
  readonly search: Search
  /** For pages that always need a range. */
  readonly defaultRange?: Range
  /** Called with the other parameters unchanged. */
  readonly onChange: (next: Search) => void
}

/** Chooses a relative or absolute time range. */
export function TimeRange<Search extends TimeSearch>({
  search,
  defaultRange,
  onChange,
}: Props<Search>) {
  const [isCustom, setCustom] = useState(false)
  const { range, from, to } = pickTime(search, defaultRange)
  const hasCustom = from !== undefined || to !== undefined
  const label =
    range === undefined ? (hasCustom ? 'Custom range' : 'Any time') : ranges[range].label
  const choose = (next: TimeSearch) => {
    onChange(withTime(search, next))
    setCustom(false)
  }
  return (
    <Popover
      opened={isCustom}
      onChange={setCustom}
      position="bottom-start"
      shadow="md"
      trapFocus
      // The button opens a menu, and one of its items this dialog.
      withRoles={false}
    >
      <Popover.Target>
        <div>
          <Menu width={190}>
            <Menu.Target>
              <Button
                variant="default"
                leftSection={<IconCalendar size={14} />}
                rightSection={<IconChevronDown size={13} />}
                aria-label={`Time range: ${label}`}
              >
                {label}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {defaultRange === undefined && (
                <Choice isOn={range === undefined && !hasCustom} onClick={() => choose({})}>
                  Any time
                </Choice>
              )}
              {(Object.keys(ranges) as Range[]).map((one) => (
                <Choice key={one} isOn={range === one} onClick={() => choose({ range: one })}>
                  {ranges[one].label}
                </Choice>
              ))}
              <Menu.Divider />
              <Choice isOn={hasCustom} onClick={() => setCustom(true)}>
                Custom range…
              </Choice>
            </Menu.Dropdown>
          </Menu>
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Custom range">
        <CustomRange
          from={from}
          to={to}
          onApply={(nextFrom, nextTo) => choose(omitUndefined({ from: nextFrom, to: nextTo }))}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ChoiceProps {
  readonly isOn: boolean
  readonly onClick: () => void
  readonly children: string
}

function Choice({ isOn, onClick, children }: ChoiceProps) {
  return (
    <Menu.Item rightSection={isOn && <IconCheck size={14} />} onClick={onClick}>
      {children}
    </Menu.Item>
  )
}

interface CustomProps {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly onApply: (from: string | undefined, to: string | undefined) => void
}

function CustomRange({ from, to, onApply }: CustomProps) {
  const [start, setStart] = useState(localInput(from))
  const [end, setEnd] = useState(localInput(to))
  const isBackward = start !== '' && end !== '' && start >= end
  return (
    <form
      className={styles.custom}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBackward) onApply(utcInstant(start), utcInstant(end))
      }}
    >
      <TextInput
        type="datetime-local"
        step={1}
        size="xs"
        label="From (local time)"
        data-autofocus
        value={start}
        onChange={(event) => setStart(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        step={1}
        size="xs"
        label="To (local time)"
        value={end}
        error={isBackward ? 'Must be after the start' : undefined}
        onChange={(event) => setEnd(event.currentTarget.value)}
      />
      <Button type="submit">Apply</Button>
    </form>
  )
}
