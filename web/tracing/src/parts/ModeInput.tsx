import { NativeSelect } from '@mantine/core'

/** The mode of the traces that a rule is about. `inputProps` are those of its field in a form. */
export function ModeInput(inputProps: object) {
  return (
    <NativeSelect
      label="Mode"
      {...inputProps}
      data={[
        { value: '', label: 'Any' },
        { value: 'live', label: 'Live' },
        { value: 'simulation', label: 'Simulated' },
      ]}
    />
  )
}
