import { workerData } from 'node:worker_threads'
import { openToRead } from './database.ts'
import { type Trouble, troubleOf } from './engine-errors.ts'
import { openReads, type Reads } from './reads.ts'
import { serveThread } from './thread.ts'

/*
 * A thread that reads, one question after the other.
 */

export interface ReaderSettings {
  readonly file: string
  readonly searchFile: string
}

export type ReadName = keyof Reads
export type Answer = ReturnType<Reads[ReadName]>

export interface Question<Name extends ReadName = ReadName> {
  readonly id: number
  readonly name: Name
  readonly args: Parameters<Reads[Name]>
}

export type FromReader =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly trouble: Trouble }

serveThread<Question>((port) => {
  const { file, searchFile } = workerData as ReaderSettings
  const db = openToRead(file, searchFile)
  const reads = openReads(db)
  const answerTo = ({ id, name, args }: Question): FromReader => {
    try {
      const read = reads[name] as (...given: typeof args) => Answer
      return { id, answer: read(...args) }
    } catch (error) {
      return { id, trouble: troubleOf(error) }
    }
  }
  return {
    onMessage: (question) => port.postMessage(answerTo(question)),
    close: () => db.close(),
  }
})
