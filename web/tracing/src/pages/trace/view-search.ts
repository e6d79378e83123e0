import { flag, oneOf, text } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'
import { severityNames } from '@assay/contract/logs.ts'

/*
 * The state of the trace page, as URL search parameters.
 */

export const detailTabs = [
  'conversation',
  'data',
  'attributes',
  'events',
  'links',
  'resource',
  'scores',
] as const
export type DetailTab = (typeof detailTabs)[number]

export const traceViews = ['spans', 'graph', 'usage', 'logs', 'evaluations', 'comments'] as const
export type TraceViewName = (typeof traceViews)[number]

export const viewSearch = searchSchema({
  span: text,
  tab: oneOf(detailTabs),
  /** Defaults to `spans`. */
  view: oneOf(traceViews),
  /** The visible time in milliseconds since the start: `120-4500`. */
  time: text,
  /** The critical path is highlighted. */
  path: flag,
  /** The selected node of the graph. */
  node: text,
  /** The graph includes functions. */
  functions: flag,
  /** Logs of the selected span only. */
  logs: oneOf(['span']),
  severity: oneOf(severityNames),
})
export type ViewSearch = SearchOf<typeof viewSearch>
