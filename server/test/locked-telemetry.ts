import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Locks the telemetry file of a data folder as another program would: the store can read and not write. Returns what
 * unlocks it, once or more often.
 */
export function lockTelemetry(dataDir: string): () => void {
  // Waits for the service, which may be writing.
  const other = new DatabaseSync(join(dataDir, 'telemetry.sqlite'), { timeout: 10_000 })
  other.exec('BEGIN IMMEDIATE')
  return () => {
    if (other.isOpen) other.close()
  }
}
