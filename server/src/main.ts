import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { toErrorText } from './platform/error-text.ts'

/*
 * The process: signals, and when it exits. Everything else is loaded later, so that the first process of a container can
 * be stopped from the start on.
 */

/** Ctrl+C reaches the process from the terminal and again through npm; within this time it counts once. */
const sameSignalMs = 1000

/** The kernel ignores signals of the first process of a container that have no handler. They end every other one. */
const isFirstOfContainer = process.pid === 1
/** Stops the service, once it has started. */
let stop: (() => Promise<void>) | undefined
let stoppingSince: number | undefined

if (isFirstOfContainer) handleSignals()
await start().catch((error: unknown) => exitWithError(formatError(error)))

async function start(): Promise<void> {
  const { startService } = await import('./start-service.ts')
  const service = await startService(() =>
    exitWithError('Assay stops: the telemetry store has failed.'),
  )
  stop = async () => {
    const unfinished = await service.stop()
    if (unfinished.length > 0) {
      killNow(
        `Assay stopped before ${unfinished.join(' and ')} had ended. Everything that was acknowledged is stored.`,
      )
    }
    process.exit(0)
  }
  if (!isFirstOfContainer) handleSignals()
  // A parent with an IPC channel may be killed without a chance to forward a signal, perhaps while this one started.
  process.once('disconnect', requestStop)
  if (process.connected === false) requestStop()
  process.stdout.write(service.announcement)
  // Otherwise only a process that stops by itself leaves compiled code for the next one, which is then ready sooner.
  flushCompileCache()
}

function handleSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop)
}

/** The first signal, or the end of a parent such as `npm start`, stops gracefully; a later signal exits at once. */
function requestStop(): void {
  // Nothing was acknowledged yet, and the files are as safe as after a power failure.
  if (stop === undefined) process.exit(0)
  if (stoppingSince === undefined) {
    stoppingSince = performance.now()
    stop().catch((error: unknown) => exitWithError(formatError(error)))
  } else if (performance.now() - stoppingSince > sameSignalMs) {
    killNow('Assay was stopped at once by a second signal.')
  }
}

/**
 * Ends the process although a thread may be in the middle of a call to the operating system or SQLite, for which
 * `process.exit` would wait. What is stored is safe, as after a power failure.
 */
function killNow(reason: string): void {
  try {
    writeSync(process.stderr.fd, `${reason}\n`)
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
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
