import type { toneSigns } from '@assay/contract/trace-runs.ts'

/*
 * What a calibration needs from the contents of one run. Small, whatever the trace contains.
 */

export interface RunFacts {
  /** Of the most model calls. */
  readonly model: string | null
  /** Messages of the user that arrived during the run; null without recorded messages. */
  readonly turns: number | null
  readonly toolCalls: number
  /** Whether an outer span counts tokens of model calls that are missing. */
  readonly isIncomplete: boolean
  readonly prompts: readonly PromptFacts[]
  readonly tools: readonly ToolFacts[]
  readonly answers: readonly AnswerFacts[]
  readonly ratios: readonly TokenRatio[]
  readonly cached: readonly CachedInput[]
  /** Model calls with images or other media. */
  readonly mediaCalls: number
}

export interface PromptFacts {
  /** The same for the same text, of which `text` may be the beginning. */
  readonly key: string
  readonly text: string
  readonly isCut: boolean
  readonly calls: number
  readonly lastUsedMs: number
  readonly spanId: string
}

export interface ToolFacts {
  readonly name: string
  readonly description: string
  /** A JSON Schema as JSON; null if none is known, or it is too long. */
  readonly parameters: string | null
  readonly isTooLong: boolean
  readonly isDefined: boolean
  readonly isMcp: boolean
  /** Hashes of its different definitions. */
  readonly definitions: readonly string[]
  readonly calls: number
  readonly errors: number
  /** Of some of its calls. */
  readonly latenciesMs: readonly number[]
  /** Of some of its results, as an estimate counts them. */
  readonly outputTokens: readonly number[]
}

export type ToneSign = (typeof toneSigns)[number]

/** An answer that the user could read. */
export interface AnswerFacts {
  readonly spanId: string
  readonly words: number
  /** In English; null if unclear. */
  readonly language: string | null
  /** Each with a quote. */
  readonly signs: Readonly<Partial<Record<ToneSign, string>>>
}

export interface TokenRatio {
  readonly model: string
  /** Reported input tokens per counted token. */
  readonly ratio: number
}

/** Of the calls of a model whose provider reports what its prompt cache had. */
export interface CachedInput {
  readonly model: string
  readonly calls: number
  readonly tokensIn: number
  readonly tokensCached: number
}

/** Of one run. */
export const promptsMax = 10
export const toolsMax = 100
export const answersMax = 40
export const ratiosMax = 20
export const modelsMax = 20
/** Of each tool. */
export const samplesMax = 20
