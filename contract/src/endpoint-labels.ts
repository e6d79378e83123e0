import type { Access } from './access.ts'
import { type AnyEndpoint, type Body, replyForm } from './endpoint.ts'
import { toJsonSchema } from './json-schema.ts'

/*
 * Parts of a declaration as Markdown text, for the reference pages and the OpenAPI document.
 */

/** Who may call. */
export function formatAccess(access: Access): string {
  if (access.by === 'anonymous') return 'No authentication required.'
  if (access.by === 'tracing-key') return "Requires a tracing key; acts on that key's project."
  if (!('of' in access)) return 'Requires a session.'
  if (access.of === 'platform') return 'Requires a session of a super admin.'
  const whose = access.of === 'project' ? "the project's organization" : 'the organization'
  const member = `Requires a session of a member of ${whose}`
  if (access.anyOf === undefined) return `${member}.`
  return `${member} with ${access.anyOf.map((permission) => `\`${permission}\``).join(' or ')}.`
}

/** The product that serves it, unless that is only the tracing product. */
export function formatProduct({ product }: AnyEndpoint): string | undefined {
  if (product === 'both') return 'Served by both products.'
  return product === 'chat' ? 'Served by the chat product.' : undefined
}

/** The format and the maximum size of the body. */
export function formatBody(body: Body): string {
  const kib = body.maxBytes / 1024
  const size = kib < 1024 ? `at most ${kib} KiB` : `at most ${kib / 1024} MiB`
  switch (body.as) {
    case 'json':
      return `Body, JSON, ${size}`
    case 'form':
      return `Body, \`application/x-www-form-urlencoded\`, ${size}`
    case 'otlp':
      return `Body, OTLP in protobuf or JSON, optionally with gzip or deflate, ${size} decompressed`
    case 'multipart':
      return `Body, \`multipart/form-data\` with the file in \`${body.field}\`, ${size}`
  }
}

const replyForms = {
  envelope: '`data`',
  bare: 'the object itself',
  otlp: 'in the encoding of the request',
  events: 'server-sent events, each',
  'json-lines': 'lines, each',
  redirect: '`Location`',
  xml: 'an XML document',
} as const

/** The success response: a heading for the shape of the data, with the limit of a list. */
export function formatResponse(declared: AnyEndpoint): string {
  const { status, data, alternative } = declared.success
  const { maxItems } = toJsonSchema(data, 'output').schema
  const most = maxItems === undefined ? '' : `, at most ${maxItems} items`
  const other = alternative === undefined ? '' : ` (or ${alternative.status} ${alternative.when})`
  return `Response ${status}${other}, ${replyForms[replyForm(declared)]}${most}`
}
