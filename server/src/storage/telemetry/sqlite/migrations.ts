import { signalTables } from './signal-tables.ts'

/*
 * The schema of telemetry.sqlite as a list of migrations. The file's `user_version` is the version of the last
 * one it has applied. A released migration is never changed, only followed by another.
 *
 * Instants are nanoseconds since 1970. Node reads no integer beyond 2^53 as a number, so they are read as
 * text (CAST) and written as text or bigint.
 */

/** Of the first migration. Builds from before the first release used lower versions, for other schemas. */
export const firstVersion = 103

/** The first whose rollups are kept apart by mode. */
export const rollupsByModeVersion = firstVersion + 6

export const migrations: readonly string[] = [
  `
  CREATE TABLE projects (
    project_no  INTEGER PRIMARY KEY,
    project_id  TEXT    NOT NULL UNIQUE,
    trace_count INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE traces (
    trace_no        INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused: the search index references it
    project_no      INTEGER NOT NULL,
    trace_id        TEXT    NOT NULL,
    root_name       TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    mode            TEXT    NOT NULL,
    environment     TEXT,
    tags            TEXT    NOT NULL, -- JSON array
    source          TEXT    NOT NULL,
    session_id      TEXT,
    user_id         TEXT,
    service         TEXT,
    sdk             TEXT,
    started_at      INTEGER NOT NULL,
    ended_at        INTEGER NOT NULL,
    span_count      INTEGER NOT NULL,
    error_count     INTEGER NOT NULL,
    llm_call_count  INTEGER NOT NULL,
    tool_call_count INTEGER NOT NULL,
    tokens_in       INTEGER NOT NULL,
    tokens_out      INTEGER NOT NULL,
    cost_usd        REAL,
    models          TEXT    NOT NULL, -- JSON array
    updated_at      INTEGER NOT NULL,
    labels          TEXT,             -- JSON, of the batches that set any
    facets          TEXT    NOT NULL, -- JSON array of the facet numbers that it is indexed under
    model_rollup    TEXT    NOT NULL, -- JSON: what removing it subtracts from the rollups by model
    UNIQUE (project_no, trace_id)
  ) STRICT;

  -- The list. The short columns after its order let a filter read the index alone and fetch only
  -- matching rows.
  CREATE INDEX traces_by_start ON traces
    (project_no, started_at, trace_id, status, mode, source, environment, service);
  CREATE INDEX error_traces_by_start ON traces
    (project_no, started_at, trace_id) WHERE status = 'ERROR';
  CREATE INDEX traces_by_session ON traces
    (project_no, session_id, started_at, trace_id) WHERE session_id IS NOT NULL;
  CREATE INDEX traces_by_user ON traces
    (project_no, user_id, started_at, trace_id) WHERE user_id IS NOT NULL;

  -- Values that traces can be filtered by, unique within a project. Keys: statements/facets.ts.
  CREATE TABLE facet_values (
    facet_no   INTEGER PRIMARY KEY,
    project_no INTEGER NOT NULL,
    key        INTEGER NOT NULL,
    value      TEXT    NOT NULL,
    UNIQUE (project_no, key, value)
  ) STRICT;

  -- Only numbers, because a trace has a dozen of these rows. \`facet_at\` is the start of the trace.
  CREATE TABLE facet_traces (
    facet_no    INTEGER NOT NULL,
    facet_at    INTEGER NOT NULL,
    facet_trace INTEGER NOT NULL,
    PRIMARY KEY (facet_no, facet_at, facet_trace)
  ) STRICT, WITHOUT ROWID;

  -- Rollups by hour and dimension (numbered in statements/rollups.ts): sums of the deltas of traces
  -- (aggregates/trace-rollup.ts), which are subtracted again when a trace changes. A version that computes
  -- deltas differently must rebuild this table and the next.
  CREATE TABLE hourly_rollups (
    project_no INTEGER NOT NULL,
    dimension  INTEGER NOT NULL,
    hour       INTEGER NOT NULL,
    value      TEXT    NOT NULL,
    count      INTEGER NOT NULL,
    errors     INTEGER NOT NULL,
    calls      INTEGER NOT NULL,
    unpriced   INTEGER NOT NULL,
    tokens_in  REAL    NOT NULL,
    tokens_out REAL    NOT NULL,
    cost_nanos REAL    NOT NULL,
    latencies  TEXT    NOT NULL, -- JSON array of bucket and count
    PRIMARY KEY (project_no, dimension, hour, value)
  ) STRICT, WITHOUT ROWID;

  -- Sessions and users.
  CREATE TABLE trace_groups (
    project_no INTEGER NOT NULL,
    kind       INTEGER NOT NULL,
    value      TEXT    NOT NULL,
    traces     INTEGER NOT NULL,
    errors     INTEGER NOT NULL,
    spans      INTEGER NOT NULL,
    calls      INTEGER NOT NULL,
    unpriced   INTEGER NOT NULL,
    tokens_in  REAL    NOT NULL,
    tokens_out REAL    NOT NULL,
    cost_nanos REAL    NOT NULL,
    first_at   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    PRIMARY KEY (project_no, kind, value)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trace_groups_by_last_at ON trace_groups (project_no, kind, last_at, value);

  -- One trace is one range of this table.
  CREATE TABLE spans (
    trace_no              INTEGER NOT NULL,
    span_id               TEXT    NOT NULL,
    parent_span_id        TEXT,
    name                  TEXT    NOT NULL,
    kind                  TEXT    NOT NULL,
    status                TEXT    NOT NULL,
    status_message        TEXT,
    started_at            INTEGER NOT NULL,
    ended_at              INTEGER NOT NULL,
    latency_ms            REAL    NOT NULL,
    model                 TEXT,
    tokens_in             INTEGER,
    tokens_out            INTEGER,
    tokens_cache_read     INTEGER,
    tokens_cache_write    INTEGER,
    tokens_reasoning      INTEGER,
    cost_usd              REAL,
    cost_source           TEXT    NOT NULL,
    session_id            TEXT,
    user_id               TEXT,
    environment           TEXT,
    service               TEXT,
    sdk                   TEXT,
    block_no              INTEGER NOT NULL, -- location of its body: block, first byte, bytes
    body_offset           INTEGER NOT NULL,
    body_bytes            INTEGER NOT NULL,
    provider              TEXT,
    service_tier          TEXT,
    tokens_cache_write_1h INTEGER,
    computed_cost_usd     REAL,
    price_source          TEXT,
    price_date            TEXT,
    unpriced_reason       TEXT,
    source                TEXT    NOT NULL,
    tags                  TEXT, -- JSON array: the tags that the span sets for its trace
    response_id           TEXT,
    repeats_span_id       TEXT, -- the span of another instrumentation that counts in its place
    revision              INTEGER NOT NULL DEFAULT 0, -- how often it has been re-priced since it was recorded
    PRIMARY KEY (trace_no, span_id)
  ) STRICT, WITHOUT ROWID;

  -- Bodies of spans of one trace from one batch. A block is deleted with its last span.
  CREATE TABLE blocks (
    block_no      INTEGER PRIMARY KEY AUTOINCREMENT,
    trace_no      INTEGER NOT NULL,
    is_compressed INTEGER NOT NULL,
    data          BLOB    NOT NULL
  ) STRICT;

  -- Traces to remove from the search index and, if they still exist, to index again.
  CREATE TABLE search_changes (
    change_no INTEGER PRIMARY KEY AUTOINCREMENT,
    trace_no  INTEGER NOT NULL
  ) STRICT;

  -- In order of arrival, so that the oldest are found without another index.
  CREATE TABLE idempotency_records (
    record_no  INTEGER PRIMARY KEY,
    project_no INTEGER NOT NULL,
    key        TEXT    NOT NULL,
    note       TEXT    NOT NULL,
    traces     TEXT    NOT NULL, -- JSON array, as returned
    created_at INTEGER NOT NULL,
    UNIQUE (project_no, key)
  ) STRICT;

  -- Row counts of each project by signal (numbered in statements/row-counts.ts).
  CREATE TABLE row_counts (
    project_no INTEGER NOT NULL,
    signal     INTEGER NOT NULL,
    count      INTEGER NOT NULL,
    PRIMARY KEY (project_no, signal)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE scores (
    trace_no     INTEGER NOT NULL,
    score_id     TEXT    NOT NULL,
    project_no   INTEGER NOT NULL,
    span_id      TEXT,
    name         TEXT    NOT NULL,
    evaluator_id TEXT,
    run_id       TEXT,
    source       TEXT    NOT NULL,
    author_id    TEXT,
    status       TEXT    NOT NULL,
    value        REAL    NOT NULL,
    passed       INTEGER NOT NULL,
    reasoning    TEXT    NOT NULL,
    eval_type    TEXT,
    tokens_in    INTEGER,
    tokens_out   INTEGER,
    cost_usd     REAL,
    latency_ms   REAL,
    details      TEXT    NOT NULL, -- JSON object
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    is_latest    INTEGER NOT NULL, -- whether it is the newest scored score of its name in its trace
    PRIMARY KEY (trace_no, score_id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX latest_scores_by_name ON scores (project_no, name, value, trace_no, passed)
    WHERE is_latest = 1;
  -- Covers aggregates over time.
  CREATE INDEX scores_by_created_at ON scores
    (project_no, created_at, name, evaluator_id, status, value, passed);

  -- Traces without a row in \`traces\` whose spans, scores and log records are being deleted.
  CREATE TABLE removed_traces (
    trace_no   INTEGER PRIMARY KEY,
    project_no INTEGER NOT NULL,
    trace_id   TEXT    NOT NULL
  ) STRICT;
  ${signalTables}
  `,
  // The name that the span sets for its trace.
  'ALTER TABLE spans ADD COLUMN trace_name TEXT',
  // Whether it counts beside the calls within it.
  'ALTER TABLE spans ADD COLUMN is_separate_call INTEGER NOT NULL DEFAULT 0',
  `
  -- Covers aggregates over time, by source.
  DROP INDEX scores_by_created_at;
  CREATE INDEX scores_by_created_at ON scores
    (project_no, created_at, name, evaluator_id, source, status, value, passed);
  -- What people scored to compare it with an evaluator.
  CREATE INDEX compared_scores ON scores (project_no, created_at, trace_no, evaluator_id, name)
    WHERE source = 'person' AND evaluator_id IS NOT NULL;
  -- The verdicts of an evaluator and of people on a trace.
  CREATE INDEX verdicts ON scores (trace_no, evaluator_id, source, created_at, score_id, passed)
    WHERE status = 'scored' AND evaluator_id IS NOT NULL;
  `,
  `
  -- Null for earlier traces.
  ALTER TABLE traces ADD COLUMN received_at INTEGER;
  ALTER TABLE traces ADD COLUMN settles_at INTEGER;
  CREATE INDEX traces_by_settling ON traces (project_no, settles_at) WHERE settles_at IS NOT NULL;
  CREATE INDEX latest_scores_by_trace ON scores (trace_no, passed) WHERE is_latest = 1;
  `,
  `
  CREATE INDEX latest_scores_by_verdict ON scores (project_no, name, passed, value, trace_no)
    WHERE is_latest = 1;
  `,
  `
  -- The list of one mode, also when nearly all traces are of the other. Rollups are kept apart by mode from this
  -- version on (rollups-by-mode.ts).
  CREATE INDEX traces_by_mode ON traces (project_no, mode, started_at, trace_id, status, source);
  `,
  // What the trace waits for: `root_open` or `root_missing`. Null for earlier traces.
  'ALTER TABLE traces ADD COLUMN unfinished TEXT',
]
