import { projectRemovalKind } from '../../accounts/remove-project.ts'
import { type DefinedJob, defineJob } from '../../jobs/define-job.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Removes the conversations and the telemetry of a removed project, and does so again later: requests that were accepted
 * just before the removal may have stored more.
 */

const laterMs = 10 * 60_000

/** Each can have megabytes: on SQLite, other requests wait for a statement. */
const conversationsAtOnce = 2

export function projectRemovalJob(
  telemetry: Pick<TelemetryStore, 'removeProject'>,
  conversations: Pick<AccountStores['conversations'], 'removeOfProject'>,
): DefinedJob {
  return defineJob({
    ...projectRemovalKind,
    // No user could start it again.
    retry: { on: 'any error', maxAttempts: Number.POSITIVE_INFINITY },
    async step({ input, progress }, { pass }: { readonly pass: number } = { pass: 1 }) {
      const { projectId } = input
      const removed = await conversations.removeOfProject(projectId, conversationsAtOnce)
      if (removed > 0 || (await telemetry.removeProject(projectId)) === 'more') {
        return { position: { pass }, progress }
      }
      if (pass > 1) return { isDone: true, progress }
      return { position: { pass: pass + 1 }, progress, resumeInMs: laterMs }
    },
  })
}
