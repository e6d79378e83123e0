import { call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * What a span holds: messages, recordings, JSON, long texts, many events and attributes, its resource.
 */

const pieces = ['Hello world ', '你好世界', 'नमस्ते ', 'สวัสดีชาวโลก', 'مرحبا ', '👩‍👩‍👧‍👦', 'Привет\n']
const million = pieces.join('').repeat(30_000).slice(0, 1_000_000)

/** A second of silence. */
const recording = Buffer.concat([
  Buffer.from('RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1'),
  Buffer.from('\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0', 'latin1'),
  Buffer.alloc(8000, 128),
]).toString('base64')

const reply = `# Plan

Two **steps**:
they follow.

- look up \`1042\`
- tell <b>them</b>

\`\`\`js
const order = 1042
\`\`\`

![chart](https://images.test/chart.png)`

const spans = {
  chat: {
    input: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://images.test/cat.png' } },
            { type: 'input_audio', input_audio: { data: recording, format: 'wav' } },
          ],
        },
      ],
    },
    output: [
      { role: 'assistant', content: reply },
      { role: 'assistant', content: '{"answer":{"text":"in JSON"}}' },
    ],
  },
  call: {
    input: { request: { body: { options: { deep: { messages: [{ content: 'found below' }] } } } } },
    output: { many: Array.from({ length: 99 }, (_, at) => (at === 70 ? 'in the middle' : at)) },
  },
  long: { input: { messages: [{ role: 'user', content: million }] } },
  instructed: {
    input: {
      messages: [
        { role: 'system', content: 'Be kind. '.repeat(334).slice(0, 3000) },
        { role: 'user', content: 'the question' },
      ],
    },
    output: { messages: [{ role: 'assistant', content: 'the answer' }] },
  },
  broken: {
    input: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,bm8gaW1hZ2U=' } },
          ],
        },
      ],
    },
  },
  empty: { input: '' },
  parts: {
    input: {
      messages: [
        { role: 'user', content: Array.from({ length: 120 }, (_, at) => `**part** ${at}`) },
      ],
    },
  },
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
    const common = { kind: 'llm', model: 'gpt-5', started_at: now, ended_at: now }
    const all = Object.entries(spans).map(([id, more]) => ({
      span_id: id,
      name: id,
      ...common,
      ...more,
    }))
    const headers = { 'x-tracing-key': account.tracing_key }
    const body = { trace_id: 'contents', root_name: 'Contents', tags: ['vip'], spans: all }
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
    ['messages', 'many', 'conversation', 'article', 50, 50, 120],
    ['parts', 'parts', 'conversation', 'article strong', 50, 50, 120],
    ['events', 'many', 'events', 'li strong', 20, 10, 120],
    ['attributes', 'many', 'attributes', '[role=tabpanel] tbody tr', 50, 50, 500],
  ])('many %s are shown in steps', async (noun, spanId, tab, item, atOnce, more, total) => {
    await open(spanId, tab)
    await page.getByText(`${atOnce} of ${total} ${noun}`).waitFor()
    await expect.poll(() => page.locator(item).count()).toBe(atOnce)
    await button(`Show ${more} more`).click()
    await expect.poll(() => page.locator(item).count()).toBe(atOnce + more)
    await button(/^Show all/).click()
    await expect.poll(() => page.locator(item).count()).toBe(total)
  })

  test('an attribute far from the viewport is text that the browser finds, with buttons when it comes near', async () => {
    await open('many', 'attributes')
    await button('Show all').click()
    const last = page.getByRole('row', { name: 'name.99 99' })
    await last.waitFor({ state: 'attached' })
    expect(await last.getByRole('button').count()).toBe(0)
    await last.scrollIntoViewIfNeeded()
    await last.getByRole('button', { name: 'Copy name.99' }).waitFor()
  })

  test('of many messages the first and the last are shown, and long instructions are cut', async () => {
    await open('many', 'conversation')
    for (const shown of ['message 0', 'message 4', 'message 75', 'message 119']) {
      await page.getByText(shown, { exact: true }).waitFor()
    }
    expect(await page.getByText('message 5', { exact: true }).count()).toBe(0)
    await open('instructed')
    await page.getByText(/Show all 3,000 characters/).waitFor()
    await page.getByText('the question', { exact: true }).waitFor()
    await button('Go to output').click()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Output')
  })

  test('what cannot be shown as an image, is empty or has no match is named as such', async () => {
    await open('broken')
    await page.getByText('not a valid image').waitFor()
    expect(await page.getByRole('tabpanel').locator('img').count()).toBe(0)
    await open('empty')
    await page.getByText('Empty text').waitFor()
    await open('many', 'attributes')
    await page.getByPlaceholder('Filter attributes').fill('nowhere')
    await page.getByText('No match').waitFor()
  })

  test('a message is rendered from Markdown, or shown as it was sent', async () => {
    await open('chat')
    const message = page.getByRole('article').filter({ hasText: 'Plan' })
    await message.locator('strong', { hasText: 'steps' }).waitFor()
    await message.locator('.hljs-keyword', { hasText: 'const' }).waitFor()
    await message.getByText('tell <b>them</b>').waitFor()
    await message.getByText('Image not loaded: chart').waitFor()
    expect(await message.getByRole('heading').count()).toBe(0)
    expect(await message.getByText('they follow.').innerText()).toBe('Two steps:\nthey follow.')
    await page.getByRole('article').filter({ hasText: 'text: "in JSON"' }).waitFor()

    await page.getByRole('switch', { name: 'Raw' }).check()
    await message.getByText('Two **steps**:').waitFor()
    await page.getByText('{"answer":{"text":"in JSON"}}').waitFor()
    await page.reload()
    await message.getByText('Two **steps**:').waitFor()
    await page.getByRole('switch', { name: 'Raw' }).uncheck()
    await message.locator('strong', { hasText: 'steps' }).waitFor()
  })

  test('a recording can be played, and an image elsewhere is not loaded but offered', async () => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await open('chat')
    await page.getByLabel('audio/wav, 8.0 KB').waitFor()
    const duration = 'document.querySelector("audio").duration'
    await expect.poll(() => page.evaluate(duration)).toBe(1)
    await page.getByText('Image not loaded: https://images.test/cat.png').waitFor()
    const link = page.getByRole('link', { name: 'Open link' })
    expect(await link.getAttribute('href')).toBe('https://images.test/cat.png')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(requested.filter((url) => url.includes('images.test'))).toEqual([])
  })

  test('JSON is open down to the texts of messages, and searched also where it is closed', async () => {
    await open('call')
    await page.getByText('"found below"').waitFor()
    await button('Expand many').waitFor()
    await page.getByRole('textbox', { name: 'Search output' }).fill('in the m')
    await page.getByText('many[70]').waitFor()
  })

  test('resource and scope are tables', async () => {
    await exportSpan()
    const traces = `${service.origin}/p/${account.project.id}/traces`
    await page.goto(`${traces}/${'ab'.repeat(16)}?tab=resource`)
    const table = (name: string) => page.getByRole('table', { name })
    await table('resource attributes').getByRole('row', { name: 'host.name web-1' }).waitFor()
    await table('scope attributes').getByRole('row', { name: 'build 77' }).waitFor()
    await page.getByText('https://opentelemetry.io/schemas/1.37.0').waitFor()
  })

  async function exportSpan(): Promise<void> {
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const time = String(BigInt(Date.now()) * 1_000_000n)
    const span = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), name: 'chat' }
    const response = await fetch(`${service.api}/traces`, {
      method: 'POST',
      headers: { 'x-tracing-key': account.tracing_key, 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [text('service.name', 'shop'), text('host.name', 'web-1')] },
            scopeSpans: [
              {
                scope: { name: 'of-the-shop', version: '2', attributes: [text('build', '77')] },
                schemaUrl: 'https://opentelemetry.io/schemas/1.37.0',
                spans: [{ ...span, startTimeUnixNano: time, endTimeUnixNano: time }],
              },
            ],
          },
        ],
      }),
    })
    expect(response.status).toBe(200)
  }

  test.each([
    ['tag', 'Tags', 'vip', /tag=.*vip/],
    ['model', 'Models', 'gpt-5', /model=gpt-5/],
  ])(
    'a %s of a trace leads to the traces with the same one',
    async (_name, fact, value, filter) => {
      await open('chat')
      const facts = page.locator('header dl > div').filter({ hasText: fact })
      await facts.getByRole('link', { name: value }).click()
      await page.waitForURL(filter)
      await page.getByRole('link', { name: 'Contents' }).waitFor()
    },
  )

  test('Filter by this at an attribute leads to the traces that have it', async () => {
    await open('many', 'attributes')
    await page.getByRole('link', { name: 'Filter by name.0' }).first().click()
    await page.waitForURL(/attribute=.*name.0/)
    await page.getByRole('link', { name: 'Contents' }).waitFor()
  })

  test('pages have no errors', () => {
    expect(watched.faults).toEqual([])
  })
})
