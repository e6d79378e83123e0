import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPath } from '@assay/contract/client.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { signIn } from '@assay/contract/sign-in.ts'
import { readStats } from '@assay/contract/stats.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { jsonBody } from '../span-load.ts'
import type { Headers } from './attack.ts'

/*
 * What somebody else does during an attack: ingests, reads the trace list and the dashboard, and signs in, each at a
 * fixed rate. A latency counts from the time at which the request was due, so that waiting requests delay no later ones.
 */

export interface Victim {
  readonly api: string
  readonly projectId: string
  /** Identify the victim's network. */
  readonly from: Headers
  readonly key: Headers
  readonly session: Headers
  readonly signIn: { readonly email: string; readonly password: string }
}

interface Work {
  readonly endpoint: AnyEndpoint
  readonly perSecond: number
  readonly headers: (victim: Victim) => Headers
  readonly body?: (victim: Victim) => Buffer
}

const works = {
  ingest: {
    endpoint: ingestTrace,
    perSecond: 25,
    headers: ({ key }) => key,
    body: jsonBody,
  },
  list: { endpoint: listTraces, perSecond: 10, headers: ({ session }) => session },
  dashboard: { endpoint: readStats, perSecond: 10, headers: ({ session }) => session },
  'sign-in': {
    endpoint: signIn,
    perSecond: 2,
    headers: () => ({}),
    body: (victim) => Buffer.from(JSON.stringify(victim.signIn)),
  },
} satisfies Readonly<Record<string, Work>>

export type WorkName = keyof typeof works
export const workNames = Object.keys(works) as readonly WorkName[]

export interface Experience {
  readonly requests: number
  /** Each response other than the successful one, and each request without a response, with its count. */
  readonly refusals: Readonly<Record<string, number>>
  readonly p50Ms: number
  readonly p99Ms: number
}

export type Experiences = Readonly<Record<WorkName, Experience>>

/** A request that has no response after this time counts as refused. */
const timeoutMs = 30_000

/** `pace`: the part of the usual rates at which requests are sent. */
export async function runVictim(victim: Victim, seconds: number, pace = 1): Promise<Experiences> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const experiences = await Promise.all(
    workNames.map(async (name) => {
      const { perSecond, ...work } = works[name]
      const paced = { ...work, perSecond: perSecond * pace }
      return [name, await experience(paced, victim, seconds, agent)] as const
    }),
  )
  agent.destroy()
  return Object.fromEntries(experiences) as Experiences
}

async function experience(
  work: Work,
  victim: Victim,
  seconds: number,
  agent: Agent,
): Promise<Experience> {
  const outcomes: Promise<void>[] = []
  const latencies: number[] = []
  const refusals: Record<string, number> = {}
  const startedAt = performance.now()
  const total = Math.ceil(seconds * work.perSecond)
  for (let n = 0; n < total; n++) {
    const dueAt = startedAt + (1000 * n) / work.perSecond
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    outcomes.push(
      send(work, victim, agent).then((outcome) => {
        latencies.push(performance.now() - dueAt)
        if (outcome !== String(work.endpoint.success.status))
          refusals[outcome] = (refusals[outcome] ?? 0) + 1
      }),
    )
  }
  await Promise.all(outcomes)
  latencies.sort((a, b) => a - b)
  const quantile = (q: number) => latencies[Math.floor(q * latencies.length)] ?? 0
  return { requests: total, refusals, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}

/** The status of the response, or the reason why there is none. */
function send(work: Work, victim: Victim, agent: Agent): Promise<string> {
  const { endpoint } = work
  const body = work.body?.(victim)
  return new Promise((resolve) => {
    const sent = request(victim.api + buildPath(endpoint, { projectId: victim.projectId }), {
      method: endpoint.method,
      agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...victim.from,
        ...work.headers(victim),
        ...(body && { 'content-type': 'application/json', 'content-length': body.byteLength }),
      },
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.on('response', (response: IncomingMessage) => {
      response.resume()
      response.on('error', () => undefined)
      response.on('close', () =>
        resolve(response.complete ? String(response.statusCode) : 'incomplete'),
      )
    })
    sent.end(body)
  })
}
