import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import {
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * A model that nobody has a price for, until it has a cost: the pages about prices, from one to the other.
 */

const chromium = inject('chromium')

describe.skipIf(chromium === null)('a model without a price', () => {
  let service: RunningService
  let setUp: SetUpService
  let browser: Browser
  let watched: WatchedPage
  let page: Page

  beforeAll(async () => {
    service = await runService()
    setUp = await setUpService(service)
    for (const [at, model] of ['acme-large', 'acme-large', 'prod-chat'].entries()) {
      await ingest(service, setUp.tracing_key, `run-${at}`, model)
    }
    browser = await launchBrowser(chromium ?? '')
    watched = await openPage(browser, service.origin, setUp.session.cookie)
    page = watched.page
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  const row = (model: string) => page.getByRole('row', { name: new RegExp(model) })

  test('stands first among the models, with why it has none and what to do', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/prices`)
    await page.waitForURL(/prices\/models$/)
    await page.getByText('2 models, 2 without a price.').waitFor()
    await row('acme-large').getByText('Unpriced: not in the price list').waitFor()
    await row('acme-large').getByText('set one, or an alias').waitFor()
    expect(await row('acme-large').getByText('$').count()).toBe(0)
  })

  test('gets one of its own, after what cannot be a price was refused at its field', async () => {
    await page.getByRole('button', { name: 'Set a price for acme-large' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Model').inputValue()).toBe('acme-large')
    await dialog.getByLabel('In', { exact: true }).fill('2.50')
    await dialog.getByLabel('Out', { exact: true }).fill('10')
    await dialog.getByLabel('Cache read', { exact: true }).fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const cached = dialog.getByLabel('Cache read', { exact: true })
    await expect.poll(() => cached.getAttribute('aria-invalid'), { timeout: 10_000 }).toBe('true')
    await cached.fill('0.25')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row('acme-large').getByText("The project's own").waitFor()
    await row('acme-large').getByText('$0.25').waitFor()
  })

  test('gets a name in the list, where the name is one of a deployment', async () => {
    await page.getByRole('button', { name: 'Say which model prod-chat is' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Is needed').waitFor()
    await dialog.getByLabel('Stands for the model').fill('gpt-4o')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row('prod-chat').getByText('stands for gpt-4o').waitFor()
    await row('prod-chat').getByText('1 stored call without a cost').waitFor()
  })

  test('is told what pricing anew would change, before anything does', async () => {
    await row('acme-large').getByRole('link', { name: 'price anew' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('3 of 3 calls change: 3 get a cost that had none.').waitFor()
    await row('acme-large').getByText('+$0.007').waitFor()
    await page.getByText('This project was never priced anew.').waitFor()
    expect(await readCost()).toBe('—')
  })

  test('is priced anew, which the history tells from then on', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/prices/recalculate`)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Price 3 traces anew' }).click()
    const history = page.getByRole('table', { name: 'History of pricing anew' })
    await history.getByText('Done').waitFor()
    await history.getByText('3 of 3').waitFor()
    await page.reload()
    await history.getByText('Done').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('0 of 3 calls change.').waitFor()
  })

  test('has a cost in the list of traces', async () => {
    await expect.poll(() => readCost(), { timeout: 10_000 }).toBe('$0.0035')
  })

  test('loses its own price again, and what is stored keeps its cost', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/prices/custom`)
    await page.getByText('2 prices and aliases').waitFor()
    await page.getByRole('button', { name: 'Remove acme-large' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('1 price or alias').waitFor()
    expect(await readCost()).toBe('$0.0035')
  })

  test('met no error on any page and no breach of the content-security policy', () => {
    // The browser itself reports the refusal that the journey provoked on purpose.
    expect(watched.faults.filter((fault) => !fault.includes('status of 400'))).toEqual([])
  })

  /** What the trace list says of the first run. */
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
