import type { Column, Sort, SortValue } from './table-model.ts'

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The rows in the order of `sort`. Equal rows keep their order, and unknown values come last either way. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const valueOf = columns.find(({ key }) => key === sort?.key)?.sortValue
  if (sort === undefined || valueOf === undefined) return rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [left, right] = [valueOf(one), valueOf(other)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}

/** The sort after a click on the header of `column`: numbers start with the largest, text with A. */
export function nextSort<Row>({ key, align }: Column<Row>, sort: Sort | undefined): Sort {
  if (sort?.key !== key) return { key, direction: align === 'end' ? 'descending' : 'ascending' }
  return { key, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' }
}

/** The columns, with the one that rows are sorted by on each card of a narrow table. */
export function withSortedColumn<Row>(
  columns: readonly Column<Row>[],
  sortKey: string | undefined,
): readonly Column<Row>[] {
  const isMissing = ({ key, narrow }: Column<Row>) => key === sortKey && narrow === 'hidden'
  if (!columns.some(isMissing)) return columns
  return columns.map((one) => (isMissing(one) ? { ...one, narrow: 'labeled' } : one))
}

function compare(left: NonNullable<SortValue>, right: NonNullable<SortValue>): number {
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : byText.compare(String(left), String(right))
}
