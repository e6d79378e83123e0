/*
 * The search index, in a file of its own. A doc is a span; its words are not kept as text, only where they are
 * found. Every word carries the number of its project, so that one project's words are never looked through
 * for another.
 */

export const searchForm = `
  CREATE TABLE docs (
    doc_no   INTEGER PRIMARY KEY,
    trace_no INTEGER NOT NULL,
    span_id  TEXT    NOT NULL,
    UNIQUE (trace_no, span_id)
  ) STRICT;

  CREATE VIRTUAL TABLE words USING fts5 (
    word, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
  );

  -- What of the telemetry file is in here: everything up to these.
  CREATE TABLE position (
    block_no  INTEGER NOT NULL,
    change_no INTEGER NOT NULL
  ) STRICT;
  INSERT INTO position VALUES (0, 0);
`

export const readPosition = `SELECT block_no, change_no FROM position`
export const putPosition = `UPDATE position SET block_no = ?, change_no = ?`

export const findDoc = `SELECT doc_no FROM docs WHERE trace_no = ? AND span_id = ?`
export const docsOfTrace = `SELECT doc_no FROM docs WHERE trace_no = ?`
export const insertDoc = `INSERT INTO docs (trace_no, span_id) VALUES (?, ?) RETURNING doc_no`
export const deleteDoc = `DELETE FROM docs WHERE doc_no = ?`
export const insertWords = `INSERT INTO words (rowid, word) VALUES (?, ?)`
export const deleteWords = `DELETE FROM words WHERE rowid = ?`

/*
 * What the index is built from, in the telemetry file.
 */

export const lastGivenNumbers = `
  SELECT
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'blocks'), 0),
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'search_changes'), 0)
`

export const blocksAfter = `
  SELECT block_no, trace_no FROM blocks WHERE block_no > ? ORDER BY block_no LIMIT ?
`

export const changesAfter = `
  SELECT change_no, trace_no FROM search_changes WHERE change_no > ? ORDER BY change_no LIMIT ?
`

export const projectOfTrace = `SELECT project_no FROM traces WHERE trace_no = ?`

export const spansInBlocks = `
  SELECT span_id, name, status_message, block_no, body_offset, body_bytes
  FROM spans
  WHERE trace_no = ?
    AND block_no BETWEEN ? AND ?
`

/*
 * Searching, with the index attached as \`search\`.
 */

/** The traces of at most \`:limit\` docs, each doc a row. */
export const tracesOfWords = `
  SELECT trace_no
  FROM (SELECT rowid AS found FROM search.words WHERE words MATCH :words LIMIT :limit)
  JOIN search.docs ON doc_no = found
`

export const docsOfTraces = `
  SELECT doc_no, trace_no
  FROM json_each(:traceNos) AS wanted
  JOIN search.docs ON trace_no = wanted.value
  ORDER BY doc_no
`

export const wordsWithin = `
  SELECT rowid FROM search.words WHERE words MATCH :words AND rowid BETWEEN :first AND :last
`
