import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { useQuery } from '@tanstack/react-query'
import type { Encryption } from '../../api/encryption.ts'
import { personFingerprint } from '../../crypto/key-fingerprints.ts'
import { useEncryptionPlace } from '../../shell/use-encryption-place.ts'
import { useProject } from '../../shell/use-project.ts'
import { DeviceList } from './DeviceList.tsx'
import { EnrollForm } from './EnrollForm.tsx'
import styles from './encryption.module.css'
import { ResetSection } from './ResetSection.tsx'
import { SetUpForm } from './SetUpForm.tsx'
import { encryptionQuery } from './use-encryption.ts'

/** The keys of the person: set-up, devices, recovery. */
export function EncryptionPage() {
  useTitle('Encryption')
  const { organization, project } = useProject()
  const place = useEncryptionPlace({ organization, project })
  const { data, error, refetch } = useQuery(encryptionQuery(place))
  if (!isSecureContext) return <InsecurePage />
  if (error !== null) return <RequestProblem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PageLoading />
  const isNew = data.chain.devices.size === 0
  return (
    <div className={styles.page}>
      <h1>Encryption</h1>
      <p>
        Encrypted conversations are stored so that only your own devices can read them. While a
        model answers, the server and the provider of the model have the message, its context and
        the reply in memory.
      </p>
      <p>{modes[data.mode]}</p>
      {isNew && <SetUpForm place={place} />}
      {!isNew && data.device === undefined && <EnrollForm place={place} />}
      {!isNew && (
        <>
          <Fingerprint encryption={data} />
          <DeviceList place={place} encryption={data} />
          <ResetSection place={place} />
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
  off: 'This project does not encrypt conversations. Owners and Admins can allow it on its Storage page in Assay.',
  optional: 'In this project, new conversations are encrypted in browsers that are set up.',
  required:
    'In this project, all new conversations are encrypted, and need a browser that is set up.',
} as const

function Fingerprint({ encryption: { owner, chain } }: { readonly encryption: Encryption }) {
  const { data } = useQuery({
    queryKey: ['fingerprint', owner.org, chain.head],
    queryFn: () => personFingerprint(owner, chain),
  })
  return (
    <section aria-label="Fingerprint">
      <h2>Fingerprint</h2>
      <p>
        The same on all your devices. If it differs, they do not see the same keys: contact your
        administrator.
      </p>
      <p role="definition" className={styles.fingerprint}>
        {data}
      </p>
    </section>
  )
}
