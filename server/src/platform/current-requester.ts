import { AsyncLocalStorage } from 'node:async_hooks'
import type { Requester } from './requester.ts'

/*
 * For whom the process works at the moment, for queues that statements reach without a parameter for it.
 */

const current = new AsyncLocalStorage<Requester>()

/** Runs `work`, and what it starts, for the requester. */
export function runFor(requester: Requester, work: () => void): void {
  current.run(requester, work)
}

/** Work that no request has started is of one requester. */
export function currentRequester(): Requester {
  return current.getStore() ?? background
}

const background: Requester = ['', '']
