export const lastBlockNo = `
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'blocks'), 0)
`

export const insertBlock = `
  INSERT INTO blocks (block_no, trace_no, is_compressed, data) VALUES (?, ?, ?, ?)
`

export const deleteBlock = `
  DELETE FROM blocks WHERE block_no = ?
`

export const readBlock = `
  SELECT is_compressed, data FROM blocks WHERE block_no = ?
`
