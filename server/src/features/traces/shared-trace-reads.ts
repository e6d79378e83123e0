import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'

/*
 * Reads of traces that the live streams of a project share: they have the same changes to send at about the same time.
 */

export interface SharedTraceReads<Item> {
  /** The current traces of these ids that exist. */
  read(
    projectId: string,
    traceIds: readonly string[],
    options: ReadOptions,
  ): Promise<readonly Item[]>
  /** Call it when traces have changed, before they are read; null stands for all of the project. */
  forget(projectId: string, traceIds: readonly string[] | null): void
}

export type ReadById<Item> = (
  projectId: string,
  traceIds: readonly string[],
  options: ReadOptions,
) => Promise<ReadonlyMap<string, Item>>

type Reading<Item> = ReturnType<ReadById<Item>>

/** Longer than the pause of a stream between two reads. */
const sharedMs = 1000

export function shareTraceReads<Item>(readById: ReadById<Item>): SharedTraceReads<Item> {
  const ofProjects = new Map<string, Map<string, Reading<Item>>>()

  const forgetReading = (
    projectId: string,
    traceIds: readonly string[],
    reading: Reading<Item>,
  ) => {
    const ofProject = ofProjects.get(projectId)
    for (const id of traceIds) if (ofProject?.get(id) === reading) ofProject.delete(id)
    if (ofProject?.size === 0) ofProjects.delete(projectId)
  }
  const start = (projectId: string, traceIds: readonly string[], { requester }: ReadOptions) => {
    // Without the signal: other streams wait for it as well.
    const reading = readById(projectId, traceIds, requester === undefined ? {} : { requester })
    const ofProject = ofProjects.get(projectId) ?? new Map<string, Reading<Item>>()
    ofProjects.set(projectId, ofProject)
    for (const id of traceIds) ofProject.set(id, reading)
    const forgetThis = () => forgetReading(projectId, traceIds, reading)
    setTimeout(forgetThis, sharedMs).unref()
    reading.catch(forgetThis)
  }
  return {
    async read(projectId, traceIds, options) {
      options.signal?.throwIfAborted()
      const missing = traceIds.filter((id) => ofProjects.get(projectId)?.has(id) !== true)
      if (missing.length > 0) start(projectId, missing, options)
      const ofProject = ofProjects.get(projectId)
      const readings = Promise.all(traceIds.map(async (id) => ofProject?.get(id)))
      // The read of another may have been refused for what that person does.
      const orOwn = readings.catch(async (error: unknown) => {
        if (missing.length === traceIds.length) throw error
        const own = await readById(projectId, traceIds, options)
        return traceIds.map(() => own)
      })
      const found = await unlessAborted(orOwn, options.signal)
      return traceIds.flatMap((id, index) => found[index]?.get(id) ?? [])
    },
    forget(projectId, traceIds) {
      if (traceIds === null) ofProjects.delete(projectId)
      const ofProject = ofProjects.get(projectId)
      for (const id of traceIds ?? []) ofProject?.delete(id)
    },
  }
}

async function unlessAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  try {
    return await Promise.race([result, aborted.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
