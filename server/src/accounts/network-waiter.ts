import { toClientNetwork } from '../platform/client-network.ts'
import type { Waiter } from '../platform/requester.ts'
import type { ClientFacts } from './caller.ts'

/** A client whose request is in progress. */
export interface ConnectedClient extends ClientFacts {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** Without sign-in, the clients of a network wait as one. */
export function networkWaiter({ address, signal }: ConnectedClient): Waiter {
  return { owner: toClientNetwork(address), signal }
}
