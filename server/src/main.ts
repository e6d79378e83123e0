import { existsSync } from 'node:fs'
import { openMasterKey } from './accounts/master-key.ts'
import { buildApp, builtWebFolder } from './app.ts'
import { openIngestWorkers } from './ingest-workers/ingest-workers.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, readConfig } from './platform/config.ts'
import { openTxtResolver } from './platform/dns-txt.ts'
import { newSecret } from './platform/ids.ts'
import { openLog } from './platform/log.ts'
import { openMailer } from './platform/mail.ts'
import { openOutbound } from './platform/outbound-fetch.ts'
import { openAccounts } from './storage/accounts/connect.ts'
import { lockDataFolder } from './storage/data-folder.ts'
import { masterSecrets } from './storage/secret-file.ts'
import { openTelemetry } from './storage/telemetry/engines.ts'

/*
 * The process: settings, stores, server, and the order in which they start and stop.
 */

/** Longer than any request but a stalled one, shorter than what supervisors wait before they kill. */
const stopWithinMs = 25_000

/** Ctrl+C reaches the process from the terminal and again through npm: within this time it is one wish. */
const sameSignalMs = 1000

/** What is asked of identity providers is small, and somebody waits for it. */
const providerRules = { plainHttp: 'allowed', timeoutMs: 10_000, maxBytes: 1024 * 1024 } as const

const reading = readConfig()
if ('problems' in reading) {
  exitWithError(reading.problems.join('\n'))
} else {
  const unknown = reading.unknown.map((name) => `${name} is not a setting of Assay.`)
  await start(reading.config, unknown).catch((error: unknown) => exitWithError(sentenceOf(error)))
}

async function start(config: Config, warnings: readonly string[]): Promise<void> {
  const log = openLog(config.logLevel, (line) => process.stderr.write(line))
  for (const warning of warnings) log.warn(warning)
  const { dataDir } = config
  const folder = lockDataFolder(dataDir)
  const [accounts, telemetry] = await Promise.all([
    openAccounts(config, log),
    openTelemetry({
      engine: 'sqlite',
      dataDir,
      log,
      onFatal(error) {
        log.error('the telemetry store has failed', error)
        exitWithError('Assay stops: the telemetry store has failed.')
      },
    }),
  ])
  const secretBox = await openMasterKey(masterSecrets(config), accounts)
  const ingestWorkers = openIngestWorkers({ engine: 'sqlite', log })
  const setupToken = config.setupToken ?? newSecret(24)
  const app = await buildApp({
    ...config,
    accounts,
    telemetry,
    ingestWorkers,
    clock: systemClock,
    log,
    setupToken,
    mailer: config.mail && openMailer(config.mail),
    secretBox,
    ssoOutbound: openOutbound({ ...providerRules, allowed: config.ssoAllowed }),
    resolveTxt: openTxtResolver(),
    webFolder: existsSync(builtWebFolder) ? builtWebFolder : undefined,
  })
  await app.server.listen({ host: config.host, port: config.port })
  await app.chatServer.listen({ host: config.host, port: config.chatPort })
  const setupPath = (await accounts.installation.isSetUp()) ? '' : `/setup?token=${setupToken}`
  const next = setupPath === '' ? 'Assay is ready' : 'Assay is ready. Open this link to set it up'
  process.stdout.write(`${next}: ${config.baseUrl}${setupPath}\n`)

  onStopSignal(async () => {
    setTimeout(() => process.exit(1), stopWithinMs)
    await app.stop()
    await ingestWorkers.close()
    await telemetry.close()
    await accounts.close()
    folder.release()
    process.exit(0)
  })
}

/** The first signal stops in order; a later one does not wait. */
function onStopSignal(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now()
        stop().catch((error: unknown) => exitWithError(sentenceOf(error)))
      } else if (performance.now() - stoppingSince > sameSignalMs) {
        process.exit(1)
      }
    })
  }
}

function exitWithError(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return `${error.message}. Choose other ports with ASSAY_PORT and ASSAY_CHAT_PORT.`
  }
  return error.message
}
