import { z } from 'zod'
import { limits } from './limits.ts'
import { isDotSegment } from './path-segments.ts'

/*
 * Shapes shared by several resources. The shape of a single resource is in its own file.
 */

/** An id of the service, in lower case as it is stored. In requests, upper case is accepted. */
export const id = z.uuid().toLowerCase()

/** ISO 8601 in UTC with a trailing `Z`, as the service writes it. */
export const timestamp = z.iso.datetime()

/** A timestamp of a client: nanoseconds since 1970 must fit a signed 64-bit integer, which ends in 2262. */
export const requestTimestamp = z.iso
  .datetime({ abort: true })
  .refine((value) => value >= '1970' && value < '2262', 'must be in the years 1970 to 2261')

export const email = z
  .string()
  .trim()
  .max(limits.emailLength.value)
  .pipe(z.email({ error: 'must be an e-mail address' }))

/** How many model calls have a known cost. Calls without tokens, such as failed ones, count in neither. */
export const callCounts = {
  model_call_count: z.int().describe('model calls that used tokens'),
  unpriced_call_count: z
    .int()
    .describe(
      'model calls that used tokens and have no known cost, which `cost_usd` does not include',
    ),
}

/** A label entered by a user: trimmed, 1 to 128 characters. */
export const label = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.nameLength.value)
  // Lone surrogates too: they cannot be encoded as UTF-8.
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters')

export const slug = z
  .string()
  .max(limits.slugLength.value)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'must be lower-case letters, digits and single hyphens between them',
  )

/** The slug of something that exists. Any other text is not found. */
const slugText = z.string().min(1, 'is required').max(limits.slugLength.value).describe('the slug')

/** An organization and a project in it, where neither is in the path. */
export const projectSlugs = { org: slugText, project: slugText }

export type ProjectSlugs = Readonly<Record<keyof typeof projectSlugs, string>>

export const password = z
  .string()
  .min(limits.passwordMin.value, `must have at least ${limits.passwordMin.value} characters`)
  .max(limits.passwordMax.value, `must have at most ${limits.passwordMax.value} characters`)

const returnPathLength = 1024
const returnPathPattern = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/

/** A path of the web app of the tracing product: one slash, then no other. */
export const returnPath = z
  .string()
  .max(returnPathLength)
  .regex(returnPathPattern, 'must be a path that starts with one slash')

/** The same for the pages, without the schema. */
export function isReturnPath(path: string): boolean {
  return path.length <= returnPathLength && returnPathPattern.test(path)
}

/** A whole number in a query, from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a number from ${min} to ${max}`
  return queryNumber(error).pipe(z.int({ error }).min(min, error).max(max, error))
}

/** A number in a query. An empty value is refused: coerced alone, it would be 0. */
export function queryNumber(error = 'must be a number') {
  const toMissing = (value: unknown) =>
    typeof value === 'string' && value.trim() === '' ? undefined : value
  // The JSON Schema of the input: a preprocessed one has none of its own.
  return z.preprocess(toMissing, z.coerce.number({ error })).meta({ type: 'number' })
}

/** A list without pages: never has more items than the limit. */
export function limitedList<Item extends z.ZodType>(item: Item, limit: keyof typeof limits) {
  return z.array(item).max(limits[limit].value)
}

/** The query of a paged list. */
export const pageQuery = z.object({
  limit: wholeNumber(1, limits.listPageMax.value).default(limits.listPageDefault.value),
  cursor: z.string().optional().describe('`meta.cursor` of the previous page'),
})

export const pageMeta = z.object({
  pageSize: z.int(),
  cursor: z.string().nullable().describe('null on the last page'),
})

/** An id that a client chooses and that paths contain: any text but `.` and `..`. */
export function chosenId(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !isDotSegment(text), {
      error: 'must not be "." or "..", which addresses cannot contain',
    })
    .describe(chosenIdHelp)
}

/** For those that are optional, which lose the description. */
export const chosenIdHelp = 'any text but `.` and `..`'

/** An id of the service in a path. Upper-case UUIDs are accepted. */
export const pathId = z.string().toLowerCase()

export const inOrganization = z.object({ orgId: pathId })
export const inProject = z.object({ projectId: pathId })
export const inTrace = inProject.extend({
  traceId: chosenId(limits.traceIdLength.value),
})

/** A JSON body of an app endpoint: malformed JSON is the specification's 500. */
export function appBody<Schema extends z.ZodType>(schema: Schema) {
  return {
    as: 'json',
    schema,
    malformed: 500,
    maxBytes: limits.jsonBodyBytes.value,
    maxContainers: limits.appJsonContainers.value,
    maxValues: limits.appJsonValues.value,
    keepsNumbers: false,
  } as const
}

/** The same for an endpoint without sign-in: small, because anybody may send it. */
export function anonymousBody<Schema extends z.ZodType>(schema: Schema) {
  return { ...appBody(schema), maxBytes: limits.anonymousBodyBytes.value } as const
}

/** The fields of a PATCH, of which at least one is required: a request that changes nothing is a mistake. */
export function changeOf<Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>) {
  return fields.refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'must have a field to change',
  })
}

export interface UploadedFile {
  /** The name from the client, without folders and control characters. */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The file of a multipart body. */
export const uploadedFile = z.custom<UploadedFile>()

/** The answer to DELETE for what is gone afterwards. */
export const removed = { status: 200, data: z.object({ status: z.literal('removed') }) } as const

/** The answer to DELETE for what is no longer valid afterwards, such as a key or a session. */
export const revoked = { status: 200, data: z.object({ status: z.literal('revoked') }) } as const
