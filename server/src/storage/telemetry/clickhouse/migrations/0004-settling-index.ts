import type { Layout } from './layout.ts'

/** Finds traces by when they settle. Rows that were stored before get it when they are merged. */
export function createSettlingIndex({ table }: Layout): readonly string[] {
  return [
    `ALTER TABLE ${table('traces')}
ADD INDEX IF NOT EXISTS settles_index settles_at TYPE minmax GRANULARITY 1`,
  ]
}
