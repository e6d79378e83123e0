import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApprove } from '../../api/platform.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import styles from './platform.module.css'

/** Approves an address, or all of a domain. */
export function ApproveForm() {
  const [pattern, setPattern] = useState('')
  const approving = useApprove()
  const errors = fieldErrors(approving.error, ['pattern'])
  return (
    <form
      className={styles.approve}
      onSubmit={(event) => {
        event.preventDefault()
        approving.mutate(patternFrom(pattern), { onSuccess: () => setPattern('') })
      }}
    >
      <TextInput
        className={styles.grow}
        label="Address or domain"
        placeholder="ana@example.org or @example.org"
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={254}
        value={pattern}
        error={errors.fields['pattern'] ?? errors.rest}
        onChange={(event) => {
          setPattern(event.currentTarget.value)
          approving.reset()
        }}
      />
      <Button type="submit" size="sm" loading={approving.isPending}>
        Approve
      </Button>
    </form>
  )
}

/** A domain may be typed without its `@`. */
function patternFrom(text: string): string {
  const trimmed = text.trim()
  return trimmed.includes('@') ? trimmed : `@${trimmed}`
}
