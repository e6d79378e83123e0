import { omitUndefined, parseTextParam } from '../../search-params.ts'

/*
 * The state of the comparison page, as URL search parameters.
 */

export interface CompareSearch {
  readonly a?: string
  readonly b?: string
  /** Shows differences only. */
  readonly only?: '1'
  /** The open row: `a:<span ID>`, or `b:<span ID>` if A does not have the span. */
  readonly row?: string
}

export function parseCompareSearch(search: Readonly<Record<string, unknown>>): CompareSearch {
  return omitUndefined({
    a: parseTextParam(search, 'a'),
    b: parseTextParam(search, 'b'),
    only: search['only'] === '1' ? ('1' as const) : undefined,
    row: parseTextParam(search, 'row'),
  })
}
