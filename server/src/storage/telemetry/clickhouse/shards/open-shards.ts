import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '../../../../platform/failure.ts'
import { setNewest } from '../../../../platform/recent-entries.ts'
import { type ClickHouseSettings, formatAddress } from '../../../../platform/store-settings.ts'
import type { AccountStores } from '../../../accounts/stores.ts'
import { unreachable } from '../connection-errors.ts'
import type { ClickHouseTelemetrySettings } from '../engine.ts'
import { openShard, type Shard, type SharedParts } from '../open-store.ts'

/*
 * The databases of ClickHouse among which the projects are divided, and which of them has a project.
 */

/** The servers of the settings, and which shards they are. */
export interface ShardServers {
  /** That respond. */
  readonly servers: readonly ClickHouseSettings[]
  /** That do not respond yet. They are of the installation. */
  readonly awaited: readonly ClickHouseSettings[]
  /** The shards of those. */
  readonly awaitedIds: ReadonlySet<string>
  /** Claims the tables of a server for the installation; returns the id of its shard. */
  claim(server: ClickHouseSettings): Promise<string>
  /** The server and the database of a shard, as a start of any process has recorded them. */
  findAddress(shardId: string): Promise<string | undefined>
  /** The id of the shard of an awaited server. Throws when it is none, or of another installation. */
  identify(server: ClickHouseSettings): Promise<string>
}

export interface ShardSettings
  extends Omit<ClickHouseTelemetrySettings, 'url' | 'database' | 'cluster'> {
  readonly installation: ShardServers
  readonly projectShards: AccountStores['projectShards']
}

export interface Shards {
  /** That of a project, which is assigned when it is used first. Rejects with `Unavailable` if it does not respond. */
  of(projectId: string): Promise<Shard>
  /** Those that have responded since the start. */
  list(): readonly Shard[]
  /** Whether those are all. */
  isComplete(): boolean
  close(): Promise<void>
}

/** Between two attempts to open one that does not respond. */
const retryMs = 1000
/** For clients of a process that has to be restarted. */
const retryAfterSeconds = 2
const rememberedProjects = 100_000

/** Opens all that respond, and the others once they do. */
export async function openShards(settings: ShardSettings, shared: SharedParts): Promise<Shards> {
  const { installation, projectShards, log } = settings
  const byId = await openAll(settings, shared)
  const closing = new AbortController()
  const { signal } = closing
  let waiting = installation.awaited.length

  const openLater = async (server: ClickHouseSettings) => {
    let reported = ''
    while (!signal.aborted) {
      try {
        const id = await installation.identify(server)
        byId.set(id, await openShard({ ...settings, ...server }, shared))
        waiting -= 1
        log.warn('ClickHouse can be reached again', { server: formatAddress(server) })
        return
      } catch (error) {
        if (!(error instanceof Unavailable) && reported !== String(error)) {
          reported = String(error)
          log.error('a database of ClickHouse cannot be used', error, {
            server: formatAddress(server),
          })
        }
      }
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const opening = installation.awaited.map(openLater)

  const assigned = new Map<string, Promise<string>>()
  const assign = async (projectId: string): Promise<string> => {
    const found = await projectShards.find(projectId)
    if (found !== undefined) return found
    const responding = await Promise.all(
      [...byId].map(async ([id, shard]) => ((await shard.probe()) ? [id] : [])),
    )
    const ids = responding.flat().toSorted()
    if (ids.length === 0) throw unreachable()
    return await projectShards.assign(projectId, ids)
  }
  const idOf = (projectId: string): Promise<string> => {
    const known = assigned.get(projectId)
    if (known !== undefined) return known
    const id = assign(projectId)
    setNewest(assigned, projectId, id, rememberedProjects)
    id.catch(() => assigned.delete(projectId))
    return id
  }
  const reportUnknown = openUnknownReport(settings)
  return {
    async of(projectId) {
      const id = await idOf(projectId)
      const shard = byId.get(id)
      if (shard !== undefined) return shard
      // Its server has not responded since the start, or was added to the settings of another process.
      if (installation.awaitedIds.has(id)) throw unreachable()
      reportUnknown(id)
      throw new Unavailable(withoutAddress, retryAfterSeconds)
    },
    list: () => [...byId.values()],
    isComplete: () => waiting === 0,
    async close() {
      closing.abort()
      await Promise.all(opening)
      await Promise.all([...byId.values()].map((shard) => shard.close()))
    },
  }
}

const withoutAddress =
  "This process does not have the address of the project's ClickHouse server in ASSAY_CLICKHOUSE_URL yet. Restart it with all addresses."

/** Logs a shard that is not in the settings of this process once, not with each request. */
function openUnknownReport({ installation, log }: ShardSettings): (shardId: string) => void {
  const reported = new Set<string>()
  const report = async (shardId: string) => {
    const server = await installation.findAddress(shardId).catch(() => undefined)
    log.warn(
      'a database of ClickHouse that has projects is not in ASSAY_CLICKHOUSE_URL of this process; restart it with all addresses',
      { server: server ?? 'unknown' },
    )
  }
  return (shardId) => {
    if (reported.has(shardId)) return
    reported.add(shardId)
    void report(shardId)
  }
}

/** Those that respond, by their ids. Closes them again when one cannot be opened. */
async function openAll(settings: ShardSettings, shared: SharedParts): Promise<Map<string, Shard>> {
  const { servers, claim } = settings.installation
  const opened = await Promise.allSettled(
    servers.map((server) => openShard({ ...settings, ...server }, shared)),
  )
  try {
    const byId = new Map<string, Shard>()
    for (const [index, server] of servers.entries()) {
      const shard = opened[index]!
      if (shard.status === 'rejected') throw shard.reason
      byId.set(await claim(server), shard.value)
    }
    return byId
  } catch (error) {
    for (const shard of opened) if (shard.status === 'fulfilled') await shard.value.close()
    throw error
  }
}
