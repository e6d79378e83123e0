import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { email as emailShape, label } from '@assay/contract/fields.ts'
import { choosePasswordPage } from '@assay/contract/page-links.ts'
import { accessPattern } from '@assay/contract/platform.ts'
import type { z } from 'zod'
import { acceptLoss } from './accept-loss.ts'
import { commandLineActor } from './accounts/audit.ts'
import { toEmailKey } from './accounts/email.ts'
import { openMasterKey, rotateSecrets } from './accounts/master-key.ts'
import { makePasswordLink } from './accounts/password-link.ts'
import { addAccess, listAccess, removeAccess } from './features/platform/access.ts'
import { addPerson } from './features/platform/add-person.ts'
import { setDisabled, setSuperAdmin } from './features/platform/people.ts'
import { moveData } from './move-data.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, type Environment, readConfig } from './platform/config.ts'
import { toErrorText } from './platform/error-text.ts'
import { type Log, openLog } from './platform/log.ts'
import { formatAddress } from './platform/store-settings.ts'
import { probeUsage } from './probe/probe-options.ts'
import { type Accounts, openAccounts } from './storage/accounts/connect.ts'
import type { UserRow } from './storage/accounts/people-tables.ts'
import { backUpFolder } from './storage/backup.ts'
import { lockDataFolder } from './storage/data-folder.ts'
import { type Installation, openInstallation } from './storage/installation.ts'
import { addSecret, masterSecrets, removePreviousSecrets } from './storage/secret-file.ts'

/*
 * The commands of operators: they change accounts on the machine of the service, with the same rules and audit log as
 * the API.
 */

export interface Terminal {
  /** The settings. Default: those of the process. */
  readonly environment?: Environment
  print(line: string): void
  complain(line: string): void
}

interface Call {
  /** The arguments after the name of the command. */
  readonly words: readonly string[]
  readonly isSuperAdmin: boolean
  readonly accounts: Accounts
  readonly config: Config
  readonly print: Terminal['print']
  /** The current time. */
  readonly at: string
}

interface Command {
  /** The arguments in the usage; those in brackets are optional. */
  readonly takes: string
  readonly does: string
  /** The lines to print. */
  run(call: Call): Promise<readonly string[]>
  /** Instead of `run`, for a command that must not open the accounts. The folder is locked, unless ClickHouse replaces it. */
  readonly runOnFolder?: (call: OnFolder) => Promise<readonly string[]>
  /** Instead of `run`, for a command that locks the folder itself if it needs to. */
  readonly runBesideService?: (call: BesideService) => Promise<readonly string[]>
}

type OnFolder = Pick<Call, 'words' | 'config'> & { readonly log: Log }
type BesideService = Pick<Call, 'words' | 'config' | 'print'>

const commands: Readonly<Record<string, Command>> = {
  'user list': {
    takes: '[part]',
    does: 'List people; with a part, those whose address or name contains it.',
    run: listPeople,
  },
  'user add': {
    takes: '<address> <name> [--super-admin]',
    does: 'Add a person and print a link to choose a password.',
    async run({ words: [address, name], isSuperAdmin, accounts, config, at }) {
      const required = {
        email: checked(emailShape, 'address', address),
        name: checked(label, 'name', name),
        isSuperAdmin,
      }
      return linkLines(config, await addPerson(required, commandLineActor, at, accounts))
    },
  },
  'user password-link': {
    takes: '<address>',
    does: 'Print a link to choose a new password.',
    async run({ words: [address], accounts, config, at }) {
      const token = await accounts.transaction(async (stores) => {
        const user = await userActor(address, stores)
        return makePasswordLink(user, false, commandLineActor, at, stores)
      })
      return linkLines(config, choosePasswordPage(token))
    },
  },
  'user disable': {
    takes: '<address>',
    does: 'Disable a person and end all their sessions.',
    run: (call) => changed(call, (user) => setDisabled(user.id, true, ...actorArgs(call))),
  },
  'user enable': {
    takes: '<address>',
    does: 'Enable a disabled person.',
    run: (call) => changed(call, (user) => setDisabled(user.id, false, ...actorArgs(call))),
  },
  'user super-admin grant': {
    takes: '<address>',
    does: 'Make a person super admin.',
    run: (call) => changed(call, (user) => setSuperAdmin(user.id, true, ...actorArgs(call))),
  },
  'user super-admin revoke': {
    takes: '<address>',
    does: 'Remove super admin rights.',
    run: (call) => changed(call, (user) => setSuperAdmin(user.id, false, ...actorArgs(call))),
  },
  'access list': {
    takes: '',
    does: 'List the approved addresses and domains.',
    run: async ({ accounts }) => (await listAccess(accounts)).map(({ pattern }) => pattern),
  },
  'access add': {
    takes: '<address or @domain>',
    does: 'Approve an address, or all addresses of a domain.',
    async run({ words: [given], accounts, at }) {
      const pattern = checked(accessPattern, 'address or domain', given)
      const added = await addAccess(pattern, commandLineActor, at, accounts)
      return [`${added.pattern} is approved.`]
    },
  },
  'access remove': {
    takes: '<address or @domain>',
    does: 'Remove an approval. Existing accounts stay.',
    async run({ words: [given = ''], accounts, at }) {
      const all = await listAccess(accounts)
      const found = all.find(({ pattern }) => pattern === toEmailKey(given))
      if (found === undefined) throw new Error(`${given} is not approved.`)
      await removeAccess(found.id, commandLineActor, at, accounts)
      return [`${found.pattern} is no longer approved.`]
    },
  },
  'key rotate': {
    takes: '',
    does: 'Encrypt the stored secrets with the current master secret, or with a new one if the service keeps its own.',
    run: rotateKey,
  },
  backup: {
    takes: '<new folder>',
    does: 'Copy the data folder, also while the service uses it.',
    run: async () => [],
    runBesideService: backUp,
  },
  'data move': {
    takes: '',
    does: 'Move the data folder to the PostgreSQL and ClickHouse of the settings. The service must be stopped.',
    run: async () => [],
    runBesideService: ({ config, print }) => moveData(config, print),
  },
  'verify-cluster': {
    takes: '',
    does: 'Check ASSAY_CLICKHOUSE_URL in a database of its own, which is removed again.',
    run: async () => [],
    runBesideService: verifyClickHouse,
  },
  'data accept-loss': {
    takes: '[addresses]',
    does: 'Start without traces, metrics and logs after telemetry.sqlite was lost for good, or databases in ClickHouse, whose addresses are listed without any. All processes must be stopped.',
    run: async () => [],
    runOnFolder: ({ config, log, words: [lost] }) => acceptLoss(config, log, lost),
  },
}

/** Returns the exit code: 0 for success, 1 for a refused command and 2 for wrong usage. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print, complain } = terminal
  const parsed = parsedArgs(args)
  if (parsed === undefined) {
    for (const line of ['Unknown command or wrong arguments.', '', ...usage()]) complain(line)
    return 2
  }
  try {
    const lines = parsed.isHelp
      ? usage(parsed.command)
      : await ran(parsed, configIn(environment), terminal)
    for (const line of lines) print(line)
    return 0
  } catch (error) {
    complain(toErrorText(error))
    return 1
  }
}

function configIn(environment: Environment | undefined): Config {
  const reading = readConfig(environment)
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  return reading.config
}

interface Parsed {
  readonly isHelp: boolean
  readonly command: Command
  readonly words: readonly string[]
  readonly isSuperAdmin: boolean
}

/** Undefined for wrong usage. */
function parsedArgs(args: readonly string[]): Parsed | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'super-admin': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
    const isHelp = values.help === true || args.length === 0
    const isSuperAdmin = values['super-admin'] === true
    const found = parseCommand(positionals, isHelp)
    if (found === undefined) {
      return isHelp ? { isHelp, command: nothing, words: [], isSuperAdmin } : undefined
    }
    return { isHelp, ...found, isSuperAdmin }
  } catch {
    return undefined
  }
}

const nothing: Command = { takes: '', does: '', run: async () => [] }

/** The command at the start of the arguments, if the number of the others fits, or for help about it. */
function parseCommand(
  positionals: readonly string[],
  isHelp: boolean,
): { command: Command; words: readonly string[] } | undefined {
  for (const [name, command] of Object.entries(commands)) {
    const { length } = name.split(' ')
    if (positionals.slice(0, length).join(' ') !== name) continue
    const words = positionals.slice(length)
    const required = command.takes.match(/<[^>]+>/g)?.length ?? 0
    const optional = command.takes.match(/\[[^-\]]+\]/g)?.length ?? 0
    const isComplete = words.length >= required && words.length <= required + optional
    if (isComplete || isHelp) return { command, words }
  }
  return undefined
}

async function ran(parsed: Parsed, config: Config, { print, complain }: Terminal) {
  const { runOnFolder, runBesideService } = parsed.command
  if (runBesideService !== undefined) {
    return await runBesideService({ words: parsed.words, config, print })
  }
  const log = openLog('error', (line) => complain(line.trimEnd()))
  // With PostgreSQL, the command may run on another machine than the service.
  const usesFolder =
    config.clickHouse === undefined &&
    (runOnFolder !== undefined || config.databaseUrl === undefined)
  const folder = usesFolder
    ? lockedFolder(config.dataDir, runOnFolder === undefined ? ', or use the platform pages' : '')
    : undefined
  try {
    if (runOnFolder !== undefined) return await runOnFolder({ words: parsed.words, config, log })
    const installation = usesFolder ? await openInstallation(config, log) : undefined
    return await ranOnAccounts(parsed, { config, print }, log, installation)
  } finally {
    folder?.release()
  }
}

async function ranOnAccounts(
  { command, words, isSuperAdmin }: Parsed,
  { config, print }: Pick<Call, 'config' | 'print'>,
  log: Log,
  installation: Installation | undefined,
) {
  const accounts = await openAccounts(config, log)
  try {
    await installation?.claim(['accounts.sqlite'])
    const at = systemClock.now().toISOString()
    return await command.run({ words, isSuperAdmin, accounts, config, print, at })
  } finally {
    await accounts.close()
  }
}

/** `otherWay` ends the advice for a folder in use. */
function lockedFolder(dataDir: string, otherWay: string) {
  try {
    return lockDataFolder(dataDir)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${reason} Stop the service first${otherWay}.`, { cause })
  }
}

const peopleAtOnce = 500

async function listPeople({ words: [part], accounts }: Call): Promise<readonly string[]> {
  const lines: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await accounts.users.list({ limit: peopleAtOnce, after, part })
    lines.push(...page.map(personLine))
    if (page.length < peopleAtOnce) return lines
    after = page.at(-1)?.email_key
  }
}

function personLine(user: UserRow): string {
  const notes = [
    user.is_super_admin === 1 ? 'super admin' : '',
    user.disabled_at === null ? '' : 'disabled',
    user.email_verified_at === null ? 'unverified' : '',
  ]
  return [user.email, user.name, notes.filter((note) => note !== '').join(', ')]
    .join('\t')
    .trimEnd()
}

async function changed(
  { words: [address], accounts }: Call,
  change: (user: UserRow) => Promise<UserRow>,
): Promise<readonly string[]> {
  return [personLine(await change(await userActor(address, accounts)))]
}

// Can be interrupted: every secret stays readable, and the next call continues.
async function rotateKey({ accounts, config, print }: Call): Promise<readonly string[]> {
  const isKeptHere = config.secret === undefined && config.databaseUrl === undefined
  const isInUse = (await accounts.sealed.findCanary()) !== undefined
  const hasFolder = config.clickHouse === undefined
  await openMasterKey(masterSecrets(config, isInUse), accounts, hasFolder)
  if (isKeptHere) addSecret(config.dataDir)
  const box = await openMasterKey(masterSecrets(config), accounts, hasFolder)
  const { rewrapped } = await rotateSecrets(box, accounts, commandLineActor, (remaining) => {
    print(`Secrets under a previous master secret: ${remaining}`)
  })
  if (isKeptHere) removePreviousSecrets(config.dataDir)
  return [
    `Done: ${rewrapped} encrypted with the current master secret.`,
    'The previous one is needed only for older backups.',
  ]
}

async function verifyClickHouse({ config, print }: BesideService): Promise<readonly string[]> {
  if (config.clickHouse === undefined) throw new Error('Set ASSAY_CLICKHOUSE_URL.')
  // The client is loaded on demand.
  const { verifyCluster } = await import('./storage/telemetry/clickhouse/verify/verify-cluster.ts')
  const log = openLog('error', () => {})
  let failed = 0
  for (const server of config.clickHouse) {
    if (config.clickHouse.length > 1) print(`Database ${formatAddress(server)}:`)
    failed += await verifyCluster(server, log, print)
  }
  if (failed > 0) throw new Error(failed === 1 ? 'A check failed.' : `${failed} checks failed.`)
  return ['All checks passed.']
}

async function backUp({ words: [folder = ''], config, print }: BesideService) {
  if (config.clickHouse !== undefined) {
    throw new Error(
      'Everything is in PostgreSQL and ClickHouse: back these up (`pg_dump`, `BACKUP DATABASE`), PostgreSQL first.',
    )
  }
  let printedAtMs = performance.now()
  await backUpFolder(config, folder, (file, share) => {
    if (share < 1 && performance.now() - printedAtMs < progressEveryMs) return
    printedAtMs = performance.now()
    print(`${file}: ${Math.floor(share * 100)} %`)
  })
  return [
    `The backup is in ${resolve(folder)}. Its files are checked.`,
    ...(config.databaseUrl === undefined
      ? []
      : ['The accounts are in PostgreSQL: back up that database, too.']),
    ...(config.secret === undefined ? [] : ['Keep ASSAY_SECRET with it, in a safe place.']),
  ]
}

const progressEveryMs = 5000

function actorArgs({ at, accounts }: Call) {
  return [commandLineActor, at, accounts] as const
}

async function userActor(address = '', { users }: Pick<Accounts, 'users'>): Promise<UserRow> {
  const user = await users.findByEmailKey(toEmailKey(address))
  if (user === undefined) throw new Error(`There is no account for ${address}.`)
  return user
}

function linkLines({ baseUrl }: Config, path: string): readonly string[] {
  return ['Choose a password with this link, which works once, within an hour:', baseUrl + path]
}

function checked<Shape extends z.ZodType>(shape: Shape, name: string, given: unknown) {
  const result = shape.safeParse(given)
  if (result.success) return result.data
  throw new Error(`The ${name} ${result.error.issues[0]?.message ?? 'is not valid'}.`)
}

/** Of one command, or of all of them. */
function usage(of: Command = nothing): readonly string[] {
  const rows = Object.entries(commands)
    .filter(([, command]) => of === nothing || of === command)
    .flatMap(([name, { takes, does }]) => [
      `  npm run assay -- ${name} ${takes}`.trimEnd(),
      `      ${does}`,
    ])
  if (of !== nothing) return rows
  return [
    'Manage the service, on its machine or, with PostgreSQL, on any with its settings:',
    '',
    ...rows,
    '',
    'Except for backup and verify-cluster, stop the service first if accounts are in the data folder. With PostgreSQL, it can keep running, except during data move and data accept-loss.',
    '',
    'Probe a running service:',
    '',
    ...probeUsage,
  ]
}
