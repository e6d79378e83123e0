import type { Connection } from './connection.ts'
import { ForeignResponse, isForeign, unreachable } from './connection-errors.ts'

/*
 * The version of ClickHouse, which must have what the tables need.
 */

/** With the first text index for general use. */
const firstVersion = [26, 2] as const

/** Returns the version; throws an Error for the operator if it is too old, or what responds has none. */
export async function checkVersion(connection: Connection): Promise<string> {
  const [row] = await connection.rows('SELECT version()', {}).catch(async (error: unknown) => {
    throw isForeign(error) ? await toForeignError(connection, error) : error
  })
  const version = String(row?.[0])
  const problem = findVersionProblem(version)
  if (problem !== undefined) throw new Error(problem)
  return version
}

const notClickHouse =
  'What responds at ASSAY_CLICKHOUSE_URL is not ClickHouse. Name its HTTP interface, usually port 8123.'

/** A proxy before ClickHouse responds with 5xx while that is down, which passes. */
async function toForeignError(connection: Connection, error: unknown): Promise<unknown> {
  const status = await connection.readStatus()
  if (status === undefined) return error
  if (status >= 500) return unreachable({ cause: new ForeignResponse(status) })
  return new Error(notClickHouse, { cause: error })
}

export function findVersionProblem(version: string): string | undefined {
  if (!/^\d+\.\d+/.test(version)) {
    return notClickHouse
  }
  const [firstMajor, firstMinor] = firstVersion
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > firstMajor || (major === firstMajor && minor >= firstMinor)) return undefined
  return `ClickHouse ${version} is too old: ${firstVersion.join('.')} or newer is required.`
}
