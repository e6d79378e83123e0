import { useFocusAfter } from '@assay/ui/use-focus-after.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Encryption, EncryptionPlace } from '../../api/encryption.ts'
import { resetEncryption } from '../../api/recovery-codes.ts'
import styles from './encryption.module.css'
import { NewCodeForm } from './NewCodeForm.tsx'
import { useKeyChange } from './use-encryption.ts'

interface Props {
  readonly place: EncryptionPlace
  readonly encryption: Encryption
}

/** For people who have lost all devices and the code. */
export function ResetSection({ place, encryption: { chain, device } }: Props) {
  /** What is reset: that which was shown when the form was opened. */
  const [generation, setGeneration] = useState<number>()
  const reset = useKeyChange(async ({ label, code }: { label: string; code: string }) => {
    if (generation !== undefined) await resetEncryption(place, generation, label, code)
    setGeneration(undefined)
  })
  const heading = useFocusAfter<HTMLHeadingElement>(generation !== undefined)
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        Reset
      </h2>
      <p>
        If you have lost your recovery code and all your devices, begin again with new keys. All
        devices and recovery codes are revoked. Conversations that are encrypted today become
        unreadable in this browser and in all that you enroll later. This can't be undone.
      </p>
      {device !== undefined && (
        <p>
          If you have lost only the recovery code, or another device, do not reset: create a new
          recovery code, or revoke the device.
        </p>
      )}
      {generation !== undefined ? (
        <NewCodeForm mutation={reset} submitLabel="Reset my keys" asksName isDestructive />
      ) : (
        <Button
          color="red"
          variant="light"
          className={styles.action}
          onClick={() => setGeneration(chain.generation)}
        >
          Reset my keys
        </Button>
      )}
    </section>
  )
}
