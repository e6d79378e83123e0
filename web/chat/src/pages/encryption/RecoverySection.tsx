import { TimeText } from '@assay/ui/TimeText.tsx'
import { useFocusAfter } from '@assay/ui/use-focus-after.ts'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Encryption, EncryptionPlace } from '../../api/encryption.ts'
import { finishReplacement, listCodes, replaceCode } from '../../api/recovery-codes.ts'
import { EnrollForm } from './EnrollForm.tsx'
import styles from './encryption.module.css'
import { NewCodeForm } from './NewCodeForm.tsx'
import { UnfinishedChange } from './UnfinishedChange.tsx'
import { coverageQuery, useKeyChange } from './use-encryption.ts'

interface Props {
  readonly place: EncryptionPlace
  readonly encryption: Encryption
}

/** The recovery code of an enrolled browser: whether there is one, whether it is complete, and a new one. */
export function RecoverySection({ place, encryption }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data: coverage } = useQuery(coverageQuery(place, encryption))
  const codes = listCodes(encryption.chain)
  const newest = codes.at(-1)
  const replace = useKeyChange(async ({ code }: { code: string }) => {
    await replaceCode(place, code)
    setOpen(false)
  })
  const isUnfinished = codes.length > 1 || coverage?.codeLacks === true
  const heading = useFocusAfter<HTMLHeadingElement>(
    isOpen || isUnfinished || coverage?.browserLacks === true,
  )
  return (
    <>
      {coverage?.browserLacks && <EnrollForm place={place} encryption={encryption} />}
      <section>
        <h2 ref={heading} tabIndex={-1}>
          Recovery code
        </h2>
        {newest === undefined ? (
          <Alert color="yellow" p="xs" icon={<IconAlertTriangle size={16} />}>
            You have no recovery code. If you lose your devices, nobody can read your encrypted
            conversations again.
          </Alert>
        ) : (
          <p>
            Created <TimeText at={newest.created_at} />. It enrolls further browsers and opens your
            conversations there. If you lose it, or somebody else may have seen it, create a new
            one: the earlier code is then refused.
          </p>
        )}
        <p role="status">
          {replace.isSuccess &&
            !isOpen &&
            'Your new recovery code is valid. Earlier ones are refused.'}
        </p>
        {isOpen ? (
          <NewCodeForm
            mutation={replace}
            submitLabel={newest === undefined ? 'Create recovery code' : 'Replace recovery code'}
          />
        ) : isUnfinished ? (
          <UnfinishedChange finish={() => finishReplacement(place)}>
            Your newest recovery code is not complete: it does not open all conversations yet, or an
            earlier code is still valid.
          </UnfinishedChange>
        ) : (
          <Button
            variant={newest === undefined ? 'filled' : 'default'}
            onClick={() => setOpen(true)}
            className={styles.action}
          >
            {newest === undefined ? 'Create a recovery code' : 'New recovery code'}
          </Button>
        )}
      </section>
    </>
  )
}
