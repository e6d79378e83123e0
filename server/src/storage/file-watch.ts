import { statSync } from 'node:fs'

/*
 * Whether paths still lead to the same files. SQLite continues on a file that was deleted or replaced, and what it
 * stores there is gone after a restart. Takes some microseconds per file.
 */

/** Returns a function that returns the first path that leads nowhere or to another file than before. */
export function watchFiles(paths: readonly string[]): () => string | undefined {
  const found = new Map<string, string>()
  const isChanged = (path: string) => {
    const now = identityOf(path)
    const before = found.get(path)
    if (before === undefined && now !== undefined) found.set(path, now)
    return before !== undefined && before !== now
  }
  const findChanged = () => paths.find(isChanged)
  findChanged()
  return findChanged
}

/** Undefined also where the folder can no longer be read. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** A SQLite database and the files that it keeps beside it while it is open. */
export function filesOfDatabase(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`]
}
