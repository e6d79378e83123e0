/*
 * The search index, in its own file. A doc is one version of a span; the docs of a project are numbered
 * from 0, and adjacent ones form a segment, which has pages of words. Their encoding is in
 * search/posting-pages.ts.
 */

export const searchSchema = `
  -- A block of bodies with its spans as docs, in order. A doc is current while its span is in this block.
  CREATE TABLE indexed_blocks (
    project_no INTEGER NOT NULL,
    first_doc  INTEGER NOT NULL,
    doc_count  INTEGER NOT NULL,
    trace_no   INTEGER NOT NULL,
    block_no   INTEGER NOT NULL,
    span_ids   TEXT    NOT NULL, -- JSON array
    PRIMARY KEY (project_no, first_doc)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX indexed_blocks_by_trace ON indexed_blocks (trace_no);

  -- \`indexed_docs\` of its docs had words when it was written, \`deleted_docs\` of these have been removed since.
  CREATE TABLE segments (
    segment_no   INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused: old pages are deleted after new ones are written
    project_no   INTEGER NOT NULL,
    first_doc    INTEGER NOT NULL,
    doc_count    INTEGER NOT NULL,
    indexed_docs INTEGER NOT NULL,
    deleted_docs INTEGER NOT NULL,
    UNIQUE (project_no, first_doc)
  ) STRICT;

  CREATE TABLE pages (
    page_no    INTEGER PRIMARY KEY,
    segment_no INTEGER NOT NULL,
    first_word BLOB    NOT NULL,
    words      BLOB    NOT NULL,
    UNIQUE (segment_no, first_word)
  ) STRICT;

  -- The position in the telemetry file: everything up to it is indexed.
  CREATE TABLE position (
    block_no  INTEGER NOT NULL,
    change_no INTEGER NOT NULL
  ) STRICT;
  INSERT INTO position VALUES (0, 0);
`

export const emptySearch = `
  BEGIN IMMEDIATE;
  DELETE FROM indexed_blocks;
  DELETE FROM segments;
  DELETE FROM pages;
  UPDATE position SET block_no = 0, change_no = 0;
  COMMIT;
`

export const readPosition = `SELECT block_no, change_no FROM position`
export const putPosition = `UPDATE position SET block_no = ?, change_no = ?`

export const insertIndexedBlock = `
  INSERT INTO indexed_blocks (project_no, first_doc, doc_count, trace_no, block_no, span_ids)
  VALUES (?, ?, ?, ?, ?, ?)
`
export const indexedBlocksOfTrace = `
  SELECT project_no, first_doc, doc_count FROM indexed_blocks WHERE trace_no = ?
`
export const indexedBlocksInRange = `
  SELECT first_doc, doc_count, block_no
  FROM indexed_blocks
  WHERE project_no = ? AND first_doc >= ? AND first_doc < ?
`
export const deleteIndexedBlock = `DELETE FROM indexed_blocks WHERE project_no = ? AND first_doc = ?`
export const deleteIndexedBlocksOfTrace = `DELETE FROM indexed_blocks WHERE trace_no = ?`

const segmentColumns = `segment_no, project_no, first_doc, doc_count, indexed_docs, deleted_docs`

/** Values in the order of the columns after the first. */
export const insertSegment = `
  INSERT INTO segments (project_no, first_doc, doc_count, indexed_docs, deleted_docs)
  VALUES (?, ?, ?, ?, 0)
  RETURNING segment_no
`
export const deleteSegment = `DELETE FROM segments WHERE segment_no = ?`
export const segmentsOfProject = `
  SELECT ${segmentColumns} FROM segments WHERE project_no = ? ORDER BY first_doc
`
export const segmentOfDoc = `
  SELECT ${segmentColumns}
  FROM segments
  WHERE project_no = ? AND first_doc <= ?
  ORDER BY first_doc DESC
  LIMIT 1
`
export const countDeletedDocs = `
  UPDATE segments SET deleted_docs = deleted_docs + ? WHERE segment_no = ?
`

export const insertPage = `INSERT INTO pages (segment_no, first_word, words) VALUES (?, ?, ?)`
export const pagesOfSegment = `
  SELECT page_no FROM pages WHERE segment_no = ? ORDER BY first_word
`
export const readPageTerms = `SELECT words FROM pages WHERE page_no = ?`
export const deletePages = `DELETE FROM pages WHERE segment_no = ?`

/*
 * The source of the index, in the telemetry file.
 */

export const lastSequenceNumbers = `
  SELECT
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'blocks'), 0),
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'search_changes'), 0)
`

export const blocksAfter = `
  SELECT block_no, trace_no, is_compressed, data
  FROM blocks
  WHERE block_no > ?
  ORDER BY block_no
  LIMIT ?
`

export const findBlock = `SELECT 1 FROM blocks WHERE block_no = ?`

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

export const searchedSegments = `
  SELECT segment_no, first_doc, doc_count
  FROM search.segments
  WHERE project_no = ?
  ORDER BY first_doc
`

/** Pages, starting with the last one whose first word is not after the word. */
export const pagesFrom = `
  SELECT words
  FROM search.pages
  WHERE segment_no = :segmentNo
    AND first_word >= coalesce(
      (
        SELECT max(first_word)
        FROM search.pages
        WHERE segment_no = :segmentNo AND first_word <= :word
      ),
      x''
    )
  ORDER BY first_word
`

export const indexedBlockOfDoc = `
  SELECT first_doc, doc_count, trace_no
  FROM search.indexed_blocks
  WHERE project_no = ? AND first_doc <= ?
  ORDER BY first_doc DESC
  LIMIT 1
`

export const indexedBlocksOfTraces = `
  SELECT trace_no, first_doc, doc_count, block_no, span_ids
  FROM json_each(:traceNos) AS requested
  CROSS JOIN search.indexed_blocks INDEXED BY indexed_blocks_by_trace ON trace_no = requested.value
  WHERE project_no = :projectNo
`

export const blockOfSpan = `SELECT block_no FROM spans WHERE trace_no = ? AND span_id = ?`
