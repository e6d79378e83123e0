import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningService, runService } from '../../e2e/running-service.ts'
import { startScaledStores } from '../../e2e/scaled-stores.ts'
import { execute } from '../../server/test/postgres-server.ts'
import { startEntrance } from './entrance.ts'
import type { QueryAccounts } from './fill-conversations.ts'

/*
 * What is attacked: one process on a data folder, or two on PostgreSQL and the engine of ClickHouse, behind one address.
 */

export interface AttackedService
  extends Pick<RunningService, 'origin' | 'api' | 'chatApi' | 'link'> {
  readonly queryAccounts: QueryAccounts
  /** The lines of its log since the last call that report an error. */
  takeErrors(): readonly string[]
  /** Lets it finish what an attack left behind, for up to 15 seconds. */
  whenIdle(): Promise<void>
  stop(): Promise<void>
}

// The attackers and those whom they disturb come from different networks.
const env = { ASSAY_TRUST_PROXY: '1' }

export async function startEmbedded(): Promise<AttackedService> {
  const service = await runService({ env })
  const file = join(service.dataDir, 'accounts.sqlite')
  return {
    ...service,
    async queryAccounts(statement) {
      using database = new DatabaseSync(file, { timeout: 10_000 })
      return database.prepare(statement).all()
    },
    takeErrors: openErrors([service]),
    whenIdle: () => whenIdle([service.process.pid]),
    async stop() {
      await service.stop()
    },
  }
}

export async function startScaled(): Promise<AttackedService> {
  const stores = await startScaledStores()
  const first = await stores.runService(env)
  const services = [first, await stores.runService(env)]
  const [entrance, chatEntrance] = await Promise.all([
    startEntrance(services.map(({ origin }) => origin)),
    startEntrance(services.map(({ chatApi }) => new URL(chatApi).origin)),
  ])
  const { origin } = entrance
  const pids = [...services, stores.clickHouse].map(({ process: { pid } }) => pid)
  return {
    ...{ origin, api: `${origin}/api/v1`, chatApi: `${chatEntrance.origin}/api/v1` },
    link: first.link,
    queryAccounts: (statement) => execute(stores.postgres.url, statement),
    takeErrors: openErrors(services),
    whenIdle: () => whenIdle(pids),
    async stop() {
      entrance.close()
      chatEntrance.close()
      await stores.stop()
    },
  }
}

function openErrors(services: readonly RunningService[]): AttackedService['takeErrors'] {
  const lengths = services.map(() => 0)
  return () =>
    services.flatMap((service, i) => {
      const log = service.log()
      const added = log.slice(lengths[i])
      lengths[i] = log.length
      return added.split('\n').filter((line) => line.includes('"level":"error"'))
    })
}

async function whenIdle(pids: readonly (number | undefined)[]): Promise<void> {
  const stepMs = 500
  const total = () => pids.reduce<number>((sum, pid) => sum + cpuMs(pid), 0)
  for (let step = 0; step < 30; step++) {
    const before = total()
    await sleep(stepMs)
    if (total() - before < 0.1 * stepMs) return
  }
}

function cpuMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
  const msPerTick = 10
  return (Number(user) + Number(system)) * msPerTick
}
