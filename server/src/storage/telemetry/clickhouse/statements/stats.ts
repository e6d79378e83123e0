/*
 * Statements of counts and aggregates. The sums of a group are in the order of stats-reads.ts.
 */

/** Costs are summed in whole billionths of a dollar, of a trace not more than stay exact. */
const costNanos = 'least(round(coalesce(cost_usd, 0) * 1e9), 1e15)'

const sums = `
    count() AS total, countIf(status = 'ERROR'), sum(model_call_count), sum(unpriced_call_count),
    sum(tokens_in), sum(tokens_out), sum(${costNanos}),
    sumMap([latency_bucket], [toUInt64(1)]) AS latencies, latencies.1, latencies.2`

const range = `
  FROM traces FINAL
  WHERE project_id = {project:String} AND started_at >= {from:Int64} AND started_at < {to:Int64}`

/** By start, in buckets that begin at multiples of their width. */
export const statsByBucket = (condition: string) => `
  SELECT started_at - positiveModulo(started_at, {width:Int64}) AS bucket, ${sums}
  ${range} AND ${condition}
  GROUP BY bucket
  ORDER BY bucket`

/** By name, environment and tag: those with the highest counts of each. */
export const statsByValue = (condition: string) => `
  SELECT dimension, value, ${sums}
  FROM (SELECT * ${range} AND ${condition}) AS traces
  ARRAY JOIN
    arrayConcat(
      [('name', root_name), ('environment', coalesce(environment, ''))],
      arrayMap(tag -> ('tag', tag), arrayDistinct(tags))
    ) AS of
  GROUP BY of.1 AS dimension, of.2 AS value
  ORDER BY total DESC, value
  LIMIT {groups:UInt64} BY dimension`

const modelSums = `Array(Tuple(
    String,
    Tuple(
      count UInt64, errors UInt64, calls UInt64, unpriced UInt64, tokensIn UInt64, tokensOut UInt64,
      costNanos Float64, latencies Array(Tuple(Int32, UInt64))
    )
  ))`

/** Calls by model. */
export const statsByModel = (condition: string) => `
  SELECT of.1 AS model, sum(of.2.count) AS total, sum(of.2.errors), sum(of.2.calls),
    sum(of.2.unpriced), sum(of.2.tokensIn), sum(of.2.tokensOut), sum(of.2.costNanos),
    sumMap(of.2.latencies.1, of.2.latencies.2) AS latencies, latencies.1, latencies.2
  FROM (SELECT model_sums ${range} AND ${condition}) AS traces
  ARRAY JOIN JSONExtract(model_sums, '${modelSums.replaceAll(/\s+/g, ' ')}') AS of
  GROUP BY model
  ORDER BY total DESC, model
  LIMIT {groups:UInt64}`

/** The starts of the first and the last match, and how many there are. */
export const extentOfTraces = (condition: string) => `
  SELECT min(started_at), max(started_at), count()
  FROM traces FINAL
  WHERE project_id = {project:String} AND ${condition}`

/** Buckets of weeks begin at a multiple of their width after an offset. */
export const countsOfTraces = (condition: string) => `
  SELECT started_at - positiveModulo(started_at - {offset:Int64}, {width:Int64}) AS bucket,
    count(), countIf(status = 'ERROR')
  ${range} AND ${condition}
  GROUP BY bucket
  ORDER BY bucket`

const columns = { session: 'session_id', user: 'user_id' } as const

/** Sessions or users, those that were active last first. */
export const groupsOfTraces = (kind: keyof typeof columns) => `
  SELECT assumeNotNull(${columns[kind]}) AS value, count(), countIf(status = 'ERROR'),
    sum(span_count), sum(model_call_count), sum(unpriced_call_count), sum(tokens_in),
    sum(tokens_out), sum(${costNanos}), min(started_at), max(started_at) AS last_at
  FROM traces FINAL
  WHERE project_id = {project:String} AND ${columns[kind]} IS NOT NULL
  GROUP BY value
  HAVING last_at >= {from:Int64} AND last_at < {to:Int64}
    AND (last_at, value) < ({afterAt:Int64}, {afterId:String})
  ORDER BY last_at DESC, value DESC
  LIMIT {limit:UInt64}`
