import { join } from 'node:path'
import { allEndpoints } from '@assay/contract/all.ts'
import {
  type AnyEndpoint,
  endpointName,
  isServedBy,
  type Product,
} from '@assay/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { accessControl } from './accounts/access-control.ts'
import { openRefusedSignIns } from './accounts/refused-sign-ins.ts'
import { openSignInRateLimiter } from './accounts/sign-in-rate-limiter.ts'

import { openReplies, type Replies } from './chat-replies/replies.ts'
import { openAgentCounter } from './cost-estimate/agent-counter.ts'

import type { DocumentOutbound } from './documents/document-outbound.ts'
import { openDocumentBudget, openDocumentReader } from './documents/document-reader.ts'

import { accountCleanupJob } from './features/account-cleanup/account-cleanup-job.ts'
import { type AlertJobPorts, alertJobs } from './features/alerts/alert-jobs.ts'
import { registerAlerts } from './features/alerts/routes.ts'
import { openMailLimit } from './features/alerts/send-message.ts'
import { registerAuditLog } from './features/audit-log/routes.ts'
import {
  type ChatAttachmentPorts,
  registerChatAttachments,
} from './features/chat-attachments/routes.ts'
import { type ChatScanPorts, registerChatScan } from './features/chat-scan/routes.ts'
import type { ChatStreamPorts } from './features/chat-stream/chat-stream-ports.ts'
import { registerChatStream } from './features/chat-stream/routes.ts'
import { type ConversationPorts, registerConversations } from './features/conversations/routes.ts'
import { registerCostCalculator } from './features/cost-calculator/routes.ts'
import { registerRunExecution } from './features/cost-runs/execute-routes.ts'
import { registerCostRuns } from './features/cost-runs/routes.ts'
import { registerEncryptionKeys } from './features/encryption-keys/routes.ts'
import {
  type BulkEvaluationJobPorts,
  bulkEvaluationJob,
} from './features/evaluation/bulk/bulk-evaluation-job.ts'
import { toApiBulkEvaluation } from './features/evaluation/bulk/bulk-evaluation-progress.ts'
import { openEvaluationRunner } from './features/evaluation/evaluation-runner.ts'
import { registerEvaluation } from './features/evaluation/routes.ts'
import {
  findRuleWorkJob,
  type RuleJobPorts,
  ruleJob,
} from './features/evaluation/rules/rule-jobs.ts'
import { simulationScoring } from './features/evaluation/score-simulation.ts'
import { registerExplanations } from './features/explanations/routes.ts'
import { registerIngestJson } from './features/ingest-json/routes.ts'
import { registerIngestOtlp } from './features/ingest-otlp/routes.ts'
import { registerJobs } from './features/jobs/routes.ts'
import { registerLogs } from './features/logs/routes.ts'
import { registerMailboxKeys } from './features/mailbox-keys/routes.ts'
import { registerMembers } from './features/members/routes.ts'
import { registerMetrics } from './features/metrics/routes.ts'
import { registerModelConfigs } from './features/model-configs/routes.ts'
import { projectRemovalJob } from './features/organizations/project-removal-job.ts'
import { registerOrganizations } from './features/organizations/routes.ts'
import { registerPasswordReset } from './features/password-reset/routes.ts'
import { registerPlatform } from './features/platform/routes.ts'
import { repricingJob } from './features/prices/repricing-job.ts'
import { registerRepricing, toApiRepricing } from './features/prices/repricing-routes.ts'
import { registerPrices } from './features/prices/routes.ts'
import { registerProfile } from './features/profile/routes.ts'
import { retentionJob } from './features/retention/retention-job.ts'
import { registerStorage } from './features/retention/routes.ts'
import { registerSampleData } from './features/sample-data/routes.ts'
import { registerSavedViews } from './features/saved-views/routes.ts'
import { registerSessionTransfer } from './features/session-transfer/routes.ts'
import { registerSignIn } from './features/sign-in/routes.ts'
import { registerSso } from './features/sso/routes.ts'
import { openSamlVerifier } from './features/sso/saml-verifier.ts'
import { registerSynthetic } from './features/synthetic/routes.ts'
import { openSourceReader } from './features/synthetic/source-reader.ts'
import { registerTraceRuns } from './features/trace-runs/routes.ts'
import { openRunReader } from './features/trace-runs/run-reader.ts'
import { registerTraceManagement } from './features/traces/management-routes.ts'
import { registerTraces } from './features/traces/routes.ts'
import { registerStats } from './features/traces/stats-routes.ts'
import {
  openTraceChanges,
  type TraceChanges,
  traceChangesJob,
} from './features/traces/trace-changes.ts'
import { registerTracingKeys } from './features/tracing-keys/routes.ts'
import { binder, type Host } from './http/bind.ts'
import { openBodyShares } from './http/body-shares.ts'
import type { Bind } from './http/call.ts'
import { closeServers } from './http/close-servers.ts'
import { openCursors } from './http/cursor.ts'
import { serveDescription } from './http/description.ts'
import { serveHealth } from './http/health.ts'
import { openJsonResponses } from './http/json-responses.ts'
import { type CheckLargeJson, checkLargeJsonTask } from './http/large-json.ts'
import { openStreams } from './http/open-streams.ts'
import { isLocalService } from './http/request-address.ts'
import { onRequestCompleted } from './http/request-metrics.ts'
import { openRequestTurns } from './http/request-turns.ts'
import { createServer } from './http/server.ts'
import { sessionCookie, signInCookie } from './http/session-cookie.ts'
import { serveWebApp } from './http/web-app.ts'
import type { IngestWorkers } from './ingest-workers/ingest-workers.ts'
import { type JobRunner, openJobRunner } from './jobs/runner.ts'
import { openChainTurns } from './key-directory/read-chain.ts'
import type { ModelOutbound } from './model-gateway/model-outbound.ts'
import { openModels } from './model-gateway/models.ts'
import { type ProjectPrices, projectPrices } from './models/project-prices.ts'
import type { Clock } from './platform/clock.ts'
import type { Counters } from './platform/counters.ts'
import type { ResolveTxt } from './platform/dns-txt.ts'
import type { Log } from './platform/log.ts'
import type { Mailer } from './platform/mail.ts'
import type { PlatformModelSettings } from './platform/model-settings.ts'
import type { Outbound } from './platform/outbound-fetch.ts'
import { openPasswords, passwordsAtOnce } from './platform/password-hash.ts'
import type { SecretBox } from './platform/secret-box.ts'
import type { WebhookOutbound } from './platform/webhook-outbound.ts'
import type { ServiceMetrics } from './service-metrics.ts'
import { openServiceTraces } from './service-traces/service-traces.ts'
import type { Accounts } from './storage/accounts/connect.ts'
import { openProbe } from './storage/probe.ts'
import type { TelemetryStore } from './storage/telemetry/port/store.ts'

/*
 * The composition root: ports in, a server with every feature out.
 */

export interface AppPorts {
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  /** Why the stores cannot be relied on, without paths. */
  readonly findStoreProblem: () => Promise<string | undefined>
  readonly ingestWorkers: IngestWorkers
  readonly clock: Clock
  readonly log: Log
  readonly setupToken: string
  readonly baseUrl: string
  readonly chatBaseUrl: string
  readonly trustProxy: number | readonly string[] | false
  /** Undefined: no mail is sent. */
  readonly mailer: Mailer | undefined
  readonly secretBox: SecretBox
  /** To identity providers, by the rules for those. */
  readonly ssoOutbound: Outbound
  /** To models, by the rules for those. */
  readonly modelOutbound: ModelOutbound
  /** To public addresses. */
  readonly documentOutbound: DocumentOutbound
  /** By the rules for webhooks. */
  readonly webhookOutbound: WebhookOutbound
  /** Undefined: features that need it do without. */
  readonly platformModel: PlatformModelSettings | undefined
  readonly resolveTxt: ResolveTxt
  /** What the judges of one evaluation may cost. */
  readonly judgeBudgetUsd: number
  /** How long rules wait for late spans of a trace. */
  readonly evaluationDelayMs: number
  /** What differs from the usual limits of replies. */
  readonly replyLimits?: Parameters<typeof openReplies>[1]
  readonly metricsToken: string | undefined
  readonly metrics: ServiceMetrics
  /** Undefined: what a project does not limit is kept. */
  readonly retentionDays?: number | undefined
  /** The folders of the built web apps; undefined serves the API alone. */
  readonly webFolders: Readonly<Record<Product, string>> | undefined
}

export interface App {
  /** The tracing product's. */
  readonly server: FastifyInstance
  readonly chatServer: FastifyInstance
  /**
   * For the time before `stop`: `/readyz` is 503 and connections are closed after their response, so that new requests go
   * to other processes, and so do jobs.
   */
  startDraining(): void
  /**
   * Ends streams, closes the listeners, and lets requests under way finish for some seconds, then disconnects their
   * clients. The ports stay open.
   */
  stop(): Promise<void>
}

/** How long requests in flight and steps of jobs may take after a stop. */
const finishMs = 4_000

export async function buildApp(ports: AppPorts): Promise<App> {
  const { accounts, ingestWorkers, clock, metrics, secretBox: box } = ports
  const { countRejections } = metrics
  const telemetry = metrics.measured(ports.telemetry)
  const [draining, stopping] = [new AbortController(), new AbortController()]
  const { tracing, chat } = hosts(ports, draining.signal, stopping.signal)
  const bind = binder([tracing, chat])
  const { access } = tracing.ports
  const counters = accounts.openCounters(clock)
  const { signIn, samlVerifier } = registerAccounts(bind, { ...ports, counters })
  const prices = projectPrices(accounts, clock)
  const traceChanges = openTraceChanges({ accounts, telemetry, clock })
  const models = openModels({ ...ports, box, outbound: ports.modelOutbound })
  const { processes, closeProcesses } = openProcesses(ports.log)
  const { evaluationRunner, agentCounter, runReader } = processes
  const serviceTraces = openServiceTraces({ ...ports, telemetry })
  const evaluating = { ...ports, telemetry, serviceTraces, models, evaluationRunner }
  const mailLimit = openMailLimit(counters)
  const runner = openJobs({ ...evaluating, box, mailLimit }, prices, traceChanges)
  metrics.addJobs(runner)
  if (accounts.isShared) metrics.addNotifications(accounts.notifications)
  const completion = completeTraceChanges(traceChanges, stopping.signal, ports)
  const toDetails = { repricing: toApiRepricing, evaluation: toApiBulkEvaluation }
  registerJobs({ bind, accounts, runner, clock, toDetails })
  registerOrganizations({ bind, accounts, runner, clock })
  registerTracingKeys({ bind, accounts, clock })
  registerModelConfigs({ bind, accounts, clock, box, models, outbound: ports.modelOutbound })
  registerPrices({ bind, accounts, telemetry, prices, clock })
  registerRepricing({ bind, accounts, telemetry, prices, runner, clock })
  registerIngestJson({ bind, telemetry, ingestWorkers, prices, countRejections })
  registerIngestOtlp({ bind, telemetry, ingestWorkers, prices, countRejections })
  registerSampleData({ bind, accounts, telemetry, ingestWorkers, prices, runner, clock })
  registerMetrics({ bind, telemetry, clock })
  registerLogs({ bind, telemetry })
  registerTraces({ bind, telemetry })
  registerStats({ bind, telemetry, clock })
  registerTraceManagement({ bind, accounts, telemetry, traceChanges, ingestWorkers, clock })
  registerSavedViews({ bind, accounts, clock })
  registerExplanations({ bind, models })
  registerEvaluation({ ...evaluating, bind, runner })
  const estimating = { accounts, prices, clock, agentCounter }
  registerCostCalculator({ ...estimating, bind })
  registerCostRuns({ ...evaluating, ...estimating, bind, stopping: stopping.signal })
  registerTraceRuns({ bind, telemetry, runReader, clock: ports.clock })
  const reading = { ...processes, documents: openDocumentBudget() }
  const replies = registerChat({ ...evaluating, ...reading, bind, access, box }, ports.replyLimits)
  registerSynthetic({ ...evaluating, ...reading, outbound: ports.documentOutbound, bind })
  const openScoring = simulationScoring(evaluating)
  registerRunExecution({ ...evaluating, bind, openScoring, stopping: stopping.signal })
  registerAlerts({ ...ports, counters, bind, box, runner, mailLimit })
  registerStorage({ bind, accounts, telemetry, retentionDays: ports.retentionDays })
  await servePages(tracing.server, chat.server, draining.signal, ports)
  return {
    server: tracing.server,
    chatServer: chat.server,
    startDraining() {
      draining.abort()
      runner.stop().catch((error: unknown) => ports.log.error('jobs could not be stopped', error))
    },
    async stop() {
      stopping.abort()
      const closed = closeServers([tracing.server, chat.server], finishMs)
      await Promise.all([runner.stop(), completion, replies.stop(), serviceTraces.stop(), closed])
      await Promise.all([samlVerifier.close(), closeProcesses()])
      await signIn.refusedSignIns.flush()
    },
  }
}

/** Each reads or counts in a process of its own, which starts when it is first used. */
function openProcesses(log: Log) {
  const processes = {
    evaluationRunner: openEvaluationRunner({ log }),
    agentCounter: openAgentCounter(log),
    runReader: openRunReader(log),
    documentReader: openDocumentReader(log),
    sourceReader: openSourceReader(log),
  }
  const closeProcesses = async () => {
    await Promise.all(Object.values(processes).map((one) => one.close()))
  }
  return { processes, closeProcesses }
}

/** What is not an endpoint of the contract. */
async function servePages(
  tracing: FastifyInstance,
  chat: FastifyInstance,
  draining: AbortSignal,
  ports: AppPorts,
) {
  serveDescription(tracing, listEndpoints('tracing'), ports.baseUrl)
  serveDescription(chat, listEndpoints('chat'), ports.chatBaseUrl)
  for (const server of [tracing, chat]) serveMonitoring(server, draining, ports)
  if (ports.webFolders === undefined) return
  await serveWebApp(tracing, ports.webFolders.tracing)
  await serveWebApp(chat, ports.webFolders.chat)
}

type ChatPorts = ChatScanPorts &
  ChatAttachmentPorts &
  ConversationPorts &
  ChatStreamPorts & { readonly box: SecretBox }

/** The features of the chat product. Returns what ends its replies. */
function registerChat(
  shared: Omit<ChatPorts, 'replies' | 'approvalKey' | 'challengeSecret' | 'chainTurns'>,
  limits: AppPorts['replyLimits'],
): Pick<Replies, 'stop'> {
  const { notifications } = shared.accounts
  const replies = openReplies({ notifications, log: shared.log }, limits)
  const approvalKey = shared.box.deriveKey('approved values in conversations')
  const challengeSecret = shared.box.deriveKey('encryption key challenges')
  const chainTurns = openChainTurns()
  const ports: ChatPorts = { ...shared, replies, approvalKey, challengeSecret, chainTurns }
  registerEncryptionKeys(ports)
  registerMailboxKeys(ports)
  registerChatScan(ports)
  registerChatAttachments(ports)
  registerConversations(ports)
  registerChatStream(ports)
  return replies
}

/** What concerns people and their access: sign-in, single sign-on, members, the audit log. */
function registerAccounts(bind: Bind, ports: AppPorts & { readonly counters: Counters }) {
  const { accounts, counters, clock, log, baseUrl, mailer } = ports
  const { secretBox: box, ssoOutbound: outbound, resolveTxt } = ports
  const signIn = {
    ...{ accounts, counters, clock },
    signInPasswords: openPasswords(passwordsAtOnce.signIn),
    passwords: openPasswords(passwordsAtOnce.others),
    rateLimiter: openSignInRateLimiter(counters),
    refusedSignIns: openRefusedSignIns({ accounts, counters, clock, log }),
  }
  const products = { tracing: baseUrl, chat: ports.chatBaseUrl }
  registerSignIn({ ...signIn, bind, mailer, setupToken: ports.setupToken, products })
  registerPasswordReset({ ...signIn, bind, mailer, log, baseUrl })
  registerProfile({ ...signIn, bind })
  registerSessionTransfer({ ...signIn, bind, baseUrls: products })
  const samlVerifier = openSamlVerifier({ log })
  registerSso({ ...signIn, bind, log, box, outbound, resolveTxt, samlVerifier, baseUrl })
  registerMembers({ bind, accounts, counters, clock, mailer, log, baseUrl })
  registerAuditLog({ bind, accounts, clock })
  registerPlatform({ bind, accounts, clock })
  return { signIn, samlVerifier }
}

function serveMonitoring(server: FastifyInstance, draining: AbortSignal, ports: AppPorts): void {
  const { accounts, metrics, metricsToken } = ports
  const failed = 'The accounts database does not respond.'
  const findAccountsProblem = openProbe(
    () =>
      accounts.probe().then(
        () => undefined,
        () => failed,
      ),
    failed,
  )
  serveHealth(server, {
    findProcessProblem: () => (draining.aborted ? 'The service is stopping.' : undefined),
    findStorageProblem: async () =>
      (await ports.findStoreProblem()) ?? (await findAccountsProblem()),
    metricsToken,
    isLocal: isLocal(ports),
    metrics: () => metrics.text(),
  })
  onRequestCompleted(server, (request) => metrics.onRequestCompleted(request))
}

/**
 * At once, because few spans can have arrived for a trace whose removal was interrupted. Requests do not wait for it.
 * Where other processes may be in the middle of changes, the job completes those that were interrupted, a minute later.
 */
async function completeTraceChanges(
  changes: TraceChanges,
  signal: AbortSignal,
  { accounts, clock, log }: AppPorts,
) {
  if (accounts.isShared) return
  try {
    await changes.completePending(clock.now(), signal)
  } catch (error) {
    log.error('interrupted changes of traces could not be completed', error)
  }
}

function openJobs(
  ports: AppPorts & BulkEvaluationJobPorts & RuleJobPorts & AlertJobPorts,
  prices: ProjectPrices,
  traceChanges: TraceChanges,
): JobRunner {
  const { accounts, telemetry, clock, log, retentionDays } = ports
  const jobs = [
    repricingJob({ telemetry, prices }),
    bulkEvaluationJob(ports),
    findRuleWorkJob(ports),
    ruleJob(ports),
    projectRemovalJob(telemetry, accounts.conversations),
    retentionJob({ accounts, telemetry, clock, log, retentionDays }),
    traceChangesJob(traceChanges, clock),
    ...alertJobs(ports),
    accountCleanupJob(accounts, clock),
  ]
  const { notifications } = accounts
  return openJobRunner({ accounts, jobs, notifications, log, stopWithinMs: finishMs })
}

/** The two products' servers, each with the cookies and pages of its own origin. */
function hosts(
  ports: AppPorts,
  draining: AbortSignal,
  stopping: AbortSignal,
): Record<Product, Host> {
  const { accounts, clock, log, trustProxy } = ports
  const access = accessControl(accounts, clock)
  const bodyShares = openBodyShares()
  const checkLargeJson: CheckLargeJson = (declared, bytes, requester) => {
    const task = { endpoint: endpointName(declared), bytes }
    const load = { requester, sizeBytes: bytes.byteLength, parts: [bytes] }
    return ports.ingestWorkers.run(checkLargeJsonTask, task, load)
  }
  const streams = openStreams(stopping)
  const responses = openJsonResponses()
  const turns = openRequestTurns()
  const cursors = openCursors(ports.secretBox.deriveKey('cursors'))
  const host = (product: Product, baseUrl: string, setting: string): Host => ({
    server: createServer({
      ...{ log, trustProxy, turns, draining, endpoints: listEndpoints(product) },
      localAddress: isLocal(ports) ? { baseUrl, setting } : undefined,
    }),
    ports: {
      ...{ log, access, bodyShares, checkLargeJson, cursors, streams, responses, product },
      cookie: sessionCookie(baseUrl),
      signInCookie: signInCookie(baseUrl),
      origins: [new URL(baseUrl).origin],
    },
  })
  return {
    tracing: host('tracing', ports.baseUrl, 'ASSAY_BASE_URL'),
    chat: host('chat', ports.chatBaseUrl, 'ASSAY_CHAT_BASE_URL'),
  }
}

function isLocal({ baseUrl, chatBaseUrl, trustProxy }: AppPorts): boolean {
  return isLocalService([baseUrl, chatBaseUrl], trustProxy)
}

function listEndpoints(product: Product): readonly AnyEndpoint[] {
  return allEndpoints.filter((declared) => isServedBy(product, declared))
}

/** Where the build puts the web apps. */
export const builtWebFolders = {
  tracing: join(import.meta.dirname, '../../web/tracing/dist'),
  chat: join(import.meta.dirname, '../../web/chat/dist'),
}
