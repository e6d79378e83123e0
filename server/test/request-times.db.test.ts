import type { Access } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { type AnyEndpoint, type Body, endpointName } from '@assay/contract/endpoint.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listBuiltInCollections } from '../src/evaluators/built-in.ts'
import { newId } from '../src/platform/ids.ts'
import { addUser, type Tenant } from './people.ts'
import { type Credentials, type Service, startService } from './started-app.ts'

/*
 * Every time in a query or a JSON body, found in the schemas, so that new ones are covered. Instants are stored as
 * 64-bit nanoseconds since 1970, which end in 2262.
 */

let service: Service
let tenant: Tenant
let admin: Credentials

beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  // Has access to every endpoint that needs a session.
  admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
})
afterAll(() => service.stop())

interface Schema {
  readonly format?: string
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

interface RootSchema extends Schema {
  readonly $defs?: Readonly<Record<string, Schema>>
}

type Path = readonly (string | 0)[]

function timesOf(shape: z.ZodType | undefined): readonly Path[] {
  if (shape === undefined) return []
  const root: RootSchema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema
  const find = (schema: Schema, path: Path): readonly Path[] => [
    ...(schema.format === 'date-time' ? [path] : []),
    ...(schema.anyOf ?? []).flatMap((one) => find(one, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => find(one, [...path, name])),
    ...(schema.items === undefined ? [] : find(schema.items, [...path, 0])),
    ...(schema.$ref === undefined ? [] : find(root.$defs?.[nameOf(schema.$ref)] ?? {}, path)),
  ]
  return find(root, [])
}

const nameOf = (reference: string) => reference.replace('#/$defs/', '')

const bodySchema = (declared: AnyEndpoint) => {
  const body: Body | undefined = declared.body
  return body?.as === 'json' ? body.schema : undefined
}

const inQueries = allEndpoints.flatMap((declared) =>
  timesOf(declared.query as z.ZodType | undefined).map((path) => toRow(declared, path)),
)
const inBodies = allEndpoints.flatMap((declared) =>
  timesOf(bodySchema(declared)).map((path) => toRow(declared, path)),
)

function toRow(declared: AnyEndpoint, path: Path) {
  return [endpointName(declared), path.join('.'), declared, path] as const
}

const time = '2026-05-01T08:00:00Z'
const price = { model: 'm', input_usd_per_mtok: 1, output_usd_per_mtok: 1 }
const range = { from: time, to: '2026-05-02T08:00:00Z' }

/** What the endpoints with times in their body require. */
const validBodies: Readonly<Record<string, object>> = {
  'POST /traces/ingest': { trace_id: 'a', spans: [{ span_id: 'a', name: 'a', started_at: time }] },
  'POST /orgs/{orgId}/prices': price,
  'PATCH /orgs/{orgId}/prices/{priceId}': { note: 'a' },
  'POST /projects/{projectId}/prices': price,
  'PATCH /projects/{projectId}/prices/{priceId}': { note: 'a' },
  'POST /projects/{projectId}/prices/reprice': range,
  'POST /projects/{projectId}/prices/reprice/preview': range,
  'POST /projects/{projectId}/evaluations': {
    collection_id: listBuiltInCollections('')[0]?.id,
    filters: {},
  },
  'POST /projects/{projectId}/review-queues': { name: 'a', score_name: 'a', filters: {} },
}

/** The same for queries. */
const validQueries: Readonly<Record<string, object>> = {
  'GET /projects/{projectId}/scored-traces': { name: 'a score' },
  'GET /projects/{projectId}/score-disagreements': { evaluator_id: newId() },
}

const invalid = [
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999999999Z',
  '2262-01-01T00:00:00Z',
  '2262-04-11T23:47:16.854775808Z',
  '9999-12-31T23:59:59Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:01Z',
  '2026-01-01',
  '1767225600000',
  'now',
  ' ',
]

function send(declared: AnyEndpoint, args: { readonly query?: object; readonly body?: unknown }) {
  const params = {
    orgId: tenant.organizationId,
    projectId: tenant.projectId,
    priceId: newId(),
    name: 'a metric',
  }
  const isKeyed = (declared.access as Access).by === 'tracing-key'
  return service.call(
    declared,
    { params, ...args },
    isKeyed ? { 'x-tracing-key': tenant.tracingKey } : admin,
  )
}

describe('a time in a query', () => {
  test.each(inQueries)('%s refuses an invalid %s and names it', async (name, field, declared) => {
    const required = validQueries[name] ?? (field === 'at' ? { model: 'm' } : {})
    for (const value of invalid) {
      const { status, error } = await send(declared, { query: { ...required, [field]: value } })
      expect([value, status, error?.code]).toEqual([value, 400, 'VALIDATION_ERROR'])
      expect(error.message).toMatch(new RegExp(`^${field} must be `))
    }
    const valid = await send(declared, { query: { ...required, [field]: time } })
    expect(valid.status).not.toBe(400)
  })
})

describe('a time in a body', () => {
  test.each(inBodies)(
    '%s refuses an invalid %s, names it and stores nothing',
    async (name, _path, declared, path) => {
      const body = validBodies[name]
      if (body === undefined) throw new Error(`validBodies has no body for ${name}`)
      const [root = ''] = path
      const before = await stored()
      for (const value of [...invalid, 8.64e15, true, {}]) {
        const { status, error } = await send(declared, { body: replaced(body, path, value) })
        expect([value, status, error?.code]).toEqual([value, 400, 'VALIDATION_ERROR'])
        const fields = (error.details['issues'] as { fieldErrors?: object } | undefined)
          ?.fieldErrors
        if (fields === undefined)
          expect(error.message).toMatch(new RegExp(`^${path.join('.')} must be `))
        else {
          expect(Object.keys(fields)).toEqual([root])
          expect(JSON.stringify(fields)).toContain(path.at(-1))
        }
      }
      expect(await stored()).toEqual(before)
    },
  )

  test.each(Object.entries(validBodies))(
    '%s accepts the body with valid times',
    async (name, body) => {
      const declared = allEndpoints.find((one) => endpointName(one) === name)
      if (declared === undefined) throw new Error(`no endpoint ${name}`)
      expect((await send(declared, { body })).status).not.toBe(400)
    },
  )
})

/** The body with another value at the path. */
function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by
  if (first === 0) {
    const [item, ...others] = value as readonly unknown[]
    return [replaced(item, rest, by), ...others]
  }
  const object = value as Readonly<Record<string, unknown>>
  return { ...object, [first]: replaced(object[first], rest, by) }
}

async function stored() {
  const { total } = await service.telemetry.listTraces(tenant.projectId, { limit: 1, filters: {} })
  const rows = await service.query(
    'select (select count(*) from price_rules) as prices, (select count(*) from jobs) as jobs',
  )
  return { total, ...rows[0] }
}

test('times are found in the schemas', () => {
  const fields = [...inQueries, ...inBodies].map(([, path]) => path)
  expect([...new Set(fields)].toSorted()).toEqual([
    'at',
    'filters.from',
    'filters.to',
    'from',
    'spans.0.ended_at',
    'spans.0.started_at',
    'started_at',
    'to',
    'valid_from',
    'valid_to',
  ])
})
