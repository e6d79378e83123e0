import type { PriceablePage, Pricing, SpanRef, SpanRepricing } from '../port/pricing.ts'
import {
  type At,
  decodeAfter,
  decodePriceable,
  encodePriceable,
  type PriceablePosition,
} from '../positions.ts'
import type { Row } from './columns.ts'
import type { Connection, StatementOptions } from './connection.ts'
import type { Engine } from './engine.ts'
import { readUsedModels } from './model-reads.ts'
import { splitForParameter } from './parameter-lists.ts'
import { pricedColumns } from './span-columns.ts'
import {
  deletedSpans,
  deleteSpans,
  neverDeletedSpans,
  pricedSpans,
  repriceSpans,
  spansToPrice,
  tracesInRange,
  tracesToPrice,
  unchangedSpans,
} from './statements/pricing.ts'
import { findOutdated, type TraceRepair } from './trace-repair.ts'

/*
 * The operations of the port on prices.
 */

/** The maximum number of traces that one page reads, however few spans they have. */
const tracesPerPage = 2000
/** Their facts are in the address of a request. */
const spansAtOnce = 200

type Query = At<PriceablePosition, Parameters<Pricing['listPriceable']>[1]>

export function priceOperations(engine: Engine, { repair }: Pick<TraceRepair, 'repair'>): Pricing {
  const { connection, read, recording, now, notify, change } = engine
  return {
    async listPriceable(projectId, query, options) {
      const decoded = decodeAfter(query, decodePriceable)
      return await read(projectId, options, (statement) =>
        readPriceable(engine, projectId, decoded, statement),
      )
    },

    reprice: (projectId, prices) =>
      change(projectId, async () => {
        const changed: SpanRef[] = []
        const refused = new Set<string>()
        for (let at = 0; at < prices.length; at += spansAtOnce) {
          const some = await repriceSome(engine, projectId, prices.slice(at, at + spansAtOnce))
          changed.push(...some.changed)
          for (const { traceId } of some.refused) refused.add(traceId)
        }
        const traceIds = [
          ...new Set([
            ...changed.map(({ traceId }) => traceId),
            ...(await findInterrupted(connection, projectId, prices)),
          ]),
        ]
        const keys = traceIds.map((traceId) => [projectId, traceId] as const)
        if (keys.length > 0) await recording.recompute(keys, now())
        // Their rows may have been computed with these prices.
        await repair([...refused].map((traceId) => [projectId, traceId]))
        notify(projectId, traceIds)
        return changed
      }),

    countTraces: (projectId, { range, scanLimit }, options) =>
      read(projectId, options, async (statement) => {
        const parameters = { project: projectId, ...range, limit: scanLimit + 1 }
        const rows = await connection.rows(tracesInRange, parameters, statement)
        const found = Number(rows[0]?.[0] ?? 0)
        return { count: Math.min(found, scanLimit), isComplete: found <= scanLimit }
      }),

    async listModels(projectId, query, options) {
      return await read(projectId, options, (statement) =>
        readUsedModels(connection, projectId, query, statement),
      )
    },
  }
}

async function readPriceable(
  { connection }: Engine,
  projectId: string,
  { range, limit, after }: Query,
  options: StatementOptions,
): Promise<PriceablePage> {
  const from = after ?? { startedAt: range.from, traceId: '' }
  const rows = await connection.rows(
    tracesToPrice,
    {
      ...{ project: projectId, afterAt: from.startedAt, afterId: from.traceId },
      ...{ to: range.to, limit: tracesPerPage },
    },
    options,
  )
  const listed = rows
    .map(([id, at]) => ({ traceId: String(id), startedAt: BigInt(String(at)) }))
    .filter(({ traceId }) => after?.spanId !== null || traceId !== after.traceId)
  const [traces = []] = splitForParameter(listed, ({ traceId }) => traceId)
  if (traces.length === 0) return { spans: [], traceCount: 0, next: undefined }
  const isFull = rows.length === tracesPerPage || traces.length < listed.length
  const found = await connection.rows(
    spansToPrice,
    {
      ...{ project: projectId, ids: traces.map(({ traceId }) => traceId), limit: limit + 1 },
      ...{ continued: after?.traceId ?? '', afterSpan: after?.spanId ?? '' },
    },
    options,
  )
  const spans = found.slice(0, limit).map((row) => pricedColumns.fromRow(row))
  const last = spans.at(-1)
  const lastIndex = traces.findIndex(({ traceId }) => traceId === last?.traceId)
  if (found.length > limit && last !== undefined) {
    const isWhole = String(found[limit]![0]) !== last.traceId
    const position = { ...traces[lastIndex]!, spanId: isWhole ? null : last.spanId }
    return { spans, traceCount: lastIndex + (isWhole ? 1 : 0), next: encodePriceable(position) }
  }
  const next = isFull ? encodePriceable({ ...traces.at(-1)!, spanId: null }) : undefined
  return { spans, traceCount: traces.length, next }
}

/** The traces whose spans a call has changed that was interrupted before it computed their rows. */
async function findInterrupted(
  connection: Connection,
  projectId: string,
  prices: readonly SpanRepricing[],
): Promise<readonly string[]> {
  const traceIds = new Set(prices.map(({ traceId }) => traceId))
  const keys = [...traceIds].map((traceId) => [projectId, traceId] as const)
  const outdated = await findOutdated(connection, keys)
  return outdated.flatMap(({ key: [, traceId], row, sources }) => (row < sources ? [traceId] : []))
}

interface RepricedSpans {
  /** Those whose prices are stored. */
  readonly changed: readonly SpanRef[]
  /** Those that were deleted before. */
  readonly refused: readonly SpanRef[]
}

async function repriceSome(
  { connection }: Engine,
  projectId: string,
  prices: readonly SpanRepricing[],
): Promise<RepricedSpans> {
  const bySpan = new Map<string, SpanRepricing>()
  for (const each of prices) {
    const key = toSpanKey(each)
    if (!bySpan.has(key)) bySpan.set(key, each)
  }
  const distinct = [...bySpan.values()].filter(({ version }) => /^\d{1,20}$/.test(version))
  if (distinct.length === 0) return { changed: [], refused: [] }
  const parameters = ofSpans(projectId, distinct)
  const unchanged = toKeys(await connection.rows(unchangedSpans, parameters))
  if (unchanged.size === 0) return { changed: [], refused: [] }
  const neverDeleted = toKeys(await connection.rows(neverDeletedSpans, parameters))
  await connection.execute(repriceSpans, {
    ...parameters,
    costs: distinct.map(({ price }) => price.computedCostUsd),
    sources: distinct.map(({ price }) => price.priceSource),
    dates: distinct.map(({ price }) => price.priceDate),
    reasons: distinct.map(({ price }) => price.unpricedReason),
  })
  const deletable = unchanged.intersection(neverDeleted)
  const refused = await removePrices(
    connection,
    projectId,
    distinct.filter((span) => deletable.has(toSpanKey(span))),
  )
  const priced = toKeys(await connection.rows(pricedSpans, parameters))
  const stored = priced.intersection(unchanged).difference(new Set(refused.map(toSpanKey)))
  return { changed: distinct.filter((span) => stored.has(toSpanKey(span))).map(toRef), refused }
}

function ofSpans(projectId: string, spans: readonly Omit<SpanRepricing, 'price'>[]) {
  return {
    project: projectId,
    traces: spans.map(({ traceId }) => traceId),
    spans: spans.map(({ spanId }) => spanId),
    versions: spans.map(({ version }) => BigInt(version)),
  }
}

function toRef({ traceId, spanId }: SpanRef): SpanRef {
  return { traceId, spanId }
}

/** Of rows that begin with the ids of a trace and a span. */
function toKeys(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(
    rows.map(([traceId, spanId]) =>
      toSpanKey({ traceId: String(traceId), spanId: String(spanId) }),
    ),
  )
}

function toSpanKey({ traceId, spanId }: SpanRef): string {
  return JSON.stringify([traceId, spanId])
}

/**
 * Removes the prices of spans that were deleted while these were stored, and returns these spans. Their rows with the listed
 * version are the proof, for spans of which none was deleted before. That a trace has no row is no proof, because a row that
 * was outdated is computed again.
 */
async function removePrices(
  connection: Connection,
  projectId: string,
  spans: readonly SpanRepricing[],
): Promise<readonly SpanRef[]> {
  if (spans.length === 0) return []
  const deleted = toKeys(await connection.rows(deletedSpans, ofSpans(projectId, spans)))
  const refused = spans.filter((span) => deleted.has(toSpanKey(span)))
  const added = refused.map((each) => ({ ...each, version: String(BigInt(each.version) + 1n) }))
  if (added.length > 0) await connection.execute(deleteSpans, ofSpans(projectId, added))
  return refused
}
