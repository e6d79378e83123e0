import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@assay/contract/limits.ts'
import { openMasterKey } from './accounts/master-key.ts'
import { buildApp, builtWebFolders } from './app.ts'
import { openDocumentOutbound } from './documents/document-outbound.ts'
import { openIngestWorkers } from './ingest-workers/ingest-workers.ts'
import { openModelOutbound } from './model-gateway/model-outbound.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { openTxtResolver } from './platform/dns-txt.ts'
import { newSecret } from './platform/ids.ts'
import type { Log } from './platform/log.ts'
import { openMailer } from './platform/mail.ts'
import { openOutbound } from './platform/outbound-fetch.ts'
import { openOwnServers } from './platform/own-servers.ts'
import type { SecretBox } from './platform/secret-box.ts'
import { openWebhookOutbound } from './platform/webhook-outbound.ts'
import { openServiceMetrics } from './service-metrics.ts'
import { openAccounts } from './storage/accounts/connect.ts'
import { masterSecrets } from './storage/secret-file.ts'
import { openStorePlace, type StorePlace } from './storage/store-place.ts'

/*
 * Opens the stores and starts the servers in order, and closes them in reverse order.
 */

/** Responses of identity providers are small, and a person is waiting. */
const providerRules = {
  plainHttp: 'allowed',
  timeoutMs: 10_000,
  maxBytes: limits.ssoDocumentBytes.value,
} as const

export interface BootedService {
  /** Where to open the tracing product: the set-up link until the service is set up. */
  readonly link: string
  /** Where to open the chat product. */
  readonly chatLink: string
  readonly isSetUp: boolean
  /**
   * Takes at most ten seconds, after which supervisors kill, and the time for draining before that. Returns what had not
   * ended by then; the process should end all the same.
   */
  stop(): Promise<readonly string[]>
}

/**
 * What is closed, in order, and how long it may take, with the time that those before it have left over. Requests and jobs
 * are canceled before their time is up.
 */
const closing = {
  'requests and jobs': 5_500,
  'the decoding of requests': 500,
  'the telemetry store': 2_500,
  'the accounts database': 500,
} as const

/** A data folder must be locked already. `onFatal` is called when the telemetry store fails later. */
export async function boot(
  config: Config,
  log: Log,
  onFatal: (error: unknown) => void,
): Promise<BootedService> {
  const place = await openStorePlace(config, log, onFatal)
  const accounts = await openAccounts(config, log)
  const isSecretInUse = (await accounts.sealed.findCanary()) !== undefined
  const secrets = masterSecrets(config, isSecretInUse)
  const secretBox = await openMasterKey(secrets, accounts, config.clickHouse === undefined)
  const { telemetry, findProblem } = await place.openTelemetry(accounts)
  const ingestWorkers = openIngestWorkers({ engine: place.engine, log })
  const setupToken = config.setupToken ?? newSetupToken(place, secretBox)
  const isOwnServer = openOwnServers(databaseUrls(config))
  const metrics = openServiceMetrics()
  metrics.addProcessMetrics()
  const app = await buildApp({
    ...config,
    accounts,
    telemetry,
    findStoreProblem: findProblem,
    metrics,
    ingestWorkers,
    clock: systemClock,
    log,
    setupToken,
    mailer: config.mail && openMailer(config.mail),
    secretBox,
    ssoOutbound: openOutbound({ ...providerRules, allowed: config.ssoAllowed, isOwnServer }),
    modelOutbound: openModelOutbound(config.modelAllowed, { isOwnServer }),
    documentOutbound: openDocumentOutbound(isOwnServer),
    webhookOutbound: openWebhookOutbound(config.webhookAllowed, isOwnServer),
    resolveTxt: openTxtResolver(),
    webFolders: Object.values(builtWebFolders).every((folder) => existsSync(folder))
      ? builtWebFolders
      : undefined,
  })
  await app.server.listen({ host: config.host, port: config.port })
  await app.chatServer.listen({ host: config.host, port: config.chatPort })
  const isSetUp = await accounts.installation.isSetUp()
  return {
    link: isSetUp
      ? config.baseUrl
      : `${config.baseUrl}/setup?token=${encodeURIComponent(setupToken)}`,
    chatLink: config.chatBaseUrl,
    isSetUp,
    async stop() {
      app.startDraining()
      if (config.drainMs > 0) await sleep(config.drainMs)
      return await closeAll(log, {
        'requests and jobs': () => app.stop(),
        'the decoding of requests': () => ingestWorkers.close(),
        'the telemetry store': () => telemetry.close(),
        'the accounts database': () => accounts.close(),
      })
    },
  }
}

function databaseUrls({ databaseUrl, clickHouse = [] }: Config): readonly string[] {
  return [...(databaseUrl === undefined ? [] : [databaseUrl]), ...clickHouse.map(({ url }) => url)]
}

/** The same in every process that may get the request of the person who sets the service up. */
function newSetupToken({ isShared }: StorePlace, secretBox: SecretBox): string {
  return isShared ? secretBox.deriveKey('set-up token').toString('base64url') : newSecret(24)
}

/** One that cannot be closed does not keep the next ones from being closed. */
async function closeAll(
  log: Log,
  parts: Readonly<Record<keyof typeof closing, () => Promise<void>>>,
): Promise<readonly string[]> {
  const unfinished: string[] = []
  const startedAt = performance.now()
  let endMs = 0
  for (const [name, withinMs] of Object.entries(closing)) {
    endMs += withinMs
    const timeout = sleep(startedAt + endMs - performance.now(), 'late' as const)
    const closed = parts[name as keyof typeof closing]().catch((error: unknown) =>
      log.error(`${name} could not be closed`, error),
    )
    const ended = await Promise.race([closed, timeout])
    if (ended === 'late') unfinished.push(name)
  }
  return unfinished
}
