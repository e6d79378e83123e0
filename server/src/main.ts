import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { systemClock } from './platform/clock.ts'
import { type Config, readConfig } from './platform/config.ts'
import { toErrorText } from './platform/error-text.ts'
import { limitLog, openLog } from './platform/log.ts'
import { lockDataFolder } from './storage/data-folder.ts'

/*
 * The process: settings, the lock of a data folder, and what stops it. Everything else is loaded after the lock is
 * held, so that a second start fails at once.
 */

/** Ctrl+C reaches the process from the terminal and again through npm; within this time it counts once. */
const sameSignalMs = 1000

const reading = readConfig()
if ('problems' in reading) {
  exitWithError(reading.problems.join('\n'))
} else {
  const unknown = reading.unknown.map((name) => `${name} is not a setting of Assay.`)
  await start(reading.config, unknown).catch((error: unknown) => exitWithError(formatError(error)))
}

async function start(config: Config, warnings: readonly string[]): Promise<void> {
  const lines = openLog(config.logLevel, (line) => process.stderr.write(line))
  const log = limitLog(lines, systemClock)
  for (const warning of warnings) log.warn(warning)
  const folder = config.clickHouse === undefined ? lockDataFolder(config.dataDir) : undefined
  const { boot } = await import('./boot.ts')
  const service = await boot(config, log, (error) => {
    log.error('the telemetry store has failed', error)
    exitWithError('Assay stops: the telemetry store has failed.')
  })
  onStopRequest(async () => {
    const unfinished = await service.stop()
    if (unfinished.length > 0) {
      killNow(
        `Assay stopped before ${unfinished.join(' and ')} had ended. Everything that was acknowledged is stored.`,
      )
    }
    folder?.release()
    process.exit(0)
  })
  const ready = service.isSetUp ? 'Assay is ready' : 'Assay is ready. Open this link to set it up'
  process.stdout.write(`${ready}: ${service.link}\nAssay Chat: ${service.chatLink}\n`)
  // Otherwise only a process that stops by itself leaves compiled code for the next one, which is then ready sooner.
  flushCompileCache()
}

/**
 * Ends the process although a thread may be in the middle of a call to the operating system or SQLite, for which
 * `process.exit` would wait. What is stored is safe, as after a power failure.
 */
function killNow(reason: string): void {
  writeSync(process.stderr.fd, `${reason}\n`)
  process.kill(process.pid, 'SIGKILL')
}

/** The first signal, or the end of a parent such as `npm start`, stops gracefully; a later signal exits at once. */
function onStopRequest(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined
  const requestStop = () => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now()
      stop().catch((error: unknown) => exitWithError(formatError(error)))
    } else if (performance.now() - stoppingSince > sameSignalMs) {
      killNow('Assay was stopped at once by a second signal.')
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop)
  // A parent with an IPC channel may be killed without a chance to forward a signal, perhaps while this one started.
  process.once('disconnect', requestStop)
  if (process.connected === false) requestStop()
}

function exitWithError(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function formatError(error: unknown): string {
  const text = toErrorText(error)
  const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  return isInUse ? `${text}. Choose other ports with ASSAY_PORT and ASSAY_CHAT_PORT.` : text
}
