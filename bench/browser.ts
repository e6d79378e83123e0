import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser, openPage } from '../e2e/browser.ts'
import {
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from '../e2e/running-service.ts'
import { findChromium } from '../tools/chromium.mjs'
import { measureChat } from './chat-pages.ts'
import { ms, type Row, row, thousands, writeSection } from './page.ts'
import { measurePageLoads } from './page-loads.ts'

/*
 * `npm run bench:browser`: opens large traces, conversations and pages over a slow network in Chromium, and writes the browser's own measurements into
 * docs/benchmarks.md. The pages must be built, as `npm start` does.
 */

/** The parts of the browser API that functions run in the page use: this program has no DOM types. */
interface PageElement {
  scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
  readonly innerText: string
  click(): void
}
declare const document: {
  readonly body: PageElement
  querySelector(selector: string): PageElement | null
}
declare function requestAnimationFrame(act: (nowMs: number) => void): number

interface Opened {
  readonly firstRowsMs: number
  readonly allLoadedMs: number
}

interface Frames {
  readonly p95Ms: number
  readonly dropped: number
  readonly frames: number
}

const spansPerRequest = 500
const kinds = ['agent', 'llm', 'tool', 'retriever', 'function'] as const

const chromium = findChromium()
if (chromium === undefined)
  throw new Error('Chromium was not found. Install it or set ASSAY_TEST_CHROMIUM.')
const service = await runService()
const account = await setUpService(service)
const browser = await launchBrowser(chromium)
const rows: Row[] = []
for (const spans of [1000, 10_000, 50_000]) {
  await sendTrace(service, account, spans)
  const measured = await measure(browser, service, account, spans)
  // The smallest only warms up the service and the disk.
  if (spans >= 10_000) rows.push(...measured)
}
const loadRows = await measurePageLoads(browser, service, account, 'spans-1000')
await service.stop()
const chatRows = await measureChat(browser)
await browser.close()
console.log(
  writeSection(
    'Large traces in the browser',
    'Written by `npm run bench:browser`. Headless Chromium without a graphics card, the service and the disk share one machine; times are from the Performance API of the page, frame times are those between two animation frames while rows scroll, and CPU time is that of the main thread.',
    rows,
  ),
)

console.log(
  writeSection(
    'First visits on a slow network',
    'Written by `npm run bench:browser`. An empty cache, 400 ms of latency per request and 50 KB/s, emulated by Chromium; until the first rows or, on the sign-in page, the first field.',
    loadRows,
  ),
)

console.log(
  writeSection(
    'Conversations in the browser',
    'Written by `npm run bench:browser`. Headless Chromium without a graphics card, the service and the scripted provider share one machine. Painted: after the frame in which the text is shown.',
    chatRows,
  ),
)

/** A tree with ten children per span and a model call in every fifth. */
async function sendTrace(at: RunningService, to: SetUpService, count: number): Promise<void> {
  const start = Date.UTC(2026, 10, 20, 10)
  for (let from = 0; from < count; from += spansPerRequest) {
    const spans = Array.from({ length: spansPerRequest }, (_, n) => {
      const place = from + n
      const kind = kinds[place % kinds.length] ?? 'function'
      return {
        span_id: `s${place}`,
        name: `${kind} ${place % 23}`,
        kind,
        started_at: new Date(start + place * 3).toISOString(),
        latency_ms: 5 + (place % 90),
        ...(place === 0 ? {} : { parent_span_id: `s${Math.floor((place - 1) / 10)}` }),
        ...(kind === 'llm' ? { model: 'gpt-5', tokens_in: 400, tokens_out: 120 } : {}),
        ...(place % 1733 === 1732 ? { status: 'ERROR' } : {}),
      }
    })
    const response = await fetch(`${at.api}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tracing-key': to.tracing_key },
      body: JSON.stringify({ trace_id: `spans-${count}`, spans }),
    })
    if (!response.ok) throw new Error(`not stored: ${await response.text()}`)
  }
}

async function measure(
  at: Browser,
  { origin }: RunningService,
  { project, session }: SetUpService,
  spans: number,
): Promise<Row[]> {
  const { page, context, faults } = await openPage(at, origin, session.cookie)
  page.setDefaultTimeout(120_000)
  // The list first, as a person would, so that the app is loaded when the trace opens.
  await page.goto(`${origin}/p/${project.id}/traces`)
  const link = page.locator(`a[href$="/traces/spans-${spans}"]`).first()
  await link.waitFor()
  // The app preloads the code of all pages when idle.
  await page.waitForTimeout(4000)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const idle = await measureFrames(page)
  const beforeMs = await busyMs(cdp)
  const opened = await open(page, `/traces/spans-${spans}`, spans)
  const openedMs = await busyMs(cdp)
  const scrolled = await measureFrames(page, '[role=tree]')
  const scrolledMs = await busyMs(cdp)
  const heapBytes = await measureHeap(cdp)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  await context.close()
  const name = `${thousands(spans)} spans`
  const isUsual = spans <= 10_000
  const frameMs = (scrolledMs - openedMs) / scrolled.frames
  return [
    row(
      `${name}: from the click to the first rows`,
      isUsual ? '<= 1 s' : '',
      ms(opened.firstRowsMs),
    ),
    row(
      `${name}: until all are loaded`,
      isUsual ? '<= 1 s' : '',
      `${ms(opened.allLoadedMs)}, ${ms(openedMs - beforeMs)} of it CPU time of the main thread`,
    ),
    row(
      `${name}: frames while scrolling`,
      'p95 <= 17 ms, none dropped',
      `${framesText(scrolled)}; ${ms(frameMs)} of CPU time per frame`,
      `the idle trace list: ${framesText(idle)}`,
    ),
    row(`${name}: JavaScript heap`, '', `${thousands(heapBytes / 1024 / 1024)} MB`),
  ]
}

function framesText({ p95Ms, dropped, frames }: Frames): string {
  return `p95 ${ms(p95Ms)}, ${dropped} of ${frames} over 33 ms`
}

/** From the click on the link to visible rows and to the last span, by the page's clock. */
function open(page: Page, path: string, spans: number): Promise<Opened> {
  return page.evaluate(
    async ({ path: target, label }) => {
      const link = document.querySelector(`a[href$="${target}"]`)
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const isThere = () => document.querySelector('[role=treeitem]') !== null
      // The page shows the number of loaded spans until all are loaded.
      const isLoading = () => document.body.innerText.includes(' spans loaded')
      const startMs = performance.now()
      link?.click()
      while (!isThere()) await frame()
      const firstRowsMs = performance.now() - startMs
      while (isLoading() || !document.body.innerText.includes(label)) await frame()
      return { firstRowsMs, allLoadedMs: performance.now() - startMs }
    },
    { path, label: spans.toLocaleString('en-US') },
  )
}

/** The duration of each of 300 frames while the element scrolls from top to bottom. */
function measureFrames(page: Page, scrolled?: string): Promise<Frames> {
  return page.evaluate(async (selector) => {
    const list = selector === undefined ? null : document.querySelector(selector)
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    const frames = 300
    const stepPx =
      list === null ? 0 : Math.min(40, (list.scrollHeight - list.clientHeight) / frames)
    const lengths: number[] = []
    let before = await frame()
    for (let at = 0; at < frames; at += 1) {
      if (list !== null) list.scrollTop += stepPx
      const now = await frame()
      lengths.push(now - before)
      before = now
    }
    lengths.sort((one, other) => one - other)
    return {
      p95Ms: lengths[Math.floor(lengths.length * 0.95)] ?? 0,
      dropped: lengths.filter((length) => length > 33).length,
      frames,
    }
  }, scrolled)
}

/** CPU time of the page's main thread so far. */
async function busyMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

async function measureHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}
