import { type Access, hasPermission } from '@assay/contract/access.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { AccessControl } from '../accounts/access-control.ts'
import type { MemberCaller, SignedIn } from '../accounts/caller.ts'
import { withBasicKey } from '../accounts/tracing-key.ts'
import { Failure } from '../platform/failure.ts'
import type { HostCookie } from './session-cookie.ts'

/*
 * Authenticates the caller and enforces the endpoint's declared access.
 */

export interface GuardPorts {
  readonly access: AccessControl
  readonly cookie: HostCookie
  /** The origins of the service's web apps; requests from pages of other origins are refused. */
  readonly origins: readonly string[]
}

/** The caller in the shape of the declared access; throws the declared refusals. */
export async function admit(
  request: FastifyRequest,
  declared: AnyEndpoint,
  ports: GuardPorts,
): Promise<unknown> {
  const access: Access = declared.access
  if (access.by === 'tracing-key') {
    const isCompatible = request.routeOptions.url === declared.compatiblePath
    return ports.access.keyCaller(isCompatible ? withBasicKey(request.headers) : request.headers)
  }
  if (request.method !== 'GET' && declared.fromOtherSites !== true) {
    refuseForeignPage(request, ports.origins)
  }
  if (access.by === 'anonymous') return undefined
  const caller = await signedIn(request, declared, ports)
  if (!('of' in access)) return caller
  if (access.of === 'platform') {
    if (caller.user.isSuperAdmin) return caller
    throw new Failure('FORBIDDEN', 'Insufficient permissions.')
  }
  const params = request.params as Readonly<Record<string, string>>
  const member: MemberCaller =
    access.of === 'project'
      ? await ports.access.getProjectCaller(caller, idIn(params['projectId']))
      : await ports.access.getMemberCaller(caller, idIn(params['orgId']))
  const isAllowed =
    access.anyOf?.some((permission) => hasPermission(member.role, permission)) ?? true
  if (!isAllowed) throw new Failure('FORBIDDEN', 'Insufficient permissions.')
  return member
}

/** As in the contract's `pathId`: access is decided before parameters are validated. */
function idIn(param: string | undefined): string {
  return (param ?? '').toLowerCase()
}

/** The signed-in user, if any. */
export async function findCaller(
  { headers }: FastifyRequest,
  { access, cookie }: GuardPorts,
): Promise<SignedIn | undefined> {
  const token = cookie.read(headers.cookie)
  return token === undefined ? undefined : await access.findSession(token)
}

async function signedIn(
  request: FastifyRequest,
  declared: AnyEndpoint,
  ports: GuardPorts,
): Promise<SignedIn> {
  const caller = await findCaller(request, ports)
  if (caller !== undefined) return caller
  throw declared.refusals === 'chat'
    ? new Failure('UNAUTHENTICATED', 'Sign in to continue.')
    : new Failure('UNAUTHORIZED', 'Authentication required.')
}

/**
 * Protection against cross-site request forgery without tokens: browsers send the origin of a request. Requests
 * with neither header are not from a browser. Sec-Fetch-Site is sent over plain HTTP only to localhost, so Origin is
 * checked as well.
 */
function refuseForeignPage({ headers }: FastifyRequest, origins: readonly string[]): void {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const isOwn =
    site === undefined
      ? origin === undefined || origins.includes(origin)
      : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new Failure('FORBIDDEN', 'Requests from other sites are not accepted.')
}
