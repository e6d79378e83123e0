import { tolerateClosedOutput } from './closed-output.ts'
import { systemClock } from './platform/clock.ts'
import { readConfig } from './platform/config.ts'
import { limitLog, openLog } from './platform/log.ts'
import { lockDataFolder } from './storage/data-folder.ts'

/*
 * Starts the service: settings, and the lock of a data folder. Everything else is loaded after the lock is held, so that a
 * second start fails at once.
 */

export interface StartedService {
  /** What to print. */
  readonly announcement: string
  /** Returns what had not ended in time; the process should exit all the same. */
  stop(): Promise<readonly string[]>
}

/** Throws an error that states what to change. `onFatal` is called when the telemetry store fails later. */
export async function startService(onFatal: () => void): Promise<StartedService> {
  tolerateClosedOutput()
  const reading = readConfig()
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  const { config } = reading
  const lines = openLog(config.logLevel, (line) => process.stderr.write(line))
  const log = limitLog(lines, systemClock)
  for (const line of reading.unknown) log.warn(line)
  const folder = config.clickHouse === undefined ? lockDataFolder(config.dataDir) : undefined
  const { boot } = await import('./boot.ts')
  const service = await boot(config, log, (error) => {
    log.error('the telemetry store has failed', error)
    onFatal()
  })
  const ready = service.isSetUp ? 'Assay is ready' : 'Assay is ready. Open this link to set it up'
  return {
    announcement: `${ready}: ${service.link}\nAssay Chat: ${service.chatLink}\n`,
    async stop() {
      const unfinished = await service.stop()
      if (unfinished.length === 0) folder?.release()
      return unfinished
    },
  }
}
