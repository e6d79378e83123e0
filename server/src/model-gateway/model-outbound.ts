import { limits } from '@assay/contract/limits.ts'
import { openFairLookups } from '../platform/fair-lookups.ts'
import { hasManyValues, scanJson } from '../platform/json-scan.ts'
import type { Allowed } from '../platform/network-rules.ts'
import {
  type IsOwnServer,
  type Outbound,
  type OutboundInit,
  OutboundTooLarge,
  openOutbound,
  type Resolve,
} from '../platform/outbound-fetch.ts'
import { openTimeSlices } from '../platform/time-slices.ts'
import type { EventShape } from './event-shapes.ts'
import { immodest, readEvents } from './event-stream.ts'
import { readFrames } from './frame-stream.ts'

/** To the models of an organization. */
export type ModelOutbound = (organizationId: string) => ModelConnections

/** Server-sent events, or AWS's event stream. */
export type StreamShape = EventShape | 'frames'

export interface ModelConnections extends Outbound {
  /** A response whose body is a stream of events, unless it is an error. */
  stream(url: string, init: OutboundInit, shape: StreamShape): Promise<Response>
}

/** A request is canceled by the limit of its call, which is shorter. */
const longestCallMs = 1000 * (limits.synthesisSeconds.value + 15)
const longestReplyMs = 1000 * (limits.chatReplySeconds.value + 15)

/**
 * Calls have shorter limits of their own (gateway.ts). Any organization can configure a model of its own, and
 * responses are parsed and validated on the event loop: those that take long are refused before.
 */
export function openModelOutbound(
  allowed: Allowed,
  { resolve, isOwnServer }: { readonly resolve?: Resolve; readonly isOwnServer?: IsOwnServer } = {},
): ModelOutbound {
  const lookups = openFairLookups(resolve)
  const turns = openTimeSlices(sliceMs)
  return (owner) => {
    const rules = {
      ...{ allowed, resolve: lookups(owner), plainHttp: 'allowed' as const },
      ...(isOwnServer && { isOwnServer }),
    }
    const outbound = openOutbound({
      ...{ ...rules, timeoutMs: longestCallMs, maxBytes: limits.modelResponseBytes.value },
    })
    const streams = openOutbound({
      ...{ ...rules, timeoutMs: longestReplyMs, maxBytes: limits.modelStreamBytes.value },
    })
    return {
      judge: outbound.judge,

      async fetch(url, init) {
        const response = await outbound.fetch(url, init)
        if (isModest(await response.clone().bytes())) return response
        throw immodest(new URL(url).host)
      },

      async stream(url, init, shape) {
        const { host } = new URL(url)
        const { status, headers, body } = await streams.open(url, init)
        if (status >= 200 && status < 300 && !isBodiless.has(status)) {
          const bounds = { ...eventBounds, turn: () => turns.take([owner, owner]) }
          const events =
            shape === 'frames'
              ? readFrames(host, body, bounds)
              : readEvents(host, body, bounds, shape)
          return new Response(ReadableStream.from(events), { status, headers })
        }
        const refusal = await readRefusal(host, body)
        if (!isModest(refusal)) throw immodest(host)
        return new Response(isBodiless.has(status) ? null : refusal, { status, headers })
      },
    }
  }
}

const isBodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** Of the event loop, for the events of all replies before other work. */
const sliceMs = 4

const eventBounds = {
  eventBytesMax: limits.modelResponseBytes.value,
  eventsMax: limits.modelStreamEvents.value,
  isAllowed: isModest,
}

async function readRefusal(host: string, body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limits.modelResponseBytes.value) throw new OutboundTooLarge(host)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Whether the JSON of a provider takes no more than some milliseconds and no deep stack to parse, validate and record. */
export function isModest(json: Uint8Array): boolean {
  const bounds = { maxDepth: limits.jsonDepth.value, maxContainers: Number.POSITIVE_INFINITY }
  return scanJson(json, bounds) === 'ok' && !hasManyValues(json, limits.modelResponseValues.value)
}
