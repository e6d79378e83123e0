import { type SeverityName, severityNames } from '../../api/trace-logs.ts'
import { omitUndefined, parseTextParam } from '../../search-params.ts'

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
] as const
export type DetailTab = (typeof detailTabs)[number]

export const traceViews = ['spans', 'graph', 'usage', 'logs', 'comments'] as const
export type TraceViewName = (typeof traceViews)[number]

export interface ViewSearch {
  readonly span?: string
  readonly tab?: DetailTab
  /** Defaults to `spans`. */
  readonly view?: TraceViewName
  /** The visible time in milliseconds since the start: `120-4500`. */
  readonly time?: string
  /** The critical path is highlighted. */
  readonly path?: '1'
  /** The selected node of the graph. */
  readonly node?: string
  /** The graph includes functions. */
  readonly functions?: '1'
  /** Logs of the selected span only. */
  readonly logs?: 'span'
  readonly severity?: SeverityName
}

export function parseViewSearch(search: Readonly<Record<string, unknown>>): ViewSearch {
  const one = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === search[name])
  return omitUndefined({
    span: parseTextParam(search, 'span'),
    tab: one('tab', detailTabs),
    view: one('view', traceViews),
    time: parseTextParam(search, 'time'),
    path: one('path', ['1']),
    node: parseTextParam(search, 'node'),
    functions: one('functions', ['1']),
    logs: one('logs', ['span']),
    severity: one('severity', severityNames),
  })
}
