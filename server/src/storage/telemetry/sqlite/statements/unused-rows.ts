/*
 * Rows that nothing refers to any more, some at a time in the order of their numbers.
 */

interface Table {
  readonly name: string
  readonly key: string
  /** Whether something refers to the row. */
  readonly isUsed: string
}

const tables: readonly Table[] = [
  {
    name: 'facet_values',
    key: 'facet_no',
    isUsed: 'EXISTS (SELECT 1 FROM facet_traces AS own WHERE own.facet_no = facet_values.facet_no)',
  },
  {
    name: 'resource_scopes',
    key: 'resource_scope_no',
    isUsed: `EXISTS (SELECT 1 FROM logs AS own WHERE own.resource_scope_no = resource_scopes.resource_scope_no)
    OR EXISTS (SELECT 1 FROM metric_series AS own WHERE own.resource_scope_no = resource_scopes.resource_scope_no)`,
  },
]

/** For each table the number at which the next rows end, null after the last, and their deletion. */
export const unusedRows = tables.map(({ name, key, isUsed }) => ({
  end: `
    SELECT max(${key})
    FROM (SELECT ${key} FROM ${name} WHERE ${key} > :after ORDER BY ${key} LIMIT :limit)
  `,
  deletion: `
    DELETE FROM ${name} WHERE ${key} > :after AND ${key} <= :end AND NOT (${isUsed})
  `,
}))
