import type { ClickHouseSettings } from '../../../../platform/store-settings.ts'
import type { TelemetryStore } from '../../port/store.ts'
import type { Connection } from '../connection.ts'

/** What a check of a server or cluster uses. */
export interface Verification {
  /** With the database that is created for the checks. */
  readonly settings: ClickHouseSettings
  /** To that database. */
  readonly connection: Connection
  /** Two stores in it, as of two processes. */
  readonly stores: readonly [TelemetryStore, TelemetryStore]
  /** Of which all data is. */
  readonly projectId: string
}

/** Resolves with a sentence about what was found; throws an Error with one about what is wrong. */
export type Check<Found = Verification> = (found: Found) => Promise<string>

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [found, due] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== due) throw new Error(`${what}: ${found} instead of ${due}.`)
}
