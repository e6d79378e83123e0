import { expect, test } from 'vitest'
import { clientsPage } from './clients-page.ts'

test('each recorded client is listed with the libraries that send, and their versions', () => {
  const rows = clientsPage()
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
  expect(rows.length).toBeGreaterThan(100)
  for (const row of rows) expect(row.split(' | ')[1]).toMatch(/^`\S+ \d[^`]*`(, `\S+ \d[^`]*`)*$/)
})
