export const findIdempotencyRecord = `
  SELECT note, traces FROM idempotency_records WHERE project_no = :projectNo AND key = :key
`

export const insertIdempotencyRecord = `
  INSERT INTO idempotency_records (project_no, key, note, traces, created_at)
  VALUES (:projectNo, :key, :note, :traces, :createdAt)
`

/** Deletes the oldest few; the number of changes is how many. */
export const deleteOldIdempotencyRecords = `
  DELETE FROM idempotency_records
  WHERE record_no IN (SELECT record_no FROM idempotency_records ORDER BY record_no LIMIT :limit)
    AND created_at < :before
`
