import type { Role } from '@assay/contract/access.ts'

/*
 * The caller of a request, as its handler sees it. Read from the store for this request: a demotion, a revoked key
 * and an ended session take effect from the next request on.
 */

/** A tracing key identifies a project, not a person. */
export interface KeyCaller {
  readonly organizationId: string
  readonly projectId: string
}

/** Where a request came from. */
export interface ClientFacts {
  readonly address: string
  readonly userAgent: string | null
  /** The id of the request in the log. */
  readonly requestId: string
}

export interface SignedIn {
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly isSuperAdmin: boolean
  }
  readonly sessionId: string
  /** When the session ends at the latest; it ends earlier when idle. */
  readonly expiresAt: Date
}

export interface MemberCaller extends SignedIn {
  readonly organizationId: string
  /** Owner for a super admin. */
  readonly role: Role
}

export interface ProjectCaller extends MemberCaller {
  readonly projectId: string
}
