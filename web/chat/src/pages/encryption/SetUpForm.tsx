import { Button } from '@mantine/core'
import type { Encryption } from '../../api/encryption.ts'
import { type CodeMutation, NewCodeForm } from './NewCodeForm.tsx'

interface Props {
  readonly mutation: CodeMutation
  readonly mode: Encryption['mode']
  readonly isOpen: boolean
  readonly onOpen: () => void
}

/** The first device of a person. */
export function SetUpForm({ mutation, mode, isOpen, onOpen }: Props) {
  return (
    <section>
      <h2>Set up encryption</h2>
      {isOpen ? (
        <NewCodeForm mutation={mutation} submitLabel="Finish set-up" asksName />
      ) : mode === 'off' ? (
        <>
          <p>
            Set-up does not encrypt anything in this project. Your keys apply to all projects of the
            organization, so set up now only to use encryption in another one.
          </p>
          <Button variant="default" onClick={onOpen}>
            Set up anyway
          </Button>
        </>
      ) : (
        <>
          <p>You get a recovery code, which opens your conversations in further browsers.</p>
          <Button onClick={onOpen}>Set up encryption</Button>
        </>
      )}
    </section>
  )
}
