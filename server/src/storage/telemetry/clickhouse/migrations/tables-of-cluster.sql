CREATE TABLE IF NOT EXISTS migrations ON CLUSTER 'assay'
(
    number UInt32,
    applied_at DateTime DEFAULT now()
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
ORDER BY number
SETTINGS index_granularity = 8192, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS spans ON CLUSTER 'assay'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version)
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, span_id)
SETTINGS index_granularity = 1024, index_granularity_bytes = 2097152, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS trace_labels ON CLUSTER 'assay'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version)
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, label)
SETTINGS index_granularity = 1024, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS traces ON CLUSTER 'assay'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version)
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id)
SETTINGS index_granularity = 256, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS trace_feed ON CLUSTER 'assay'
(
    project_id String,
    started_at Int64 CODEC(Delta, ZSTD(1)),
    trace_id String,
    arrived_on Date
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, started_at, trace_id)
SETTINGS index_granularity = 1024, replicated_deduplication_window = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS trace_feed_view ON CLUSTER 'assay' TO trace_feed
AS SELECT project_id, started_at, trace_id, arrived_on FROM traces;

CREATE TABLE IF NOT EXISTS repairs ON CLUSTER 'assay'
(
    checked_until DateTime
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', checked_until)
ORDER BY tuple()
SETTINGS index_granularity = 8192, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS logs ON CLUSTER 'assay'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, at, log_id)
SETTINGS index_granularity = 1024, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS span_contents ON CLUSTER 'assay'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, span_id, log_id)
SETTINGS index_granularity = 1024, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS metric_series ON CLUSTER 'assay'
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
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
ORDER BY (project_id, name, kind, unit, series_id)
SETTINGS index_granularity = 1024, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS metric_points ON CLUSTER 'assay'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version)
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, series_id, at)
SETTINGS index_granularity = 8192, replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS scores ON CLUSTER 'assay'
(
    project_id String,
    trace_id String,
    score_id String,
    version UInt128,
    arrived_on Date,
    span_id Nullable(String),
    name String,
    evaluator_id Nullable(String),
    run_id Nullable(String),
    source LowCardinality(String),
    author_id Nullable(String),
    status LowCardinality(String),
    value Float64,
    passed Bool,
    reasoning String CODEC(ZSTD(3)),
    eval_type LowCardinality(Nullable(String)),
    tokens_in Nullable(UInt64),
    tokens_out Nullable(UInt64),
    cost_usd Nullable(Float64),
    latency_ms Nullable(Float64),
    details String CODEC(ZSTD(3)),
    created_at Int64,
    updated_at Int64,
    INDEX created_index created_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version)
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, score_id)
SETTINGS index_granularity = 1024, replicated_deduplication_window = 0;
