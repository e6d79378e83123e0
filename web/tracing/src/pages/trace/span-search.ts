import { textIn } from '../../search-params.ts'

/*
 * What is looked at within a trace, as it stands in the address.
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

export interface SpanSearch {
  readonly span?: string
  readonly tab?: DetailTab
}

export function parseSpanSearch(search: Readonly<Record<string, unknown>>): SpanSearch {
  const span = textIn(search, 'span')
  const tab = detailTabs.find((one) => one === search['tab'])
  return { ...(span === undefined ? {} : { span }), ...(tab === undefined ? {} : { tab }) }
}
