import { aiSdk } from './ai-sdk.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import type { Convention, Fact, Facts } from './convention.ts'
import { crewAi } from './crewai.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { geminiCli } from './gemini-cli.ts'
import { genAi } from './gen-ai.ts'
import { genAiIndexed } from './gen-ai-indexed.ts'
import { genkit } from './genkit.ts'
import { googleAdk } from './google-adk.ts'
import { langfuse } from './langfuse.ts'
import { langSmith } from './langsmith.ts'
import { liteLlm } from './litellm.ts'
import { logfire } from './logfire.ts'
import { mastra } from './mastra.ts'
import { mlflow } from './mlflow.ts'
import { openInference } from './openinference.ts'
import { pydanticAi } from './pydantic-ai.ts'
import { semanticKernel } from './semantic-kernel.ts'
import { smolagents } from './smolagents.ts'
import { springAi } from './spring-ai.ts'
import { traceloop } from './traceloop.ts'

/**
 * The supported conventions in the order of precedence; each fact of a span comes from the first that has it.
 * A tool's own attributes are more reliable than its OpenTelemetry ones, which many send in part and some send
 * wrong; current OpenTelemetry keys are more reliable than old ones.
 */
export const precedence: readonly Convention[] = [
  langfuse,
  langSmith,
  mlflow,
  smolagents,
  openInference,
  crewAi,
  traceloop,
  aiSdk,
  googleAdk,
  genkit,
  mastra,
  claudeCode,
  codex,
  geminiCli,
  semanticKernel,
  springAi,
  liteLlm,
  logfire,
  pydanticAi,
  genAi,
  genAiIndexed,
]

// Each convention is a bit of a 32-bit mask; beyond that, two would share one.
if (precedence.length > 31) throw new Error('more than 31 conventions need a wider mask')

/** The readers of each fact of a span, in the order of precedence. */
export type FactReaders = { readonly [F in Fact]: readonly Facts[F][] }

/** The readers of the conventions whose keys the span has, found in one pass over its keys. */
export function selectFactReaders({ name, attributes }: DecodedSpan): FactReaders {
  let mask = 0
  let last = ''
  let entries: readonly Entry[] = none
  for (const key of attributes.keys()) {
    // Most keys have the prefix of the one before.
    if (last === '' || !key.startsWith(last)) {
      last = firstSegment(key)
      if (last === '') continue
      entries = bySegment.get(last) ?? none
    }
    for (const { bit, prefix, isWhole } of entries) {
      if ((mask & bit) === 0 && (isWhole || key.startsWith(prefix))) mask |= bit
    }
  }
  for (const { bit, prefix } of bySpanName) if (name.startsWith(prefix)) mask |= bit
  return readersForMask(mask)
}

interface Entry {
  readonly bit: number
  readonly prefix: string
  /** Whether the prefix is its first segment only, by which the entry was found. */
  readonly isWhole: boolean
}

const none: readonly Entry[] = []

const bySegment: ReadonlyMap<string, readonly Entry[]> = Map.groupBy(
  precedence.flatMap(({ prefixes }, place) =>
    prefixes.map((prefix) => ({
      bit: 1 << place,
      prefix,
      isWhole: firstSegment(prefix) === prefix,
    })),
  ),
  ({ prefix }): string => firstSegment(prefix),
)

/** Up to its first dot, or colon where it has no dot; else empty. */
function firstSegment(key: string): string {
  const dot = key.indexOf('.')
  return key.slice(0, (dot === -1 ? key.indexOf(':') : dot) + 1)
}

const bySpanName: readonly Entry[] = precedence.flatMap(({ spanNames = [] }, place) =>
  spanNames.map((prefix) => ({ bit: 1 << place, prefix, isWhole: false })),
)

// Real spans make few combinations, but the cache is bounded against made-up ones.
const known = new Map<number, FactReaders>()
const maxCachedMasks = 1024

function readersForMask(mask: number): FactReaders {
  const found = known.get(mask)
  if (found !== undefined) return found
  const factReaders = precedence.filter((_convention, place) => (mask & (1 << place)) !== 0)
  const of = <F extends Fact>(fact: F): readonly Facts[F][] =>
    factReaders.flatMap((convention): Facts[F][] => {
      const readFact = convention[fact] as Facts[F] | undefined
      return readFact === undefined ? [] : [readFact]
    })
  const readers: FactReaders = {
    name: of('name'),
    kind: of('kind'),
    model: of('model'),
    usage: of('usage'),
    costUsd: of('costUsd'),
    partialCostUsd: of('partialCostUsd'),
    instructions: of('instructions'),
    messagesIn: of('messagesIn'),
    messagesOut: of('messagesOut'),
    valueIn: of('valueIn'),
    valueOut: of('valueOut'),
    sessionId: of('sessionId'),
    failure: of('failure'),
  }
  if (known.size < maxCachedMasks) known.set(mask, readers)
  return readers
}
