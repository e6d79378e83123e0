import { call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * What a span holds: long texts, many events and attributes.
 */

const pieces = ['Hello world ', '你好世界', 'नमस्ते ', 'สวัสดีชาวโลก', 'مرحبا ', '👩‍👩‍👧‍👦', 'Привет\n']
const million = pieces.join('').repeat(30_000).slice(0, 1_000_000)

const spans = {
  long: { input: { messages: [{ role: 'user', content: million }] } },
  many: {
    input: {
      messages: Array.from({ length: 120 }, (_, at) => ({
        role: 'user',
        content: `message ${at}`,
      })),
    },
    events: Array.from({ length: 120 }, (_, at) => ({ name: `event ${at}` })),
    attributes: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`name.${at}`, at])),
  },
}

describe.skipIf(inject('chromium') === null)('the contents of a span', () => {
  const { service, setUp: account, watched, page } = serviceInBrowser()
  const open = (spanId: string, tab = '') =>
    page.goto(
      `${service.origin}/p/${account.project.id}/traces/contents?span=${spanId}${tab && `&tab=${tab}`}`,
    )
  const button = (name: string | RegExp) => page.getByRole('button', { name })

  beforeAll(async () => {
    const now = new Date().toISOString()
    const common = { kind: 'llm', started_at: now, ended_at: now }
    const all = Object.entries(spans).map(([id, more]) => ({
      span_id: id,
      name: id,
      ...common,
      ...more,
    }))
    const headers = { 'x-tracing-key': account.tracing_key }
    const body = { trace_id: 'contents', root_name: 'Contents', spans: all }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
  })

  test('a message of a million characters is revealed in steps, in blocks that the page lays out one by one', async () => {
    await open('long')
    await page.getByText('4,000 of 1,000,000 characters').waitFor()
    await button('Show 20,000 more').click()
    await page.getByText('24,000 of 1,000,000 characters').waitFor()

    const frames = 'window.waiting = []; window.requestAnimationFrame = (f) => waiting.push(f)'
    await page.evaluate(`window.original = requestAnimationFrame; ${frames}`)
    await button('Show all').click()
    await button('Stop').waitFor()
    await page.evaluate('waiting.shift()(0)')
    await page.getByText('44,000 of 1,000,000 characters').waitFor()
    await button('Stop').click()
    await button('Show all').waitFor()
    await page.evaluate('window.requestAnimationFrame = original')

    await button('Show all').click()
    await button(/Show|Stop/).waitFor({ state: 'detached' })
    const blocks = page.locator('article span[style*="contain-intrinsic"]')
    const texts = await blocks.evaluateAll((found) => found.map((one) => one.textContent ?? ''))
    expect(texts.join('')).toBe(million)
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(2000)
    const visibility = 'getComputedStyle(document.querySelector("article span[style]"))'
    expect(await page.evaluate(`${visibility}.contentVisibility`)).toBe('auto')
  })

  test.each([
    ['messages', 'conversation', 'article', 50, 120],
    ['events', 'events', 'li strong', 20, 120],
    ['attributes', 'attributes', '[role=tabpanel] tbody tr', 100, 500],
  ])('many %s are shown in steps', async (noun, tab, item, atOnce, total) => {
    await open('many', tab)
    await page.getByText(`${atOnce} of ${total} ${noun}`).waitFor()
    expect(await page.locator(item).count()).toBe(atOnce)
    await button(`Show ${atOnce} more`).click()
    await expect.poll(() => page.locator(item).count()).toBe(Math.min(2 * atOnce, total))
    await button(/^Show all/).click()
    await expect.poll(() => page.locator(item).count()).toBe(total)
  })

  test('pages have no errors', () => {
    expect(watched.faults).toEqual([])
  })
})
