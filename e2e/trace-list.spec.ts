import { readFile } from 'node:fs/promises'
import { call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * The trace list: typed filters, chips, shared links, saved views, the histogram brush, columns and selection.
 */

const hourMs = 3_600_000

/** Of the default columns, those that a narrow window leaves out. */
const allColumns = ['Spans', 'Tokens', 'Cost', 'Models']

/** The texts of cells of numbers and models that are cut by their own edge or by that of the table. */
const findCutCells = `
  [...document.querySelectorAll('td:is([data-align="end"], [data-label="Models"])')]
    .filter((cell) => {
      const box = cell.closest('[data-filling]').getBoundingClientRect()
      return cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > box.right
    })
    .map((cell) => cell.textContent)
`

describe.skipIf(inject('chromium') === null)('the list of traces', () => {
  const { service, setUp, watched, page } = serviceInBrowser()
  let list: string

  beforeAll(async () => {
    list = `${service.origin}/p/${setUp.project.id}/traces`
    const startMs = Date.now() - 24 * hourMs
    for (let at = 0; at < 40; at += 1) {
      await send(`run-${at}`, {
        startedMs: startMs + at * 0.5 * hourMs,
        isError: at % 4 === 0,
        tags: at % 2 === 0 ? ['eu'] : ['us'],
        attributes: at === 3 ? { 'shop.region': 'north' } : {},
        output: at === 8 ? 'the parcel is held up at customs' : 'all is well',
      })
    }
    page.setDefaultTimeout(40_000)
    await page.goto(list)
    await page.getByText('40 of 40 loaded').waitFor()
  })

  test('applies typed filters, which survive a reload through the URL', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('status:error tag:')
    await page.getByRole('option', { name: 'eu' }).waitFor()
    await page.keyboard.type('eu')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.search === '?status=ERROR&tag=eu')
    await page.getByText('10 found').waitFor()
    await page.reload()
    await page.getByText('10 found').waitFor()
    expect(await chips()).toEqual(['Status: Error', 'Tag: eu'])
  })

  test('names an invalid URL parameter until it is dismissed', async () => {
    await page.goto(`${list}?status=BOGUS&tag=eu`)
    await page.getByText('20 found').waitFor()
    const note = page.getByText('Ignored invalid URL parameter: status')
    await note.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.waitForURL((url) => url.search === '?tag=eu')
    await note.waitFor({ state: 'hidden' })
    expect(await chips()).toEqual(['Tag: eu'])
    await page.goto(`${list}?status=ERROR&tag=eu`)
    await page.getByText('10 found').waitFor()
  })

  test('reports an unknown filter and keeps the typed text', async () => {
    const box = page.getByLabel('Search traces')
    await box.fill('color:red st')
    const offer = page.getByRole('option', { name: 'status:' })
    await offer.waitFor()
    await page.keyboard.press('Escape')
    await offer.waitFor({ state: 'hidden' })
    expect(await box.evaluate('document.activeElement.value')).toBe('color:red st')
    await box.fill('color:red customs')
    await box.press('Enter')
    await page.getByText('Unknown filter “color”').waitFor()
    expect(await box.inputValue()).toBe('color:red customs')
    expect(await chips()).toEqual(['Status: Error', 'Tag: eu'])
    await box.fill('passed:f')
    await box.press('Tab')
    expect(await box.inputValue()).toBe('passed:false ')
    await box.press('Enter')
    await page.getByText('“Verdict” needs the filter “Score”').waitFor()
    await box.fill('customs')
    await box.press('Enter')
    await page.getByText('1 found').waitFor()
    expect(await chips()).toEqual(['Status: Error', 'Tag: eu', 'Text: customs'])
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('40 of 40 loaded').waitFor()
    await box.fill('-tag:eu duration<1h model:m OR status:error')
    await box.press('Enter')
    await page.getByText('“OR” needs values of the same filter').waitFor()
    await box.fill('-tag:eu duration<1h')
    await box.press('Enter')
    await page.getByText('20 found').waitFor()
    expect(await chips()).toEqual(['Tag: not eu', 'Duration < 1 h 00 min'])
    await page.goto(`${list}?status=ERROR&tag=eu&q=customs`)
    await page.getByText('1 found').waitFor()
  })

  test('sorts by a column header, also by typed filters and through the URL', async () => {
    await page.goto(`${list}?status=ERROR`)
    await page.getByText('10 found').waitFor()
    const header = page.getByRole('columnheader', { name: 'Started' })
    expect(await header.getAttribute('aria-sort')).toBe('descending')
    await header.getByRole('button').click()
    await page.waitForURL((url) => url.searchParams.get('order') === 'started')
    const first = page.locator('tbody').getByRole('row').first()
    await first.getByRole('link', { name: 'run-0' }).waitFor()
    await page.reload()
    await first.getByRole('link', { name: 'run-0' }).waitFor()
    expect(await header.getAttribute('aria-sort')).toBe('ascending')
    await page.goto(`${list}?status=ERROR&tag=eu&q=customs`)
    await page.getByText('1 found').waitFor()
  })

  test('sorts on a phone, where each card shows what it is sorted by', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const cost = page.locator('tbody [data-label="Cost"]').first()
    expect(await cost.isVisible()).toBe(false)
    await page.getByRole('columnheader', { name: 'Cost' }).getByRole('button').click()
    await page.waitForURL((url) => url.searchParams.get('order') === '-cost')
    await cost.waitFor()
    await page.goBack()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByText('1 found').waitFor()
  })

  test('adds new traces that match the search, and no others', async () => {
    const now = { startedMs: Date.now(), isError: true, tags: ['eu'] }
    await send('cleared', { ...now, output: 'nothing was found at customs' })
    await send('unrelated', { ...now, output: 'all is well' })
    await page.getByText('2 found').waitFor()
    expect(await page.getByRole('link', { name: 'unrelated' }).count()).toBe(0)
  })

  test('is saved as a view and opened again', async () => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Save current view' }).click()
    await page.getByLabel('Name').fill('stuck parcels')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'stuck parcels' }).waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('42 of 42 loaded').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'stuck parcels', exact: true }).click()
    await page.waitForURL(/q=customs/)
    await page.getByText('2 found').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
  })

  test('replaces a view when saved under the same name', async () => {
    await page.getByText('42 of 42 loaded').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Save current view' }).click()
    await page.getByLabel('Name').fill('stuck parcels')
    await page.getByRole('button', { name: 'Replace view' }).click()
    // The list without filters is the saved view now.
    await page.getByRole('button', { name: 'stuck parcels' }).click()
    await page.getByRole('button', { name: 'Delete view stuck parcels' }).click()
    await page.getByRole('button', { name: 'Delete view', exact: true }).click()
    await page.getByRole('button', { name: 'Views' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('is shared as a view with everyone in the project', async () => {
    const views = page.getByRole('button', { name: 'Views' })
    await page.goto(`${list}?status=ERROR`)
    await page.getByText(/^\d+ found$/).waitFor()
    await views.click()
    await page.getByRole('button', { name: 'Save current view' }).click()
    const name = `all errors ${'of every service '.repeat(6).trim()}`
    await page.getByLabel('Name').fill(name)
    await page.getByRole('checkbox', { name: 'Share with everyone in this project' }).check()
    await page.getByRole('button', { name: 'Save view' }).click()
    // The current view is the shared one now.
    await page.getByRole('button', { name: 'all errors' }).click()
    const shared = page.getByRole('list', { name: 'Shared in this project' })
    await shared.getByRole('button', { name, exact: true }).waitFor()
    const remove = page.getByRole('button', { name: `Delete view ${name}` })
    const isCut = await page
      .getByRole('dialog')
      .evaluate((menu) => menu.scrollWidth > menu.clientWidth)
    expect(isCut).toBe(false)
    await remove.click()
    await page.getByText('for everyone in this project').waitFor()
    await page.getByRole('button', { name: 'Delete view', exact: true }).click()
    await views.waitFor()
    await page.goto(list)
    await page.getByText('42 of 42 loaded').waitFor()
  })

  test('filters by the time range dragged in the histogram; Escape resets it', async () => {
    const chart = page.getByRole('slider', { name: 'Traces over time' })
    const box = await chart.boundingBox()
    if (box === null) throw new Error('the histogram is not visible')
    await page.mouse.move(box.x + box.width * 0.2, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/from=.*to=/)
    await page.getByText(/^\d+ found$/).waitFor()
    const found = Number.parseInt(await page.getByText(/^\d+ found$/).innerText(), 10)
    expect(found).toBeGreaterThan(3)
    expect(found).toBeLessThan(16)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.search === '')
    await page.getByText('42 of 42 loaded').waitFor()
  })

  test('goes back from a filter to the list before it', async () => {
    await page.getByLabel('Search traces').fill('status:error')
    await page.keyboard.press('Enter')
    await page.getByText(/^\d+ found$/).waitFor()
    await page.goBack()
    await page.waitForURL((url) => url.search === '')
    await page.getByText('42 of 42 loaded').waitFor()
    await page.goForward()
    await page.waitForURL((url) => url.search === '?status=ERROR')
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('42 of 42 loaded').waitFor()
  })

  test('leads from trace to trace in the order of the list, and back to the list with its filters', async () => {
    await page.goto(`${list}?tag=us`)
    await page.getByText('20 found').waitFor()
    await page.getByRole('link', { name: 'run-39' }).click()
    const steps = page.getByRole('navigation', { name: 'List' })
    await steps.getByText('1 of 20').waitFor()
    await page.keyboard.press(']')
    await page.getByRole('heading', { name: 'run-37', level: 1 }).waitFor()
    await steps.getByText('2 of 20').waitFor()
    await steps.getByRole('link', { name: 'Next trace in list' }).click()
    await page.getByRole('heading', { name: 'run-35', level: 1 }).waitFor()
    await page.keyboard.press('[')
    await page.getByRole('heading', { name: 'run-37', level: 1 }).waitFor()
    await page.locator('header').getByRole('link', { name: 'Traces', exact: true }).click()
    await page.waitForURL((url) => url.search === '?tag=us')
    await page.getByText('20 found').waitFor()
    await page.goto(list)
    await page.getByText('42 of 42 loaded').waitFor()
  })

  test('selects a time range with the keyboard alone', async () => {
    await page.getByRole('slider', { name: 'Traces over time' }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=.*to=/)
    await page.getByText(/^\d found$/).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.search === '')
  })

  test.each([
    [1440, ['Tokens', 'Spans', 'Cost', 'Models']],
    [1024, ['Tokens', 'Cost']],
    [820, []],
    [768, ['Cost']],
  ])(
    'cuts nothing in a window of %d pixels, and leaves out columns before names are cut',
    async (width, columns) => {
      await page.setViewportSize({ width, height: 800 })
      const titles = page.getByRole('columnheader')
      const optional = async () =>
        (await titles.allInnerTexts()).filter((title) => allColumns.includes(title)).toSorted()
      await expect.poll(optional).toEqual(columns.toSorted())
      expect(await page.evaluate(findCutCells)).toEqual([])
      const name = await page.getByRole('columnheader', { name: 'Name' }).boundingBox()
      expect(name?.width).toBeGreaterThan(175)
      await page.setViewportSize({ width: 1280, height: 800 })
    },
  )

  test('selects ranges with Shift and all loaded rows with the box of the header', async () => {
    const rows = page.getByRole('checkbox', { name: /^Select run-/ })
    await rows.nth(1).check()
    await rows.nth(4).click({ modifiers: ['Shift'] })
    await page.getByText('4 traces selected').waitFor()
    for (const key of ['j', 'Shift+X']) await page.keyboard.press(key)
    await page.getByText('5 traces selected').waitFor()
    await page.getByLabel('Search traces').fill('name:none')
    await page.keyboard.press('Enter')
    await page.getByText('5 traces selected, 5 of them not in the loaded rows').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('button', { name: 'Select all 42' }).click()
    await page.getByText('42 traces selected').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    const all = page.getByRole('checkbox', { name: 'Select all loaded rows' })
    await all.check()
    await page.getByText('42 traces selected').waitFor()
    await all.uncheck()
    await page.getByText('42 traces selected').waitFor({ state: 'detached' })
  })

  test('tags and exports the selected traces', async () => {
    const rows = page.getByRole('checkbox', { name: /^Select run-/ })
    await rows.nth(0).check()
    await rows.nth(1).check()
    await page.getByRole('button', { name: 'Tags' }).click()
    await page.getByLabel('Add tags').fill('reviewed, odd one')
    await page.getByRole('checkbox', { name: 'eu' }).check()
    await page.getByRole('button', { name: 'Change tags' }).click()
    await page.getByText('Tags of 2 traces changed').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
    const exported = lines.map((line) => JSON.parse(line) as Trace)
    expect(exported.map(({ trace_id, tags }) => [trace_id, tags])).toEqual([
      ['run-39', ['reviewed', 'odd one', 'us']],
      ['run-38', ['reviewed', 'odd one']],
    ])
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.goto(`${list}?tag=odd+one`)
    await page.getByText('2 found').waitFor()
    await page.goto(list)
    await page.getByText('42 of 42 loaded').waitFor()
  })

  test('moves a column by dragging its header, and in the menu', async () => {
    const titles = () => page.getByRole('columnheader').allInnerTexts()
    await page
      .getByRole('columnheader', { name: 'Cost' })
      .dragTo(page.getByRole('columnheader', { name: 'Started' }))
    await page.waitForURL(/columns=status%2Cname%2Ccost%2Cstarted/)
    expect((await titles()).slice(1, 4)).toEqual(['Status', 'Name', 'Cost'])
    await page.getByRole('button', { name: 'Columns' }).click()
    const items = page.getByRole('list', { name: 'Visible columns' }).getByRole('listitem')
    await items.filter({ hasText: 'Cost' }).dragTo(items.filter({ hasText: 'Status' }))
    await page.waitForURL(/columns=cost%2Cstatus/)
    await page.getByRole('button', { name: 'Reset to default' }).click()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.waitForURL((url) => url.search === '')
  })

  test('keeps the chosen columns after a reload and in a shared link', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Trace ID' }).check()
    await page.getByRole('checkbox', { name: 'Duration' }).uncheck()
    await page.getByRole('button', { name: 'Move Trace ID left' }).click()
    await page.waitForURL(/columns=.*id/)
    const titles = await page.getByRole('columnheader').allInnerTexts()
    expect(titles).not.toContain('Duration')
    expect(titles.indexOf('Trace ID')).toBe(titles.length - 2)
    const link = page.url()
    await page.goto(list)
    await page.waitForURL(link)
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(titles)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Errors' }).check()
    await page.locator('[data-label="Errors"]').first().waitFor()
    await page.getByRole('checkbox', { name: 'Errors' }).uncheck()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('has its filters in one row in a window of 1024 pixels', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    const bar = page.getByRole('search', { name: 'Filter traces' })
    const height = async () => (await bar.boundingBox())?.height ?? 0
    await expect.poll(height).toBeLessThan(50)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('opens the comparison of two selected traces', async () => {
    const rows = page.getByRole('checkbox', { name: /^Select (?!all)/ })
    await rows.nth(0).check()
    await page.getByText('Select two to compare').waitFor()
    await rows.nth(2).check()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL(/\/compare\?a=.+&b=.+/)
    await page.goto(list)
  })

  test('deletes traces selected with the keyboard after confirmation', async () => {
    await page.getByText('42 of 42 loaded').waitFor()
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.getByText('2 traces selected').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('42 of 42 loaded').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete 2 traces' }).click()
    await page.getByText('40 of 40 loaded').waitFor()
    await page.reload()
    await page.getByText('40 of 40 loaded').waitFor()
  })

  test('hides simulated traces until they are requested, and offers them where they are the only matches', async () => {
    const mode = page.getByRole('radiogroup', { name: 'Mode' })
    const judged = { startedMs: Date.now(), isError: false, tags: [], output: 'yes' }
    for (const name of ['judge Polite', 'judge Brief']) await send(name, judged, 'simulation')
    await send('newest', judged)
    await page.getByText('41 of 41 loaded').waitFor()
    await mode.getByText('Simulated').click()
    await page.getByText('2 of 2 loaded').waitFor()
    await page.waitForURL((url) => url.searchParams.get('mode') === 'simulation')
    await page.reload()
    await page.getByText('2 of 2 loaded').waitFor()
    await mode.getByText('Both').click()
    await page.getByText('43 of 43 loaded').waitFor()
    await page.goto(`${list}?name=judge`)
    await page.getByText('No live traces match these filters').waitFor()
    await page.getByRole('button', { name: 'Show simulated traces' }).click()
    await page.getByText('2 found').waitFor()
    await page.waitForURL((url) => url.searchParams.get('mode') === 'simulation')
    await page.getByRole('link', { name: 'judge Polite' }).click()
    await page.locator('header').getByRole('link', { name: 'Traces', exact: true }).click()
    await page.getByText('2 found').waitFor()
  })

  test('filters by an attribute and without it, typed or by the icon beside it', async () => {
    const box = page.getByLabel('Search traces')
    await page.goto(list)
    await box.fill('attr.shop.region:north')
    await box.press('Enter')
    await page.getByText('1 found').waitFor()
    expect(await chips()).toEqual(['shop.region: north'])
    await page.goto(list)
    // Of run-3 and run-30 to run-39.
    await box.fill('name:run-3 -attr.shop.region:north')
    await box.press('Enter')
    await page.getByText('10 found').waitFor()
    expect(await chips()).toEqual(['Name: run-3', 'shop.region: not north'])
    await page.reload()
    await page.getByText('10 found').waitFor()
    await page.goto(`${list}/run-3?span=a&tab=attributes`)
    await page.getByRole('link', { name: 'Filter by shop.region' }).click()
    await page.getByText('1 found').waitFor()
    expect(await chips()).toEqual(['shop.region: north'])
  })

  test('offers to search names where no span has the words', async () => {
    await page.goto(list)
    const body = {
      trace_id: 'named',
      root_name: 'My first trace',
      spans: [{ span_id: 'a', name: 'answer', started_at: new Date().toISOString() }],
    }
    const headers = { 'x-tracing-key': setUp.tracing_key }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    const box = page.getByLabel('Search traces')
    await box.fill('first trace')
    await box.press('Enter')
    await page.getByText('not in the name of a trace').waitFor()
    await page.getByRole('button', { name: 'Search names instead' }).click()
    await page.getByText('1 found').waitFor()
    expect(await chips()).toEqual(['Name: first trace'])
    await page.getByRole('link', { name: 'My first trace' }).waitFor()
  })

  test('shows all milliseconds of a duration on hover', async () => {
    await page.goto(`${list}?name=run-3&columns=name,duration`)
    expect(await page.getByText('50 min 12 s').first().getAttribute('title')).toBe('3,012,000 ms')
  })

  test('has a page that says so for an address that cannot be decoded', async () => {
    await page.goto(`${list}/%E0%A4%A`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Traces' }).waitFor()
  })

  test('says how far back it is sorted where it has more traces than are sorted', async () => {
    const at = new Date(Date.now() - 24 * hourMs).toISOString()
    const path = /\/api\/.*\/traces\?.*order=-cost/
    await page.route(path, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { meta: object }
      const meta = { ...body.meta, is_complete: false, complete_from: at }
      await route.fulfill({ response, json: { ...body, meta } })
    })
    await page.goto(`${list}?order=-cost`)
    await page.getByRole('status').filter({ hasText: 'Sorted back to' }).waitFor()
    expect(await page.getByRole('button', { name: 'Search further' }).count()).toBe(0)
    // The page may have just requested the list again.
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('causes no errors and no violation of the content security policy', () => {
    expect(watched.faults).toEqual([])
  })

  async function chips(): Promise<readonly string[]> {
    const texts = await page.getByRole('button', { name: /^Remove filter/ }).allInnerTexts()
    return texts.map((text) => text.trim())
  }

  interface Run {
    readonly startedMs: number
    readonly isError: boolean
    readonly tags: string[]
    readonly output: string
    readonly attributes?: Record<string, unknown>
  }

  async function send(
    name: string,
    { startedMs, isError, tags, output, attributes = {} }: Run,
    mode: 'live' | 'simulation' = 'live',
  ): Promise<void> {
    const started_at = new Date(startedMs).toISOString()
    const status = isError ? ('ERROR' as const) : ('OK' as const)
    // Long texts in each column of numbers.
    const [latency_ms, usage] = [
      3_012_000,
      { model: 'claude-sonnet-4-5', tokens_in: 77_200, tokens_out: 21_300, cost_usd: 0.01234 },
    ]
    const spans = [
      {
        span_id: 'a',
        name,
        started_at,
        latency_ms,
        status,
        ...usage,
        attributes,
        output: { output },
      },
    ]
    const headers = { 'x-tracing-key': setUp.tracing_key }
    const body = { trace_id: name, tags, mode, spans }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
  }
})
