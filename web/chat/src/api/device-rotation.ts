import { newDeviceKeys } from '../crypto/device-keys.ts'
import { dropEarlierKeys, offerDevice } from '../crypto/key-store.ts'
import {
  addEntry,
  type Encryption,
  type EncryptionPlace,
  getDevice,
  inTurn,
  readEncryption,
} from './encryption.ts'
import { resealMailboxes } from './mailbox-keys.ts'

/*
 * New keys for this browser. The earlier ones are dropped last, so that nothing is lost wherever it is interrupted.
 */

/** New keys for this browser, which then opens all that the earlier ones opened. These are removed. */
export function rotateDevice(place: EncryptionPlace): Promise<void> {
  return inTurn(place, async () => {
    const { id } = getDevice(await readEncryption(place))
    const create = () => newDeviceKeys(id)
    const offered = await offerDevice(place.owner, (keys) => keys.id === id, create)
    const now = await addEntry(place, (current) => {
      const by = getDevice(current)
      if (by.kem_pub === offered.kem_pub) return undefined
      const label = current.chain.devices.get(id)?.label ?? ''
      return { type: 'rotate', device: offered, by, label }
    })
    await removeEarlierKeys(place, now)
  })
}

/** Continues a rotation that was interrupted. */
export function finishRotation(place: EncryptionPlace): Promise<void> {
  return inTurn(place, async () => removeEarlierKeys(place, await readEncryption(place)))
}

async function removeEarlierKeys(place: EncryptionPlace, now: Encryption): Promise<void> {
  if (!now.isRotating) return
  const device = getDevice(now)
  await resealMailboxes(place, device)
  await dropEarlierKeys(place.owner, device.kem_pub)
}
