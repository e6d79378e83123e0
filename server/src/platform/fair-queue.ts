/*
 * A queue whose owners share what serves it: the next item is of the owner that has cost the least, so an owner with many
 * items, or with costly ones, does not delay the items of others. (Start-time fair queueing: Goyal, Vin and Cheng, 1996.)
 */

export interface FairQueue<Item> {
  readonly size: number
  add(owner: string, item: Item): void
  /**
   * The oldest item of the owner whose turn it is, without owners for whom `isAllowed` is false. Undefined when there is
   * none, or when it is expected to cost more than `costMax`.
   */
  take(costMax?: number, isAllowed?: IsAllowed): TakenItem<Item> | undefined
  /** Whether an owner has items for whom `isAllowed` is true. */
  hasFor(isAllowed: IsAllowed): boolean
  /** Returns whether it was waiting. */
  remove(owner: string, item: Item): boolean
  /**
   * Makes room for an item of `owner` in a full queue: removes and returns the newest item of the owner with the most.
   * Undefined when `owner` would then have more.
   */
  displace(owner: string): Item | undefined
}

export type IsAllowed = (owner: string) => boolean

export interface TakenItem<Item> {
  readonly item: Item
  /**
   * Reports what the item has cost so far, such as milliseconds of a thread. Until the first report it counts as what is
   * expected, also for the place of owners that come meanwhile.
   */
  charge(cost: number): void
  /** Makes it the owner's next item again, at the cost of what was done with it: 0 if it was only looked at. */
  putBack(cost: number): void
}

interface Account<Item> {
  readonly owner: string
  readonly items: Item[]
  /** What the owner has cost, as a point on the scale of `served`. */
  cost: number
  /** Of an item: rises with a costly one at once, and falls slowly. */
  expectedCost: number
}

/** Until costs are reported, owners take turns one item at a time. */
const firstExpectedCost = 1

const expectedCostDecay = 0.9

/** Beyond this, owners without items are forgotten once others have caught up with them. */
const accountsMax = 1000

export function openFairQueue<Item>(): FairQueue<Item> {
  // In the order of turns, for owners that have cost the same.
  const accounts = new Map<string, Account<Item>>()
  let size = 0
  /** How far the service has come. Owners that return start here: idle time saves up nothing. */
  let served = 0

  const findAccount = (owner: string): Account<Item> => {
    const account = accounts.get(owner) ?? newAccount(owner, served)
    accounts.set(owner, account)
    return account
  }
  const takenFrom = ({ owner, expectedCost }: Account<Item>, item: Item): TakenItem<Item> => {
    let [charged, shared] = [expectedCost, 0]
    let isFirst = true
    const charge = (cost: number) => {
      // Looked up again, because the account may have been forgotten meanwhile.
      const account = findAccount(owner)
      account.cost += cost - charged
      charged = cost
      if (account.items.length === 0) {
        served += shareOf(cost - shared, accounts.values())
        shared = cost
      }
      // An item that was only looked at shows nothing about the next one.
      if (cost === 0) return
      learnCost(account, cost, isFirst ? expectedCostDecay : 1)
      isFirst = false
    }
    return {
      item,
      charge,
      putBack(cost) {
        charge(cost)
        findAccount(owner).items.unshift(item)
        size += 1
      },
    }
  }
  return {
    get size() {
      return size
    },
    add(owner, item) {
      const account = findAccount(owner)
      if (account.items.length === 0) account.cost = Math.max(account.cost, served)
      account.items.push(item)
      size += 1
    },
    take(costMax = Number.POSITIVE_INFINITY, isAllowed?) {
      const account = findNext(accounts.values(), isAllowed)
      if (account === undefined || account.expectedCost > costMax) return undefined
      const item = account.items.shift()!
      size -= 1
      served = Math.max(served, account.cost)
      account.cost += account.expectedCost
      if (size === 0) served = account.cost
      if (accounts.size > accountsMax) forgetIdle(accounts, served)
      return takenFrom(account, item)
    },
    hasFor: (isAllowed) => findNext(accounts.values(), isAllowed) !== undefined,
    remove(owner, item) {
      const removed = removeItem(accounts.get(owner)?.items ?? [], item)
      size -= removed
      return removed === 1
    },
    displace(owner) {
      const most = findLongest(accounts.values())
      const own = accounts.get(owner)?.items.length ?? 0
      if (most === undefined || most.length <= own + 1) return undefined
      size -= 1
      return most.pop()
    },
  }
}

function forgetIdle(accounts: Map<string, Account<unknown>>, served: number): void {
  for (const [owner, { items, cost }] of accounts) {
    if (items.length === 0 && cost <= served) accounts.delete(owner)
  }
}

function learnCost(account: Account<unknown>, cost: number, decay: number): void {
  account.expectedCost = Math.max(cost, account.expectedCost * decay)
}

/**
 * How far the service comes with the cost of an owner that has left: those who wait share it. Otherwise ever new owners
 * would always be before them.
 */
function shareOf(cost: number, accounts: Iterable<Account<unknown>>): number {
  let waiting = 0
  for (const { items } of accounts) if (items.length > 0) waiting += 1
  return waiting === 0 ? 0 : cost / waiting
}

/** The owner whose turn it is. */
function findNext<Item>(
  accounts: Iterable<Account<Item>>,
  isAllowed?: IsAllowed,
): Account<Item> | undefined {
  let next: Account<Item> | undefined
  for (const account of accounts) {
    if (account.items.length === 0 || isAllowed?.(account.owner) === false) continue
    if (next === undefined || account.cost < next.cost) next = account
  }
  return next
}

function newAccount<Item>(owner: string, cost: number): Account<Item> {
  return { owner, items: [], cost, expectedCost: firstExpectedCost }
}

/** How many were removed. */
function removeItem<Item>(items: Item[], item: Item): 0 | 1 {
  const at = items.indexOf(item)
  if (at === -1) return 0
  items.splice(at, 1)
  return 1
}

function findLongest<Item>(accounts: Iterable<Account<Item>>): Item[] | undefined {
  let longest: Item[] | undefined
  for (const { items } of accounts) {
    if (items.length > (longest?.length ?? 0)) longest = items
  }
  return longest
}
