import { createProject } from '@assay/contract/organizations.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { callAs, type RunningService } from './running-service.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * The command palette, with the keyboard alone.
 */

describe.skipIf(inject('chromium') === null)('the command palette', () => {
  const { service, setUp, watched, page } = serviceInBrowser()

  beforeAll(async () => {
    const body = { name: 'Checkout' }
    await callAs(service, setUp)(createProject, {
      params: { orgId: setUp.organization.id },
      body,
    })
    for (const [id, name] of [
      ['order-1042-first', 'answer the customer'],
      ['order-1042-second', 'refund the order'],
      ['7f3c00d2a1', 'ship the parcel'],
      // As many traces as the palette lists start with this ID.
      ['abcdef00', 'follow up'],
      ...['1', '2', '3', '4', '5', '6'].map((end) => [`abcdef00${end}`, `step ${end}`] as const),
    ] as const) {
      await ingest(service, setUp.tracing_key, id, name)
    }
    await page.goto(`${service.origin}/p/${setUp.project.id}/keys`)
    await page.getByRole('heading', { name: 'Tracing keys' }).waitFor()
  })

  const box = () => page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')
  const current = () => page.locator('[role=option][aria-selected=true]').innerText()

  async function goTo(text: string, expected: RegExp): Promise<void> {
    await page.keyboard.press('Control+k')
    await box().waitFor()
    await page.keyboard.type(text)
    await expect.poll(current).toMatch(expected)
    await page.keyboard.press('Enter')
  }

  test('opens and closes with its keys, and the arrows move the selection', async () => {
    await page.keyboard.press('Control+k')
    await box().waitFor()
    expect(await current()).toMatch(/^Traces/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(current).toMatch(/^Sessions/)
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/keys$/)
  })

  test.each([
    ['sess', /^Sessions/, /\/sessions$/],
    ['audit', /^Audit log/, /settings\/audit-log$/],
    ['reprice', /^Recalculate costs/, /prices\/recalculate$/],
    ['refund', /^refund the order/, /traces\/order-1042-second/],
    ['order-1042-first', /^answer the customer/, /traces\/order-1042-first/],
    ['order-1042-s', /^refund the order/, /traces\/order-1042-second/],
    ['7F3C00D2', /^ship the parcel/, /traces\/7f3c00d2a1/],
    ['abcdef00', /^follow up/, /traces\/abcdef00(\?|$)/],
  ])('%s opens the matching page or trace', async (text, expected, address) => {
    await goTo(text, expected)
    await page.waitForURL(address)
  })

  test('has the focus as soon as it is open, so that no typed text is lost', async () => {
    const role = await page.evaluate(pressAndReadFocus)
    expect(role).toBe('combobox')
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
  })

  test('has what was typed while its code was loading, and no key of it reached the page', async () => {
    let load = () => {}
    const isWanted = new Promise<void>((resolve) => (load = resolve))
    const code = /\/Palette-[^/]+\.js/
    await page.route(code, async (route) => {
      await isWanted
      await route.continue()
    })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const path = new URL(page.url()).pathname
    await page.keyboard.press('Control+k')
    await page.keyboard.type('gdx')
    await page.keyboard.press('Backspace')
    load()
    await box().waitFor()
    await page.unroute(code)
    await page.keyboard.type('?')
    expect(await box().inputValue()).toBe('gd?')
    expect(new URL(page.url()).pathname).toBe(path)
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
  })

  test('finds the current project', async () => {
    await goTo('first project', /^First project/)
    await page.waitForURL(`${service.origin}/p/${setUp.project.id}/traces`)
  })

  test('requests no trace that may not exist', async () => {
    await page.keyboard.press('Control+k')
    await box().waitFor()
    await page.keyboard.type('abcdef0')
    await page.getByRole('option', { name: /^step 6/ }).waitFor()
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
    expect(watched.faults).toEqual([])
  })

  test('switches to another project', async () => {
    await goTo('check', /^Checkout/)
    const isOther = ({ pathname }: URL) => !pathname.includes(setUp.project.id)
    await page.waitForURL((url) => /^\/p\/[^/]+\/traces$/.test(url.pathname) && isOther(url))
  })

  test('a question mark shows the keyboard shortcuts, but not while typing', async () => {
    await page.keyboard.press('Control+k')
    await box().waitFor()
    await page.keyboard.type('what?')
    expect(await box().inputValue()).toBe('what?')
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
    await page.reload()
    const link = page.getByRole('link', { name: 'Traces', exact: true }).first()
    await link.focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await link.and(page.locator(':focus')).waitFor()
  })

  test('g and a key of the list open a page, not while typing, and not its keys', async () => {
    const pathAfter = async (path: RegExp) => {
      await page.waitForURL(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const goTo = sheet.locator('section', { hasText: 'Go to' })
    await goTo.waitFor()
    const keys = await goTo.locator('kbd').allInnerTexts()
    expect(keys).toHaveLength(12)
    expect(new Set(keys).size).toBe(keys.length)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    for (const key of ['g', 'd']) await page.keyboard.press(key)
    await pathAfter(/\/dashboard/)
    for (const key of ['g', 'e']) await page.keyboard.press(key)
    await pathAfter(/\/evaluators\/catalogue/)
    await page.getByLabel('Search evaluators').pressSequentially('gt')
    expect(new URL(page.url()).pathname).toMatch(/catalogue$/)
    await page.getByLabel('Search evaluators').blur()
    for (const key of ['x', 't', 'g', 't']) await page.keyboard.press(key)
    await pathAfter(/\/traces/)
  })

  test('causes no errors and no violation of the content security policy', () => {
    expect(watched.faults).toEqual([])
  })
})

/** In one task of the page, so that no timer runs in between. */
const pressAndReadFocus = `(async () => {
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
  await Promise.resolve()
  return document.activeElement?.getAttribute('role')
})()`

async function ingest(
  service: RunningService,
  key: string,
  trace_id: string,
  name: string,
): Promise<void> {
  const started_at = new Date().toISOString()
  const response = await fetch(`${service.api}/traces/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': key },
    body: JSON.stringify({ trace_id, spans: [{ span_id: 'a', name, started_at }] }),
  })
  expect(response.status).toBe(202)
}
