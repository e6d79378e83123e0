import { ApiError } from '@assay/contract/client.ts'
import { epochRefusals } from '@assay/contract/encryption-refusals.ts'
import type { NewEpoch } from '@assay/contract/sealed-history.ts'
import { beginEpoch } from '../crypto/begin-epoch.ts'
import { readOpened } from './chat-conversation.ts'
import { type EncryptionPlace, readEncryption } from './encryption.ts'

/*
 * Requests that seal something: they begin an epoch when one is due, and are repeated when another tab or device has
 * begun one, or changed the keys, at the same time.
 */

type Opened = Awaited<ReturnType<typeof readOpened>>

const attempts = 3

/** `stored` is undefined for a new conversation, which begins with an epoch. */
export async function withEpoch<Result>(
  place: EncryptionPlace,
  conversationId: string | undefined,
  signal: AbortSignal | undefined,
  send: (stored: Opened | undefined, encryption: NewEpoch | undefined) => Promise<Result>,
): Promise<Result> {
  let isDue = conversationId === undefined
  for (let attempt = 1; ; attempt += 1) {
    const stored = conversationId && (await readOpened(conversationId, place.owner, signal))
    const last = stored ? (stored.mailboxes?.length ?? 0) : 0
    const encryption = isDue
      ? (await beginEpoch(last + 1, await readEncryption(place, signal))).encryption
      : undefined
    try {
      return await send(stored || undefined, encryption)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined || attempt === attempts) throw error
      isDue = refusal === 'due'
    }
  }
}

function refusalOf(error: unknown): 'due' | 'begun' | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { message } = error
  if (message === epochRefusals['new epoch'] || message === epochRefusals.recipients) return 'due'
  return message === epochRefusals.epoch ? 'begun' : undefined
}
