import { omitUndefined, parseTextParam } from '../../search-params.ts'

/*
 * Which traces are compared and what is looked at, as it stands in the address.
 */

export interface CompareSearch {
  readonly a?: string
  readonly b?: string
  /** Only what differs is shown. */
  readonly only?: '1'
  /** The row that is open, by its spans: `a:<span id>` or, where only the other trace has it, `b:<span id>`. */
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
