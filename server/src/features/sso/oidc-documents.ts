import { limits } from '@assay/contract/limits.ts'
import type { ServerMetadata } from 'openid-client'
import { scanJson } from '../../platform/json-scan.ts'
import { SignInRefused } from './sign-in-refused.ts'

/*
 * Limits on what an OpenID provider responds. Any organization can configure a provider of its own, and its documents are
 * parsed on the event loop.
 */

const bounds = {
  maxDepth: limits.ssoDocumentDepth.value,
  maxContainers: limits.ssoDocumentContainers.value,
}

/** Throws SignInRefused for a document that takes long to parse. */
export async function refuseCostlyDocument(response: Response): Promise<Response> {
  if (scanJson(await response.clone().bytes(), bounds) === 'ok') return response
  const { maxContainers, maxDepth } = bounds
  throw new SignInRefused(
    'invalid_response',
    `a response has more than ${maxContainers} objects and arrays, or more than ${maxDepth} levels`,
  )
}

const urls = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const

/** Throws SignInRefused. */
export function refuseLongUrls(metadata: Readonly<ServerMetadata>): void {
  const { value: max } = limits.ssoUrlLength
  const long = urls.find((name) => (metadata[name]?.length ?? 0) > max)
  if (long === undefined) return
  throw new SignInRefused('invalid_response', `${long} has more than ${max} characters`)
}
