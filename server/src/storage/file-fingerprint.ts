import { statSync } from 'node:fs'

/** Differs once anything was written to a database file that nobody has open. */
export function fingerprintOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
    .filter((found) => found !== undefined && found.size > 0n)
    .map((found) => `${found?.size} ${found?.mtimeNs}`)
    .join(' ')
}
