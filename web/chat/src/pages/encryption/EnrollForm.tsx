import { FormError } from '@assay/ui/FormError.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Encryption, EncryptionPlace, Removal } from '../../api/encryption.ts'
import { enrollWithCode, listCodes } from '../../api/recovery-codes.ts'
import { BrowserNameField } from './BrowserNameField.tsx'
import { CodeField } from './CodeField.tsx'
import styles from './encryption.module.css'
import { useKeyChange } from './use-encryption.ts'
import { usualLabel } from './usual-label.ts'

interface Props {
  readonly place: EncryptionPlace
  readonly encryption: Encryption
}

/** Enrolls this browser with the recovery code, and opens the conversations for it that the code opens. */
export function EnrollForm({ place, encryption: { chain, device, removal } }: Props) {
  const isEnrolled = device !== undefined
  const [code, setCode] = useState('')
  const [label, setLabel] = useState(usualLabel)
  const enroll = useKeyChange((typed: string) => enrollWithCode(place, label, typed))
  return (
    <section>
      <h2>{isEnrolled ? 'Unreadable conversations' : 'Enroll this browser'}</h2>
      {removal !== undefined && <RemovalText removal={removal} />}
      <p>{listCodes(chain).length === 0 ? noCode : isEnrolled ? partly : withCode}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!enroll.isPending) enroll.mutate(code)
        }}
      >
        <CodeField value={code} onChange={setCode} />
        {!isEnrolled && <BrowserNameField value={label} onChange={setLabel} />}
        <div className={styles.line}>
          <Button type="submit" loading={enroll.isPending}>
            {isEnrolled ? 'Open conversations' : 'Enroll'}
          </Button>
        </div>
        <FormError message={enroll.error?.message} />
      </form>
    </section>
  )
}

const noCode =
  'You have no recovery code that enrolls this browser. Create one in a browser that is enrolled.'
const partly =
  'This browser cannot read some of your encrypted conversations. Your recovery code opens them.'
const withCode = 'With your recovery code, this browser can read your encrypted conversations.'

function RemovalText({ removal: { by, at } }: { readonly removal: Removal }) {
  return by === 'revoke' ? (
    <p>
      This browser was revoked (<TimeText at={at} />) and cannot read messages sent since then.
    </p>
  ) : (
    <p>
      Your keys were reset in another browser (<TimeText at={at} />
      ). This browser cannot read messages sent since then. If you enroll it again, it can no longer
      read conversations from before the reset.
    </p>
  )
}
