import type { Device } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { deviceFingerprint } from '../../crypto/key-fingerprints.ts'
import styles from './encryption.module.css'

interface Props {
  readonly device: Device
  readonly owner: KeyOwner
  /** Whether it is this browser. */
  readonly isThis: boolean
  readonly onRotate: () => void
  readonly onRevoke: (() => void) | undefined
}

/** A device or recovery key with its fingerprint. */
export function DeviceItem({ device, owner, isThis, onRotate, onRevoke }: Props) {
  const { label, type, status, created_at, revoked_at } = device
  const { data } = useQuery({
    queryKey: ['fingerprint', device.id, device.kem_pub],
    queryFn: () => deviceFingerprint(owner, device),
  })
  const kind = type === 'recovery' ? 'Recovery key' : isThis ? 'This browser' : 'Device'
  return (
    <li className={styles.device}>
      <div>
        <strong>{label}</strong>{' '}
        <span className="dimmed">
          {kind}, {status} {status === 'active' ? 'since' : 'on'}{' '}
          <TimeText at={revoked_at ?? created_at} />
        </span>
        <div className={styles.fingerprint}>{data}</div>
      </div>
      {isThis && (
        <Button variant="default" onClick={onRotate}>
          New keys for this browser
        </Button>
      )}
      {onRevoke !== undefined && (
        <Button variant="default" onClick={onRevoke} aria-label={`Revoke ${label}`}>
          Revoke
        </Button>
      )}
    </li>
  )
}
