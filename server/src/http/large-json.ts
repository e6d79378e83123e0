import { allEndpoints } from '@assay/contract/all.ts'
import { type AnyEndpoint, endpointName } from '@assay/contract/endpoint.ts'
import type { Requester } from '../platform/requester.ts'
import { checkedJson } from './json-body.ts'

/*
 * Large JSON bodies are parsed and validated in another thread. Of these two, validation takes most of the time for many
 * small values, and parsing for many distinct names of fields; either can take a tenth of a second for a megabyte.
 */

/** `checkedJson` in another thread, to which the bytes are transferred. Throws Unavailable when too much waits. */
export type CheckLargeJson = (
  declared: AnyEndpoint,
  bytes: Uint8Array<ArrayBuffer>,
  requester: Requester,
) => Promise<unknown>

/** Up to this size, the round trip to the thread costs more than the work, and the work delays no other request. */
export const smallBodyBytes = 64 * 1024

/** What the thread gets: a schema cannot be sent to it, so it finds the declaration by its name. */
export interface LargeJson {
  readonly endpoint: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export const checkLargeJsonTask = { name: 'check a large JSON body' } as const

const endpoints = new Map(allEndpoints.map((one) => [endpointName(one), one]))

/** The side of the thread. */
export function checkLargeJson({ endpoint, bytes }: LargeJson): unknown {
  const declared = endpoints.get(endpoint)
  if (declared === undefined) throw new Error(`${endpoint} is not declared`)
  return checkedJson(declared, bytes)
}
