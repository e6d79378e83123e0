import type { Clock } from '../platform/clock.ts'
import { Failure, organizationNotFound, projectNotFound } from '../platform/failure.ts'
import type { Access } from '../storage/accounts/membership-store.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { KeyCaller, MemberCaller, ProjectCaller, SignedIn } from './caller.ts'
import { findSession, unlessUnavailable } from './session.ts'
import {
  hashOfKey,
  lastUsedIntervalMs,
  type PresentedHeaders,
  presentedKey,
} from './tracing-key.ts'

/*
 * Authenticates and authorizes requests. Everything is read from the store each time; refusals are `Failure`s
 * with the messages of the specification.
 */
export interface AccessControl {
  /** The project of the tracing key in the headers, checked in the order of the specification. Throws UNAUTHORIZED. */
  keyCaller(headers: PresentedHeaders): Promise<KeyCaller>

  /** The active session of a cookie's token. */
  findSession(token: string): Promise<SignedIn | undefined>

  /** Throws FORBIDDEN when the caller is not a member or the organization does not exist. */
  getMemberCaller(caller: SignedIn, organizationId: string): Promise<MemberCaller>

  /** Undefined when the project does not exist or the caller has no access to it. */
  findProjectCaller(caller: SignedIn, projectId: string): Promise<ProjectCaller | undefined>

  /** Throws PROJECT_NOT_FOUND when the project does not exist or the caller has no access to it. */
  getProjectCaller(caller: SignedIn, projectId: string): Promise<ProjectCaller>

  /**
   * The same for endpoints that have slugs in their query or body. Throws ORG_NOT_FOUND when the organization does not
   * exist or the caller is not a member, then PROJECT_NOT_FOUND; with `withoutOrganization`, that instead of ORG_NOT_FOUND.
   */
  getNamedProjectCaller(
    caller: SignedIn,
    organizationSlug: string,
    projectSlug: string,
    withoutOrganization?: () => Failure,
  ): Promise<ProjectCaller>
}

export function accessControl(stores: AccountStores, clock: Clock): AccessControl {
  const findProjectCaller: AccessControl['findProjectCaller'] = async (caller, projectId) => {
    const membership = await stores.memberships.findProjectAccess(projectId, caller.user.id)
    const member = memberWithin(membership, caller)
    return member && { ...member, projectId }
  }
  return {
    findProjectCaller,
    keyCaller: (headers) => keyCaller(headers, stores, clock),
    findSession: (token) => findSession(token, stores, clock),

    async getMemberCaller(caller, organizationId) {
      const membership = await stores.memberships.findOrganizationAccess(
        organizationId,
        caller.user.id,
      )
      const member = memberWithin(membership, caller)
      if (member !== undefined) return member
      throw new Failure('FORBIDDEN', 'You do not have access to this organization.')
    },

    async getProjectCaller(caller, projectId) {
      const member = await findProjectCaller(caller, projectId)
      if (member !== undefined) return member
      throw projectNotFound()
    },

    async getNamedProjectCaller(
      caller,
      organizationSlug,
      projectSlug,
      withoutOrganization = organizationNotFound,
    ) {
      const { id } = caller.user
      const access = await stores.memberships.findNamedAccess(organizationSlug, projectSlug, id)
      const member = memberWithin(access, caller)
      if (member === undefined) throw withoutOrganization()
      const projectId = access?.projectId ?? undefined
      if (projectId === undefined) throw projectNotFound()
      return { ...member, projectId }
    },
  }
}

// Not cached: a revoked key is refused from the next request on.
async function keyCaller(
  headers: PresentedHeaders,
  { tracingKeys, projects }: AccountStores,
  clock: Clock,
): Promise<KeyCaller> {
  const presented = presentedKey(headers)
  if (presented === 'missing') throw new Failure('UNAUTHORIZED', 'Tracing key required.')
  if (presented === 'malformed') throw new Failure('UNAUTHORIZED', 'Invalid tracing key format.')
  const hash = hashOfKey(presented.key)
  const key = await tracingKeys.findByHash(hash)
  if (key !== undefined && key.revoked_at === null) {
    const now = clock.now()
    if (now.getTime() - Date.parse(key.last_used_at ?? '1970-01-01') >= lastUsedIntervalMs) {
      await tracingKeys
        .recordUse(key.project_id, key.id, now.toISOString())
        .catch(unlessUnavailable)
    }
    return { organizationId: key.organization_id, projectId: key.project_id }
  }
  const legacyProject = key === undefined ? await projects.findByLegacyKeyHash(hash) : undefined
  if (legacyProject !== undefined) {
    return { organizationId: legacyProject.organization_id, projectId: legacyProject.id }
  }
  throw new Failure('UNAUTHORIZED', 'Invalid or revoked tracing key.')
}

/** Undefined when there is no access, or the resource does not exist. */
function memberWithin(membership: Access | undefined, caller: SignedIn): MemberCaller | undefined {
  const role = caller.user.isSuperAdmin ? 'Owner' : membership?.role
  if (membership === undefined || role === undefined || role === null) return undefined
  return { ...caller, organizationId: membership.organizationId, role }
}
