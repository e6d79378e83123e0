import type { Connection } from './connection.ts'

/** How many processors the server uses for one statement: those that it has, unless an operator has changed that. */
export async function countProcessors(connection: Connection): Promise<number> {
  const [row] = await connection.rows("SELECT getSetting('max_threads')", {})
  return Math.max(1, Number(row?.[0]) || 1)
}
