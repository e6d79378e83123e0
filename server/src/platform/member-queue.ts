import { type FairQueue, openFairQueue, type TakenItem } from './fair-queue.ts'
import type { Requester } from './requester.ts'

/*
 * A queue in which organizations take turns, and the people of an organization share its turns: neither an organization
 * nor a person delays others with many or costly items. A tracing key counts as its project, as if that were a person.
 * See fair-queue.ts.
 */

export interface MemberQueue<Item> {
  readonly size: number
  add(requester: Requester, item: Item): void
  /** People for whom `isAllowed` is false are passed over. */
  take(isAllowed?: (requester: Requester) => boolean): Omit<TakenItem<Item>, 'putBack'> | undefined
  remove(requester: Requester, item: Item): void
}

/** Beyond this, organizations without items are forgotten. */
const organizationsMax = 1000

export function openMemberQueue<Item>(): MemberQueue<Item> {
  const people = new Map<string, FairQueue<Item>>()
  /** For each item, its organization. */
  const turns = openFairQueue<string>()

  const forgetIdle = () => {
    for (const [organizationId, { size }] of people) {
      if (size === 0) people.delete(organizationId)
    }
  }
  return {
    get size() {
      return turns.size
    },
    add([organizationId, userId], item) {
      if (people.size > organizationsMax) forgetIdle()
      const own = people.get(organizationId) ?? openFairQueue<Item>()
      people.set(organizationId, own)
      own.add(userId, item)
      turns.add(organizationId, organizationId)
    },
    take(isAllowed = () => true) {
      const allowedIn = (organizationId: string) => (userId: string) =>
        isAllowed([organizationId, userId])
      const hasAllowed = (organizationId: string) =>
        people.get(organizationId)!.hasFor(allowedIn(organizationId))
      const turn = turns.take(undefined, hasAllowed)
      if (turn === undefined) return undefined
      const taken = people.get(turn.item)!.take(undefined, allowedIn(turn.item))!
      return {
        item: taken.item,
        charge(cost) {
          turn.charge(cost)
          taken.charge(cost)
        },
      }
    },
    remove([organizationId, userId], item) {
      const own = people.get(organizationId)
      if (own?.remove(userId, item) === true) turns.remove(organizationId, organizationId)
    },
  }
}
