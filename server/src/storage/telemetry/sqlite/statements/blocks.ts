export const lastBlockNo = `
  SELECT coalesce(max(block_no), 0) FROM blocks
`

export const insertBlock = `
  INSERT INTO blocks (block_no, is_compressed, data) VALUES (?, ?, ?)
`

export const deleteBlock = `
  DELETE FROM blocks WHERE block_no = ?
`

export const readBlock = `
  SELECT is_compressed, data FROM blocks WHERE block_no = ?
`
