export const findIdempotencyRecord = `
  SELECT note, traces FROM receipts WHERE project_no = :projectNo AND key = :key
`

export const insertIdempotencyRecord = `
  INSERT INTO receipts (project_no, key, note, traces, created_at)
  VALUES (:projectNo, :key, :note, :traces, :createdAt)
`

/** Deletes the oldest few; the number of changes is how many. */
export const deleteOldIdempotencyRecords = `
  DELETE FROM receipts
  WHERE receipt_no IN (SELECT receipt_no FROM receipts ORDER BY receipt_no LIMIT :limit)
    AND created_at < :before
`
