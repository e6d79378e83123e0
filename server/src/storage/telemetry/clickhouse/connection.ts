import { Readable } from 'node:stream'
import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { Unavailable } from '../../../platform/failure.ts'
import { ReadTimeout } from '../port/read-options.ts'
import type { Row } from './columns.ts'

/*
 * The connection to ClickHouse: statements with typed parameters over HTTP. Its errors are those of the port.
 */

export interface ConnectionSettings {
  /** With user name and password, if the server asks for them. */
  readonly url: string
  readonly database: string
  /** Whose servers are replicas of each other. */
  readonly cluster?: string | undefined
}

/** Values of `{name:Type}` in a statement. */
export type Parameters = Readonly<Record<string, Parameter>>
type Parameter = string | number | bigint | null | readonly Parameter[]

export interface StatementOptions {
  readonly signal?: AbortSignal
  /** The server stops it after this time. */
  readonly timeoutMs?: number
}

export interface Connection {
  /** The rows of a SELECT in lists, as they arrive. */
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
  close(): Promise<void>
}

/** A statement that takes longer is not waited for. */
const statementTimeoutMs = 60_000

/** The server has them by default, but an operator may have changed that. */
const always = {
  // The reply to an INSERT means that its rows are stored.
  async_insert: 0,
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
  // Deletions are complete on this server when the statement is; a replica that is not there would make them fail.
  lightweight_deletes_sync: '1',
} as const

/** On a cluster, besides. */
const onCluster = {
  // Rows that are acknowledged are on most replicas.
  insert_quorum: 'auto',
  insert_quorum_timeout: 30_000,
  // Tables are created on a server that is not there now when it is back.
  distributed_ddl_task_timeout: '30',
  distributed_ddl_output_mode: 'null_status_on_timeout',
} as const

export function openConnection({ url, database, cluster }: ConnectionSettings): Connection {
  const client = createClient({
    ...{ url, database, application: 'assay', request_timeout: statementTimeoutMs },
    // It would log addresses and parameters; errors are reported by whoever gets them.
    log: { level: ClickHouseLogLevel.OFF },
    // Long lists of ids do not fit in an address.
    use_multipart_params_auto: true,
    clickhouse_settings: { ...always, ...(cluster === undefined ? {} : onCluster) },
  })

  async function* stream(text: string, parameters: Parameters, options: StatementOptions = {}) {
    const { signal, timeoutMs = statementTimeoutMs } = options
    try {
      const result = await client.query({
        ...{ query: text, query_params: parameters, format: 'JSONCompactEachRow' },
        ...(signal !== undefined && { abort_signal: signal }),
        clickhouse_settings: { max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1000)) },
      })
      for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json<Row>())
    } catch (error) {
      signal?.throwIfAborted()
      throw toPortError(error)
    }
  }
  async function insert(into: string, rows: readonly Uint8Array[]) {
    if (rows.length === 0) return
    try {
      const { stream: reply } = await client.exec({
        query: `INSERT INTO ${into} FORMAT JSONCompactEachRow`,
        values: Readable.from(rows, { objectMode: false }),
      })
      for await (const _ of reply);
    } catch (error) {
      throw toPortError(error)
    }
  }
  return {
    stream,
    insert,
    async insertRows(into, rows) {
      const lines = rows.map((row) => JSON.stringify(row)).join('\n')
      await insert(into, rows.length === 0 ? [] : [Buffer.from(lines)])
    },
    async rows(text, parameters, options) {
      const all: Row[] = []
      for await (const rows of stream(text, parameters, options)) all.push(...rows)
      return all
    },
    async execute(text, parameters = {}) {
      try {
        await client.command({ query: text, query_params: parameters })
      } catch (error) {
        throw toPortError(error)
      }
    },
    close: () => client.close(),
  }
}

/** By the number of the error: https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const busyCodes: Readonly<Record<string, string>> = {
  202: 'ClickHouse runs too many statements at once.',
  241: 'ClickHouse has too little memory for this statement.',
  242: 'The table is read-only: ClickHouse has lost its Keeper.',
  243: 'ClickHouse has no space left.',
  252: 'ClickHouse has too many parts to merge.',
  285: 'ClickHouse has too few live replicas.',
  999: 'ClickHouse has lost its Keeper.',
}
const timeoutCodes = new Set(['159', '160'])

/** Retried by clients after so many seconds. */
const retryAfterSeconds = 2

function toPortError(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) {
    if (!(error instanceof Error) || error instanceof Unavailable) return error
    return new Unavailable('ClickHouse cannot be reached.', retryAfterSeconds, { cause: error })
  }
  if (timeoutCodes.has(error.code)) return new ReadTimeout()
  const busy = busyCodes[error.code]
  return busy === undefined ? error : new Unavailable(busy, retryAfterSeconds, { cause: error })
}
