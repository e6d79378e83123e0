import type { Requester } from '../../platform/requester.ts'

/**
 * Of jobs: takes turns with organizations, so that people of the own one do not wait for it. All jobs of an organization
 * share it, however many projects they are of.
 */
export function backgroundRequester(organizationId: string): Requester {
  const owner = `evaluation of ${organizationId}`
  return [owner, owner]
}
