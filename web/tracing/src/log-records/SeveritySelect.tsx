import { NativeSelect } from '@mantine/core'
import { type SeverityName, severityNames } from '../api/trace-logs.ts'

interface Props {
  readonly value: SeverityName | undefined
  readonly onChange: (severity: SeverityName | undefined) => void
}

/** Filters by a minimum severity. */
export function SeveritySelect({ value, onChange }: Props) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Minimum severity"
      data={[
        { value: '', label: 'All severities' },
        ...severityNames.map((name) => ({ value: name, label: `≥ ${name}` })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChange(severityNames.find((name) => name === currentTarget.value))
      }
    />
  )
}
