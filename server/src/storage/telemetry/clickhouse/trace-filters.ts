import type { Instant } from '../../../domain/instant.ts'
import { foldCase } from '../../../domain/letter-case.ts'
import { toNanos } from '../duration-bounds.ts'
import type { AnyOf, ExcludedValues, TraceFilters } from '../port/traces.ts'
import { toStoredInstant } from '../positions.ts'
import { parseSearchQuery } from '../words.ts'
import type { Parameters } from './connection.ts'
import { tracesWithAnyScore, tracesWithScore } from './statements/scores.ts'

/*
 * The filters of the port as conditions on `traces`. Values are parameters only.
 */

export interface Condition {
  /** Conditions joined with AND; `true` without any. */
  readonly text: string
  readonly parameters: Parameters
}

/**
 * All filters but attributes, which are compared after the traces are read. A search considers only spans that meet a further
 * condition.
 */
export function toCondition(filters: TraceFilters, searched = 'true'): Condition {
  const parts: string[] = []
  const parameters: Record<string, Parameters[string]> = {}
  const add = (text: string, given: Parameters) => {
    parts.push(text)
    Object.assign(parameters, given)
  }
  for (const key of equalFilters) {
    const value = filters[key]
    if (value !== undefined) add(`${key} = {${key}:String}`, { [key]: value })
  }
  for (const [key, column, hasOne] of valueFilters) {
    const requested = filters[key]
    if (requested !== undefined) add(hasOne(column, key), { [key]: listOf(requested) })
  }
  addExcluded(filters.excluded ?? {}, add)
  addNames(filters, add)
  addSizes(filters, add)
  if (filters.tags !== undefined) {
    add('hasAll(tags, {tags:Array(String)})', { tags: filters.tags })
  }
  if (filters.traceIdPrefix !== undefined) {
    add('startsWith(trace_id, {traceIdPrefix:String})', { traceIdPrefix: filters.traceIdPrefix })
  }
  if (filters.search !== undefined) addSearch(filters.search, searched, add)
  addScores(filters, add)
  return { text: parts.length === 0 ? 'true' : parts.join('\n    AND '), parameters }
}

type Add = (text: string, given: Parameters) => void

const equalFilters = ['status', 'mode', 'source'] as const

const isOne = (column: string, key: string) =>
  `coalesce(${column} IN {${key}:Array(String)}, false)`
const hasOne = (column: string, key: string) => `hasAny(${column}, {${key}:Array(String)})`

/** By one of several values, of the trace or of its lists. */
const valueFilters = [
  ['environment', 'environment', isOne],
  ['service', 'service', isOne],
  ['sessionId', 'session_id', isOne],
  ['userId', 'user_id', isOne],
  ['model', 'models', hasOne],
  ['kind', 'kinds', hasOne],
  ['anyTag', 'tags', hasOne],
] as const

const excludedColumns = {
  environment: ['environment', isOne],
  service: ['service', isOne],
  sessionId: ['session_id', isOne],
  userId: ['user_id', isOne],
  model: ['models', hasOne],
  kind: ['kinds', hasOne],
  tag: ['tags', hasOne],
} as const

function addExcluded(excluded: ExcludedValues, add: Add): void {
  for (const [key, [column, matches]] of Object.entries(excludedColumns)) {
    const values = excluded[key as keyof typeof excludedColumns]
    const name = `no_${key}`
    if (values !== undefined) add(`NOT ${matches(column, name)}`, { [name]: values })
  }
}

const hasPart = (name: string) =>
  `arrayExists(one -> position(one, {${name}:String}) > 0, folded_names)`

function addNames({ name, excluded }: TraceFilters, add: Add): void {
  if (name !== undefined) add(hasPart('name'), { name: foldCase(name) })
  if (excluded?.name !== undefined) {
    add(`NOT ${hasPart('noName')}`, { noName: foldCase(excluded.name) })
  }
}

function addSizes(filters: TraceFilters, add: Add): void {
  const { minDurationMs, maxDurationMs } = filters
  const bounds = [
    ['cost_usd', '>=', 'Float64', 'minCost', filters.minCostUsd],
    ['cost_usd', '<=', 'Float64', 'maxCost', filters.maxCostUsd],
    ['tokens_in + tokens_out', '>=', 'Float64', 'minTokens', filters.minTokens],
    ['tokens_in + tokens_out', '<=', 'Float64', 'maxTokens', filters.maxTokens],
    ['ended_at - started_at', '>=', 'Int64', 'minDuration', nanos(minDurationMs, Math.ceil)],
    ['ended_at - started_at', '<=', 'Int64', 'maxDuration', nanos(maxDurationMs, Math.floor)],
    ['started_at', '>=', 'Int64', 'from', stored(filters.from)],
    ['started_at', '<', 'Int64', 'to', stored(filters.to)],
  ] as const
  for (const [column, operator, type, key, value] of bounds) {
    if (value !== undefined) add(`${column} ${operator} {${key}:${type}}`, { [key]: value })
  }
}

function nanos(millis: number | undefined, round: (value: number) => number): bigint | undefined {
  return millis === undefined ? undefined : toNanos(millis, round)
}

function stored(instant: Instant | undefined): Instant | undefined {
  return instant === undefined ? undefined : toStoredInstant(instant)
}

/** Words that all occur in one span, as it is now. */
function addSearch(search: string, searched: string, add: Add): void {
  const terms = parseSearchQuery(search)
  const whole = terms.filter(({ isPrefix }) => !isPrefix).map(({ word }) => word)
  const prefixes = terms.filter(({ isPrefix }) => isPrefix).map(({ word }) => word)
  if (terms.length === 0) return add('false', {})
  const conditions = [
    ...(whole.length === 0 ? [] : ['hasAllTokens(words, {words:Array(String)})']),
    ...prefixes.map((_, i) => `arrayExists(word -> startsWith(word, {prefix${i}:String}), words)`),
  ]
  const text = `trace_id IN (
      SELECT trace_id FROM spans FINAL
      WHERE project_id = {project:String} AND ${searched} AND ${conditions.join(' AND ')}
    )`
  const prefixParameters = Object.fromEntries(prefixes.map((word, i) => [`prefix${i}`, word]))
  add(text, { ...(whole.length > 0 && { words: whole }), ...prefixParameters })
}

function addScores({ hasScore, score }: TraceFilters, add: Add): void {
  if (hasScore !== undefined) {
    add(`trace_id ${hasScore ? '' : 'NOT '}IN (${tracesWithAnyScore})`, {})
  }
  if (score === undefined) return
  add(`trace_id IN (${tracesWithScore})`, {
    scoreName: score.name,
    minScore: score.min ?? 0,
    maxScore: score.max ?? 1,
    scorePassed: score.passed === undefined ? null : String(score.passed),
  })
}

function listOf(values: AnyOf): readonly string[] {
  return [values].flat()
}
