import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { call } from '@assay/contract/client.ts'
import { createComment } from '@assay/contract/comments.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import type { Span } from '@assay/contract/traces.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from './browser.ts'
import { callAs, type RunningService, type SetUpService } from './running-service.ts'
import { serviceInBrowser } from './service-in-browser.ts'
import { at, run, start } from './shop-traces.ts'

/*
 * The trace page: errors, views, comments. Comparisons are in compare-traces.spec.ts.
 */

const first = '0af7651916cd43dd8448eb211c803190'
const second = '0af7651916cd43dd8448eb211c803191'

describe.skipIf(inject('chromium') === null)('the page of a trace', () => {
  const { service, setUp: account, browser, watched, page } = serviceInBrowser()
  let traces: string

  beforeAll(async () => {
    const headers = { 'x-tracing-key': account.tracing_key }
    await call(service.api, ingestTrace, { body: run(first, 0, false), headers: {} }, { headers })
    await call(service.api, ingestTrace, { body: run(second, 1, true), headers: {} }, { headers })
    await sendLog(service, account)
    traces = `${service.origin}/p/${account.project.id}/traces`
  })

  const selected = () => page.locator('[role=treeitem][aria-selected=true]')

  test('collapses siblings of the same name into one row and shows orphans', async () => {
    await page.goto(`${traces}/${second}`)
    await page.getByRole('treeitem', { name: /look up.*×30/ }).waitFor()
    await page.getByRole('img', { name: 'Parent missing' }).waitFor()
    await page.getByRole('img', { name: /Overview: \d+ rows/ }).waitFor()
  })

  test('steps through errors by key and button, expanding collapsed rows', async () => {
    await page.getByRole('treeitem').first().click()
    await page.keyboard.press('e')
    await page.getByText('the shop is closed').waitFor()
    await expect.poll(() => selected().textContent()).toContain('look up')
    await page.getByRole('button', { name: 'Next error (1 of 2)' }).click()
    await page.getByText('not requested').waitFor()
    await page.keyboard.press('Shift+E')
    await page.waitForURL(/span=look-20/)
  })

  test('steps through spans by key wherever the focus is, but not while the person types', async () => {
    await page.getByRole('button', { name: 'Copy span ID' }).focus()
    await page.keyboard.press('j')
    await page.waitForURL(/span=look-21/)
    await page.getByPlaceholder('Search spans by name').press('k')
    await page.getByPlaceholder('Search spans by name').fill('')
    await page.getByRole('button', { name: 'Copy span ID' }).press('j')
    await page.waitForURL(/span=look-22/)
    await page.getByRole('button', { name: 'Copy span ID' }).press('k')
    await page.waitForURL(/span=look-21/)
  })

  test('has its tree in focus when it opens, and Expand all opens its groups', async () => {
    await page.goto(traces)
    await page.getByRole('link', { name: 'Answer a customer' }).first().click()
    await page.getByRole('treeitem', { name: /look up.*×30/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/span=ask/)
    await page.getByRole('button', { name: 'Expand all' }).click()
    await page.getByRole('treeitem', { name: /look up.*×30/, expanded: true }).waitFor()
    await page
      .getByRole('treeitem', { name: /look up/, level: 3 })
      .first()
      .waitFor()
  })

  test('shows tokens and cost of spans and of closed branches, until they are hidden', async () => {
    const rowOf = (name: string) => page.getByRole('treeitem').filter({ hasText: name })
    await rowOf('ask').getByText('120 tokens').waitFor()
    await rowOf('ask').getByText('$0.0020').waitFor()
    expect(await rowOf('agent').getByText('tokens').count()).toBe(0)
    await page.getByRole('tree').press('Home')
    await page.keyboard.press('ArrowLeft')
    await rowOf('agent').getByText('510 tokens').waitFor()
    await rowOf('agent').getByText('$0.011').waitFor()
    const shown = page.getByRole('button', { name: 'Tokens and cost' })
    await shown.click()
    await page.reload()
    await rowOf('ask').waitFor()
    expect(await rowOf('ask').getByText('120 tokens').count()).toBe(0)
    await shown.click()
    await rowOf('ask').getByText('120 tokens').waitFor()
  })

  test('remembers where its dividers were moved to, by pointer or keys', async () => {
    const divider = (name: string) => page.getByRole('separator', { name })
    const leftOf = async (name: string) => (await divider(name).boundingBox())?.x ?? 0
    const views = 'Width of the trace views'
    const names = 'Width of the span names'
    const [viewsBefore, namesBefore] = [await leftOf(views), await leftOf(names)]
    await page.mouse.move(viewsBefore + 3, 400)
    await page.mouse.down()
    await page.mouse.move(viewsBefore - 97, 400)
    await page.mouse.up()
    await divider(names).press('Shift+ArrowLeft')
    const [viewsAfter, namesAfter] = [await leftOf(views), await leftOf(names)]
    expect(viewsAfter).toBeLessThan(viewsBefore - 90)
    expect(namesAfter).toBeLessThan(namesBefore - 50)
    await page.reload()
    await expect.poll(() => leftOf(views)).toBe(viewsAfter)
    expect(await leftOf(names)).toBe(namesAfter)
    await divider(views).dblclick()
    await divider(names).dblclick()
    expect(await leftOf(views)).toBe(viewsBefore)
    expect(await leftOf(names)).toBe(namesBefore)
  })

  test('leads from the status of the trace to its first error, and from a view Back to the one before', async () => {
    await page.goto(`${traces}/${second}`)
    await page.getByText('1 error below').waitFor()
    await page.getByRole('link', { name: 'Error' }).click()
    await page.waitForURL(/span=look-20/)
    await page.getByText('the shop is closed').waitFor()
    await page.getByRole('tab', { name: 'Graph' }).click()
    await page.waitForURL(/view=graph/)
    await page.getByRole('tab', { name: 'Logs' }).click()
    await page.waitForURL(/view=logs/)
    await page.goBack()
    await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor()
    await page.goBack()
    await page.getByRole('tree').waitFor()
  })

  test('highlights the critical path, also after a reload', async () => {
    await page.getByRole('button', { name: 'Critical path' }).click()
    await page.waitForURL(/path=1/)
    await page.reload()
    const response = page.getByRole('treeitem', { name: /answer/ })
    await response.getByRole('img', { name: 'On the critical path:' }).waitFor()
  })

  test('zooms in and resets the zoom', async () => {
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.waitForURL(/time=/)
    await page.getByRole('tree').press('0')
    await expect.poll(() => page.url()).not.toContain('time=')
  })

  test('draws the call graph and links nodes to their spans', async () => {
    await page.getByRole('tab', { name: 'Graph' }).click()
    await page.getByRole('button', { name: 'LLM call answer ×1 2.90 s' }).click()
    await page.waitForURL(/node=llm%3Aanswer/)
    await page.waitForURL(/span=answer/)
    const row = page.getByRole('row', { name: /^Tool look up/ })
    await expect.poll(() => row.textContent()).toContain('301')
  })

  test('shows cumulative tokens and cost with links to the calls', async () => {
    await page.getByRole('tab', { name: 'Tokens and cost' }).click()
    await page.getByText('$0.011').first().waitFor()
    await page.getByRole('button', { name: 'ask', exact: true }).click()
    await page.waitForURL(/span=ask/)
  })

  test('shows the logs of the trace or of the selected span', async () => {
    await page.getByRole('tab', { name: 'Logs' }).click()
    await page.getByRole('button', { name: 'asked the shop', exact: true }).click()
    for (const name of ['attributes', 'resource attributes', 'scope attributes']) {
      const table = page.getByRole('table', { name, exact: true })
      await table.getByRole('rowheader', { name: `of.${name.split(' ')[0]}` }).waitFor()
    }
    await page.getByText('Selected span').click()
    await page.getByText('No log records').waitFor()
    await page.waitForURL(/logs=span/)
  })

  test('adds, counts and deletes a comment', async () => {
    await page.getByRole('tab', { name: 'Comments' }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('The shop closes at six.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('listitem').getByText('The shop closes at six.').waitFor()
    await page.getByRole('tab', { name: 'Comments 1' }).waitFor()
    await page.getByRole('button', { name: 'Delete comment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click()
    await page.getByText('No comments yet').waitFor()
  })

  test('shows the age of a comment, each second while it is young', async () => {
    const other = await openPage(browser, service.origin, account.session.cookie)
    await other.page.clock.install()
    await other.page.goto(`${traces}/${second}?view=comments`)
    await other.page.getByRole('textbox', { name: 'Comment' }).fill('Young.')
    await other.page.getByRole('button', { name: 'Send', exact: true }).click()
    const age = other.page.getByRole('listitem').filter({ hasText: 'Young.' }).locator('time')
    await age.getByText('just now').waitFor()
    const shown = async () => /(\d+) (s|min) ago/.exec(await age.innerText())?.slice(1) ?? []
    await other.page.clock.runFor(3_000)
    const [seconds, unit] = await shown()
    expect(unit).toBe('s')
    await other.page.clock.runFor(1_000)
    expect(Number((await shown())[0])).toBeGreaterThan(Number(seconds))
    await other.page.clock.runFor(60_000)
    expect(await shown()).toEqual(['1', 'min'])
    await other.page.getByRole('button', { name: 'Delete comment' }).click()
    await other.page.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click()
    await other.page.getByText('No comments yet').waitFor()
    await other.context.close()
  })

  test('loads further comments on request, and shows a new one after the last', async () => {
    const params = { projectId: account.project.id, traceId: second }
    const api = callAs(service, account)
    const add = (n: number) => api(createComment, { params, body: { text: `Note ${n}` } })
    await Promise.all(Array.from({ length: 50 }, (_, at) => add(at + 1)))
    await add(51)
    const note = (text: string) => page.getByRole('listitem').getByText(text, { exact: true })
    await page.reload()
    await page.getByRole('tab', { name: 'Comments 51' }).waitFor()
    await note('Note 50').waitFor()
    expect(await note('Note 51').count()).toBe(0)
    await page.getByRole('button', { name: 'Load more' }).click()
    await note('Note 51').waitFor()
    await page.reload()
    await note('Note 50').waitFor()
    await page.getByRole('textbox', { name: 'Comment' }).fill('The last note.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await note('The last note.').waitFor()
    await page.getByRole('tab', { name: 'Comments 52' }).waitFor()
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0)
  })

  test('navigates to the previous trace in the session and back', async () => {
    await page.getByRole('link', { name: 'Previous trace in session' }).click()
    await page.waitForURL(new RegExp(first))
    await page.getByRole('link', { name: 'Next trace in session' }).click()
    await page.waitForURL(new RegExp(second))
  })

  test('fits a narrow window, however long its labels are', async () => {
    const headers = { 'x-tracing-key': account.tracing_key }
    const body = {
      ...{ trace_id: 'x'.repeat(128), root_name: 'name'.repeat(60) },
      ...{ session_id: 'session'.repeat(18), environment: 'e'.repeat(64), tags: ['t'.repeat(128)] },
      spans: [{ span_id: 'a', name: 'a', model: 'm'.repeat(100), started_at: at(0) }],
    }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${traces}/${body.trace_id}`)
    const id = page.getByText(body.trace_id, { exact: true }).first()
    await page.getByRole('button', { name: 'Details' }).click()
    await id.waitFor()
    const facts = page.getByRole('definition')
    for (const fact of await facts.all()) {
      const box = await fact.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
      const overflow = ({
        scrollWidth,
        clientWidth,
      }: {
        scrollWidth: number
        clientWidth: number
      }) => scrollWidth - clientWidth
      expect([await fact.textContent(), await fact.evaluate(overflow)]).toEqual([
        await fact.textContent(),
        0,
      ])
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('keeps names, bars, usage and durations of the tree apart at each width', async () => {
    const spans = Array.from({ length: 15 }, (_, n) => ({
      ...{ span_id: `s${n}`, name: `${n} ${'a long name of a step '.repeat(4)}`, kind: 'llm' },
      ...(n === 0 ? {} : { parent_span_id: `s${n - 1}` }),
      ...{ model: 'm', tokens_in: 123_456_789, tokens_out: 5, cost_usd: 1234.56 },
      ...{ started_at: at(0), ended_at: at(400_000_000 - n) },
    }))
    const headers = { 'x-tracing-key': account.tracing_key }
    await call(
      service.api,
      ingestTrace,
      { body: { trace_id: 'deep', spans }, headers: {} },
      { headers },
    )
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${traces}/deep`)
      await page.getByRole('treeitem').nth(14).waitFor()
      const overlaps = await page.getByRole('tree').evaluate((tree) =>
        [...tree.querySelectorAll('[role=treeitem]')].flatMap((row) => {
          const boxes = [...row.children]
            .map((cell) => cell.getBoundingClientRect())
            .filter((box) => box.width > 0)
          const name = row.querySelector('[title*="a long name"]')
          if (name === null) return ['a row without its name']
          const style = name.ownerDocument.defaultView?.getComputedStyle(name)
          const isCut = name.scrollWidth > name.clientWidth && style?.textOverflow === 'ellipsis'
          const isInside = name.getBoundingClientRect().right <= (boxes[0]?.right ?? 0)
          const areApart = boxes.every((box, at) => box.left >= (boxes[at - 1]?.right ?? 0))
          return isCut && isInside && areApart ? [] : [row.textContent]
        }),
      )
      expect([width, overlaps]).toEqual([width, []])
    }
  })

  test('scrolls to the tab of a view that a link opens, on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${traces}/${second}?view=comments`)
    const box = await page.getByRole('tab', { name: 'Comments', selected: true }).boundingBox()
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    expect(await page.evaluate('scrollX')).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('shows one line of facts on a phone, and all on request', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${traces}/${second}`)
    await page.getByText('6.00 s · 35 spans · 2 errors · $0.011').waitFor()
    const row = await page.getByRole('treeitem').first().boundingBox()
    expect(row?.y).toBeLessThan(400)
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('definition').getByText(second).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('copies the trace ID also without access to the clipboard, and confirms it', async () => {
    await page.goto(`${traces}/${second}`)
    await page.getByRole('treeitem').first().waitFor()
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.getByRole('menuitem', { name: 'Copied' }).waitFor()
    await page.getByRole('menuitem', { name: 'Copy trace ID' }).click()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Copied' }).count()).toBe(2)
    await page.keyboard.press('Escape')
    const field = page.getByLabel('Search spans by name')
    await field.press('Control+V')
    expect(await field.inputValue()).toBe(second)
    await field.press('Escape')
  })

  test('downloads a trace of several pages as one JSON file', async () => {
    const headers = { 'x-tracing-key': account.tracing_key }
    const output = 'x'.repeat(900_000)
    for (let n = 0; n < 6; n += 1) {
      const span = { span_id: `s${n}`, name: 'large', output, started_at: at(n), ended_at: at(9) }
      const body = { trace_id: 'large', spans: [span] }
      await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    }
    // A number that JavaScript would round.
    const body = `{"trace_id":"large","spans":[{"span_id":"s6","name":"number","started_at":"${at(9)}","output":{"order":12345678901234567890}}]}`
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    }
    expect((await fetch(`${service.api}/traces/ingest`, init)).status).toBe(202)
    await page.goto(`${traces}/large`)
    await page.getByRole('treeitem').nth(5).waitFor()
    const bodies = /payload=full/
    const download = async () => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Download JSON' }).click()
    }
    await page.route(bodies, () => undefined)
    await download()
    await page.getByText('Downloading: 0 of 7 spans').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByText('Downloading').count()).toBe(0)
    await page.unroute(bodies)
    await page.route(bodies, (route) => route.fulfill({ body: 'a page of a proxy' }))
    await download()
    await page.getByText('Could not download the trace.').waitFor()
    await page.unroute(bodies)
    let pages = 0
    const count = (request: { url(): string }) => {
      pages += bodies.test(request.url()) ? 1 : 0
    }
    page.on('request', count)
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Retry' }).click()
    const file = await started
    page.off('request', count)
    expect([file.suggestedFilename(), pages]).toEqual(['trace-large.json', 2])
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain('"order":12345678901234567890')
    const trace = JSON.parse(text)
    expect(trace).toMatchObject({ trace_id: 'large', span_count: 7 })
    expect(trace.spans.map((span: Span) => [span.span_id, span.output === output])).toEqual(
      Array.from({ length: 7 }, (_, n) => [`s${n}`, n < 6]),
    )
  })

  test('cuts long names in the call graph with an ellipsis, and keeps its position', async () => {
    const names = Array.from(
      { length: 8 },
      (_, n) => `step ${n} ${'delegates to the next '.repeat(4)}`,
    )
    const spans = names.map((name, n) => ({
      ...{ span_id: `s${n}`, name, kind: 'tool', started_at: at(n), ended_at: at(100 - n) },
      ...(n === 0 ? {} : { parent_span_id: `s${n - 1}` }),
    }))
    const headers = { 'x-tracing-key': account.tracing_key }
    const body = { trace_id: 'chain', spans }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    await page.goto(`${traces}/chain?view=graph`)
    const graph = page.getByRole('region', { name: 'Call graph' })
    const node = graph.getByRole('button', { name: /^Tool step 4/ })
    expect(await node.getAttribute('title')).toContain(names[4]?.trim())
    const label = node.getByText('step 4')
    const isCut = await label.evaluate(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 200,
    )
    expect(isCut).toBe(true)

    await node.scrollIntoViewIfNeeded()
    const readPosition = () => graph.evaluate(({ scrollLeft }) => scrollLeft)
    const position = await readPosition()
    expect(position).toBeGreaterThan(200)
    await node.click()
    await page.waitForURL(/span=s4/)
    expect(await readPosition()).toBe(position)
    await page.getByRole('tab', { name: 'Tokens and cost' }).click()
    await graph.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Graph' }).click()
    await expect.poll(readPosition).toBe(position)
  })

  test('zooms, fits and pans the call graph, and keeps its zoom', async () => {
    const graph = page.getByRole('region', { name: 'Call graph' })
    const drawnPx = () => graph.evaluate(({ scrollWidth }) => scrollWidth)
    const visiblePx = await graph.evaluate(({ clientWidth }) => clientWidth)
    await page.getByRole('button', { name: 'Fit' }).click()
    expect(await drawnPx()).toBe(visiblePx)
    await graph.press('+')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const zoomedPx = await drawnPx()
    expect(zoomedPx).toBeGreaterThan(visiblePx * 1.4)
    const { x = 0, y = 0, width = 0, height = 0 } = (await graph.boundingBox()) ?? {}
    const [middle, bottom] = [x + width / 2, y + height - 12]
    const before = await graph.evaluate(({ scrollLeft }) => scrollLeft)
    await page.mouse.move(middle, bottom)
    await page.mouse.down()
    await page.mouse.move(middle + 60, bottom)
    await page.mouse.up()
    expect(await graph.evaluate(({ scrollLeft }) => scrollLeft)).toBeCloseTo(before - 60, 0)
    await page.getByRole('tab', { name: 'Logs' }).click()
    await page.getByRole('tab', { name: 'Graph' }).click()
    await expect.poll(drawnPx).toBe(zoomedPx)
    await graph.hover({ position: { x: width / 2, y: height - 12 } })
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -40)
    await page.keyboard.up('Control')
    await expect.poll(drawnPx).toBeGreaterThan(zoomedPx * 1.2)
  })

  test('scrolls a match of the search to the middle, and keeps the search usable', async () => {
    const spans = Array.from({ length: 60 }, (_, n) => ({
      ...{
        span_id: `s${n}`,
        name: `tool step ${n}`,
        status: n % 9 === 0 ? ('ERROR' as const) : ('OK' as const),
      },
      ...{ started_at: at(n), ended_at: at(n + 1) },
    }))
    const headers = { 'x-tracing-key': account.tracing_key }
    const body = { trace_id: 'steps', spans }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    await page.setViewportSize({ width: 1360, height: 800 })
    await page.goto(`${traces}/steps`)
    await page.getByRole('button', { name: 'Critical path' }).click()
    const search = page.getByLabel('Search spans by name')
    await search.fill('step 45')
    await page.getByText('– of 1').waitFor()
    await search.press('Enter')
    await page.waitForURL(/span=s45/)
    const row = page.getByRole('treeitem', { name: 'tool step 45' })
    const [tree, found, field] = await Promise.all(
      [page.getByRole('tree'), row, search].map((one) => one.boundingBox()),
    )
    if (!tree || !found || !field) throw new Error('The row of the match is not visible.')
    expect(found.y).toBeGreaterThan(tree.y + tree.height / 4)
    expect(found.y + found.height).toBeLessThan(tree.y + (tree.height * 3) / 4)
    expect(field.width).toBeGreaterThan(160)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('requests a missing trace once', async () => {
    const requests: string[] = []
    const note = (request: { url(): string }) => requests.push(request.url())
    page.on('request', note)
    await page.goto(`${traces}/missing`)
    await page.getByRole('heading', { name: 'Trace not found' }).waitFor()
    page.off('request', note)
    expect(requests.filter((url) => url.includes('/traces/missing?'))).toHaveLength(1)
  })

  test('marks a cost without its unpriced calls as a lower bound, also in a comparison', async () => {
    const used = { kind: 'llm', tokens_in: 10, tokens_out: 5 }
    const spans = [
      { span_id: 'priced', name: 'priced', ...used, model: 'm', cost_usd: 0.04 },
      { span_id: 'unpriced', name: 'unpriced', ...used, model: 'in-house-7b' },
    ].map((span) => ({ ...span, started_at: at(0), ended_at: at(400_000) }))
    const headers = { 'x-tracing-key': account.tracing_key }
    const body = { trace_id: 'mixed', spans }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    await page.goto(`${traces}/mixed?view=usage`)
    await page.getByRole('definition').getByText('≥ $0.040').waitFor()
    const chart = page.getByRole('figure').filter({ hasText: 'Cost' })
    await chart.getByText('≥ $0.040').waitFor()
    await page.goto(traces)
    await page
      .getByRole('row', { name: /priced/ })
      .getByText('≥ $0.040')
      .waitFor()
    await page.setViewportSize({ width: 1360, height: 800 })
    await page.goto(`${service.origin}/p/${account.project.id}/compare?a=mixed&b=${second}`)
    const totals = page.getByRole('table', { name: 'Totals' })
    await totals.getByRole('cell', { name: '≥ $0.040' }).waitFor()
    await totals.getByRole('cell', { name: '$0.011', exact: true }).waitFor()
    expect(await totals.getByRole('row').last().textContent()).toMatch(/—$/)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('shows a trace as running until the end of its root arrives, and later that none was reported', async () => {
    const headers = { 'x-tracing-key': account.tracing_key }
    const send = (trace_id: string, spans: object[]) =>
      call(
        service.api,
        ingestTrace,
        { body: { trace_id, spans } as never, headers: {} },
        { headers },
      )
    const root = { span_id: 'root', name: 'Plan a trip', kind: 'agent', started_at: at(0) }
    const child = {
      ...root,
      span_id: 'child',
      parent_span_id: 'root',
      name: 'look up',
      kind: 'tool',
    }
    await send('open-root', [root, { ...child, ended_at: at(2000) }])
    await page.goto(traces)
    const row = page.getByRole('row', { name: /Plan a trip/ })
    await row.getByText('Running').click()
    await page.getByRole('definition').getByText('2.00 s so far').waitFor()
    await page.getByText('Running').waitFor()
    await page.getByText('No end reported').waitFor()
    await page.clock.setFixedTime(Date.now() + 300_000)
    await page.reload()
    await page.getByRole('definition').getByText('2.00 s', { exact: true }).waitFor()
    expect(await page.getByText('Running').count()).toBe(0)
    expect(await page.getByText('No end reported').count()).toBe(2)
    await send('lost-root', [{ ...child, ended_at: at(2000) }])
    await page.goto(`${traces}/lost-root`)
    await page.getByRole('definition').getByText('Not received').waitFor()
    await page.clock.setFixedTime(Date.now())
    await page.goto(`${traces}/open-root`)
    await page.getByText('2.00 s so far').waitFor()
    await send('open-root', [{ ...root, ended_at: at(3000) }])
    await page.getByRole('definition').getByText('3.00 s', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByText('Running').count()).toBe(0)
    expect(await page.getByText('No end reported').count()).toBe(0)
  })

  test('deletes a trace after confirmation, and no longer shows it even to a quick Back', async () => {
    await page.goto(`${traces}/${first}`)
    // Back comes before the list has loaded, while the page of the trace is still mounted.
    const listRequests = /\/traces\?/
    await page.route(listRequests, async (route) => {
      await setTimeout(300)
      // A request that the browser has canceled cannot continue.
      await route.continue().catch(() => undefined)
    })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete trace…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete trace' }).click()
    await page.waitForURL((url) => url.pathname.endsWith('/traces'))
    await page.goBack()
    await page.getByRole('heading', { name: 'Trace not found' }).waitFor()
    await page.getByRole('link', { name: 'Back to traces' }).waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    await page.unroute(listRequests)
  })

  test('causes no errors and no violation of the content security policy', () => {
    // The browser logs the 404 responses for missing traces.
    expect(watched.faults.filter((fault) => !/status of 404/.test(fault))).toEqual([])
  })
})

/** Sends a log record for the agent span of the second trace. */
async function sendLog(service: RunningService, account: SetUpService): Promise<void> {
  const record = {
    timeUnixNano: `${start + 86_400_000 + 1500}000000`,
    severityNumber: 13,
    traceId: second,
    body: { stringValue: 'asked the shop' },
    attributes: [toAttribute('of.attributes')],
  }
  const resource = { attributes: [toAttribute('of.resource')] }
  const scope = { name: 'shop', attributes: [toAttribute('of.scope')] }
  const response = await fetch(`${service.api}/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': account.tracing_key },
    body: JSON.stringify({
      resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }],
    }),
  })
  expect(response.status).toBe(200)
}

const toAttribute = (key: string) => ({ key, value: { stringValue: 'yes' } })
