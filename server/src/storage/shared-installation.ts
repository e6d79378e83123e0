import { toErrorText } from '../platform/error-text.ts'
import { Unavailable } from '../platform/failure.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { type ClickHouseSettings, formatAddress } from '../platform/store-settings.ts'
import {
  type FoundDatabase,
  inspectDatabase,
  markDatabase,
  type RecordedShard,
  recordShard,
  removeShards,
} from './accounts/database-identity.ts'
import type { FoundTables } from './telemetry/clickhouse/installation-identity.ts'
import type { ShardServers } from './telemetry/clickhouse/shards/open-shards.ts'

/*
 * The identity of an installation without a data folder: a random id in PostgreSQL and in each database of ClickHouse,
 * its shards, which have ids of their own. PostgreSQL also records the shards, so that an empty database is not taken for
 * one of them, and their addresses may be given in any order.
 */

export interface SharedSettings {
  readonly databaseUrl: string
  /** One for each shard. */
  readonly clickHouse: readonly ClickHouseSettings[]
}

/** Its `claim` is called when both stores have been created: from then on neither is accepted without the other. */
export type SharedInstallation = ShardServers

const accountsName = 'The database in ASSAY_DATABASE_URL'
const hasNoTables = `${accountsName} has no tables of Assay`
const areInFolder = 'The traces of this installation are in a data folder, not in ClickHouse.'
const restoreAdvice =
  'Check the addresses, or restore the databases from a backup: see "Back up" in docs/guides/scale-out.md.'

/**
 * Checks that all databases belong together. Throws a one-line error, and creates nothing, when one is missing, empty
 * although it has been used, or of another installation. A shard that does not respond is awaited, unless none does.
 */
export async function openSharedInstallation(
  { databaseUrl, clickHouse }: SharedSettings,
  log: Log,
): Promise<SharedInstallation> {
  const accounts = await inspectDatabase(databaseUrl, log)
  if (accounts.telemetry === 'telemetry.sqlite') {
    throw new Error(`${areInFolder} Remove ASSAY_CLICKHOUSE_URL, or move them there first.`)
  }
  const nameOf = namesOf(clickHouse)
  const { found, unreachable } = await inspectAll(clickHouse)
  for (const each of found) checkOwner(each, accounts, nameOf)
  checkMoved(found, nameOf)
  checkDistinct(found, nameOf)
  const missing = listMissing(accounts.shards, found)
  const isLost = accounts.telemetry === 'ClickHouse' && !found.some(isMarked)
  if (unreachable.length === 0 && (isLost || missing.length > 0)) throw lostShards(missing, found)
  // One that is there has to respond, and so has a new one. None is lost while it may be one that does not respond.
  if (unreachable.length > 0 && (found.length === 0 || missing.length !== unreachable.length)) {
    throw unreachableServers(unreachable, clickHouse, missing)
  }
  for (const { server, error } of unreachable) {
    log.warn('ClickHouse cannot be reached', {
      ...{ server: formatAddress(server), error: toErrorText(error) },
    })
  }
  const awaiting = new Set(unreachable.map(toServer))
  return {
    // The first to be recorded is one that has been used.
    servers: found.toSorted((a, b) => Number(isMarked(b)) - Number(isMarked(a))).map(toServer),
    awaited: unreachable.map(toServer),
    awaitedIds: new Set(missing.map(({ id }) => id)),

    async findAddress(shardId) {
      const { shards } = await inspectDatabase(databaseUrl, log)
      return shards.find(({ id }) => id === shardId)?.address
    },

    async claim(server) {
      const address = formatAddress(server)
      const { shardId } = found.find((each) => each.server === server) ?? {}
      const isRecorded = accounts.shards.some(
        (each) => each.id === shardId && each.address === address,
      )
      const { markShard, markTables, shareIdentity } = await clickHouseIdentity()
      if (shardId !== undefined && isRecorded && accounts.installationId !== undefined) {
        const ids = { installation_identity: accounts.installationId, shard_identity: shardId }
        await shareIdentity(server, ids)
        return shardId
      }
      const id = await markDatabase(databaseUrl, accounts.installationId ?? newId(), log)
      await markTables(server, id)
      return await recordShard(databaseUrl, address, () => markShard(server), log)
    },

    async identify(server) {
      const tables = { server, ...(await inspect(server)) }
      checkOwner(tables, accounts, nameOf)
      if (missing.some(({ id }) => id === tables.shardId)) {
        if (awaiting.delete(server)) found.push(tables)
        return tables.shardId ?? ''
      }
      throw lostShards(listMissing(missing, found), [...found, tables], awaiting.size > 1)
    },
  }
}

/**
 * Accepts that the traces of missing shards are lost, each of which `given` names by its recorded address: the next start
 * creates new tables. Throws a one-line error, and gives up nothing, while none is missing or when others are named.
 */
export async function acceptLostTables(
  { databaseUrl, clickHouse }: SharedSettings,
  given: readonly string[],
  log: Log,
): Promise<void> {
  const { found, unreachable } = await inspectAll(clickHouse)
  if (unreachable.length > 0) throw unreachableServers(unreachable, clickHouse)
  const accounts = await inspectDatabase(databaseUrl, log)
  if (accounts.telemetry === 'telemetry.sqlite') {
    throw new Error(`${areInFolder} To give those up, remove ASSAY_CLICKHOUSE_URL first.`)
  }
  for (const each of found) checkOwner(each, accounts, namesOf(clickHouse))
  const missing = listMissing(accounts.shards, found)
  const [used] = found.filter(({ isUsed }) => isUsed)
  if (missing.length === 0 && used !== undefined) {
    throw new Error(
      `${namesOf(clickHouse)(used.server)} is in use. To start without it, name another one.`,
    )
  }
  if (!accounts.isUsed) throw new Error(`${hasNoTables}. ${restoreAdvice}`)
  checkGiven(given, missing)
  await removeShards(
    databaseUrl,
    missing.map(({ id }) => id),
    log,
  )
}

/** One that is missing may be alive, because its address was left out or is wrong. */
function checkGiven(given: readonly string[], missing: readonly RecordedShard[]): void {
  const lost = new Set(missing.map(({ address }) => address))
  if (lost.symmetricDifference(new Set(given)).size === 0) return
  const addresses = [...lost].join(',')
  throw new Error(
    lost.size === 0
      ? 'No database of ClickHouse is missing. Run the command without addresses.'
      : `Not in ASSAY_CLICKHOUSE_URL, or empty: ${addresses}. If that is lost for good, \`npm run assay -- data accept-loss ${addresses}\` gives its traces, metrics and logs up. If not, correct ASSAY_CLICKHOUSE_URL.`,
  )
}

interface FoundShard extends FoundTables {
  readonly server: ClickHouseSettings
}

interface Unreachable {
  readonly server: ClickHouseSettings
  readonly error: Unavailable
}

type NameOf = (server: ClickHouseSettings) => string

/** The subject of a sentence about a database. */
function namesOf(servers: readonly ClickHouseSettings[]): NameOf {
  return (server) =>
    servers.length === 1
      ? 'The database in ASSAY_CLICKHOUSE_URL'
      : `The database ${formatAddress(server)} in ASSAY_CLICKHOUSE_URL`
}

async function inspectAll(servers: readonly ClickHouseSettings[]) {
  const found: FoundShard[] = []
  const unreachable: Unreachable[] = []
  const inspectOne = async (server: ClickHouseSettings) => {
    try {
      found.push({ server, ...(await inspect(server)) })
    } catch (error) {
      if (!(error instanceof Unavailable)) throw namingServer(error, server, servers)
      unreachable.push({ server, error })
    }
  }
  await Promise.all(servers.map(inspectOne))
  return { found, unreachable }
}

async function inspect(server: ClickHouseSettings): Promise<FoundTables> {
  const { inspectTables } = await clickHouseIdentity()
  return await inspectTables(server)
}

function toServer({ server }: { readonly server: ClickHouseSettings }): ClickHouseSettings {
  return server
}

function isMarked({ installationId }: FoundShard): boolean {
  return installationId !== undefined
}

/** Where there are several, the message has the address. */
function namingServer(
  error: unknown,
  server: ClickHouseSettings,
  { length }: readonly ClickHouseSettings[],
): unknown {
  if (length === 1 || !(error instanceof Error)) return error
  return new Error(describeFailure(error, server), { cause: error })
}

function describeFailure(error: unknown, server: ClickHouseSettings): string {
  const [address, text] = [formatAddress(server), toErrorText(error)]
  return text.includes(address) ? text : `${address}: ${text}`
}

/** Also names what has been used before at other addresses: one of those that do not respond may be a wrong one. */
function unreachableServers(
  unreachable: readonly Unreachable[],
  servers: readonly ClickHouseSettings[],
  missing: readonly RecordedShard[] = [],
): Error {
  const failures = unreachable
    .toSorted((a, b) => servers.indexOf(a.server) - servers.indexOf(b.server))
    .map(({ server, error }) =>
      servers.length === 1 ? toErrorText(error) : describeFailure(error, server),
    )
  const given = servers.map(formatAddress)
  const others = missing.map(({ address }) => address).filter((one) => !given.includes(one))
  const used =
    others.length === 0
      ? []
      : [`Used before, but not in ASSAY_CLICKHOUSE_URL: ${others.join(', ')}.`]
  return new Error([...failures, ...used].join(' '), { cause: unreachable[0]?.error })
}

/** The recorded shards that no database is. */
function listMissing(
  recorded: readonly RecordedShard[],
  found: readonly FoundShard[],
): readonly RecordedShard[] {
  return recorded.filter(({ id }) => found.every(({ shardId }) => shardId !== id))
}

/** A loss is not suggested while others are awaited. */
function lostShards(
  missing: readonly RecordedShard[],
  found: readonly FoundShard[],
  areOthersAwaited = false,
): Error {
  const addresses = missing.map(({ address }) => address).join(', ')
  const problem =
    found.length === 1 && !found.some(isMarked)
      ? 'The database in ASSAY_CLICKHOUSE_URL is empty, but has been used before.'
      : `Not every database of ClickHouse that has been used before is in ASSAY_CLICKHOUSE_URL, or one is empty: ${addresses}.`
  if (areOthersAwaited) return new Error(`${problem} ${restoreAdvice}`)
  return new Error(
    `${problem} ${restoreAdvice} Without a backup, \`npm run assay -- data accept-loss\` gives the traces, metrics and logs up and keeps the accounts.`,
  )
}

function checkOwner(
  { server, installationId }: FoundShard,
  accounts: FoundDatabase,
  nameOf: NameOf,
) {
  if (installationId === undefined || installationId === accounts.installationId) return
  throw new Error(
    accounts.isUsed
      ? `${nameOf(server)} does not belong to the database in ASSAY_DATABASE_URL: it is of another installation. ${restoreAdvice}`
      : `${hasNoTables}, but the one in ASSAY_CLICKHOUSE_URL has been used. If \`npm run assay -- data move\` was interrupted, run it again. ${restoreAdvice}`,
  )
}

/** Where telemetry is moved again after a loss, the accounts are there already. */
function checkMoved(found: readonly FoundShard[], nameOf: NameOf): void {
  const moving = found.find(({ isMoving, shardId }) => isMoving && shardId === undefined)
  if (moving === undefined) return
  throw new Error(
    `${nameOf(moving.server)} has only a part of a data folder. Run \`npm run assay -- data move\` again, to its end, or drop the database.`,
  )
}

/** One database may have several addresses. */
function checkDistinct(found: readonly FoundShard[], nameOf: NameOf): void {
  for (const [index, { server, shardId }] of found.entries()) {
    const same = found.slice(index + 1).find((other) => other.shardId === shardId)
    if (shardId === undefined || same === undefined) continue
    throw new Error(`${nameOf(server)} is the same as ${formatAddress(same.server)}.`)
  }
}

/** The client is loaded on demand: most installations have files. */
function clickHouseIdentity() {
  return import('./telemetry/clickhouse/installation-identity.ts')
}
