import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Takes the telemetry of removed projects away, after the answer to the one who removed them. The projects are
 * noted in the accounts database, so that a service that was killed goes on where it was.
 */

export interface RemovedProjects {
  /** Resolves when what there is to do is done, or has failed and is left for later. Never rejects. */
  sweep(): Promise<void>
  /** Resolves when nothing is under way any more. Nothing begins afterwards. */
  stop(): Promise<void>
}

interface Ports {
  readonly accounts: Pick<AccountStores, 'removedProjects'>
  readonly telemetry: Pick<TelemetryStore, 'removeProject'>
  readonly clock: Clock
  readonly log: Log
}

/** Requests that were let in before the removal are over by then, with whatever they have stored: it goes too. */
const lateMs = 10 * 60_000
const againMs = 5 * 60_000

export function openRemovedProjects(ports: Ports): RemovedProjects {
  let running: Promise<void> | undefined
  let isRequested = false
  let isStopping = false
  const sweep = async () => {
    isRequested = true
    running ??= (async () => {
      while (isRequested && !isStopping) {
        isRequested = false
        await sweepOnce(ports, () => isStopping)
      }
      running = undefined
    })()
    return running
  }
  const timer = setInterval(() => void sweep(), againMs).unref()
  return {
    sweep,
    async stop() {
      isStopping = true
      clearInterval(timer)
      await running
    },
  }
}

async function sweepOnce(
  { accounts, telemetry, clock, log }: Ports,
  isStopping: () => boolean,
): Promise<void> {
  try {
    for (const { project_id, removed_at } of await accounts.removedProjects.list()) {
      const isLate = clock.now().getTime() - Date.parse(removed_at) > lateMs
      do {
        if (isStopping()) return
      } while ((await telemetry.removeProject(project_id)) === 'more')
      if (isLate) await accounts.removedProjects.remove(project_id)
    }
  } catch (error) {
    // It is done again later, from the note that is still there.
    log.error('telemetry of a removed project could not be taken away', error)
  }
}
