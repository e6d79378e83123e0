import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { RunningService } from './running-service.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * The price pages, from a model without a price to calls with a cost.
 */

describe.skipIf(inject('chromium') === null)('a model without a price', () => {
  const { service, setUp, watched, page } = serviceInBrowser()

  beforeAll(async () => {
    for (const [at, model] of ['acme-large', 'acme-large', 'prod-chat'].entries()) {
      await ingest(service, setUp.tracing_key, `run-${at}`, model)
    }
  })

  const row = (model: string) => page.getByRole('row', { name: new RegExp(model) })

  test('is listed first, with the reason and the next step', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/prices`)
    await page.waitForURL(/prices\/models$/)
    await page.getByText('2 models, 2 without a price').waitFor()
    await row('acme-large').getByText('The model is not in the price list.').waitFor()
    await row('acme-large').getByText('Set a price for it, or an alias').waitFor()
    expect(await row('acme-large').getByText('$').count()).toBe(0)
  })

  test('gets a custom price, after an invalid one is refused at its field', async () => {
    await page.getByRole('button', { name: 'Set price acme-large' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Model', { exact: true }).inputValue()).toBe('acme-large')
    await dialog.getByLabel('Input', { exact: true }).fill('2.50')
    await dialog.getByLabel('Output', { exact: true }).fill('10')
    await dialog.getByLabel('Cache read', { exact: true }).fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const cached = dialog.getByLabel('Cache read', { exact: true })
    await expect.poll(() => cached.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator(':focus').getAttribute('data-path')).toBe('cache_read_usd_per_mtok')
    await cached.fill('0.25')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row('acme-large').getByText('Project price').waitFor()
    await row('acme-large').getByText('$0.25').waitFor()
  })

  test('gets an alias if its name is that of a deployment', async () => {
    await page.getByRole('button', { name: 'Set alias prod-chat' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Required').waitFor()
    await dialog.getByLabel('Target model').fill('gpt-4o')
    // A second submit before the first response is dropped: it would be refused as a duplicate.
    await page.evaluate(
      "for (const _ of [1, 2]) document.querySelector('[role=dialog] form').requestSubmit()",
    )
    await row('prod-chat').getByText('alias for gpt-4o').waitFor()
    await row('prod-chat').getByText('1 stored call without a price').waitFor()
  })

  test('has a preview of a recalculation, which changes nothing', async () => {
    await row('acme-large').getByRole('link', { name: 'recalculate' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('3 of 3 calls would change: 3 newly priced.').waitFor()
    await row('acme-large').getByText('+$0.007').waitFor()
    await page.getByText('Costs have never been recalculated.').waitFor()
    expect(await readCost()).toBe('—')
  })

  test('is recalculated, which the history records', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/prices/recalculate`)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Update 3 calls' }).waitFor()
    // A second click before the first response is dropped: it would be refused as a conflict.
    await page.evaluate(
      "for (const _ of [1, 2]) [...document.querySelectorAll('button')].find((one) => one.textContent === 'Update 3 calls').click()",
    )
    const history = page.getByRole('table', { name: 'Recalculation history' })
    await history.getByText('Completed').waitFor()
    await history.getByText('3 of 3').waitFor()
    // The preview is refreshed.
    await page.getByText('No call would change.').waitFor()
    await page.reload()
    await history.getByText('Completed').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('No call would change.').waitFor()
  })

  test('has a cost in the trace list', async () => {
    await expect.poll(() => readCost()).toBe('$0.0035')
  })

  test('keeps the cost of stored calls when its custom price is removed', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/prices/custom`)
    await page.getByText('2 prices and aliases').waitFor()
    await page.getByRole('button', { name: 'Delete acme-large' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 price or alias').waitFor()
    expect(await readCost()).toBe('$0.0035')
  })

  test('causes no errors and no violation of the content security policy', () => {
    // The browser logs the request that is refused on purpose.
    expect(watched.faults.filter((fault) => !fault.includes('status of 400'))).toEqual([])
  })

  /** The cost of the first run in the trace list. */
  async function readCost(): Promise<string> {
    await page.goto(`${service.origin}/p/${setUp.project.id}/traces?name=run-0`)
    const text = await row('run-0').innerText()
    return /\$[\d.]+|—/.exec(text)?.[0] ?? 'nothing'
  }
})

async function ingest(
  service: RunningService,
  key: string,
  name: string,
  model: string,
): Promise<void> {
  const started_at = new Date(Date.now() - 60_000).toISOString()
  const usage = { tokens_in: 1000, tokens_out: 100 }
  const span = { span_id: 'a', name, kind: 'llm', model, started_at, ...usage }
  const response = await fetch(`${service.api}/traces/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': key },
    body: JSON.stringify({ trace_id: name, spans: [span] }),
  })
  expect(response.status).toBe(202)
}
