import { Button } from '@mantine/core'
import { useState } from 'react'
import { type EncryptionPlace, setUpEncryption } from '../../api/encryption.ts'
import { NewCodeForm } from './NewCodeForm.tsx'
import { useKeyChange } from './use-encryption.ts'

/** The first device of a person. */
export function SetUpForm({ place }: { readonly place: EncryptionPlace }) {
  const [isOpen, setOpen] = useState(false)
  const setUp = useKeyChange(({ label, code }: { label: string; code: string }) =>
    setUpEncryption(place, label, code),
  )
  return (
    <section>
      <h2>Set up encryption</h2>
      {isOpen ? (
        <NewCodeForm mutation={setUp} submitLabel="Finish set-up" />
      ) : (
        <>
          <p>You get a recovery code, which opens your conversations in further browsers.</p>
          <Button onClick={() => setOpen(true)}>Set up encryption</Button>
        </>
      )}
    </section>
  )
}
