import { type Answer, ApiError, buildPath, call, callWithMeta } from '@assay/contract/client.ts'
import type { AnyEndpoint, Args, DataOf } from '@assay/contract/endpoint.ts'
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

/** What has been requested for the first page, by path. */
const sent = new Map<string, { readonly atMs: number; readonly answer: Promise<unknown> }>()
/** A page that opens later requests its data again. */
const outdatedAfterMs = 30_000

/** Sends a request of the first page, which `callEarly` with the same arguments returns the response to. */
export function sendEarly<E extends AnyEndpoint>(declared: E, args: Args<E>): void {
  const answer = callWithMeta(base, declared, args)
  // Ignored: reported to whoever uses it.
  answer.catch(() => undefined)
  sent.set(pathOf(declared, args), { atMs: performance.now(), answer })
}

/** As `callWithMeta`, but returns what `sendEarly` has requested, once. */
export function callEarly<E extends AnyEndpoint>(
  declared: E,
  args: Args<E>,
  init: RequestInit,
): Promise<Answer<E>> {
  const path = pathOf(declared, args)
  const { atMs, answer } = sent.get(path) ?? { atMs: Number.NEGATIVE_INFINITY }
  sent.delete(path)
  const isRecent = performance.now() - atMs < outdatedAfterMs
  return isRecent ? (answer as Promise<Answer<E>>) : callWithMeta(base, declared, args, init)
}

interface BuiltFrom {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
}

function pathOf<E extends AnyEndpoint>(declared: E, args: Args<E>): string {
  const { params, query } = args as BuiltFrom
  return buildPath(declared, params, query)
}

/** The responses that the first page has not used are outdated later. */
export function forgetEarly(): void {
  early.session = undefined
  early.directory = undefined
}

/** The responses are of the person who has signed out. */
export function forgetSent(): void {
  sent.clear()
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
