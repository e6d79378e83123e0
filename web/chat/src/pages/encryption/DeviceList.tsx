import type { Device } from '@assay/contract/key-chain.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useFocusAfter } from '@assay/ui/use-focus-after.ts'
import { finishRotation, rotateDevice } from '../../api/device-rotation.ts'
import { type Encryption, type EncryptionPlace, revokeDevice } from '../../api/encryption.ts'
import { listCodes } from '../../api/recovery-codes.ts'
import { DeviceItem } from './DeviceItem.tsx'
import styles from './encryption.module.css'
import { UnfinishedChange } from './UnfinishedChange.tsx'
import { useKeyChange } from './use-encryption.ts'

interface Props {
  readonly place: EncryptionPlace
  readonly encryption: Encryption
}

/** The devices and recovery keys of the person, the active ones first. */
export function DeviceList({ place, encryption }: Props) {
  const { chain, device } = encryption
  const revoking = useDialog<Device>()
  const rotating = useDialog<null>()
  const revoke = useKeyChange((id: string) => revokeDevice(place, id))
  const rotate = useKeyChange(() => rotateDevice(place))
  const heading = useFocusAfter<HTMLHeadingElement>(encryption.isRotating)
  const codes = listCodes(chain)
  const all = [...chain.devices.values()]
  const listed = [
    ...all.filter(({ status }) => status === 'active'),
    ...all.filter(({ status }) => status === 'revoked'),
  ]
  const canRevoke = (one: Device) =>
    device !== undefined &&
    one.id !== device.id &&
    one.status === 'active' &&
    // The only code is replaced, so that there is always one.
    !(codes.length === 1 && one.type === 'recovery')
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        Devices
      </h2>
      {encryption.isRotating && (
        <UnfinishedChange finish={() => finishRotation(place)}>
          The new keys of this browser are not complete: conversations are still sealed for its
          earlier ones.
        </UnfinishedChange>
      )}
      <ul className={styles.devices}>
        {listed.map((one) => (
          <DeviceItem
            key={one.id}
            device={one}
            owner={place.owner}
            isThis={one.id === device?.id}
            onRotate={() => rotating.open(null)}
            onRevoke={canRevoke(one) ? () => revoking.open(one) : undefined}
          />
        ))}
      </ul>
      <ConfirmDialog
        dialog={revoking}
        mutation={revoke}
        variables={({ id }) => id}
        title={({ type }) =>
          type === 'recovery' ? 'Revoke this recovery code?' : 'Revoke this device?'
        }
        confirmLabel="Revoke"
        // The button that opened the dialog is gone.
        onDone={() => requestAnimationFrame(() => heading.current?.focus())}
      >
        {({ label, type }) =>
          type === 'recovery' ? (
            <p>
              The code no longer enrolls browsers. Conversations that only this code opens become
              unreadable. This can't be undone.
            </p>
          ) : (
            <p>
              {label} keeps what it has already read, and cannot read messages that are sent from
              now on. This can't be undone.
            </p>
          )
        }
      </ConfirmDialog>
      <ConfirmDialog
        dialog={rotating}
        mutation={rotate}
        variables={() => undefined}
        title="Create new keys for this browser?"
        confirmLabel="Create new keys"
        isHarmless
      >
        <p>
          Do this if somebody may have copied the data of this browser, for example from a backup or
          a lent computer. A copy cannot read messages that are sent from now on. This browser still
          reads everything. Your fingerprint changes. Also revoke devices that you do not know.
        </p>
      </ConfirmDialog>
    </section>
  )
}
