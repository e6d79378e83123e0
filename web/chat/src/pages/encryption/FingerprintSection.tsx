import { useQuery } from '@tanstack/react-query'
import type { Encryption } from '../../api/encryption.ts'
import { personFingerprint } from '../../crypto/key-fingerprints.ts'
import styles from './encryption.module.css'
import { QrCode } from './QrCode.tsx'

/** The fingerprint of all active keys of the person, to compare on two devices. */
export function FingerprintSection({
  encryption: { owner, chain },
}: {
  readonly encryption: Encryption
}) {
  const { data } = useQuery({
    queryKey: ['fingerprint', owner.org, chain.head],
    queryFn: () => personFingerprint(owner, chain),
  })
  return (
    <section aria-label="Fingerprint">
      <h2>Fingerprint</h2>
      <p>
        To compare, open this page on another device, or scan the code with its camera: both show
        the same digits. If they differ, your devices do not see the same keys: contact your
        administrator.
      </p>
      <div className={styles.comparison}>
        {data !== undefined && <QrCode text={data} />}
        <p role="definition" className={styles.fingerprint}>
          {data}
        </p>
      </div>
    </section>
  )
}
