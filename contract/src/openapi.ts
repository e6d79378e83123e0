import type { z } from 'zod'
import type { Access } from './access.ts'
import {
  type AnyEndpoint,
  type Body,
  hasBareErrors,
  listErrors,
  type ReplyForm,
  replyForm,
} from './endpoint.ts'
import { formatAccess, formatProduct } from './endpoint-labels.ts'
import { type ErrorCode, errorMeanings, errorStatuses, type ParsedErrorCase } from './errors.ts'
import { type JsonSchema, namedShapes, toJsonSchema } from './json-schema.ts'

/*
 * Derives an OpenAPI 3.1 document from the endpoint declarations.
 */

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: typeof securitySchemes
  }
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, readonly []>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** Converts a shape to its JSON Schema and collects the named shapes that it uses. */
type Describe = (shape: z.ZodType, direction: 'input' | 'output') => JsonSchema

/** Describes `endpoints`, served under `serverUrl`. */
export function openApiDocument(
  endpoints: readonly AnyEndpoint[],
  serverUrl: string,
): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = { Error: errorShape }
  if (endpoints.some(hasBareErrors)) schemas.BareError = bareErrorShape
  const describe: Describe = (shape, direction) => {
    const { schema, named } = toJsonSchema(shape, direction)
    for (const [name, one] of Object.entries(named)) keepUnique(schemas, name, one)
    return schema
  }
  const paths: Record<string, Record<string, Operation>> = {}
  for (const declared of endpoints) {
    const methods = (paths[declared.path] ??= {})
    methods[declared.method.toLowerCase()] = toOperation(declared, describe)
  }
  const tags = [...new Set(endpoints.map(({ tag }) => tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: '1',
      description: 'Tracing, evaluation and cost estimation for AI agents.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes },
  }
}

function keepUnique(schemas: Record<string, JsonSchema>, name: string, schema: JsonSchema): void {
  const other = schemas[name]
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas have the name ${name}.`)
  }
  schemas[name] = schema
}

const securitySchemes = {
  tracingKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-tracing-key',
    description: 'A tracing key of the project.',
  },
  tracingKeyBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key as `Authorization: Bearer <key>`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-assay_session',
    description:
      'Set at sign-in. Over plain HTTP the cookie is named `assay_session`. There are no personal API tokens.',
  },
} as const

const errorParts = {
  code: { type: 'string', enum: Object.keys(errorStatuses) },
  message: { type: 'string' },
} as const

const errorShape = toObjectSchema({
  error: toObjectSchema({ ...errorParts, details: { type: 'object' } }),
})

/** For endpoints without the envelope. */
const bareErrorShape = toObjectSchema({ error: toObjectSchema(errorParts) })

function toObjectSchema(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties }
}

function toOperation(declared: AnyEndpoint, describe: Describe): Operation {
  const parameters = toParameters(declared, describe)
  const body: Body | undefined = declared.body
  const needs = formatAccess(declared.access)
  return {
    operationId: operationId(declared),
    tags: [declared.tag],
    summary: declared.summary,
    description: [declared.description, needs, formatProduct(declared)]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    security: toSecurity(declared.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyContent(body, describe) } }),
    responses: toResponses(declared, describe),
  }
}

/** `getProjectsByProjectIdTraces`: unique because method and path are. */
function operationId({ method, path }: AnyEndpoint): string {
  const words = path.split(/[^\w{]+/).map((word) => {
    const name = word.replace(/^\{/, '')
    const capital = name.charAt(0).toUpperCase() + name.slice(1)
    return name === word ? capital : `By${capital}`
  })
  return method.toLowerCase() + words.join('')
}

function toSecurity({ by }: Access): Operation['security'] {
  if (by === 'anonymous') return []
  if (by === 'session') return [{ session: [] }]
  return [{ tracingKey: [] }, { tracingKeyBearer: [] }]
}

function toParameters(declared: AnyEndpoint, describe: Describe): readonly Parameter[] {
  const otlp = declared.body?.as === 'otlp' ? [contentEncoding] : []
  return [
    ...parametersIn('path', declared.params, describe),
    ...parametersIn('query', declared.query, describe),
    ...parametersIn('header', declared.headers, describe),
    ...otlp,
  ]
}

const contentEncoding: Parameter = {
  name: 'content-encoding',
  in: 'header',
  required: false,
  schema: { type: 'string', enum: ['identity', 'gzip', 'deflate'] },
}

// The schema of a parameter is that of its parsed value (a number, not its digits); whether it is required
// depends on its input.
function parametersIn(
  place: Parameter['in'],
  shape: z.ZodType | undefined,
  describe: Describe,
): readonly Parameter[] {
  if (shape === undefined) return []
  const required = describe(shape, 'input').required ?? []
  const properties = Object.entries(describe(shape, 'output').properties ?? {})
  return properties.map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }
  })
}

function bodyContent(body: Body, describe: Describe): Content {
  if (body.as === 'json') {
    return { 'application/json': { schema: describe(body.schema, 'input') } }
  }
  if (body.as === 'form') {
    return { 'application/x-www-form-urlencoded': { schema: describe(body.schema, 'input') } }
  }
  if (body.as === 'otlp') {
    return {
      'application/x-protobuf': { schema: { contentMediaType: 'application/x-protobuf' } },
      'application/json': { schema: { type: 'object' } },
    }
  }
  const file = { contentMediaType: 'application/octet-stream' }
  return { 'multipart/form-data': { schema: toObjectSchema({ [body.field]: file }) } }
}

function toResponses(declared: AnyEndpoint, describe: Describe): Operation['responses'] {
  const refusals = Map.groupBy(listErrors(declared), ({ status }) => status)
  const responses: Record<string, Response> = {
    [declared.success.status]:
      replyForm(declared) === 'redirect'
        ? { description: formatSuccess(declared), headers: { location } }
        : {
            description: formatSuccess(declared),
            content: successContent(declared, describe),
          },
  }
  const { alternative } = declared.success
  if (alternative !== undefined) {
    const content = successContent(declared, describe)
    responses[alternative.status] = { description: `Done, ${alternative.when}.`, content }
  }
  for (const [status, cases] of refusals) responses[status] = refusal(status, cases, declared)
  return responses
}

function formatSuccess(declared: AnyEndpoint): string {
  switch (replyForm(declared)) {
    case 'envelope':
    case 'bare':
      return 'Done.'
    case 'otlp':
      return 'Accepted, in the encoding of the request.'
    case 'events':
      return 'A stream of server-sent events; the schema is that of the JSON value of one message.'
    case 'json-lines':
      return 'A stream of lines; the schema is that of the JSON value of one line.'
    case 'redirect':
      return 'Redirects the browser; after a failure, to the sign-in page with a `problem`.'
    case 'xml':
      return 'An XML document.'
  }
}

function successContent(declared: AnyEndpoint, describe: Describe): Content {
  const data = describe(declared.success.data, 'output')
  switch (replyForm(declared) as Exclude<ReplyForm, 'redirect'>) {
    case 'envelope':
      return { 'application/json': { schema: toEnvelope(data, declared, describe) } }
    case 'bare':
      return { 'application/json': { schema: data } }
    case 'otlp':
      return {
        'application/x-protobuf': { schema: { contentMediaType: 'application/x-protobuf' } },
        'application/json': { schema: data },
      }
    case 'events':
      return { 'text/event-stream': { schema: data } }
    case 'json-lines':
      return { 'application/x-ndjson': { schema: data } }
    case 'xml':
      return { 'application/xml': { schema: data } }
  }
}

function toEnvelope(data: JsonSchema, { success }: AnyEndpoint, describe: Describe): JsonSchema {
  const meta: z.ZodType | undefined = success.meta
  return toObjectSchema(meta === undefined ? { data } : { data, meta: describe(meta, 'output') })
}

function refusal(
  status: number,
  cases: readonly ParsedErrorCase[],
  declared: AnyEndpoint,
): Response {
  const codes = cases.map(({ code }) => code)
  const bare = hasBareErrors(declared)
  const [code] = codes as [ErrorCode]
  const error = { code, message: errorMeanings[code], ...(bare ? {} : { details: {} }) }
  return {
    description: codes.map((one) => `\`${one}\``).join(' or '),
    ...(status === 503 || status === 429 ? { headers: { 'retry-after': retryAfter } } : {}),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: `${namedShapes}${bare ? 'BareError' : 'Error'}` },
            { properties: { error: { properties: { code: { enum: codes } } } } },
          ],
        },
        example: { error },
      },
    },
  }
}

const location = {
  description: 'The redirect target.',
  schema: { type: 'string' },
}

const retryAfter = {
  description: 'Seconds to wait before retrying the request.',
  schema: { type: 'integer' },
}
