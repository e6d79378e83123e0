import { statSync } from 'node:fs'

/*
 * Whether paths still lead to the same files. SQLite continues on a file that was deleted or replaced, and what it
 * stores there is gone after a restart. Takes some microseconds per file.
 */

/** Returns a function that returns the first path that leads nowhere or to another file than before. */
export function watchFiles(paths: readonly string[]): () => string | undefined {
  const found = new Map<string, string>()
  const isChanged = (path: string) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    const now = stats === undefined ? undefined : `${stats.dev} ${stats.ino}`
    const before = found.get(path)
    if (before === undefined && now !== undefined) found.set(path, now)
    return before !== undefined && before !== now
  }
  const findChanged = () => paths.find(isChanged)
  findChanged()
  return findChanged
}

/** A SQLite database and the files that it keeps beside it while it is open. */
export function filesOfDatabase(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`]
}
