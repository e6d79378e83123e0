import type { Requester } from '../../platform/requester.ts'

/**
 * The requester of background jobs, one for all projects of an organization. It takes turns as an organization of its
 * own, so that its people do not wait for their jobs.
 */
export function backgroundRequester(organizationId: string): Requester {
  const owner = `evaluation of ${organizationId}`
  return [owner, owner]
}
