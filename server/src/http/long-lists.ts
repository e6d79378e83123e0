import { setImmediate as nextTurn } from 'node:timers/promises'
import { openMemberTurns } from '../platform/member-turns.ts'
import { type CallReadOptions, ReadyJson } from './call.ts'

/*
 * Lists of megabytes that are read from accounts, which happens on the event loop, as does their serialization. Few are
 * in work at once, organizations and the people of each take turns, and other requests are served in between.
 */

/** The list as JSON. Throws Unavailable when too many wait. */
export type LongLists = <Item>(
  by: Pick<CallReadOptions, 'requester' | 'signal'>,
  read: () => Promise<readonly Item[]>,
  toJson: (item: Item) => string,
) => Promise<ReadyJson>

/** Few enough that the longest ones delay other requests by milliseconds. */
const itemsPerTurn = 10
/** With accounts on another server, one can be read while another is serialized. */
const inWorkMax = 2
const waitingMax = 1000

export function openLongLists(): LongLists {
  const inTurn = openMemberTurns({
    ...{ runningMax: inWorkMax, waitingMax },
    refusal: 'Too many long lists are being read. Try again shortly.',
  })
  return ({ requester, signal }, read, toJson) =>
    inTurn({ requester, signal }, async () => serialize(await read(), toJson, signal))
}

async function serialize<Item>(
  items: readonly Item[],
  toJson: (item: Item) => string,
  signal: AbortSignal,
): Promise<ReadyJson> {
  const parts: Uint8Array[] = []
  for (let at = 0; at < items.length; at += itemsPerTurn) {
    await nextTurn()
    signal.throwIfAborted()
    const texts = items.slice(at, at + itemsPerTurn).map(toJson)
    parts.push(Buffer.from(`${at === 0 ? '' : ','}${texts.join()}`))
  }
  return new ReadyJson('[', ...parts, ']')
}
