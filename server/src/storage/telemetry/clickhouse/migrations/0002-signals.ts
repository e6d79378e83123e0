import type { Layout } from './layout.ts'

/*
 * Metrics and log records. A point is replaced by one with a larger version; a log record is identified by all of its
 * content, so that its copies are equal.
 */
export function createSignalTables(layout: Layout): readonly string[] {
  return [logs(layout), contents(layout), series(layout), points(layout)]
}

const logs = ({ table, engine, settings }: Layout) => `CREATE TABLE IF NOT EXISTS ${table('logs')}
(
    project_id String,
    at Int64 CODEC(Delta, ZSTD(1)),
    log_id String,
    arrived_on Date,
    observed_at Nullable(Int64),
    severity UInt8,
    severity_text LowCardinality(Nullable(String)),
    event_name LowCardinality(Nullable(String)),
    trace_id Nullable(String),
    span_id Nullable(String),
    service LowCardinality(Nullable(String)),
    body String CODEC(ZSTD(3)),
    attributes String CODEC(ZSTD(3)),
    resource String CODEC(ZSTD(3)),
    scope String CODEC(ZSTD(3)),
    INDEX trace_index trace_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine('ReplacingMergeTree')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, at, log_id)
SETTINGS ${settings('index_granularity = 1024')}`

/** Inputs and outputs of spans from log records. */
const contents = ({
  table,
  engine,
  settings,
}: Layout) => `CREATE TABLE IF NOT EXISTS ${table('span_contents')}
(
    project_id String,
    trace_id String,
    span_id String,
    log_id String,
    arrived_on Date,
    at Int64,
    observed_at Int64,
    request_index UInt32,
    input Nullable(String) CODEC(ZSTD(3)),
    output Nullable(String) CODEC(ZSTD(3))
)
ENGINE = ${engine('ReplacingMergeTree')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, span_id, log_id)
SETTINGS ${settings('index_granularity = 1024')}`

const series = ({
  table,
  engine,
  settings,
}: Layout) => `CREATE TABLE IF NOT EXISTS ${table('metric_series')}
(
    project_id String,
    name String,
    kind LowCardinality(String),
    unit LowCardinality(String),
    series_id String,
    description SimpleAggregateFunction(anyLast, String),
    temporality SimpleAggregateFunction(anyLast, LowCardinality(String)),
    is_monotonic SimpleAggregateFunction(anyLast, Bool),
    attributes SimpleAggregateFunction(anyLast, String),
    service SimpleAggregateFunction(anyLast, Nullable(String)),
    resource SimpleAggregateFunction(anyLast, String),
    scope SimpleAggregateFunction(anyLast, String),
    last_seen_at SimpleAggregateFunction(max, Int64)
)
ENGINE = ${engine('AggregatingMergeTree')}
ORDER BY (project_id, name, kind, unit, series_id)
SETTINGS ${settings('index_granularity = 1024')}`

const points = ({
  table,
  engine,
  settings,
}: Layout) => `CREATE TABLE IF NOT EXISTS ${table('metric_points')}
(
    project_id String,
    series_id String,
    at Int64 CODEC(DoubleDelta, ZSTD(1)),
    version UInt64 CODEC(Delta, ZSTD(1)),
    arrived_on Date,
    started_at Nullable(Int64),
    value Nullable(Float64),
    distribution Nullable(String) CODEC(ZSTD(1)),
    exemplars Nullable(String) CODEC(ZSTD(3))
)
ENGINE = ${engine('ReplacingMergeTree(version)')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, series_id, at)
SETTINGS ${settings('index_granularity = 8192')}`
