import type { Layout } from './layout.ts'

/*
 * Scores of traces and spans. The larger `updated_at` counts, and of two with the same the one recorded last: both are in
 * the version.
 */
export function createScoreTable({ table, engine, settings }: Layout): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${table('scores')}
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
ENGINE = ${engine('ReplacingMergeTree(version)')}
PARTITION BY toYYYYMM(arrived_on)
ORDER BY (project_id, trace_id, score_id)
SETTINGS ${settings('index_granularity = 1024')}`,
  ]
}
