import { lookup } from 'node:dns/promises'
import { buildPath } from '@assay/contract/client.ts'
import type {
  AnyEndpoint,
  Args,
  DataOf,
  MetaOf,
  Product,
  ReplyFormOf,
} from '@assay/contract/endpoint.ts'
import {
  endpointName,
  hasBareErrors,
  isSuccess,
  listErrors,
  replyForm,
} from '@assay/contract/endpoint.ts'
import { z } from 'zod'
import { openMasterKey } from '../src/accounts/master-key.ts'
import { startSession } from '../src/accounts/session.ts'
import { type AppPorts, buildApp } from '../src/app.ts'
import { type DocumentOutbound, openDocumentOutbound } from '../src/documents/document-outbound.ts'
import { openIngestWorkers } from '../src/ingest-workers/ingest-workers.ts'
import { openModelOutbound } from '../src/model-gateway/model-outbound.ts'
import { type Clock, systemClock } from '../src/platform/clock.ts'
import type { Log } from '../src/platform/log.ts'
import type { Mailer } from '../src/platform/mail.ts'
import type { PlatformModelSettings } from '../src/platform/model-settings.ts'
import { allowedDestinations, nothingAllowed } from '../src/platform/network-rules.ts'
import { openOutbound } from '../src/platform/outbound-fetch.ts'
import { openWebhookOutbound } from '../src/platform/webhook-outbound.ts'
import { openServiceMetrics } from '../src/service-metrics.ts'
import type { Accounts } from '../src/storage/accounts/connect.ts'
import type { UserRow } from '../src/storage/accounts/people-tables.ts'
import type { TelemetryStore } from '../src/storage/telemetry/port/store.ts'
import { silent } from './accounts-database.ts'
import { recordResponse } from './exercised-errors.ts'
import { listRoutes } from './list-routes.ts'
import { addTenant, type Tenant } from './people.ts'
import { openTestStores } from './test-stores.ts'

/*
 * The whole service for a test: real stores in a temporary folder, real HTTP on a free port. Every response
 * through `call` is checked against the contract, whatever the test itself checks.
 */

export interface Service {
  readonly origin: string
  readonly api: string
  /** On the host that `call` uses. */
  readonly apiOf: (declared: AnyEndpoint) => string
  /** Of the chat product. */
  readonly chatOrigin: string
  readonly dataDir: string
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  /** Runs a statement on the accounts database that bypasses the code under test. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>
  /** Every registered route, as `GET /path/:param`. */
  routes(product: Product): readonly string[]
  addTenant(): Promise<Tenant>
  /** Headers of a signed-in user. */
  signedIn(user: UserRow): Promise<Credentials>
  /** Sends a request to a declared endpoint and checks the response against the declaration. */
  call<E extends AnyEndpoint>(declared: E, args: LooseArgs<E>, as?: Credentials): Promise<Reply<E>>
  stop(): Promise<void>
}

/** The first cookie that a response sets, as a browser sends it back. */
export function readCookie(headers: Headers): string {
  const [pair = ''] = (headers.getSetCookie()[0] ?? '').split('; ')
  return pair
}

export type Credentials = Readonly<Record<string, string>>

/** As for the typed client, but body and query may be invalid on purpose, or raw. */
export type LooseArgs<E> = {
  readonly [Part in keyof Args<E>]?: unknown
} & {
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly send?: Readonly<Record<string, string>>
  /** The host to call. Default: the chat product's for endpoints that only it serves, else the tracing product's. */
  readonly on?: 'chat'
}

export interface Reply<E> {
  readonly status: number
  readonly headers: Headers
  /** All lines of a line-based response. */
  readonly data: ReplyFormOf<E> extends 'json-lines' ? readonly DataOf<E>[] : DataOf<E>
  readonly meta: MetaOf<E>
  readonly error: { readonly code: string; readonly message: string; readonly details: Details }
}

type Details = Readonly<Record<string, unknown>>

export const setupToken = 'the set-up token of the tests'
export const masterSecret = 'the canary-secret that seals the others'

export interface ServiceOptions {
  /** TXT records by domain. */
  readonly txtRecords?: ReadonlyMap<string, readonly string[]>
  readonly trustProxy?: number
  /** The public address, if the test needs one; its port is the listening port. */
  readonly baseUrl?: string
  /** Host names that the service resolves to the loopback address. */
  readonly knownHosts?: readonly string[]
  readonly log?: Log
  readonly mailer?: Mailer
  readonly clock?: Clock
  /** The pages that both products serve. */
  readonly webFolder?: string
  /** Data stored by an earlier process. */
  readonly stored?: (stores: Pick<Service, 'accounts' | 'telemetry'>) => Promise<void>
  readonly metricsToken?: string
  readonly platformModel?: PlatformModelSettings
  readonly documentOutbound?: DocumentOutbound
  readonly judgeBudgetUsd?: number
  readonly evaluationDelayMs?: number
  /** Set `renewMs` to wait less for replies that end with the access of their readers. */
  readonly replyLimits?: AppPorts['replyLimits']
  readonly readDeadlineMs?: number
  /** Whether `npm test` counts the refusals as exercised; default true. Not those of random requests. */
  readonly recordsRefusals?: boolean
  readonly findStoreProblem?: () => string
  /** Replaces the telemetry store of the service. */
  readonly wrapTelemetry?: (telemetry: TelemetryStore) => TelemetryStore
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? systemClock
  const { readDeadlineMs, webFolder, wrapTelemetry = (store: TelemetryStore) => store } = options
  const stores = await openTestStores(readDeadlineMs === undefined ? {} : { readDeadlineMs })
  const { accounts, telemetry, dataDir, query, engine } = stores
  await options.stored?.({ accounts, telemetry })
  const ingestWorkers = openIngestWorkers({ engine, log: silent })
  const app = await buildApp({
    accounts,
    telemetry: wrapTelemetry(telemetry),
    findStoreProblem: async () => options.findStoreProblem?.(),
    ingestWorkers,
    clock,
    log: options.log ?? silent,
    setupToken,
    baseUrl: options.baseUrl ?? 'http://localhost:4600',
    chatBaseUrl: 'http://localhost:4601',
    trustProxy: options.trustProxy ?? false,
    mailer: options.mailer,
    secretBox: await openMasterKey([masterSecret], accounts),
    ssoOutbound: openOutbound({
      allowed: allowedDestinations(['127.0.0.1']) ?? nothingAllowed,
      resolve: (host) =>
        options.knownHosts?.includes(host) === true
          ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
          : lookup(host, { all: true }),
      plainHttp: 'allowed',
      timeoutMs: 2000,
      maxBytes: 100_000,
    }),
    documentOutbound: options.documentOutbound ?? openDocumentOutbound(),
    webhookOutbound: openWebhookOutbound(allowedDestinations(['127.0.0.1']) ?? nothingAllowed),
    modelOutbound: openModelOutbound(allowedDestinations(['127.0.0.1']) ?? nothingAllowed),
    platformModel: options.platformModel,
    judgeBudgetUsd: options.judgeBudgetUsd ?? 0.25,
    evaluationDelayMs: options.evaluationDelayMs ?? 30_000,
    replyLimits: options.replyLimits,
    async resolveTxt(domain) {
      const records = options.txtRecords?.get(domain)
      if (records !== undefined) return records
      throw new Error('DNS lookup failed')
    },
    metricsToken: options.metricsToken,
    metrics: openServiceMetrics(),
    webFolders: webFolder === undefined ? undefined : { tracing: webFolder, chat: webFolder },
  })
  const port = Number(options.baseUrl === undefined ? 0 : new URL(options.baseUrl).port)
  const origin = await app.server.listen({ host: '127.0.0.1', port })
  const chatOrigin = await app.chatServer.listen({ host: '127.0.0.1', port: 0 })
  const apiOf = (product: AnyEndpoint['product']) =>
    `${product === 'chat' ? chatOrigin : origin}/api/v1`
  return {
    origin,
    api: `${origin}/api/v1`,
    apiOf: ({ product }) => apiOf(product),
    dataDir,
    chatOrigin,
    accounts,
    telemetry,
    query,
    routes: (product) => listRoutes(product === 'chat' ? app.chatServer : app.server),
    addTenant: () => addTenant(accounts),
    async signedIn(user) {
      const client = { address: '127.0.0.1', userAgent: null }
      const session = await startSession(user, { method: 'password' }, client, accounts, clock)
      if (typeof session === 'string') throw new Error(`the session was refused: ${session}`)
      return { cookie: `assay_session=${session.token}` }
    },
    async call(declared, args, as) {
      const reply = await call(apiOf(args.on ?? declared.product), declared, args, as)
      if (reply.status >= 400 && options.recordsRefusals !== false)
        recordResponse(endpointName(declared), reply.status, reply.error.code)
      return reply
    },
    async stop() {
      await app.stop()
      await ingestWorkers.close()
      await stores.close()
    },
  }
}

async function call<E extends AnyEndpoint>(
  api: string,
  declared: E,
  args: LooseArgs<E>,
  as: Credentials = {},
): Promise<Reply<E>> {
  const { params, query, headers, body, raw, send } = args as LooseParts
  const isForm = declared.body?.as === 'form'
  const sent =
    raw ?? (body === undefined ? undefined : isForm ? toForm(body) : JSON.stringify(body))
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await fetch(api + buildPath(declared, params, query), {
    method: declared.method,
    redirect: 'manual',
    headers: {
      ...(sent === undefined ? {} : { 'content-type': type }),
      ...as,
      ...headers,
      ...send,
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  return checkedReply(declared, response, text) as Reply<E>
}

function toForm(fields: unknown): string {
  return new URLSearchParams(fields as Record<string, string>).toString()
}

interface LooseParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly send?: Readonly<Record<string, string>>
}

function checkedReply(declared: AnyEndpoint, { status, headers }: Response, text: string) {
  const name = endpointName(declared)
  const nothing = { data: undefined, meta: undefined, error: undefined }
  if (status === declared.success.status && isText(declared)) {
    const data = replyForm(declared) === 'xml' ? text : headers.get('location')
    return { ...nothing, status, headers, data: declared.success.data.parse(data) }
  }
  if (replyForm(declared) === 'json-lines' && status === 200) {
    const lines = text.split('\n').filter((line) => line !== '')
    const data = lines.map((line) => declared.success.data.parse(JSON.parse(line)) as unknown)
    return { status, headers, data, meta: undefined, error: undefined }
  }
  const answer = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>)
  if (status >= 400) {
    const { error } = (hasBareErrors(declared) ? bareErrorShape : errorShape).parse(answer)
    const isDeclared = listErrors(declared).some(
      (one) => one.code === error.code && one.status === status,
    )
    // An undeclared error is a bug and must fail the test.
    if (!isDeclared) throw new Error(`${name} returned undeclared status ${status}: ${text}`)
    return { ...nothing, status, headers, error }
  }
  const { data, meta } = declared.success
  if (!isSuccess(declared, status)) throw new Error(`${name} returned undeclared status ${status}`)
  if (replyForm(declared) !== 'envelope')
    return { ...nothing, status, headers, data: data.parse(answer) }
  const shape = z.strictObject({ data, ...(meta === undefined ? {} : { meta }) })
  return { ...nothing, status, headers, ...shape.parse(answer) }
}

function isText(declared: AnyEndpoint): boolean {
  const form = replyForm(declared)
  return form === 'xml' || form === 'redirect'
}

const bareError = z.strictObject({ code: z.string(), message: z.string().min(1) })
const bareErrorShape = z.strictObject({ error: bareError })
const errorShape = z.strictObject({
  error: bareError.extend({ details: z.record(z.string(), z.unknown()) }),
})
