import { isIP } from 'node:net'
import { resolve } from 'node:path'
import {
  isModelBaseUrl,
  modelProviders,
  requiresApiKey,
  requiresBaseUrl,
} from '@assay/contract/model-configs.ts'
import { z } from 'zod'
import type { LogLevel } from './log.ts'
import type { MailSettings } from './mail.ts'
import {
  defaultModelNetworks,
  type PlatformModelSettings,
  parseModelName,
} from './model-settings.ts'
import {
  type Allowed,
  allowedDestinations,
  isLoopback,
  nothingAllowed,
  parseNetwork,
} from './network-rules.ts'
import {
  type ClickHouseSettings,
  hasReadableUser,
  parseClickHouseUrls,
  parsePostgresUrl,
  userEncoding,
} from './store-settings.ts'

/*
 * The settings of the service: what each environment variable accepts and means. Nothing else reads the environment.
 * The reference page of settings is generated from the schema below.
 */

export interface Config {
  readonly host: string
  readonly port: number
  /** Origin under which people and exporters reach the service; no trailing slash. */
  readonly baseUrl: string
  readonly chatPort: number
  /** The same for the chat product. */
  readonly chatBaseUrl: string
  /** Absolute path. */
  readonly dataDir: string
  /** Undefined: the embedded engine in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Each with some of the projects. Undefined: the embedded engine in `dataDir`. With it, nothing is stored there. */
  readonly clickHouse: readonly ClickHouseSettings[] | undefined
  /** The master secret. Undefined: generated once and kept in `dataDir`. */
  readonly secret: string | undefined
  /** The previous master secret, during a rotation. */
  readonly secretPrevious: string | undefined
  /** Private addresses, networks and hosts that are allowed for identity providers. */
  readonly ssoAllowed: Allowed
  /** The same for models. */
  readonly modelAllowed: Allowed
  /** The same for webhooks. */
  readonly webhookAllowed: Allowed
  /** Undefined: features that need it do without. */
  readonly platformModel: PlatformModelSettings | undefined
  readonly judgeBudgetUsd: number
  readonly evaluationDelayMs: number
  /** Undefined: generated at each start until the service is set up. */
  readonly setupToken: string | undefined
  /** False: forwarded headers are ignored. A number of proxies in front, or the proxies' own networks. */
  readonly trustProxy: false | number | readonly string[]
  readonly logLevel: LogLevel
  /** Undefined: no mail is sent. */
  readonly mail: MailSettings | undefined
  /** Undefined: `/metrics` is served to local clients only. */
  readonly metricsToken: string | undefined
  readonly retentionDays: number | undefined
  /** How long requests are still accepted after a request to stop. */
  readonly drainMs: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * `unknown` has a line for each ASSAY_ variable that is no setting; `problems` has these, too, after one for each invalid
 * setting, which may be missing because its name is misspelled.
 */
export type ConfigReading =
  | { readonly config: Config; readonly unknown: readonly string[] }
  | { readonly problems: readonly string[] }

interface SettingFacts {
  /** What the setting is for, in one sentence. */
  readonly help: string
  /** What it accepts, for the error message of an invalid value. */
  readonly accepts: string
  /** The default, for the reference page. */
  readonly fallback: string
}

function setting<Schema extends z.ZodType>(schema: Schema, facts: SettingFacts): Schema {
  return schema.meta({ ...facts })
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[]

/** All settings by variable. An empty variable counts as not set. */
export const settings = z.object({
  ASSAY_HOST: setting(z.string().refine(isHost).default('127.0.0.1'), {
    help: 'Address to listen on. Any address but a loopback address can be reached from other machines.',
    accepts: 'an IP address or a host name',
    fallback: '127.0.0.1',
  }),
  ASSAY_PORT: setting(decimal(1, 65_535).default(4600), {
    help: 'Port of the tracing product.',
    accepts: 'a whole number from 1 to 65535',
    fallback: '4600',
  }),
  ASSAY_BASE_URL: setting(z.string().transform(parseOrigin).optional(), {
    help: 'Public address of the tracing product, for example behind a reverse proxy. While it is a loopback address, requests to other hosts are refused.',
    accepts: 'an http or https origin without a path, such as https://assay.example.org',
    fallback: 'http, host and port; localhost for a loopback address',
  }),
  ASSAY_CHAT_PORT: setting(decimal(1, 65_535).default(4601), {
    help: 'Port of the chat product.',
    accepts: 'a whole number from 1 to 65535, other than ASSAY_PORT',
    fallback: '4601',
  }),
  ASSAY_CHAT_BASE_URL: setting(z.string().transform(parseOrigin).optional(), {
    help: 'Public address of the chat product.',
    accepts: 'an http or https origin without a path, such as https://chat.example.org',
    fallback: 'http, host and ASSAY_CHAT_PORT; localhost as for ASSAY_BASE_URL',
  }),
  ASSAY_DATA_DIR: setting(z.string().default('./data'), {
    help: 'Folder of the embedded engines. One process at a time can use it. Not used with ASSAY_CLICKHOUSE_URL.',
    accepts: 'a path, relative to the working folder or absolute',
    fallback: './data',
  }),
  ASSAY_DATABASE_URL: setting(z.string().transform(parsePostgresUrl).optional(), {
    help: 'PostgreSQL for accounts and settings.',
    accepts: `a URL of the form postgres://user:password@host:port/database; ${userEncoding}; required with ASSAY_CLICKHOUSE_URL`,
    fallback: 'the embedded engine in ASSAY_DATA_DIR',
  }),
  ASSAY_CLICKHOUSE_URL: setting(z.string().transform(parseClickHouseUrls).optional(), {
    help: 'ClickHouse for traces, metrics and logs. Nothing is then stored in ASSAY_DATA_DIR, and several processes can serve one installation. With several addresses, each has some of the projects.',
    accepts: `a URL of the form http://user:password@host:8123/database or https://…, or several different ones separated by commas; ${userEncoding}; the database is assay if absent; with ASSAY_DATABASE_URL`,
    fallback: 'the embedded engine in ASSAY_DATA_DIR',
  }),
  ASSAY_CLICKHOUSE_CLUSTER: setting(
    z
      .string()
      .regex(/^[\w.-]{1,63}$/)
      .optional(),
    {
      help: 'Cluster of ClickHouse, of one shard, whose servers are replicas of each other and have the tables. With several addresses, each of them has its own cluster with this name.',
      accepts:
        'the name of a cluster in the configuration of the server, with ASSAY_CLICKHOUSE_URL',
      fallback: 'none: a single server',
    },
  ),
  ASSAY_SECRET: setting(z.string().min(32).optional(), {
    help: 'Master secret that encrypts stored secrets, such as those of identity providers. Back it up separately from the database.',
    accepts:
      'at least 32 characters, such as `openssl rand -hex 32` prints; required with ASSAY_DATABASE_URL',
    fallback: 'generated at the first start into the file `secret` of ASSAY_DATA_DIR',
  }),
  ASSAY_SECRET_PREVIOUS: setting(z.string().min(32).optional(), {
    help: 'The previous ASSAY_SECRET, during a rotation.',
    accepts: 'at least 32 characters',
    fallback: 'none',
  }),
  ASSAY_SSO_ALLOW_NETWORKS: setting(z.string().transform(parseAllowed).default(nothingAllowed), {
    help: 'Private networks and plain HTTP hosts that are allowed for identity providers. Applies to no other requests.',
    accepts: 'a comma-separated list of addresses, CIDR ranges and host names',
    fallback: 'none: identity providers need public addresses and HTTPS',
  }),
  ASSAY_MODEL_ALLOW_NETWORKS: setting(z.string().transform(parseAllowed).optional(), {
    help: 'Private networks and plain HTTP hosts that are allowed for models of organizations, such as a server with Ollama or vLLM. Every person who may add a model can send requests there.',
    accepts: 'a comma-separated list of addresses, CIDR ranges and host names',
    fallback:
      'loopback addresses while ASSAY_HOST and the base URLs are loopback addresses without ASSAY_TRUST_PROXY; otherwise none: models need public addresses and HTTPS',
  }),
  ASSAY_WEBHOOK_ALLOW_NETWORKS: setting(z.string().transform(parseAllowed).optional(), {
    help: 'Private networks and plain HTTP hosts that are allowed for the webhooks of alert rules. Every person who may edit these can send messages there.',
    accepts: 'a comma-separated list of addresses, CIDR ranges and host names',
    fallback:
      'loopback addresses while ASSAY_HOST and the base URLs are loopback addresses without ASSAY_TRUST_PROXY; otherwise none: webhooks need public addresses and HTTPS',
  }),
  ASSAY_PLATFORM_MODEL: setting(z.string().transform(modelNameIn).optional(), {
    help: 'Model for what the service does without a model of the organization, such as explanations. The operator pays for it.',
    accepts: `a provider (${modelProviders.join(', ')}), a colon and a model, such as openai:gpt-5-mini`,
    fallback: 'none: explanations are made without a model',
  }),
  ASSAY_PLATFORM_MODEL_API_KEY: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .optional(),
    {
      help: 'API key of the platform model.',
      accepts:
        'visible ASCII characters, with ASSAY_PLATFORM_MODEL; required with it except for openai-compatible',
      fallback: 'none',
    },
  ),
  ASSAY_PLATFORM_MODEL_BASE_URL: setting(z.string().refine(isModelBaseUrl).optional(), {
    help: 'API of the platform model. It may be in a private network.',
    accepts:
      'an http or https URL without user name, query and fragment, with ASSAY_PLATFORM_MODEL; required for azure, bedrock and openai-compatible',
    fallback: "the provider's public API",
  }),
  ASSAY_PLATFORM_ALLOWANCE_USD: setting(dollars().default(5), {
    help: 'What each organization may spend on the platform model in a calendar month (UTC), in dollars.',
    accepts: 'a number from 0 to 1000000',
    fallback: '5',
  }),
  ASSAY_JUDGE_BUDGET_USD: setting(dollars().default(0.25), {
    help: 'What the judges of one evaluation of a trace may cost, in dollars. Judges that have not begun by then have a result with an error.',
    accepts: 'a number from 0 to 1000000',
    fallback: '0.25',
  }),
  ASSAY_EVALUATION_DELAY_SECONDS: setting(z.coerce.number().min(1).max(3600).default(30), {
    help: 'How long evaluation rules wait for late spans of a trace after its last one, in seconds.',
    accepts: 'a number from 1 to 3600',
    fallback: '30',
  }),
  ASSAY_SETUP_TOKEN: setting(z.string().min(16).optional(), {
    help: 'Token for the set-up page, until the service is set up.',
    accepts: 'at least 16 characters',
    fallback:
      'generated at each start until the service is set up, or, with ASSAY_CLICKHOUSE_URL, derived from ASSAY_SECRET; printed in the set-up link',
  }),
  ASSAY_SMTP_URL: setting(z.string().refine(isSmtpUrl).optional(), {
    help: 'Mail server for invites, password links and alerts.',
    accepts: `a URL of the form smtp://user:password@host:port or smtps://…; ${userEncoding}`,
    fallback: 'no mail: invite links are shown to the inviter only',
  }),
  ASSAY_MAIL_FROM: setting(z.string().refine(isSender).optional(), {
    help: 'Sender of mails.',
    accepts:
      'an address, such as assay@example.org or Assay <assay@example.org>, with ASSAY_SMTP_URL',
    fallback: 'none; required with ASSAY_SMTP_URL',
  }),
  ASSAY_TRUST_PROXY: setting(z.string().transform(trustedProxies).default(false), {
    help: "Proxies whose forwarded headers are trusted for the client's address and protocol.",
    accepts:
      'a number of proxies from 0 to 16, or a comma-separated list of addresses and CIDR ranges',
    fallback: 'none: forwarded headers are ignored',
  }),
  ASSAY_LOG_LEVEL: setting(z.enum(logLevels).default('info'), {
    help: 'Lowest level that is logged.',
    accepts: 'debug, info, warn or error',
    fallback: 'info',
  }),
  ASSAY_RETENTION_DAYS: setting(decimal(1, 3650).optional(), {
    help: 'Retention of traces, metrics and log records, in days. Projects can override it.',
    accepts: 'a whole number from 1 to 3650',
    fallback: 'none: everything is kept',
  }),
  ASSAY_DRAIN_SECONDS: setting(decimal(0, 300).default(0), {
    help: 'How long requests are still accepted after SIGTERM, while /readyz is 503, in seconds. Behind a load balancer: longer than it takes to notice that.',
    accepts: 'a whole number from 0 to 300',
    fallback: '0',
  }),
  ASSAY_METRICS_TOKEN: setting(z.string().min(16).optional(), {
    help: 'Bearer token for /metrics. Needed from other machines and through a proxy.',
    accepts: 'at least 16 characters',
    fallback:
      'none: /metrics is served to direct connections from the same machine only, and not with a public base URL or ASSAY_TRUST_PROXY',
  }),
})

/**
 * Reads all settings. Reports all invalid ones at once, by variable and what it accepts, never by value, which may be
 * a secret.
 */
export function readConfig(env: Environment = process.env): ConfigReading {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('ASSAY_') && value !== ''),
  )
  const unknown = Object.keys(given)
    .filter((name) => !(name in settings.shape) && !name.startsWith(testPrefix))
    .map((name) => `${name} is not a setting of Assay.`)
  const result = settings.safeParse(given)
  const wrong = result.success
    ? contradictionsIn(result.data)
    : new Set(result.error.issues.map((issue) => String(issue.path[0])))
  const problems = [...wrong].map((name) => {
    const verb = name in given ? 'must' : 'is not set: it must'
    return `${name} ${verb} be ${settingFacts(name).accepts}.`
  })
  if (!result.success || problems.length > 0) return { problems: [...problems, ...unknown] }
  return { config: toConfig(result.data), unknown }
}

/** Settings that are valid alone but contradict others. */
function contradictionsIn(given: z.output<typeof settings>): readonly string[] {
  const { ASSAY_SMTP_URL: smtpUrl, ASSAY_MAIL_FROM: from } = given
  return [
    ...(given.ASSAY_PORT === given.ASSAY_CHAT_PORT ? ['ASSAY_CHAT_PORT'] : []),
    ...contradictoryStores(given),
    ...((smtpUrl === undefined) === (from === undefined) ? [] : ['ASSAY_MAIL_FROM']),
    ...contradictoryModelSettings(given),
  ]
}

function contradictoryStores(given: z.output<typeof settings>): readonly string[] {
  const { ASSAY_DATABASE_URL: databaseUrl, ASSAY_CLICKHOUSE_URL: clickHouse } = given
  const isClusterAlone = given.ASSAY_CLICKHOUSE_CLUSTER !== undefined && clickHouse === undefined
  return [
    ...(databaseUrl !== undefined && given.ASSAY_SECRET === undefined ? ['ASSAY_SECRET'] : []),
    // Processes share the claims of idempotency keys, jobs and limits through PostgreSQL.
    ...(clickHouse !== undefined && databaseUrl === undefined ? ['ASSAY_DATABASE_URL'] : []),
    ...(isClusterAlone ? ['ASSAY_CLICKHOUSE_CLUSTER'] : []),
  ]
}

function contradictoryModelSettings(given: z.output<typeof settings>): readonly string[] {
  const { ASSAY_PLATFORM_MODEL: model, ASSAY_PLATFORM_MODEL_API_KEY: key } = given
  const { ASSAY_PLATFORM_MODEL_BASE_URL: baseUrl } = given
  if (model === undefined) {
    return [
      ...(key === undefined ? [] : ['ASSAY_PLATFORM_MODEL_API_KEY']),
      ...(baseUrl === undefined ? [] : ['ASSAY_PLATFORM_MODEL_BASE_URL']),
    ]
  }
  const isKeyMissing = key === undefined && requiresApiKey(model.provider)
  const isUrlMissing = baseUrl === undefined && requiresBaseUrl(model.provider)
  return [
    ...(isKeyMissing ? ['ASSAY_PLATFORM_MODEL_API_KEY'] : []),
    ...(isUrlMissing ? ['ASSAY_PLATFORM_MODEL_BASE_URL'] : []),
  ]
}

/** Variables with this prefix configure the tests only. */
const testPrefix = 'ASSAY_TEST_'

/** The texts of a setting for the reference page and error messages. */
export function settingFacts(name: string): SettingFacts {
  const schema = settings.shape[name as keyof typeof settings.shape]
  return schema.meta() as unknown as SettingFacts
}

function toConfig(given: z.output<typeof settings>): Config {
  const { ASSAY_HOST: host, ASSAY_PORT: port, ASSAY_CHAT_PORT: chatPort } = given
  const baseUrl = given.ASSAY_BASE_URL ?? ownOrigin(host, port)
  const chatBaseUrl = given.ASSAY_CHAT_BASE_URL ?? ownOrigin(host, chatPort)
  const isBehindProxy = given.ASSAY_TRUST_PROXY !== false
  const ownNetworks = defaultModelNetworks(host, [baseUrl, chatBaseUrl], isBehindProxy)
  return Object.freeze({
    ...{ host, port, baseUrl, chatPort, chatBaseUrl },
    dataDir: resolve(given.ASSAY_DATA_DIR),
    databaseUrl: given.ASSAY_DATABASE_URL,
    clickHouse: given.ASSAY_CLICKHOUSE_URL?.map((address) => ({
      ...address,
      cluster: given.ASSAY_CLICKHOUSE_CLUSTER,
    })),
    secret: given.ASSAY_SECRET,
    secretPrevious: given.ASSAY_SECRET_PREVIOUS,
    ssoAllowed: given.ASSAY_SSO_ALLOW_NETWORKS,
    modelAllowed: given.ASSAY_MODEL_ALLOW_NETWORKS ?? ownNetworks,
    webhookAllowed: given.ASSAY_WEBHOOK_ALLOW_NETWORKS ?? ownNetworks,
    platformModel: toPlatformModel(given),
    judgeBudgetUsd: given.ASSAY_JUDGE_BUDGET_USD,
    evaluationDelayMs: given.ASSAY_EVALUATION_DELAY_SECONDS * 1000,
    setupToken: given.ASSAY_SETUP_TOKEN,
    mail: toMailSettings(given.ASSAY_SMTP_URL, given.ASSAY_MAIL_FROM),
    trustProxy: given.ASSAY_TRUST_PROXY,
    logLevel: given.ASSAY_LOG_LEVEL,
    metricsToken: given.ASSAY_METRICS_TOKEN,
    retentionDays: given.ASSAY_RETENTION_DAYS,
    drainMs: given.ASSAY_DRAIN_SECONDS * 1000,
  })
}

function toPlatformModel(given: z.output<typeof settings>): PlatformModelSettings | undefined {
  if (given.ASSAY_PLATFORM_MODEL === undefined) return undefined
  return {
    ...given.ASSAY_PLATFORM_MODEL,
    apiKey: given.ASSAY_PLATFORM_MODEL_API_KEY ?? null,
    baseUrl: given.ASSAY_PLATFORM_MODEL_BASE_URL?.replace(/\/+$/, '') ?? null,
    allowanceUsd: given.ASSAY_PLATFORM_ALLOWANCE_USD,
  }
}

function toMailSettings(
  smtpUrl: string | undefined,
  from: string | undefined,
): MailSettings | undefined {
  return smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from }
}

// Browsers treat localhost as a secure context, and a wildcard address cannot be opened.
function ownOrigin(host: string, port: number): string {
  if (host === 'localhost' || isLoopback(host) || host === '0.0.0.0' || host === '::')
    return `http://localhost:${port}`
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

function decimal(least: number, most: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(least).max(most))
}

function dollars() {
  return z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().max(1_000_000))
}

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true
  const looksLikeAnAddress = /(^|\.)\d+$/.test(text)
  return hostName.test(text) && !looksLikeAnAddress
}

function parseOrigin(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (isOrigin) return url.origin
  context.addIssue('not an origin')
  return z.NEVER
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  const isAddress = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  return isAddress && hasReadableUser(text, url)
}

/** An address, or a name with the address in angle brackets. */
function isSender(text: string): boolean {
  return /^(?:[^<>@\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(text)
}

function parseAllowed(text: string, context: z.RefinementCtx): Allowed {
  const allowed = allowedDestinations(text.split(',').map((one) => one.trim()))
  if (allowed !== undefined) return allowed
  context.addIssue('not a list of addresses, networks and host names')
  return z.NEVER
}

function modelNameIn(text: string, context: z.RefinementCtx) {
  const name = parseModelName(text)
  if (name !== undefined) return name
  context.addIssue('not a provider and a model')
  return z.NEVER
}

const proxiesMax = 16

function trustedProxies(text: string, context: z.RefinementCtx): Config['trustProxy'] {
  if (/^\d+$/.test(text) && Number(text) <= proxiesMax) return Number(text) || false
  const networks = text.split(',').map((one) => one.trim())
  if (networks.every((network) => parseNetwork(network) !== undefined)) return networks
  context.addIssue('not a count or a list of networks')
  return z.NEVER
}
