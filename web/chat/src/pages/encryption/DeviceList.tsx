import type { Device } from '@assay/contract/key-chain.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Encryption, type EncryptionPlace, revokeDevice } from '../../api/encryption.ts'
import { deviceFingerprint } from '../../crypto/key-fingerprints.ts'
import styles from './encryption.module.css'
import { useKeyChange } from './use-encryption.ts'

interface Props {
  readonly place: EncryptionPlace
  readonly encryption: Encryption
}

/** The devices and recovery keys of the person. */
export function DeviceList({ place, encryption }: Props) {
  const { chain, device } = encryption
  const revoking = useDialog<Device>()
  const revoke = useKeyChange((id: string) => revokeDevice(place, id))
  return (
    <section>
      <h2>Devices</h2>
      <ul className={styles.devices}>
        {[...chain.devices.values()].map((one) => (
          <DeviceItem
            key={one.id}
            device={one}
            owner={place.owner}
            isThis={one.id === device?.id}
            onRevoke={
              device !== undefined && one.id !== device.id && one.status === 'active'
                ? () => revoking.open(one)
                : undefined
            }
          />
        ))}
      </ul>
      <ConfirmDialog
        dialog={revoking}
        mutation={revoke}
        variables={({ id }) => id}
        title="Revoke this device?"
        confirmLabel="Revoke"
      >
        {({ label }) => (
          <p>
            {label} keeps what it has already read, and cannot read messages that are sent from now
            on. This can't be undone.
          </p>
        )}
      </ConfirmDialog>
    </section>
  )
}

interface ItemProps {
  readonly device: Device
  readonly owner: EncryptionPlace['owner']
  readonly isThis: boolean
  readonly onRevoke: (() => void) | undefined
}

function DeviceItem({ device, owner, isThis, onRevoke }: ItemProps) {
  const { data } = useQuery({
    queryKey: ['fingerprint', device.id, device.kem_pub],
    queryFn: () => deviceFingerprint(owner, device),
  })
  const kind = device.type === 'recovery' ? 'Recovery key' : isThis ? 'This browser' : 'Device'
  return (
    <li className={styles.device}>
      <div>
        <strong>{device.label}</strong>{' '}
        <span className="dimmed">
          {kind}, {device.status}, since <TimeText at={device.created_at} />
        </span>
        <div className={styles.fingerprint}>{data}</div>
      </div>
      {onRevoke !== undefined && (
        <Button variant="default" onClick={onRevoke} aria-label={`Revoke ${device.label}`}>
          Revoke
        </Button>
      )}
    </li>
  )
}
