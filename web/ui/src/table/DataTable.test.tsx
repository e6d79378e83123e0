import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { DataTable } from './DataTable.tsx'
import type { Column, DataTableProps, TableQuery } from './table-model.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly age: number
}

const people: readonly Person[] = [
  { id: '1', name: 'Ana', age: 30 },
  { id: '2', name: 'Ben', age: 40 },
]
const columns: readonly Column<Person>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => name },
  { key: 'age', header: 'Age', cell: ({ age }) => age, align: 'end', sortValue: ({ age }) => age },
]
const waiting: TableQuery<Person> = {
  data: undefined,
  isPending: true,
  error: null,
  refetch: () => undefined,
}

function render(props: Partial<DataTableProps<Person>>): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <DataTable
        caption="People"
        noun={['person', 'people']}
        rows={people}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        empty={<p>No members</p>}
        {...props}
      />
    </MantineProvider>,
  ).replaceAll('<!-- -->', '')
}

describe('a data table', () => {
  test('that is loading announces it and has no rows', () => {
    const html = render({ rows: waiting })
    expect(html).toContain('aria-label="Loading"')
    expect(html).not.toContain('<table')
  })

  test('that failed to load shows the error and the rows loaded before', () => {
    const failed = { ...waiting, isPending: false, error: new Error('No connection') }
    expect(render({ rows: failed })).toContain('No connection')
    const html = render({ rows: { ...failed, data: people } })
    expect(html).toContain('Ana')
    expect(html).toContain('Refreshing failed: No connection')
  })

  test('without rows shows what to do next, and no table', () => {
    const html = render({ rows: [] })
    expect(html).toContain('No members')
    expect(html).not.toContain('<table')
  })

  test('without rows yet, but with a next page, is not empty', () => {
    const html = render({ rows: { ...waiting, isPending: false, data: [], hasNextPage: true } })
    expect(html).not.toContain('No members')
    expect(html).toContain('Load more')
  })

  test('is a table with a caption, scopes, a count, and the header as a label of each value', () => {
    const html = render({})
    expect(html).toContain('People</caption>')
    expect(html).toContain('2 people')
    expect(html.match(/scope="col"/g)).toHaveLength(2)
    expect(html).toMatch(/<th[^>]* data-label="Name" scope="row">Ana<\/th>/)
    expect(html).toMatch(/<td[^>]* data-label="Age">30<\/td>/)
  })

  test('uses the singular for one row, and marks a count that is not final', () => {
    expect(render({ rows: people.slice(1) })).toContain('1 person<')
    const more = { ...waiting, isPending: false, data: people, hasNextPage: true }
    expect(render({ rows: more })).toContain('2 people loaded')
    expect(render({ rows: more })).toContain('Load more')
  })

  test('offers sorting only for columns with a value to sort by', () => {
    const html = render({ sort: { key: 'age', direction: 'descending' }, onSort: () => undefined })
    expect(html.match(/aria-sort="[a-z]+"/g)).toEqual(['aria-sort="descending"'])
    expect(html.indexOf('Ben')).toBeLessThan(html.indexOf('Ana'))
  })

  test('labels the controls of a row with its name, and explains a disabled one', () => {
    const html = render({
      actions: ({ name }) => [
        {
          label: 'Remove',
          onSelect: () => undefined,
          disabledReason: name === 'Ana' ? 'Ana owns this.' : undefined,
        },
      ],
      selection: { isSelected: ({ id }) => id === '2', onToggle: () => undefined },
      details: { isOpen: () => false, onToggle: () => undefined, render: () => '' },
    })
    expect(html).toMatch(/disabled=""[^>]*title="Ana owns this\."[^>]*aria-label="Remove Ana"/)
    expect(html).toContain('aria-label="Remove Ben"')
    expect(html).toContain('aria-label="Select Ana"')
    expect(html).toContain('aria-label="Details of Ben"')
  })

  test('renders the details of open rows', () => {
    const html = render({
      details: {
        isOpen: ({ id }) => id === '2',
        onToggle: () => undefined,
        render: ({ name }) => `All about ${name}`,
      },
    })
    expect(html).toContain('All about Ben')
    expect(html).not.toContain('All about Ana')
  })

  test('leaves out the column of buttons where a cell opens the details', () => {
    const html = render({ details: { isOpen: () => true, render: ({ name }) => `About ${name}` } })
    expect(html).toContain('About Ana')
    expect(html).not.toContain('Details of')
    expect(html).toContain('colSpan="2"')
  })

  test('of a tree has a button at each row with children', () => {
    const html = render({ depthOf: ({ name }) => (name === 'Ana' ? 0 : 1) })
    expect(html).toMatch(/<button[^>]* aria-expanded="true" aria-label="Children of Ana"/)
    expect(html).not.toContain('Children of Ben')
    expect(html).toMatch(/padding-left:14px[^>]*><span[^>]*><\/span>Ben/)
  })

  test('with thousands of rows renders only those in view', () => {
    const many = Array.from({ length: 5000 }, (_, at) => ({ id: `${at}`, name: `P${at}`, age: at }))
    const html = render({ rows: many })
    expect(html).toContain('5,000 people')
    expect(html.match(/<tr/g)?.length ?? 0).toBeLessThan(100)
    expect(html).toContain('aria-rowcount="5001"')
  })

  test('has an unknown row count until the last page is loaded', () => {
    const page = { ...waiting, isPending: false, data: people }
    const rowCount = (hasNextPage: boolean) =>
      /aria-rowcount="(.*?)"/.exec(render({ rows: { ...page, hasNextPage }, isFilling: true }))?.[1]
    expect([rowCount(true), rowCount(false)]).toEqual(['-1', '3'])
  })
})
