import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { LogLevel } from './log.ts'
import type { MailSettings } from './mail.ts'
import {
  type Allowed,
  allowedDestinations,
  isLoopback,
  nothingAllowed,
  parseNetwork,
} from './network-rules.ts'

/*
 * The settings of the service: what each environment variable accepts and means, and the only reader of
 * the environment. The reference page of settings is printed from the schema below.
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
  /** What the stored secrets are sealed with. Undefined: made once and kept in `dataDir`. */
  readonly secret: string | undefined
  /** Opens what was sealed with it, until that has been changed over. */
  readonly secretPrevious: string | undefined
  /** Private addresses, networks and hosts that identity providers may have. */
  readonly ssoAllowed: Allowed
  /** Undefined: the service makes one at each start until the first person exists. */
  readonly setupToken: string | undefined
  /** False: forwarded headers are ignored. A number of proxies in front, or the proxies' own networks. */
  readonly trustProxy: false | number | readonly string[]
  readonly logLevel: LogLevel
  /** Undefined: no mail is sent. */
  readonly mail: MailSettings | undefined
  /** Undefined: `/metrics` is served to local clients only. */
  readonly metricsToken: string | undefined
  readonly retentionDays: number | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

/** `unknown` names the ASSAY_ variables that nothing reads; `problems` are lines to show, one a wrong setting. */
export type ConfigReading =
  | { readonly config: Config; readonly unknown: readonly string[] }
  | { readonly problems: readonly string[] }

interface SettingFacts {
  /** What the setting is for, in one sentence. */
  readonly help: string
  /** What it accepts, as the refusal of a wrong value tells it. */
  readonly accepts: string
  /** What holds without it, as the reference page tells it. */
  readonly fallback: string
}

function setting<Schema extends z.ZodType>(schema: Schema, facts: SettingFacts): Schema {
  return schema.meta({ ...facts })
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[]

/** Every setting there is, by variable. A variable that is set but empty counts as not set. */
export const settings = z.object({
  ASSAY_HOST: setting(z.string().refine(isHost).default('127.0.0.1'), {
    help: 'Address the service listens on. Everything but a loopback address is reachable from other machines.',
    accepts: 'an IP address or a host name',
    fallback: '127.0.0.1',
  }),
  ASSAY_PORT: setting(decimal(1, 65_535).default(4600), {
    help: 'Port the service listens on.',
    accepts: 'a whole number from 1 to 65535',
    fallback: '4600',
  }),
  ASSAY_BASE_URL: setting(z.string().transform(originOf).optional(), {
    help: 'Address under which people and exporters reach the service, when that is not host and port: behind a proxy, for example.',
    accepts: 'an http or https origin without a path, such as https://assay.example.org',
    fallback: 'http, host and port; localhost where the service listens on a loopback address',
  }),
  ASSAY_CHAT_PORT: setting(decimal(1, 65_535).default(4601), {
    help: 'Port the chat product listens on, at the same address.',
    accepts: 'a whole number from 1 to 65535, other than ASSAY_PORT',
    fallback: '4601',
  }),
  ASSAY_CHAT_BASE_URL: setting(z.string().transform(originOf).optional(), {
    help: 'Address under which people reach the chat product, when that is not host and port.',
    accepts: 'an http or https origin without a path, such as https://chat.example.org',
    fallback: 'http, host and ASSAY_CHAT_PORT; localhost as for ASSAY_BASE_URL',
  }),
  ASSAY_DATA_DIR: setting(z.string().default('./data'), {
    help: 'Folder of the embedded engines. It belongs to one process at a time.',
    accepts: 'a path, relative to the working folder or absolute',
    fallback: './data',
  }),
  ASSAY_DATABASE_URL: setting(z.string().refine(isPostgresUrl).optional(), {
    help: 'PostgreSQL for accounts and settings.',
    accepts: 'a URL of the form postgres://user:password@host:port/database',
    fallback: 'the embedded engine in ASSAY_DATA_DIR',
  }),
  ASSAY_SECRET: setting(z.string().min(32).optional(), {
    help: 'Master secret with which stored secrets, such as those for identity providers, are sealed. Keep a copy of it apart from the database.',
    accepts: 'at least 32 characters; needed with ASSAY_DATABASE_URL',
    fallback: 'made at the first start and kept in the file `secret` of ASSAY_DATA_DIR',
  }),
  ASSAY_SECRET_PREVIOUS: setting(z.string().min(32).optional(), {
    help: 'The former ASSAY_SECRET, while stored secrets are being changed over to a new one.',
    accepts: 'at least 32 characters',
    fallback: 'none',
  }),
  ASSAY_SSO_ALLOW_NETWORKS: setting(z.string().transform(ssoAllowedIn).default(nothingAllowed), {
    help: 'Identity providers in private networks, and those that speak plain HTTP. Requests of no other kind may go there.',
    accepts: 'a comma-separated list of addresses, CIDR ranges and host names',
    fallback: 'none: identity providers have public addresses and speak HTTPS',
  }),
  ASSAY_SETUP_TOKEN: setting(z.string().min(16).optional(), {
    help: 'Secret that the set-up page asks for, once, before the first person exists.',
    accepts: 'at least 16 characters',
    fallback:
      'made at each start until the first person exists, and printed as part of the set-up link',
  }),
  ASSAY_SMTP_URL: setting(z.string().refine(isSmtpUrl).optional(), {
    help: 'Mail server through which invites and links for new passwords are sent.',
    accepts: 'a URL of the form smtp://user:password@host:port or smtps://…',
    fallback: 'no mail is sent: invite links are shown to the inviter only',
  }),
  ASSAY_MAIL_FROM: setting(z.string().refine(isSender).optional(), {
    help: 'Sender of the mails.',
    accepts:
      'an address, such as assay@example.org or Assay <assay@example.org>, with ASSAY_SMTP_URL',
    fallback: 'none; needed with ASSAY_SMTP_URL',
  }),
  ASSAY_TRUST_PROXY: setting(z.string().transform(trustedProxies).default(false), {
    help: "Proxies whose forwarded headers tell the client's address and protocol.",
    accepts:
      'a number of proxies from 0 to 16, or a comma-separated list of addresses and CIDR ranges',
    fallback: 'none: forwarded headers are ignored',
  }),
  ASSAY_LOG_LEVEL: setting(z.enum(logLevels).default('info'), {
    help: 'The least important kind of line that is logged.',
    accepts: 'debug, info, warn or error',
    fallback: 'info',
  }),
  ASSAY_RETENTION_DAYS: setting(decimal(1, 3650).optional(), {
    help: 'Days that traces, metrics and log records are kept where a project says nothing else.',
    accepts: 'a whole number from 1 to 3650',
    fallback: 'none: everything is kept',
  }),
  ASSAY_METRICS_TOKEN: setting(z.string().min(16).optional(), {
    help: 'Bearer token for /metrics. Needed from other machines and through a proxy.',
    accepts: 'at least 16 characters',
    fallback: 'none: /metrics is served to direct connections from the same machine only',
  }),
})

/**
 * Reads all settings. Tells every wrong one at once, by its variable and what it accepts and never by its
 * value, which may be a secret.
 */
export function readConfig(env: Environment = process.env): ConfigReading {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('ASSAY_') && value !== ''),
  )
  const unsupported = unsupportedSettings.filter((name) => name in given)
  if (unsupported.length > 0) {
    return {
      problems: unsupported.map(
        (name) => `${name} is not supported yet. Remove it: telemetry is stored in ASSAY_DATA_DIR.`,
      ),
    }
  }
  const result = settings.safeParse(given)
  if (!result.success) {
    const wrong = new Set(result.error.issues.map((issue) => String(issue.path[0])))
    return { problems: [...wrong].map((name) => `${name} must be ${factsOf(name).accepts}.`) }
  }
  const contradictory = contradictionsIn(result.data)
  if (contradictory.length > 0) {
    return { problems: contradictory.map((name) => `${name} must be ${factsOf(name).accepts}.`) }
  }
  const unknown = Object.keys(given).filter(
    (name) => !(name in settings.shape) && !name.startsWith(testPrefix),
  )
  return { config: configOf(result.data), unknown }
}

/** Settings of an engine that this version does not have. Ignoring one would store the data elsewhere. */
const unsupportedSettings = ['ASSAY_CLICKHOUSE_URL', 'ASSAY_CLICKHOUSE_CLUSTER']

/** The settings that are right by themselves and wrong beside the others. */
function contradictionsIn(given: z.output<typeof settings>): readonly string[] {
  const { ASSAY_SMTP_URL: smtpUrl, ASSAY_MAIL_FROM: from } = given
  return [
    ...(given.ASSAY_PORT === given.ASSAY_CHAT_PORT ? ['ASSAY_CHAT_PORT'] : []),
    ...(given.ASSAY_DATABASE_URL !== undefined && given.ASSAY_SECRET === undefined
      ? ['ASSAY_SECRET']
      : []),
    ...((smtpUrl === undefined) === (from === undefined) ? [] : ['ASSAY_MAIL_FROM']),
  ]
}

/** Variables of this prefix steer the tests and mean nothing to the service. */
const testPrefix = 'ASSAY_TEST_'

/** What the reference page and the refusals say of a setting. */
export function factsOf(name: string): SettingFacts {
  const schema = settings.shape[name as keyof typeof settings.shape]
  return schema.meta() as unknown as SettingFacts
}

function configOf(given: z.output<typeof settings>): Config {
  const { ASSAY_HOST: host, ASSAY_PORT: port, ASSAY_CHAT_PORT: chatPort } = given
  return Object.freeze({
    host,
    port,
    baseUrl: given.ASSAY_BASE_URL ?? ownOrigin(host, port),
    chatPort,
    chatBaseUrl: given.ASSAY_CHAT_BASE_URL ?? ownOrigin(host, chatPort),
    dataDir: resolve(given.ASSAY_DATA_DIR),
    databaseUrl: given.ASSAY_DATABASE_URL,
    secret: given.ASSAY_SECRET,
    secretPrevious: given.ASSAY_SECRET_PREVIOUS,
    ssoAllowed: given.ASSAY_SSO_ALLOW_NETWORKS,
    setupToken: given.ASSAY_SETUP_TOKEN,
    mail: mailOf(given.ASSAY_SMTP_URL, given.ASSAY_MAIL_FROM),
    trustProxy: given.ASSAY_TRUST_PROXY,
    logLevel: given.ASSAY_LOG_LEVEL,
    metricsToken: given.ASSAY_METRICS_TOKEN,
    retentionDays: given.ASSAY_RETENTION_DAYS,
  })
}

function mailOf(smtpUrl: string | undefined, from: string | undefined): MailSettings | undefined {
  return smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from }
}

// Browsers treat localhost as a secure context whatever the port, and an address to listen on
// everywhere is no address to send anyone to.
function ownOrigin(host: string, port: number): string {
  if (host === 'localhost' || isLoopback(host) || host === '0.0.0.0' || host === '::')
    return `http://localhost:${port}`
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

function decimal(least: number, most: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(least).max(most))
}

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true
  const looksLikeAnAddress = /(^|\.)\d+$/.test(text)
  return hostName.test(text) && !looksLikeAnAddress
}

function originOf(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (isOrigin) return url.origin
  context.addIssue('not an origin')
  return z.NEVER
}

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== ''
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
}

/** An address, alone or in angle brackets behind a name. */
function isSender(text: string): boolean {
  return /^(?:[^<>@\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(text)
}

function ssoAllowedIn(text: string, context: z.RefinementCtx): Allowed {
  const allowed = allowedDestinations(text.split(',').map((one) => one.trim()))
  if (allowed !== undefined) return allowed
  context.addIssue('not a list of addresses, networks and host names')
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
