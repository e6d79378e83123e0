/*
 * Who counts for what a request uses, in the budgets and queues of this folder.
 */

/**
 * For an anonymous request, the network is the user, and for a tracing key its project. Outside of an organization, the
 * user is one of their own.
 */
export type Requester = readonly [organizationId: string, userId: string]

/** Whoever waits for a task. */
export interface Waiter {
  readonly owner: string
  /** Ends the waiting, for example because the client has gone; the call rejects with its reason. */
  readonly signal: AbortSignal
}
