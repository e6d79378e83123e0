import type { FacetKey } from '../../aggregates/trace-facets.ts'

/** The stored number of a facet key. Never renumbered. */
export const facetKeyNo = {
  tag: 1,
  model: 2,
  kind: 3,
  name: 4,
  cost: 5,
  duration: 6,
  tokens: 7,
  service: 8,
  environment: 9,
} as const satisfies Readonly<Record<FacetKey, number>>

export const findFacet = `
  SELECT facet_no FROM facet_values WHERE project_no = ? AND key = ? AND value = ?
`

export const insertFacet = `
  INSERT INTO facet_values (project_no, key, value) VALUES (?, ?, ?) RETURNING facet_no
`

export const facetByNumber = `
  SELECT key, value FROM facet_values WHERE facet_no = ?
`

export const insertFacetTrace = `
  INSERT INTO facet_traces (facet_no, facet_at, facet_trace) VALUES (?, ?, ?)
`

export const deleteFacetTrace = `
  DELETE FROM facet_traces WHERE facet_no = ? AND facet_at = ? AND facet_trace = ?
`

/*
 * Reading.
 */

const ofProject = `project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)`

export const facetsByValue = `
  SELECT facet_no
  FROM facet_values
  WHERE ${ofProject}
    AND key = :key
    AND value IN (SELECT value FROM json_each(:values))
`

/** SQLite's own comparison is fast and case-insensitive for ASCII only: other letters need `has_part`. */
export const namePart = (value: string, { like, folded }: NameParameters = requestedName) =>
  `iif(${folded} IS NULL, ${value} LIKE ${like} ESCAPE '\\', has_part(${value}, ${folded}))`

/** The parameters with the part, as a pattern and in folded case. */
export interface NameParameters {
  readonly like: string
  readonly folded: string
}

const requestedName = { like: ':name', folded: ':namePart' }

export const facetsByPart = `
  SELECT facet_no
  FROM facet_values
  WHERE ${ofProject}
    AND key = :key
    AND ${namePart('value')}
  LIMIT :limit
`

/** How many traces have these facets, up to the relevant number. */
export const countFacetTraces = `
  SELECT count(*)
  FROM (
    SELECT 1
    FROM json_each(:facets) AS requested
    JOIN facet_traces ON facet_no = requested.value
    WHERE facet_at >= :from
      AND facet_at <= :beforeStart
    LIMIT :limit
  )
`

/** Of facets that more than `:skip` traces have: the one whose `:skip` newest traces reach back furthest. */
export const rarestFacet = `
  SELECT requested.value
  FROM json_each(:facets) AS requested
  ORDER BY (
    SELECT facet_at
    FROM facet_traces
    WHERE facet_no = requested.value
      AND facet_at >= :from
      AND facet_at <= :beforeStart
    ORDER BY facet_at DESC
    LIMIT 1 OFFSET :skip
  )
  LIMIT 1
`
