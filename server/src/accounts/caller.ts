import type { Role } from '@assay/contract/access.ts'

/*
 * Who is calling, as a handler sees it. What is here was read from the store for this very request:
 * a demotion, a revoked key and an ended session hold from the next request on.
 */

/** A tracing key: it names a project, not a person. */
export interface KeyCaller {
  readonly projectId: string
}

/** Where a request came from, as far as it tells. */
export interface ClientFacts {
  readonly address: string
  readonly userAgent: string | null
  /** Names the request in the log. */
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
  /** The end that no use puts off; without use it comes sooner. */
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
