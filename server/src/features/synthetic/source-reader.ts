import { limits } from '@assay/contract/limits.ts'
import type { BuildInput, BuiltBlueprint } from '../../blueprint/build-blueprint.ts'
import { CallLost } from '../../platform/deadline-process.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import type { Waiter } from '../../platform/requester.ts'
import { openShortCallsFirst } from '../../platform/short-calls-first.ts'
import type { ReadSource } from './read-source.ts'

/*
 * Reads sources and builds blueprints in processes of their own, which start with the first request and end when they are
 * idle.
 */

export interface SourceReader {
  /** Throws a Failure with status 422 for a text that takes too long. */
  read(waiter: Waiter, source: string): Promise<ReadSource>
  /** Undefined if the answer has no blueprint, or takes too long. */
  build(waiter: Waiter, answer: BuildInput): Promise<RenderedBlueprint | undefined>
  close(): Promise<void>
}

export interface RenderedBlueprint extends BuiltBlueprint {
  readonly markdown: string
}

export type SynthesisTask = { readonly source: string } | { readonly answer: BuildInput }

export interface SynthesisOutput {
  readonly read?: ReadSource
  readonly built?: RenderedBlueprint | undefined
}

const idleMs = 60_000
const maxHeapMb = 256

export function openSourceReader(log: Log): SourceReader {
  const child = openShortCallsFirst<SynthesisTask, SynthesisOutput>({
    module: new URL('./synthesis-process.ts', import.meta.url),
    deadlineMs: limits.documentSeconds.value * 1000,
    ...{ name: 'source reader', idleMs, maxHeapMb, log },
  })
  const run = async (waiter: Waiter, task: SynthesisTask): Promise<SynthesisOutput> => {
    try {
      return await child.run(waiter, task)
    } catch (error) {
      if (error instanceof CallLost && ['too late', 'out of memory'].includes(error.because))
        return {}
      throw error
    }
  }
  return {
    async read(waiter, source) {
      const { read } = await run(waiter, { source })
      if (read !== undefined) return read
      const details = { hint: 'Use a shorter source.' }
      const message = 'The source takes too long to read.'
      throw new Failure('VALIDATION_ERROR', message, { status: 422, details })
    },
    build: async (waiter, answer) => (await run(waiter, { answer })).built,
    close: () => child.close(),
  }
}
