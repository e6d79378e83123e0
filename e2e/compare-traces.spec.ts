import { call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { serviceInBrowser } from './service-in-browser.ts'
import { run } from './shop-traces.ts'

/*
 * The comparison of a trace with an earlier one of the same name.
 */

const first = '0af7651916cd43dd8448eb211c803190'
const second = '0af7651916cd43dd8448eb211c803191'

describe.skipIf(inject('chromium') === null)('the comparison of two traces', () => {
  const { service, setUp: account, watched, page } = serviceInBrowser()
  let project: string

  beforeAll(async () => {
    const headers = { 'x-tracing-key': account.tracing_key }
    await call(service.api, ingestTrace, { body: run(first, 0, false), headers: {} }, { headers })
    await call(service.api, ingestTrace, { body: run(second, 1, true), headers: {} }, { headers })
    project = `${service.origin}/p/${account.project.id}`
  })

  test('counts the differences to an earlier trace of the same name', async () => {
    await page.goto(`${project}/traces/${second}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Compare with…' }).click()
    const field = page.getByRole('dialog').getByLabel('Or enter a trace ID')
    await field.fill('nonsense')
    await field.press('Enter')
    await page.getByRole('dialog').getByText('Trace not found.').waitFor()
    await page.getByRole('dialog').getByRole('link').first().click()
    await page.waitForURL(/compare/)
    const summary = page.getByRole('list', { name: 'Differences between A and B' })
    await summary.getByText('2 added in B').waitFor()
    await summary.getByText('1 more expensive').waitFor()
    await summary.getByText('1 different output').waitFor()
  })

  test('filters to differences, shows a text diff of outputs, and swaps the sides', async () => {
    await page.getByRole('switch', { name: 'Differences only' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'ask', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'answer', exact: true }).click()
    await page.waitForURL(/row=a%3Aanswer/)
    await page.reload()
    await page.getByText('Only in A: It is on its way.').waitFor()
    await page.getByRole('button', { name: 'Swap A and B' }).click()
    await page.getByText('2 missing in B').waitFor()
  })

  test('leaves collapsed rows out of the row count', async () => {
    const table = page.getByRole('table', { name: 'Spans of both traces' })
    const branch = { name: 'Children of agent' }
    await table.getByRole('button', branch).click()
    await table.getByRole('button', { ...branch, expanded: false }).waitFor()
    const last = table.locator('tr[aria-rowindex]').last()
    expect(await table.getAttribute('aria-rowcount')).toBe(await last.getAttribute('aria-rowindex'))
  })

  test('reports which trace is missing', async () => {
    await page.goto(`${project}/compare?a=${first}&b=nowhere`)
    await page.getByText('Could not load trace B').waitFor()
    await page.getByRole('heading', { name: 'Trace not found' }).waitFor()
  })

  test('shows all totals in a window of 1024 pixels', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await page.goto(`${project}/compare?a=${first}&b=${second}`)
    const totals = page.getByRole('table', { name: 'Totals' })
    await totals.waitFor()
    const hiddenPx = await totals.evaluate(
      ({ parentElement: box }) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0),
    )
    expect(hiddenPx).toBe(0)
  })

  test('causes no errors and no violation of the content security policy', () => {
    // The browser logs the 404 responses for missing traces.
    expect(watched.faults.filter((fault) => !/status of 404/.test(fault))).toEqual([])
  })
})
