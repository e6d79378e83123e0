import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from './all.ts'
import { fromMemory } from './anonymous-bounds.ts'
import { type AnyEndpoint, endpoint, endpointName, listErrors } from './endpoint.ts'
import { uploadedFile } from './fields.ts'
import { type Operation, openApiDocument } from './openapi.ts'

const serverUrl = 'http://localhost:4600/api/v1'
const document = openApiDocument(allEndpoints, serverUrl)

function findOperation(declared: AnyEndpoint, described = document): Operation {
  const operation = described.paths[declared.path]?.[declared.method.toLowerCase()]
  if (operation === undefined) throw new Error(`${endpointName(declared)} is not described`)
  return operation
}

const bare = endpoint({
  method: 'GET',
  path: '/bare',
  tag: 'Samples',
  summary: 'Responds without the envelope',
  access: { by: 'session' },
  cost: 'cheap',
  reply: 'bare',
  refusals: 'chat',
  success: { status: 200, data: z.object({ count: z.int() }) },
})

const upload = endpoint({
  method: 'POST',
  path: '/upload',
  tag: 'Samples',
  summary: 'Accepts a file and responds with lines',
  access: { by: 'session' },
  cost: 'cheap',
  body: { as: 'multipart', field: 'file', schema: uploadedFile, maxBytes: 1024 },
  reply: 'json-lines',
  success: { status: 200, data: z.object({ line: z.string() }) },
})

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1 for every body and reply form', async () => {
    const whole = openApiDocument([...allEndpoints, bare, upload], serverUrl)
    expect(await new Validator().validate({ ...whole })).toEqual({ valid: true })
  })

  test('contains every schema that it references', () => {
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)]
    expect(names.length).toBeGreaterThan(0)
    expect(document.components.schemas).toMatchObject(
      Object.fromEntries(names.map(([, name]) => [name, expect.any(Object)])),
    )
  })

  test('gives every operation a unique id', () => {
    const ids = allEndpoints.map((declared) => findOperation(declared).operationId)
    expect(new Set(ids).size).toBe(allEndpoints.length)
  })

  test('refuses two different schemas with the same name', () => {
    const shaped = (path: `/${string}`, shape: z.ZodType) =>
      endpoint({
        method: 'GET',
        path,
        tag: 'Samples',
        summary: 'Responds with a named shape',
        access: { by: 'anonymous', bounds: fromMemory },
        cost: 'cheap',
        success: { status: 200, data: shape },
      })
    const one = shaped('/one', z.object({ a: z.string() }).meta({ id: 'Named' }))
    const other = shaped('/other', z.object({ b: z.string() }).meta({ id: 'Named' }))
    expect(() => openApiDocument([one, other], serverUrl)).toThrow('Named')
  })

  test.each(allEndpoints.map((declared) => [endpointName(declared), declared] as const))(
    'describes every parameter and every response of %s',
    (_name, declared) => {
      const { parameters = [], responses } = findOperation(declared)
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)
      expect(inPath).toEqual(declared.path.match(/\{\w+\}/g) ?? [])
      const statuses = [
        declared.success.status,
        declared.success.alternative?.status ?? declared.success.status,
        ...listErrors(declared).map(({ status }) => status),
      ]
      expect(Object.keys(responses).map(Number)).toEqual(
        [...new Set(statuses)].sort((a, b) => a - b),
      )
    },
  )

  test('distinguishes responses with and without the envelope', () => {
    const described = openApiDocument([bare], serverUrl)
    const { responses } = findOperation(bare, described)
    expect(responses['200']?.content).toEqual({
      'application/json': {
        schema: {
          type: 'object',
          properties: { count: { type: 'integer' } },
          required: ['count'],
        },
      },
    })
    expect(responses['401']?.content?.['application/json']).toMatchObject({
      schema: { allOf: [{ $ref: '#/components/schemas/BareError' }, expect.any(Object)] },
      example: { error: { code: 'UNAUTHENTICATED', message: expect.any(String) } },
    })
  })

  test('describes request and response formats other than JSON', () => {
    const operation = findOperation(upload, openApiDocument([upload], serverUrl))
    expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(['multipart/form-data'])
    expect(Object.keys(operation.responses['200']?.content ?? {})).toEqual(['application/x-ndjson'])
  })

  test('makes exactly those members optional that are optional or have a default', () => {
    const ingest = document.paths['/traces/ingest']?.post
    expect(ingest?.requestBody?.content['application/json']?.schema.required).toEqual([
      'trace_id',
      'spans',
    ])
    expect(document.components.schemas.IngestSpan?.required).toEqual([
      'span_id',
      'name',
      'started_at',
    ])
  })
})
