import type { Instant } from '../../../domain/instant.ts'
import type { ReadOptions } from './read-options.ts'

/*
 * How much storage a project uses.
 */
export interface StorageReads {
  /** Bytes are estimated from samples, counts where `isEstimate` is set. */
  readStorage(projectId: string, options?: ReadOptions): Promise<StorageUsed>
}

export interface StorageUsed {
  /** Trace rows without their spans. */
  readonly traces: StoredSignal
  /** Including bodies. `oldestAt` and `newestAt` are the starts of traces. */
  readonly spans: StoredSignal
  readonly metricPoints: StoredSignal
  readonly logRecords: StoredSignal
  /** `oldestAt` and `newestAt` are when they were created. */
  readonly scores: StoredSignal
  /** Whether counts are estimates. */
  readonly isEstimate: boolean
  /** Everything that the store holds, of all projects, indexes included. Null while a part of it does not respond. */
  readonly deploymentBytes: number | null
}

export interface StoredSignal {
  readonly count: number
  readonly bytes: number
  /** Null when nothing is stored. */
  readonly oldestAt: Instant | null
  readonly newestAt: Instant | null
}
