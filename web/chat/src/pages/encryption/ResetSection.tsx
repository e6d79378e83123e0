import { Button } from '@mantine/core'
import { useState } from 'react'
import { type EncryptionPlace, resetEncryption } from '../../api/encryption.ts'
import { NewCodeForm } from './NewCodeForm.tsx'
import { useKeyChange } from './use-encryption.ts'

/** For people who have lost all devices and the code. */
export function ResetSection({ place }: { readonly place: EncryptionPlace }) {
  const [isOpen, setOpen] = useState(false)
  const reset = useKeyChange(async ({ label, code }: { label: string; code: string }) => {
    await resetEncryption(place, label, code)
    setOpen(false)
  })
  return (
    <section>
      <h2>Reset</h2>
      <p>
        If you have lost your recovery code and all your devices, begin again with new keys. All
        devices and recovery codes are revoked. Conversations that are encrypted today stay
        unreadable on devices that are enrolled from then on. This can't be undone.
      </p>
      {isOpen ? (
        <NewCodeForm mutation={reset} submitLabel="Reset my keys" />
      ) : (
        <Button color="red" variant="light" onClick={() => setOpen(true)}>
          Reset my keys
        </Button>
      )}
    </section>
  )
}
