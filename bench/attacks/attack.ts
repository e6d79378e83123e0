import type { AnyEndpoint } from '@assay/contract/endpoint.ts'

/*
 * One attack of the load harness as data. The rows are in attacks.ts; attacker.ts sends them from its own process.
 */

/** `anonymous` has no credentials; the others belong to an organization that the victim is not a member of. */
export type Attacker = 'anonymous' | 'key' | 'viewer' | 'editor' | 'admin'

export interface Attack {
  /** In kebab-case, for `--only`. */
  readonly name: string
  readonly by: Attacker
  /** Called in turn. Every endpoint whose cost is `expensive` is in some row. */
  readonly endpoints: readonly AnyEndpoint[]
  readonly connections: number
  /** The statuses of the first requests. A test checks them, so that a row cannot decay into a flood of 404s. */
  readonly responds: readonly number[]
  /**
   * What the client does. Default: reads the response, then sends the next request on the same connection.
   * `leaves`: disconnects as soon as the request is sent. `stalls`: never reads the response. `unfinished`: never sends
   * the last byte of the body. `pipelines`: sends as many more requests at once as fit into one chunk.
   */
  readonly client?: 'leaves' | 'stalls' | 'unfinished' | 'pipelines'
  /** Runs once, before the attack; returns what request number `n` sends. */
  readonly requests: (target: Target) => Requests | Promise<Requests>
}

export type Requests = (n: number, endpoint: AnyEndpoint) => AttackRequest

/** `projectId` and `orgId` are those of the attackers unless given. */
export interface AttackRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Headers
  /** An object is sent as JSON. */
  readonly body?: Uint8Array | string | object
}

export type Headers = Readonly<Record<string, string>>

/** The service under attack and the attackers' data on it (prepare-target.ts). */
export interface Target {
  readonly api: string
  readonly chatApi: string
  readonly organizationId: string
  /** Filled with traces, logs and metrics. */
  readonly projectId: string
  readonly secondProjectId: string
  readonly credentials: Readonly<Record<Attacker, Headers>>
  /** 1: stored data and the bodies of attacks are as large as the limits allow. Less in the test of the rows. */
  readonly scale: number
}

/** In the attackers' project, besides many ordinary ones. */
export const stored = {
  huge: ['huge-0', 'huge-1', 'huge-2'],
  /** One page of its spans with bodies is as large as a body of an ingestion request. */
  wide: 'wide',
  largeSpan: { traceId: 'large-span', spanId: 'large' },
  metric: 'load.gauge',
  /** Of the viewer, besides many others. */
  conversationId: '7c7c7c7c-0000-4000-8000-000000000000',
} as const
