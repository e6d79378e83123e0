import { createHash } from 'node:crypto'
import type { TracingKey } from '@assay/contract/tracing-keys.ts'
import { newId, newSecret } from '../platform/ids.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { TracingKeyRow } from '../storage/accounts/people-tables.ts'
import type { AuditEvent } from './audit.ts'

/*
 * The format of tracing keys and how a request sends one. Source: interface specification, "Tracing keys".
 * Lookups are in access-control.ts.
 */

const form = /^tk_(?:live|test)_[0-9a-f]{48}$/
const bearer = 'Bearer '

export interface PresentedHeaders {
  readonly authorization?: string | undefined
  readonly 'x-tracing-key'?: string | string[] | undefined
}

export type Presented = { readonly key: string } | 'missing' | 'malformed'

/**
 * Uses `Authorization` only when it starts with exactly `Bearer `, and then ignores `x-tracing-key`; any other value
 * is ignored.
 */
export function presentedKey(headers: PresentedHeaders): Presented {
  const { authorization } = headers
  const key = authorization?.startsWith(bearer)
    ? authorization.slice(bearer.length).trim()
    : // A header that was sent twice is one value with a comma, which no key contains.
      [headers['x-tracing-key'] ?? ''].flat().join(', ').trim()
  if (key === '') return 'missing'
  return form.test(key) ? { key } : 'malformed'
}

const basic = /^Basic +([\w+/=-]{1,1024}) *$/i

/** The headers with the key of Basic authentication, its password or its user name, as a bearer. */
export function withBasicKey(headers: PresentedHeaders): PresentedHeaders {
  const encoded = basic.exec(headers.authorization ?? '')?.[1]
  if (encoded === undefined) return headers
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const credentials = [password.join(':'), user]
  const key = credentials.find((each) => form.test(each))
  if (key === undefined && headers['x-tracing-key'] !== undefined) return headers
  return { authorization: bearer + (key ?? credentials.find((each) => each !== '') ?? '') }
}

/** Use is recorded at most this often, so that requests do not cost a write each. */
export const lastUsedIntervalMs = 60_000

/** Keys are random and long, so a plain hash is as good as a slow one. Nothing else of a key is stored. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

export interface NewTracingKey {
  /** The full key: shown once and not stored. */
  readonly key: string
  readonly row: TracingKeyRow
}

export function newTracingKey(
  projectId: string,
  environment: 'live' | 'test',
  createdBy: string,
  at: Timestamp,
  name = 'Tracing key',
): NewTracingKey {
  const prefix: TracingKey['key_prefix'] = `tk_${environment}_`
  const key = newKeyText(prefix)
  const row: TracingKeyRow = {
    id: newId(),
    project_id: projectId,
    name,
    key_prefix: prefix,
    key_hint: key.slice(-4),
    hash: hashOfKey(key),
    created_by: createdBy,
    created_at: at,
    last_used_at: null,
    revoked_at: null,
  }
  return { key, row }
}

export function tracingKeyCreated(organizationId: string, key: TracingKeyRow): AuditEvent {
  return {
    action: 'tracing_key.created',
    organizationId,
    targetId: key.id,
    details: {
      project_id: key.project_id,
      name: key.name,
      environment: key.key_prefix === 'tk_live_' ? 'live' : 'test',
      key_hint: key.key_hint,
    },
  }
}

export function newKeyText(prefix: TracingKey['key_prefix']): string {
  return prefix + newSecret(24)
}
