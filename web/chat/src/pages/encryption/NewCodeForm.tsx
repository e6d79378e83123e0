import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { newRecoveryCode, readRecoveryCode } from '../../crypto/recovery-code.ts'
import { BrowserNameField } from './BrowserNameField.tsx'
import { CodeField } from './CodeField.tsx'
import styles from './encryption.module.css'
import { usualLabel } from './usual-label.ts'

export interface CodeMutation {
  readonly mutate: (input: { label: string; code: string }) => void
  readonly isPending: boolean
  readonly error: Error | null
}

interface Props {
  readonly mutation: CodeMutation
  readonly submitLabel: string
  /** Whether the browser is enrolled with it, and gets a name. */
  readonly asksName?: boolean
  readonly isDestructive?: boolean
}

/** Shows a new recovery code once; it has to be typed back. */
export function NewCodeForm(props: Props) {
  const [step, setStep] = useState<'show' | 'type'>('show')
  const { data: code = '' } = useQuery({
    // Each form has its own code.
    queryKey: ['new-recovery-code', useId()],
    queryFn: newRecoveryCode,
    ...{ staleTime: 'static', gcTime: 0 },
  })
  if (step === 'type') {
    return (
      <TypeBackForm {...props} code={code}>
        <Button variant="default" onClick={() => setStep('show')}>
          Show the code again
        </Button>
      </TypeBackForm>
    )
  }
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
        <CopyButton text={code} label="Copy the code">
          Copy
        </CopyButton>
        <Button autoFocus onClick={() => setStep('type')} disabled={code === ''}>
          I have saved it
        </Button>
      </div>
    </div>
  )
}

interface TypeBackProps extends Props {
  readonly code: string
  readonly children: ReactNode
}

function TypeBackForm(props: TypeBackProps) {
  const { mutation, submitLabel, asksName = false, isDestructive = false, code, children } = props
  const [typed, setTyped] = useState('')
  const [label, setLabel] = useState(usualLabel)
  const [problem, setProblem] = useState<string>()
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
      <CodeField
        description="Type it from your copy."
        autoFocus
        value={typed}
        error={problem}
        onChange={setTyped}
      />
      {asksName && <BrowserNameField value={label} onChange={setLabel} />}
      <div className={styles.line}>
        <Button
          type="submit"
          loading={mutation.isPending}
          {...(isDestructive ? { color: 'red' } : {})}
        >
          {submitLabel}
        </Button>
        {children}
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
