import type { Browser } from 'playwright-core'
import { openPage } from '../e2e/browser.ts'
import type { RunningService, SetUpService } from '../e2e/running-service.ts'
import { kb, type Row, row } from './page.ts'

/*
 * The first visit to a page over a slow network, with an empty cache: until its first rows, how many requests, how many
 * bytes.
 */

interface Visit {
  readonly name: string
  readonly path: string
  /** An element of the data of the page. */
  readonly shown: string
  readonly maxSeconds: number
  readonly maxRequests: number
  readonly maxKb: number
}

const network = {
  offline: false,
  latency: 400,
  downloadThroughput: 50 * 1024,
  uploadThroughput: 50 * 1024,
}

/** @param traceId a trace of the project. */
export async function measurePageLoads(
  browser: Browser,
  { origin }: RunningService,
  { project, session, user }: SetUpService,
  traceId: string,
): Promise<Row[]> {
  const projectPath = `/p/${project.id}`
  const trace = { path: `${projectPath}/traces/${traceId}`, shown: '[role=treeitem]' }
  const list = { path: `${projectPath}/traces`, shown: `a[href$="/traces/${traceId}"]` }
  const visits: readonly Visit[] = [
    { name: 'Trace list', ...list, maxSeconds: 6, maxRequests: 40, maxKb: 245 },
    { name: 'Trace', ...trace, maxSeconds: 6, maxRequests: 40, maxKb: 255 },
    {
      ...{ name: 'Sign-in', path: '/sign-in', shown: 'form input' },
      ...{ maxSeconds: 6, maxRequests: 40, maxKb: 200 },
    },
  ]
  const rows: Row[] = []
  for (const visit of visits) {
    const isSignedIn = visit.path !== '/sign-in'
    const { page, context } = await openPage(
      browser,
      origin,
      isSignedIn ? session.cookie : undefined,
    )
    page.setDefaultTimeout(60_000)
    // As a browser in which the person has signed in before an update of the service.
    if (isSignedIn) {
      const content = `localStorage.setItem('assay-signed-in-user', '${user.id}')`
      await page.addInitScript({ content })
    }
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', network)
    let [requests, bytes] = [0, 0]
    cdp.on('Network.requestWillBeSent', () => {
      requests += 1
    })
    cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.addInitScript(noteWhenShown, visit.shown)
    await page.goto(origin + visit.path, { waitUntil: 'commit' })
    const shown = await page.waitForFunction(() => globalThis.shownMs)
    const seconds = Number(await shown.jsonValue()) / 1000
    rows.push(toRow(visit, { seconds, requests, bytes }))
    await context.close()
  }
  return rows
}

/** The parts of the browser API that functions run in the page use: this program has no DOM types. */
declare const document: { querySelector(selector: string): object | null }
declare function requestAnimationFrame(act: () => void): number
declare global {
  /** When the element was shown, since the request for the page. */
  var shownMs: number | undefined
}

/** In the page, because a locator looks only twice a second. */
function noteWhenShown(selector: string): void {
  requestAnimationFrame(() => {
    if (document.querySelector(selector) === null) noteWhenShown(selector)
    else globalThis.shownMs = performance.now()
  })
}

interface Measured {
  readonly seconds: number
  readonly requests: number
  readonly bytes: number
}

/** Throws if a page needs more requests or bytes than it may: unlike the time, they do not depend on the machine. */
function toRow(visit: Visit, { seconds, requests, bytes }: Measured): Row {
  const { name, maxSeconds, maxRequests, maxKb } = visit
  const measured = `${seconds.toFixed(1)} s, ${requests} requests, ${kb(bytes)}`
  if (requests > maxRequests || bytes > maxKb * 1024) {
    throw new Error(`${name}: ${measured}; at most ${maxRequests} requests and ${maxKb} KB.`)
  }
  const target = `<= ${maxSeconds} s, ${maxRequests} requests, ${maxKb} KB`
  return row(`${name}: first visit on a slow network`, target, measured)
}
