import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient, type ResultSet } from '@clickhouse/client'
import { toErrorText } from '../../../platform/error-text.ts'
import type { Log } from '../../../platform/log.ts'
import { formatAddress } from '../../../platform/store-settings.ts'
import type { Row } from './columns.ts'
import {
  isConnectionError,
  isRefusedUser,
  toPortError,
  toReason,
  unreachable,
} from './connection-errors.ts'
import { keepIdle } from './idle-connections.ts'
import { toChunks } from './lines.ts'
import { openServerWatch, type ServerWatch } from './server-watch.ts'
import {
  ofClusterWrites,
  ofLimitedReads,
  ofQueuedStatements,
  ofReads,
  ofWrites,
} from './statement-settings.ts'

/*
 * The connection to ClickHouse: statements with typed parameters over HTTP. Its errors are those of the port.
 */

export interface ConnectionSettings {
  /** With user name and password, if the server asks for them. */
  readonly url: string
  readonly database: string
  /** Of the settings, for the log and for errors, where another database is used. By default that of these settings. */
  readonly address?: string
  /** Whose servers are replicas of each other. */
  readonly cluster?: string | undefined
  /** Where it is reported that the server cannot be reached, and that it can again. */
  readonly log?: Log
  /** Called with the same. */
  readonly onReachable?: (isReachable: boolean) => void
}

/** Values of `{name:Type}` in a statement. */
export type Parameters = Readonly<Record<string, Parameter>>
type Parameter = string | number | bigint | null | readonly Parameter[]

export interface StatementOptions {
  /** The server stops the statement when it aborts. */
  readonly signal?: AbortSignal
  /** The server stops it after this time, and gives it no more than a share of its memory. */
  readonly timeoutMs?: number
  /** Of the server, for this statement; as many as it has by default. */
  readonly processors?: number
}

/**
 * Every operation rejects with `Unavailable` when ClickHouse does not respond: within a second, or at once if that is
 * known. A statement that was sent by then may have been executed.
 */
export interface Connection {
  /** The rows of a SELECT in lists, as they arrive. Rejects when the statement fails after some of them. */
  stream(
    text: string,
    parameters: Parameters,
    options?: StatementOptions,
  ): AsyncIterable<readonly Row[]>
  /** All rows of a SELECT. */
  rows(text: string, parameters: Parameters, options?: StatementOptions): Promise<readonly Row[]>
  /** Rows in the format JSONCompactEachRow. They are stored when the promise resolves. */
  insert(into: string, rows: readonly Uint8Array[]): Promise<void>
  insertRows(into: string, rows: readonly Row[]): Promise<void>
  /** Any other statement. */
  execute(text: string, parameters?: Parameters): Promise<void>
  /** Leaves a statement to all servers of the cluster, without waiting for any of them. */
  queueOnCluster(text: string): Promise<void>
  /** Whether the server responds now and accepts the user: resolves within a second. */
  probe(): Promise<boolean>
  /** The HTTP status of the response to a statement, whatever responds. Undefined without a response within a second. */
  readStatus(): Promise<number | undefined>
  close(): Promise<void>
}

/** A statement that takes longer is not waited for. */
const statementTimeoutMs = 60_000

/** More than run at once: the queues of reads and writes limit those. */
const connectionsMax = 200
const pingsMax = 10

export function openConnection(given: ConnectionSettings): Connection {
  const { url, database, cluster, log, onReachable, address = formatAddress(given) } = given
  const settings = {
    ...{ url, database, application: 'assay', request_timeout: statementTimeoutMs },
    // It would log addresses and parameters; errors are reported by whoever gets them.
    log: { level: ClickHouseLogLevel.OFF },
  }
  const client = createClient({
    ...{ ...settings, ...keepIdle(url, connectionsMax) },
    // Long lists of ids do not fit in an address.
    use_multipart_params_auto: true,
  })
  // It has connections of its own, so that it waits for no statement.
  const pinger = createClient({ ...settings, ...keepIdle(url, pingsMax) })
  const watch = openServerWatch({
    ping: (signal) => ping(pinger, address, signal),
    onChange(failure) {
      const isReachable = failure === undefined
      if (isReachable) log?.warn('ClickHouse can be reached again', { server: address })
      else {
        const error = toErrorText(unreachable({ cause: failure }))
        log?.warn('ClickHouse cannot be reached', { server: address, error })
      }
      onReachable?.(isReachable)
    },
  })
  const stream = openReads(client, watch)
  const writes = openWrites(client, watch, cluster)
  const { insert } = writes
  return {
    ...{ stream, ...writes },
    async insertRows(into, rows) {
      const lines = rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`))
      await insert(into, lines)
    },
    async rows(text, parameters, options) {
      const all: Row[] = []
      for await (const rows of stream(text, parameters, options)) all.push(...rows)
      return all
    },
    async probe() {
      return (await watch.probe()) && !(await refusesUser(pinger))
    },
    readStatus: () => readStatus(pinger),
    async close() {
      watch.close()
      await Promise.all([client.close(), pinger.close()])
    },
  }
}

type Client = ReturnType<typeof createClient>

/** Why there was no response, if there was none. */
async function ping(
  client: Client,
  address: string,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const result = await client.ping({ select: false, abort_signal: signal })
  if (result.success) return undefined
  // A statement that is quiet is followed by the ping: together they take so long.
  return signal.aborted
    ? new Error(`${address} did not respond within a second`)
    : toReason(result.error)
}

async function readStatus(client: Client): Promise<number | undefined> {
  try {
    const { stream, http_status_code } = await client.exec({
      ...{ query: 'SELECT 1', ignore_error_response: true },
      abort_signal: AbortSignal.timeout(1000),
    })
    stream.destroy()
    return http_status_code
  } catch {
    return undefined
  }
}

/** A probe waits so long for a statement after the ping, which servers answer to anybody. */
const refusalMs = 250

/** As after a change of the password. A statement that takes longer, or fails otherwise, is not refused for that. */
async function refusesUser(client: Client): Promise<boolean> {
  const result = await client.ping({ select: true, abort_signal: AbortSignal.timeout(refusalMs) })
  return !result.success && isRefusedUser(result.error)
}

function openReads(client: Client, watch: ServerWatch): Connection['stream'] {
  return async function* (text, parameters, { signal: given, timeoutMs, processors } = {}) {
    given?.throwIfAborted()
    const statement = watch.begin()
    const signal = AbortSignal.any([statement.signal, ...(given === undefined ? [] : [given])])
    try {
      const result = await client.query({
        ...{ query: text, query_params: parameters, format: 'JSONCompactEachRow' },
        abort_signal: signal,
        clickhouse_settings: {
          ...(timeoutMs === undefined ? ofReads : ofLimitedReads),
          ...(processors !== undefined && { max_threads: processors }),
          max_execution_time: Math.max(0.001, (timeoutMs ?? statementTimeoutMs) / 1000),
        },
      })
      statement.onResponse()
      for await (const rows of readUntilAborted(result, signal)) {
        statement.onResponse()
        yield rows.map((row) => row.json<Row>())
      }
    } catch (error) {
      signal.throwIfAborted()
      if (isConnectionError(error)) statement.onConnectionError()
      throw toPortError(error)
    } finally {
      statement.end()
    }
  }
}

async function* readUntilAborted(
  result: Pick<ResultSet<'JSONCompactEachRow'>, 'stream' | 'close'>,
  signal: AbortSignal,
) {
  const lists = result.stream<Row>()
  const close = () => result.close()
  signal.addEventListener('abort', close)
  if (signal.aborted) close()
  try {
    yield* lists
  } finally {
    // Its connection may belong to another statement by then.
    signal.removeEventListener('abort', close)
  }
}

function openWrites(
  client: Client,
  watch: ServerWatch,
  cluster: string | undefined,
): Pick<Connection, 'insert' | 'execute' | 'queueOnCluster'> {
  const clickhouse_settings = cluster === undefined ? ofWrites : ofClusterWrites
  /** Sends a statement, and waits until it is complete. */
  const run = async (send: (signal: AbortSignal) => Promise<{ readonly stream: Readable }>) => {
    const statement = watch.begin()
    try {
      const { stream: reply } = await send(statement.signal)
      for await (const _ of reply);
      statement.onResponse()
    } catch (error) {
      statement.signal.throwIfAborted()
      if (isConnectionError(error)) statement.onConnectionError()
      throw toPortError(error)
    } finally {
      statement.end()
    }
  }
  return {
    async insert(into, rows) {
      if (rows.length === 0) return
      await run((abort_signal) =>
        client.exec({
          ...{ query: `INSERT INTO ${into} FORMAT JSONCompactEachRow`, abort_signal },
          values: Readable.from(toChunks(rows), { objectMode: false }),
          clickhouse_settings,
        }),
      )
    },
    async execute(text, parameters = {}) {
      await run((abort_signal) =>
        client.exec({
          ...{ query: text, query_params: parameters, abort_signal },
          clickhouse_settings,
        }),
      )
    },
    async queueOnCluster(text) {
      await run((abort_signal) =>
        client.exec({ query: text, abort_signal, clickhouse_settings: ofQueuedStatements }),
      )
    },
  }
}
