import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import type { DeviceKeyPairs } from './device-keys.ts'
import type { Pin } from './verify-directory.ts'

/*
 * The keys of this browser profile, and what it has seen of the key directory, in IndexedDB: per person and organization.
 *
 * New keys are offered first: kept beside those in use, until the directory shows that it has accepted them. So a tab
 * that closes, or a response that is lost, never leaves the browser without the keys that the directory has.
 */

const stores = ['devices', 'pins'] as const
type StoreName = (typeof stores)[number]

/** The keys in use, which also open what is sealed for a rotation that is not settled. */
export function findDevice(owner: KeyOwner): Promise<DeviceKeyPairs | undefined> {
  return inStore('devices', 'readonly', async (store) => {
    const saved = await readDevice(store, owner)
    if (saved === undefined) return undefined
    const offered = (await readOffered(store, owner)).filter(({ id }) => id === saved.id)
    const otherKems = [...offered.map(({ kem }) => kem), ...(saved.otherKems ?? [])]
    return { ...saved, otherKems }
  })
}

/** Whether this browser has keys, if only some that the directory may have accepted. */
export function hasKeys(owner: KeyOwner): Promise<boolean> {
  return inStore('devices', 'readonly', async (store) => {
    const saved = await readDevice(store, owner)
    return saved !== undefined || (await readOffered(store, owner)).length > 0
  })
}

/** Whether the keys in use have replaced earlier ones, which are still there. */
export function hasEarlierKeys(owner: KeyOwner): Promise<boolean> {
  return inStore('devices', 'readonly', async (store) => {
    const { otherKems = [] } = (await readDevice(store, owner)) ?? {}
    return otherKems.length > 0
  })
}

/** Drops them, unless other keys than `kemPub` are in use by now. */
export function dropEarlierKeys(owner: KeyOwner, kemPub: string): Promise<void> {
  return inStore('devices', 'readwrite', async (store) => {
    const saved = await readDevice(store, owner)
    if (saved?.kem_pub !== kemPub) return
    await resultOf(store.put({ ...saved, otherKems: [] }, keyOf(owner)))
  })
}

/** Keys to enroll: offered ones that are suitable, else new ones, which are then offered. */
export async function offerDevice(
  owner: KeyOwner,
  isSuitable: (offered: DeviceKeyPairs) => boolean,
  create: () => Promise<DeviceKeyPairs>,
): Promise<DeviceKeyPairs> {
  const created = await create()
  return await inStore('devices', 'readwrite', async (store) => {
    const offered = await readOffered(store, owner)
    const found = offered.find(isSuitable)
    if (found !== undefined) return found
    await resultOf(store.put([...offered, created], offeredKeyOf(owner)))
    return created
  })
}

/** Puts the offered keys that the directory has accepted into use. Undefined if there are none. */
export function acceptOffered(
  owner: KeyOwner,
  isAccepted: (offered: DeviceKeyPairs) => boolean,
): Promise<DeviceKeyPairs | undefined> {
  return inStore('devices', 'readwrite', async (store) => {
    const accepted = (await readOffered(store, owner)).find(isAccepted)
    if (accepted === undefined) return undefined
    const before = await readDevice(store, owner)
    const otherKems =
      before?.id === accepted.id ? [before.kem, ...(before.otherKems ?? [])] : undefined
    const device = otherKems === undefined ? accepted : { ...accepted, otherKems }
    await resultOf(store.put(device, keyOf(owner)))
    // The others continue a chain that has moved on, and cannot be accepted any more.
    await resultOf(store.delete(offeredKeyOf(owner)))
    return device
  })
}

export function findPin(owner: KeyOwner): Promise<Pin | undefined> {
  return inStore('pins', 'readonly', (store) => resultOf(store.get(keyOf(owner))))
}

/** A later pin than the stored one; another tab may have saved a newer one. */
export function savePin(owner: KeyOwner, pin: Pin): Promise<void> {
  return inStore('pins', 'readwrite', async (store) => {
    const stored: Pin | undefined = await resultOf(store.get(keyOf(owner)))
    if (stored !== undefined && stored.log.size >= pin.log.size) return
    await resultOf(store.put(pin, keyOf(owner)))
  })
}

const keyOf = ({ org, user }: KeyOwner) => `${org} ${user}`
const offeredKeyOf = (owner: KeyOwner) => `${keyOf(owner)} offered`

function readDevice(store: IDBObjectStore, owner: KeyOwner): Promise<DeviceKeyPairs | undefined> {
  return resultOf(store.get(keyOf(owner)))
}

async function readOffered(store: IDBObjectStore, owner: KeyOwner): Promise<DeviceKeyPairs[]> {
  return (await resultOf<DeviceKeyPairs[] | undefined>(store.get(offeredKeyOf(owner)))) ?? []
}

/** `work` awaits requests of the store only: the transaction ends when none is left. */
async function inStore<Result>(
  name: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase()
  try {
    const transaction = db.transaction(name, mode, { durability: 'strict' })
    const completed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'))
    })
    const [result] = await Promise.all([work(transaction.objectStore(name)), completed])
    return result
  } finally {
    db.close()
  }
}

function resultOf<Result>(request: IDBRequest): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Result)
    request.onerror = () => reject(request.error ?? new Error('the key store failed'))
  })
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('assay-encryption', 1)
    opening.onupgradeneeded = () => {
      for (const name of stores) opening.result.createObjectStore(name)
    }
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error ?? new Error('the key store cannot be opened'))
  })
}
