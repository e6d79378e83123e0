import type { WellKnownKind } from '../domain/kinds.ts'
import {
  firstAmount,
  firstCount,
  firstJson,
  firstModel,
  firstText,
  parseMembers,
} from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, DecodedSpan } from './decoded-span.ts'
import { isProviderUsage, providerUsage } from './provider-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * Langfuse's SDKs. Usage is a table of buckets with arbitrary names: those with input in the name add up to the
 * input, and so on. The buckets exclude each other. The Python client also passes on the usage object of a provider,
 * which has another form.
 */

const keys = {
  kind: ['langfuse.observation.type'],
  model: ['langfuse.observation.model.name'],
  tokensIn: ['langfuse.observation.usage_details › *input*, *prompt*'],
  tokensOut: ['langfuse.observation.usage_details › *output*, *completion*'],
  tokensTotal: ['langfuse.observation.usage_details › total, total_tokens'],
  tokensCacheRead: ['langfuse.observation.usage_details › *cache*'],
  tokensCacheWrite: ['langfuse.observation.usage_details › *cache*creation*, *cache*write*'],
  tokensReasoning: ['langfuse.observation.usage_details › *reasoning*'],
  costUsd: ['langfuse.observation.cost_details › total'],
  costParts: ['langfuse.observation.cost_details › *'],
  valueIn: ['langfuse.observation.input', 'langfuse.trace.input'],
  valueOut: ['langfuse.observation.output', 'langfuse.trace.output'],
  failure: ['langfuse.observation.level', 'langfuse.observation.status_message'],
} as const satisfies KeyTable

const kindsByType: ReadonlyMap<string, WellKnownKind> = new Map([
  ['generation', 'llm'],
  ['embedding', 'embedding'],
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['chain', 'chain'],
  ['retriever', 'retriever'],
  ['guardrail', 'guardrail'],
  ['evaluator', 'evaluator'],
])

export const langfuse: Convention = {
  title: 'Langfuse',
  about:
    'Langfuse’s SDKs for Python and JavaScript. Usage and cost are tables of buckets, added up by their names. A level of `ERROR` is a failure.',
  prefixes: ['langfuse.'],
  keys,
  kinds: kindsByType,
  kind: ({ attributes }) => kindsByType.get(firstText(attributes, keys.kind)?.toLowerCase() ?? ''),
  model: ({ attributes }) => firstModel(attributes, keys.model),
  usage,
  costUsd,
  partialCostUsd,
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
  failure: ({ attributes }) =>
    attributes.get(keys.failure[0]) === 'ERROR'
      ? (firstText(attributes, [keys.failure[1]]) ?? '')
      : undefined,
}

function usage({ attributes }: DecodedSpan): ReportedUsage | undefined {
  const buckets = parseMembers(attributes.get('langfuse.observation.usage_details'))
  if (buckets === undefined) return undefined
  return isProviderUsage(buckets) ? providerUsage(buckets) : usageOfBuckets(buckets)
}

function usageOfBuckets(buckets: Attributes): ReportedUsage | undefined {
  const sums = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const reported = new Set<keyof typeof sums>()
  for (const name of buckets.keys()) {
    const count = firstCount(buckets, [name])
    const sum = sumOfBucket(name.toLowerCase())
    if (count === undefined || sum === undefined) continue
    sums[sum] = Math.min(sums[sum] + count, Number.MAX_SAFE_INTEGER)
    reported.add(sum)
  }
  const of = (sum: keyof typeof sums) => (reported.has(sum) ? sums[sum] : undefined)
  return {
    input: of('input'),
    output: of('output'),
    total: firstCount(buckets, ['total', 'total_tokens']),
    cacheRead: of('cacheRead'),
    cacheWrite: of('cacheWrite'),
    reasoning: of('reasoning'),
    impliedInput: reported.has('cacheRead') || reported.has('cacheWrite') ? 0 : undefined,
    impliedOutput: reported.has('reasoning') ? 0 : undefined,
    cacheIsApart: true,
    reasoningIsApart: true,
  }
}

function sumOfBucket(name: string) {
  if (/cache/.test(name)) return /creation|write/.test(name) ? 'cacheWrite' : 'cacheRead'
  if (/reasoning|thought/.test(name)) return 'reasoning'
  if (/input|prompt/.test(name)) return 'input'
  return /output|completion/.test(name) ? 'output' : undefined
}

/** The total, else the sum of the buckets if both input and output have one. */
function costUsd({ attributes }: DecodedSpan): number | undefined {
  const costs = parseMembers(attributes.get('langfuse.observation.cost_details'))
  if (costs === undefined) return undefined
  const total = firstAmount(costs, ['total'])
  if (total !== undefined) return total
  const sides = new Set([...costs.keys()].map((name) => sumOfBucket(name.toLowerCase())))
  return sides.has('input') && sides.has('output') ? sumOfCosts(costs) : undefined
}

function partialCostUsd({ attributes }: DecodedSpan): number | undefined {
  const costs = parseMembers(attributes.get('langfuse.observation.cost_details'))
  return costs && sumOfCosts(costs)
}

function sumOfCosts(costs: Attributes): number | undefined {
  const parts = [...costs.keys()].flatMap((name) => firstAmount(costs, [name]) ?? [])
  const sum = parts.reduce((added, part) => added + part, 0)
  return parts.length === 0 || !Number.isFinite(sum) ? undefined : sum
}
