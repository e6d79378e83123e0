import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { type ClientConfig, DatabaseError, Pool, type PoolClient } from 'pg'
import { toStorableText } from '../../domain/json-text.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { withConnectionName } from './connection-name.ts'
import { openConnectionTrials } from './connection-trials.ts'
import { openFairConnections, type TakeConnection } from './fair-connections.ts'
import { isRefusal, type Reachability } from './postgres-reachability.ts'

/*
 * Kysely with a pool of PostgreSQL connections. When the server is down, starting, frozen or full, or a
 * table is damaged, statements reject with `Unavailable` within seconds, and the connection is not used again.
 */

const connectTimeoutMs = 2_000

export interface PostgresOptions {
  readonly maxConnections: number
  /** How long a statement may run; 0 for no limit. */
  readonly statementTimeoutMs: number
  readonly log: Log
  /** Gets what new connections find out. */
  readonly reachability?: Reachability
}

export function postgresDialect(url: string, options: PostgresOptions): PostgresDialect {
  const { maxConnections, statementTimeoutMs, log, reachability } = options
  const settings = {
    ...withConnectionName(url, 'assay'),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      // The server stops slow statements itself; this timeout is for a server that no longer responds.
      query_timeout: statementTimeoutMs + 1_000,
    }),
  }
  const pool = new Pool({ ...settings, max: maxConnections })
  // Without listeners a lost connection would crash the process: the pool emits errors of idle connections,
  // the client of one that is lost between two statements of a transaction (the next statement then fails).
  pool.on('error', (error) =>
    log.debug('lost an idle database connection', { reason: error.message }),
  )
  pool.on('connect', (client) => client.on('error', () => {}))
  const take = openFairConnections(maxConnections, connectTimeoutMs)
  const watch = watchConnections(settings, reachability)
  return new PostgresDialect({ pool: guarded(pool, take, watch) })
}

/** What new connections of a pool find out. */
interface ConnectionWatch {
  onNotConnected(problem: Unavailable): void
  /** To a statement of any connection. */
  onResponse(client: PoolClient): void
  stop(): void
}

function watchConnections(settings: ClientConfig, reachability?: Reachability): ConnectionWatch {
  const trials = openConnectionTrials(settings, () => reachability?.onResponse())
  const responded = new WeakSet<PoolClient>()
  return {
    onNotConnected(problem) {
      if (reachability?.onNotConnected(problem) === true) trials.start()
    },
    onResponse(client) {
      if (responded.has(client)) return
      responded.add(client)
      reachability?.onResponse()
    },
    stop: () => trials.stop(),
  }
}

function guarded(pool: Pool, take: TakeConnection, watch: ConnectionWatch): PostgresPool {
  return {
    options: pool.options,
    end() {
      watch.stop()
      return pool.end()
    },
    connect: async () => {
      const giveBack = await take()
      try {
        return guardedClient(await pool.connect(), giveBack, watch.onResponse)
      } catch (error) {
        giveBack()
        const problem = unreachable(error)
        if (!pool.ending) watch.onNotConnected(problem)
        throw problem
      }
    },
  }
}

function guardedClient(
  client: PoolClient,
  giveBack: () => void,
  onResponse: (client: PoolClient) => void,
): PostgresPoolClient {
  let isDoubtful = false
  let lost: unknown
  const query = async (text: string, values: readonly unknown[]) => {
    // Kysely still sends its rollback, which would wait for as long again.
    if (lost !== undefined) throw unreachable(lost)
    try {
      const result = await client.query(text, values.map(bound))
      onResponse(client)
      return result
    } catch (error) {
      if (!isPassing(error)) throw error
      isDoubtful = true
      if (!(error instanceof DatabaseError)) lost = error
      throw unreachable(error)
    }
  }
  return {
    // The other overload reads through a cursor, which needs a package that Kysely is not configured with.
    query: query as unknown as PostgresPoolClient['query'],
    release(destroy) {
      client.release(destroy === true || isDoubtful)
      giveBack()
    },
  }
}

function bound(value: unknown): unknown {
  return typeof value === 'string' ? toStorableText(value) : value
}

function unreachable(cause: unknown): Unavailable {
  const problem = isRefusal(cause) ? 'refuses the service' : 'cannot be reached or is busy'
  return new Unavailable(`The accounts database ${problem}.`, 1, {
    ...{ cause, setting: 'ASSAY_DATABASE_URL' },
  })
}

/** Of a start: explains a right that the user lacks. Since PostgreSQL 15, only owners may create tables. */
export function explainMissingRight(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== insufficientPrivilege) return error
  return new Error(
    `The accounts database says: ${error.message}. The user in ASSAY_DATABASE_URL has to own its database.`,
    { cause: error },
  )
}

const insufficientPrivilege = '42501'

/**
 * SQLSTATE classes of failures that are temporary or that an operator can resolve: connection (08), conflict with
 * another transaction (40), read-only after a failover (25006), resources (53), lock not available (55P03), stopped or
 * timed out (57), I/O (58), damaged table or index (XX001, XX002).
 */
const passingStates = /^(?:08|40|53|57|58|25006|55P03|XX001|XX002)/

/** Errors without a SQLSTATE come from the connection. */
function isPassing(error: unknown): boolean {
  return !(error instanceof DatabaseError) || passingStates.test(error.code ?? '')
}
