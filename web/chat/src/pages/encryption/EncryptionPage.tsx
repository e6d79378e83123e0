import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { useFocusAfter } from '@assay/ui/use-focus-after.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { setUpElsewhere, setUpEncryption } from '../../api/recovery-codes.ts'
import { EncryptionProblem } from '../../crypto/encryption-problem.ts'
import { useEncryptionPlace } from '../../shell/use-encryption-place.ts'
import { useProject } from '../../shell/use-project.ts'
import { DeviceList } from './DeviceList.tsx'
import { EnrollForm } from './EnrollForm.tsx'
import styles from './encryption.module.css'
import { FingerprintSection } from './FingerprintSection.tsx'
import { RecoverySection } from './RecoverySection.tsx'
import { ResetSection } from './ResetSection.tsx'
import { SetUpForm } from './SetUpForm.tsx'
import { encryptionQuery, useKeyChange } from './use-encryption.ts'

/** The keys of the person: set-up, devices, recovery. */
export function EncryptionPage() {
  useTitle('Encryption')
  const { organization, project } = useProject()
  const place = useEncryptionPlace({ organization, project })
  const { data, error, refetch } = useQuery(encryptionQuery(place))
  const [isSettingUp, setSettingUp] = useState(false)
  const setUp = useKeyChange(({ label, code }: { label: string; code: string }) =>
    setUpEncryption(place, label, code),
  )
  const heading = useFocusAfter<HTMLHeadingElement>(data !== undefined && data.device === undefined)
  if (!isSecureContext) return <InsecurePage />
  // What is open stays when the keys cannot be read again, but not when they are not to be trusted.
  if (error !== null && (data === undefined || error instanceof EncryptionProblem)) {
    return <RequestProblem error={error} onRetry={() => void refetch()} />
  }
  if (data === undefined) return <PageLoading />
  const isNew = data.chain.devices.size === 0
  const wasOvertaken = !isNew && isSettingUp && setUp.isIdle
  return (
    <div className={styles.page}>
      <h1 ref={heading} tabIndex={-1}>
        Encryption
      </h1>
      <p>
        Encrypted conversations are stored so that only your own devices can read them. While a
        model answers, the server and the provider of the model have the message, its context and
        the reply in memory.
      </p>
      <p>{modes[data.mode]}</p>
      {!isNew && <FormError message={wasOvertaken ? setUpElsewhere : setUp.error?.message} />}
      {isNew && (
        <SetUpForm
          mutation={setUp}
          mode={data.mode}
          isOpen={isSettingUp}
          onOpen={() => setSettingUp(true)}
        />
      )}
      {!isNew && data.device === undefined && <EnrollForm place={place} encryption={data} />}
      {!isNew && (
        <>
          {data.device !== undefined && <RecoverySection place={place} encryption={data} />}
          <FingerprintSection encryption={data} />
          <DeviceList place={place} encryption={data} />
          <ResetSection place={place} encryption={data} />
        </>
      )}
    </div>
  )
}

function InsecurePage() {
  return (
    <div className={styles.page}>
      <h1>Encryption</h1>
      <p>Browsers allow encryption over HTTPS only. Open Assay Chat at an address with https://.</p>
    </div>
  )
}

const modes = {
  off: 'Encryption is off in this project: new conversations are stored unencrypted. Owners and Admins can turn it on under Storage in Assay.',
  optional: 'In this project, new conversations are encrypted in browsers that are set up.',
  required:
    'In this project, all new conversations are encrypted, and need a browser that is set up.',
} as const
