import type { Layout } from './layout.ts'

/*
 * Spans, labels and traces. Sort keys are identities: nothing in them ever changes, so that a row with a larger version
 * replaces the one before it wherever both meet (docs/adr/0028-clickhouse-engine.md).
 */
export function createTraceTables(layout: Layout): readonly string[] {
  return [
    ...[spans(layout), labels(layout), traces(layout), feed(layout), feedView(layout)],
    repairs(layout),
  ]
}

const spans = ({ table, engine, settings }: Layout) => `CREATE TABLE IF NOT EXISTS ${table('spans')}
(
    project_id String,
    trace_id String,
    span_id String,
    version UInt64 CODEC(Delta, ZSTD(1)),
    arrived_on Date,
    source LowCardinality(String),
    parent_span_id Nullable(String),
    name String,
    kind LowCardinality(String),
    status LowCardinality(String),
    status_message Nullable(String),
    started_at Int64 CODEC(Delta, ZSTD(1)),
    ended_at Int64 CODEC(Delta, ZSTD(1)),
    latency_ms Nullable(Float64),
    model LowCardinality(Nullable(String)),
    tokens_in Nullable(UInt64),
    tokens_out Nullable(UInt64),
    tokens_cache_read Nullable(UInt64),
    tokens_cache_write Nullable(UInt64),
    tokens_cache_write_1h Nullable(UInt64),
    tokens_reasoning Nullable(UInt64),
    cost_usd Nullable(Float64),
    cost_source LowCardinality(String),
    computed_cost_usd Nullable(Float64),
    price_source LowCardinality(Nullable(String)),
    price_date LowCardinality(Nullable(String)),
    unpriced_reason LowCardinality(Nullable(String)),
    provider LowCardinality(Nullable(String)),
    service_tier LowCardinality(Nullable(String)),
    session_id Nullable(String),
    user_id Nullable(String),
    environment LowCardinality(Nullable(String)),
    service LowCardinality(Nullable(String)),
    sdk LowCardinality(Nullable(String)),
    response_id Nullable(String),
    tags Nullable(String),
    trace_name Nullable(String),
    -- The texts exactly as they were accepted: the type JSON drops nulls and changes numbers.
    input String CODEC(ZSTD(3)),
    output String CODEC(ZSTD(3)),
    attributes String CODEC(ZSTD(3)),
    events String CODEC(ZSTD(3)),
    links String CODEC(ZSTD(3)),
    resource String CODEC(ZSTD(3)),
    scope String CODEC(ZSTD(3)),
    body_size UInt32,
    -- What search finds the span by, split by the service, so that every engine finds the same.
    words Array(String) CODEC(ZSTD(3)),
    -- By the clock of the server, also of a row that was copied: what to check after a process has ended.
    stored_at DateTime MATERIALIZED now() CODEC(Delta, ZSTD(1)),
    INDEX words_index words TYPE text(tokenizer = 'array'),
    INDEX stored_index stored_at TYPE minmax GRANULARITY 1
)
ENGINE = ${engine('ReplacingMergeTree(version)')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, span_id)
SETTINGS ${settings('index_granularity = 1024, index_granularity_bytes = 2097152')}`

const labels = ({
  table,
  engine,
  settings,
}: Layout) => `CREATE TABLE IF NOT EXISTS ${table('trace_labels')}
(
    project_id String,
    trace_id String,
    label String,
    version UInt64,
    arrived_on Date,
    value String,
    stored_at DateTime MATERIALIZED now() CODEC(Delta, ZSTD(1)),
    INDEX stored_index stored_at TYPE minmax GRANULARITY 1
)
ENGINE = ${engine('ReplacingMergeTree(version)')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, label)
SETTINGS ${settings('index_granularity = 1024')}`

const traces = ({
  table,
  engine,
  settings,
}: Layout) => `CREATE TABLE IF NOT EXISTS ${table('traces')}
(
    project_id String,
    trace_id String,
    -- The sum of the versions of its spans and labels: what was computed from fewer of them never replaces it.
    version UInt128,
    arrived_on Date,
    started_at Int64,
    ended_at Int64,
    root_name String,
    status LowCardinality(String),
    unfinished LowCardinality(Nullable(String)),
    mode LowCardinality(String),
    environment LowCardinality(Nullable(String)),
    tags Array(String),
    source LowCardinality(String),
    session_id Nullable(String),
    user_id Nullable(String),
    service LowCardinality(Nullable(String)),
    sdk LowCardinality(Nullable(String)),
    span_count UInt64,
    error_count UInt64,
    llm_call_count UInt64,
    tool_call_count UInt64,
    tokens_in UInt64,
    tokens_out UInt64,
    cost_usd Nullable(Float64),
    model_call_count UInt64,
    unpriced_call_count UInt64,
    models Array(String),
    updated_at Int64,
    received_at Int64,
    settles_at Int64,
    names Array(String),
    folded_names Array(String),
    kinds Array(String),
    -- Of its duration, by domain/latency-sketch.ts.
    latency_bucket Int32,
    -- Calls that count in another span, and those that count beside the calls within them: JSON.
    repeated_calls String CODEC(ZSTD(3)),
    separate_calls String CODEC(ZSTD(3)),
    -- What it adds to the statistics of its models: JSON.
    model_sums String CODEC(ZSTD(3)),
    stored_at DateTime MATERIALIZED now() CODEC(Delta, ZSTD(1)),
    INDEX stored_index stored_at TYPE minmax GRANULARITY 1,
    -- Finds traces by when they settle.
    INDEX settles_index settles_at TYPE minmax GRANULARITY 1
)
ENGINE = ${engine('ReplacingMergeTree(version)')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id)
SETTINGS ${settings('index_granularity = 256')}`

/** The keys of the list of traces, also those of earlier states of a trace. */
const feed = ({
  table,
  engine,
  settings,
}: Layout) => `CREATE TABLE IF NOT EXISTS ${table('trace_feed')}
(
    project_id String,
    started_at Int64 CODEC(Delta, ZSTD(1)),
    trace_id String,
    arrived_on Date
)
ENGINE = ${engine('ReplacingMergeTree')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, started_at, trace_id)
SETTINGS ${settings('index_granularity = 1024')}`

const feedView = ({
  view,
}: Layout) => `CREATE MATERIALIZED VIEW IF NOT EXISTS ${view('trace_feed_view')} TO trace_feed
AS SELECT project_id, started_at, trace_id, arrived_on FROM traces`

/** Until when it has been checked that the rows of traces follow from their spans (trace-repair.ts). */
const repairs = ({
  table,
  engine,
  settings,
}: Layout) => `CREATE TABLE IF NOT EXISTS ${table('repairs')}
(
    checked_until DateTime
)
ENGINE = ${engine('ReplacingMergeTree(checked_until)')}
ORDER BY tuple()
SETTINGS ${settings('index_granularity = 8192')}`
