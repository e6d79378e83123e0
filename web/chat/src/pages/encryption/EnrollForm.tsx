import { limits } from '@assay/contract/limits.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type EncryptionPlace, enrollWithCode } from '../../api/encryption.ts'
import styles from './encryption.module.css'
import { useKeyChange } from './use-encryption.ts'
import { usualLabel } from './usual-label.ts'

/** Enrolls this browser with the recovery code. */
export function EnrollForm({ place }: { readonly place: EncryptionPlace }) {
  const [code, setCode] = useState('')
  const [label, setLabel] = useState(usualLabel)
  const enroll = useKeyChange((typed: string) => enrollWithCode(place, label, typed))
  return (
    <section>
      <h2>Enroll this browser</h2>
      <p>This browser cannot read your encrypted conversations yet.</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!enroll.isPending) enroll.mutate(code)
        }}
      >
        <TextInput
          label="Recovery code"
          autoComplete="off"
          spellCheck={false}
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <TextInput
          label="Name of this browser"
          required
          maxLength={limits.deviceLabelLength.value}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <div className={styles.line}>
          <Button type="submit" loading={enroll.isPending}>
            Enroll
          </Button>
        </div>
        <FormError message={enroll.error?.message} />
      </form>
    </section>
  )
}
