import type { KeyCaller, MemberCaller, ProjectCaller, SignedIn } from './caller.ts'

/*
 * The questions every guarded request asks. Answers are read anew each time; refusals are `Failure`s
 * with the specification's words.
 */
export interface AccessControl {
  /** The project of the key that the headers present, checked in the specification's order; throws UNAUTHORIZED. */
  keyCaller(headers: PresentedHeaders): Promise<KeyCaller>

  /** The live session of a cookie's token; undefined when there is none. */
  findSession(token: string): Promise<SignedIn | undefined>

  /** Throws FORBIDDEN for anyone who is not a member, also when there is no such organization. */
  memberOf(caller: SignedIn, organizationId: string): Promise<MemberCaller>

  /** Throws PROJECT_NOT_FOUND for a project that is not there and for one out of the caller's sight alike. */
  projectOf(caller: SignedIn, projectId: string): Promise<ProjectCaller>
}

export interface PresentedHeaders {
  readonly authorization?: string | undefined
  readonly 'x-tracing-key'?: string | string[] | undefined
}
