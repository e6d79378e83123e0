import { limits } from '@assay/contract/limits.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newRecoveryCode, readRecoveryCode } from '../../crypto/recovery-code.ts'
import styles from './encryption.module.css'
import { usualLabel } from './usual-label.ts'

interface Props {
  readonly mutation: {
    readonly mutate: (input: { label: string; code: string }) => void
    readonly isPending: boolean
    readonly error: Error | null
  }
  readonly submitLabel: string
}

/** Shows a new recovery code once; it has to be typed back. */
export function NewCodeForm({ mutation, submitLabel }: Props) {
  const [step, setStep] = useState<'show' | 'type'>('show')
  const [typed, setTyped] = useState('')
  const [label, setLabel] = useState(usualLabel)
  const [problem, setProblem] = useState<string>()
  const { data: code = '' } = useQuery({
    queryKey: ['new-recovery-code'],
    queryFn: newRecoveryCode,
    ...{ staleTime: 'static', gcTime: 0 },
  })
  if (step === 'show') {
    return (
      <div className={styles.form}>
        <p>
          This is your recovery code. Write it down or keep it in a password manager: it is shown
          once. Without it and without any of your devices, nobody can read your encrypted
          conversations again.
        </p>
        <p role="definition" className={styles.code}>
          {code}
        </p>
        <div className={styles.line}>
          <CopyButton text={code} label="Copy the code" />
          <Button onClick={() => setStep('type')} disabled={code === ''}>
            I have saved it
          </Button>
        </div>
      </div>
    )
  }
  async function submit() {
    const isSame = await isSameCode(typed, code)
    setProblem(
      isSame ? undefined : 'This is not the code that was shown. Compare it with your copy.',
    )
    if (isSame) mutation.mutate({ label, code })
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!mutation.isPending) void submit()
      }}
    >
      <TextInput
        label="Recovery code"
        description="Type it from your copy."
        autoComplete="off"
        spellCheck={false}
        required
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <TextInput
        label="Name of this browser"
        required
        maxLength={limits.deviceLabelLength.value}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <div className={styles.line}>
        <Button type="submit" loading={mutation.isPending}>
          {submitLabel}
        </Button>
        <Button variant="default" onClick={() => setStep('show')}>
          Show the code again
        </Button>
      </div>
      <FormError message={mutation.error?.message} />
    </form>
  )
}

async function isSameCode(typed: string, code: string): Promise<boolean> {
  try {
    return String(await readRecoveryCode(typed)) === String(await readRecoveryCode(code))
  } catch {
    return false
  }
}
