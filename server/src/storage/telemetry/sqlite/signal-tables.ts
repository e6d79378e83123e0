/*
 * Tables of metrics and log records, in the order in which they are read: a series by time, the log newest
 * first.
 */
export const signalTables = `
  -- Resources and scopes, stored once for all items that share them.
  CREATE TABLE resource_scopes (
    resource_scope_no INTEGER PRIMARY KEY,
    project_no        INTEGER NOT NULL,
    resource_scope_id BLOB    NOT NULL,
    service           TEXT,
    resource          TEXT    NOT NULL,
    scope             TEXT    NOT NULL,
    UNIQUE (project_no, resource_scope_id)
  ) STRICT;

  CREATE TABLE metric_series (
    series_no         INTEGER PRIMARY KEY,
    project_no        INTEGER NOT NULL,
    series_id         BLOB    NOT NULL,
    name              TEXT    NOT NULL,
    kind              TEXT    NOT NULL,
    unit              TEXT    NOT NULL,
    description       TEXT    NOT NULL,
    temporality       TEXT    NOT NULL,
    is_monotonic      INTEGER NOT NULL,
    attributes        TEXT    NOT NULL,
    resource_scope_no INTEGER NOT NULL,
    UNIQUE (project_no, series_id)
  ) STRICT;

  CREATE INDEX metric_series_by_name ON metric_series (project_no, name, kind, unit);
  -- Finds whether anything refers to a resource and scope.
  CREATE INDEX metric_series_by_resource_scope ON metric_series (resource_scope_no);

  CREATE TABLE metric_points (
    series_no    INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    started_at   INTEGER,
    value        REAL,
    distribution TEXT, -- JSON, depending on the kind of the series
    exemplars    TEXT, -- JSON array
    PRIMARY KEY (series_no, at)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE logs (
    project_no        INTEGER NOT NULL,
    at                INTEGER NOT NULL,
    log_id            BLOB    NOT NULL,
    observed_at       INTEGER,
    severity          INTEGER NOT NULL,
    severity_text     TEXT,
    event_name        TEXT,
    trace_id          TEXT,
    span_id           TEXT,
    resource_scope_no INTEGER NOT NULL,
    body              TEXT    NOT NULL,
    attributes        TEXT    NOT NULL,
    PRIMARY KEY (project_no, at, log_id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX logs_by_trace ON logs (project_no, trace_id, at, log_id)
    WHERE trace_id IS NOT NULL;
  CREATE INDEX logs_by_resource_scope ON logs (resource_scope_no);

  -- Inputs and outputs of spans from log records, in order.
  CREATE TABLE span_content (
    project_no    INTEGER NOT NULL,
    trace_id      TEXT    NOT NULL,
    span_id       TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    observed_at   INTEGER NOT NULL,
    request_index INTEGER NOT NULL, -- its index in the request
    log_id        BLOB    NOT NULL,
    input         TEXT,
    output        TEXT,
    PRIMARY KEY (project_no, trace_id, span_id, log_id)
  ) STRICT, WITHOUT ROWID;
`
