import { NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { severityNames } from '../../api/trace-logs.ts'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { withTime } from '../../filter/time-range.ts'
import { useDebouncedInput } from '../../filter/use-debounced-input.ts'
import { updateSearch } from '../../search-params.ts'
import type { LogSearch } from './log-search.ts'
import styles from './logs.module.css'

interface Props {
  readonly search: LogSearch
  readonly onChange: (next: LogSearch) => void
}

export function LogFilterBar({ search, onChange }: Props) {
  return (
    <div className={styles.bar} role="search" aria-label="Filter logs">
      <TextFilter
        {...{ search, onChange }}
        name="q"
        label="Search body and attributes"
        className={styles.search}
        icon={<IconSearch size={14} />}
      />
      <NativeSelect
        size="xs"
        aria-label="Minimum severity"
        data={[
          { value: '', label: 'All severities' },
          ...severityNames.map((one) => ({
            value: one,
            label: `≥ ${one}`,
          })),
        ]}
        value={search.severity ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const { severity: _, ...rest } = search
          const severity = severityNames.find((one) => one === value)
          onChange(severity === undefined ? rest : { ...rest, severity })
        }}
      />
      <TextFilter
        {...{ search, onChange }}
        name="service"
        label="Service"
        className={styles.short}
      />
      <TextFilter
        {...{ search, onChange }}
        name="event_name"
        label="Event name"
        className={styles.short}
      />
      <TextFilter
        {...{ search, onChange }}
        name="trace_id"
        label="Trace ID"
        className={styles.short}
      />
      <TimeRange search={search} onChange={(time) => onChange(withTime(search, time))} />
    </div>
  )
}

interface TextFilterProps extends Props {
  readonly name: 'q' | 'service' | 'event_name' | 'trace_id'
  readonly label: string
  readonly className: string | undefined
  readonly icon?: React.ReactNode
}

function TextFilter({ search, onChange, name, label, className, icon }: TextFilterProps) {
  const typed = useDebouncedInput(search[name] ?? '', (text) =>
    onChange(updateSearch(search, { [name]: text || undefined })),
  )
  return (
    <TextInput
      size="xs"
      className={className ?? ''}
      placeholder={label}
      aria-label={label}
      leftSection={icon}
      maxLength={256}
      value={typed.text}
      onChange={(event) => typed.type(event.currentTarget.value)}
      onBlur={typed.flush}
      onKeyDown={(event) => {
        if (event.key === 'Enter') typed.flush()
      }}
    />
  )
}
