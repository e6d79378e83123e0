import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import type { DeviceKeyPairs } from './device-keys.ts'
import type { Pin } from './verify-directory.ts'

/*
 * The keys of this browser profile, and what it has seen of the key directory, in IndexedDB: per person and organization.
 */

const stores = ['devices', 'pins'] as const
type StoreName = (typeof stores)[number]

export function findDevice(owner: KeyOwner): Promise<DeviceKeyPairs | undefined> {
  return inStore('devices', 'readonly', (store) => store.get(keyOf(owner)))
}

export async function saveDevice(owner: KeyOwner, device: DeviceKeyPairs): Promise<void> {
  await inStore('devices', 'readwrite', (store) => store.put(device, keyOf(owner)))
}

export function findPin(owner: KeyOwner): Promise<Pin | undefined> {
  return inStore('pins', 'readonly', (store) => store.get(keyOf(owner)))
}

/** A later pin than the stored one; another tab may have saved a newer one. */
export async function savePin(owner: KeyOwner, pin: Pin): Promise<void> {
  const stored = await findPin(owner)
  if (stored !== undefined && stored.log.size >= pin.log.size) return
  await inStore('pins', 'readwrite', (store) => store.put(pin, keyOf(owner)))
}

const keyOf = ({ org, user }: KeyOwner) => `${org} ${user}`

async function inStore<Result>(
  name: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const db = await openDatabase()
  try {
    const transaction = db.transaction(name, mode)
    const request = work(transaction.objectStore(name))
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'))
    })
    return request.result as Result
  } finally {
    db.close()
  }
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
