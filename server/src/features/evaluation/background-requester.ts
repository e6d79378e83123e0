import type { Requester } from '../../platform/requester.ts'

/** Of jobs: takes turns with organizations, so that people of the own one do not wait for it. */
export function backgroundRequester(projectId: string): Requester {
  const owner = `evaluation of ${projectId}`
  return [owner, owner]
}
