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
  /** See FairQueue. People for whom `isAllowed` is false are passed over. */
  take(isAllowed?: IsAllowed, costMax?: number): TakenItem<Item> | undefined
  /** Whether anybody has items for whom `isAllowed` is true. */
  hasFor(isAllowed: IsAllowed): boolean
  remove(requester: Requester, item: Item): void
}

type IsAllowed = (requester: Requester) => boolean

interface Organization<Item> {
  readonly id: string
  readonly people: FairQueue<Item>
}

/** Beyond this, organizations without items are forgotten. */
const organizationsMax = 1000

export function openMemberQueue<Item>(): MemberQueue<Item> {
  const organizations = new Map<string, Organization<Item>>()
  /** For each item, its organization. */
  const turns = openFairQueue<Organization<Item>>()

  const forgetIdle = () => {
    for (const [id, { people }] of organizations) if (people.size === 0) organizations.delete(id)
  }
  const findOrganization = (id: string): Organization<Item> => {
    if (organizations.size > organizationsMax) forgetIdle()
    const organization = organizations.get(id) ?? { id, people: openFairQueue<Item>() }
    organizations.set(id, organization)
    return organization
  }
  const toHasFor = (isAllowed: IsAllowed) => (id: string) =>
    organizations.get(id)?.people.hasFor((userId) => isAllowed([id, userId])) === true
  return {
    get size() {
      return turns.size
    },
    add([organizationId, userId], item) {
      const organization = findOrganization(organizationId)
      organization.people.add(userId, item)
      turns.add(organizationId, organization)
    },
    take(isAllowed = () => true, costMax) {
      const turn = turns.take(costMax, toHasFor(isAllowed))
      if (turn === undefined) return undefined
      const organization = turn.item
      const { id, people } = organization
      const taken = people.take(costMax, (userId) => isAllowed([id, userId]))
      if (taken === undefined) {
        turn.putBack(0)
        return undefined
      }
      return {
        item: taken.item,
        charge(cost) {
          turn.charge(cost)
          taken.charge(cost)
        },
        putBack(cost) {
          // It may have been forgotten meanwhile.
          if (!organizations.has(id)) organizations.set(id, organization)
          turn.putBack(cost)
          taken.putBack(cost)
        },
      }
    },
    hasFor: (isAllowed) => turns.hasFor(toHasFor(isAllowed)),
    remove([organizationId, userId], item) {
      const organization = organizations.get(organizationId)
      if (organization?.people.remove(userId, item) === true) {
        turns.remove(organizationId, organization)
      }
    },
  }
}
