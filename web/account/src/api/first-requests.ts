import { ApiError, call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import {
  listOrganizations,
  listProjects,
  type Organization,
  type Project,
} from '@assay/contract/organizations.ts'
import { readSession } from '@assay/contract/sign-in.ts'
import { base } from './base.ts'
import { forgetSignedInUser, mayBeSignedIn, rememberSignedInUser } from './signed-in-user.ts'

/*
 * What every page of a signed-in person requests. It is requested while the code of the app loads, which takes seconds
 * on a slow network, so this module imports as little as possible.
 */

export interface OrganizationProjects {
  readonly organization: Organization
  readonly projects: readonly Project[]
}

type Session = DataOf<typeof readSession>

const early: {
  session?: Promise<Session> | undefined
  directory?: Promise<readonly OrganizationProjects[]> | undefined
} = {}

/** Sends the requests, and loads the code of pages, if somebody may be signed in. */
export function startEarly(loadPages: () => Promise<unknown>): void {
  if (!mayBeSignedIn()) return
  early.session = requestSession()
  early.directory = requestDirectory()
  // Ignored: the app reports the errors of requests, and loads the code again.
  for (const one of [early.session, early.directory, loadPages()]) one.catch(() => undefined)
}

/** The responses that the first page has not used are outdated later. */
export function forgetEarly(): void {
  early.session = undefined
  early.directory = undefined
}

export function fetchSession(signal: AbortSignal): Promise<Session> {
  const { session = requestSession(signal) } = early
  early.session = undefined
  return session
}

export function fetchDirectory(signal: AbortSignal): Promise<readonly OrganizationProjects[]> {
  const { directory = requestDirectory(signal) } = early
  early.directory = undefined
  return directory
}

async function requestSession(signal?: AbortSignal): Promise<Session> {
  try {
    const session = await call(base, readSession, {}, signal && { signal })
    rememberSignedInUser(session.user.id)
    return session
  } catch (error) {
    if (isSignedOut(error)) forgetSignedInUser()
    throw error
  }
}

async function requestDirectory(signal?: AbortSignal): Promise<readonly OrganizationProjects[]> {
  const init = signal && { signal }
  const organizations = await call(base, listOrganizations, {}, init)
  return Promise.all(
    organizations.map(async (organization) => {
      const params = { orgId: organization.id }
      return { organization, projects: await call(base, listProjects, { params }, init) }
    }),
  )
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
