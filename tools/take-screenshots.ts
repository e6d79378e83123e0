import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import type { Page } from 'playwright-core'
import { createPageData } from '../e2e/app-page-data.ts'
import { type AppPage, signedInPages, signedOutPages } from '../e2e/app-page-list.ts'
import { openAppPage } from '../e2e/app-pages.ts'
import { launchBrowser, openPage } from '../e2e/browser.ts'
import { callAs, runService, setUpService } from '../e2e/running-service.ts'
import { findChromium } from './chromium.mjs'

/*
 * Retakes the images of the documents: a service with its sample data, and a browser. With `--all FOLDER`, takes every
 * page instead, light and dark, at three widths, to look at them. The pages must be built, as `npm start` does.
 */

const chromium = findChromium()
if (chromium === undefined)
  throw new Error('Chromium was not found. Install it or set ASSAY_TEST_CHROMIUM.')

const { values: options } = parseArgs({ options: { all: { type: 'string' } } })
const folder = options.all ?? join(import.meta.dirname, '../docs/images')
mkdirSync(folder, { recursive: true })

const service = await runService()
const account = await setUpService(service)
const call = callAs(service, account)
const params = await createPageData(service, account)
const { projectId = '' } = params
const browser = await launchBrowser(chromium)
try {
  const { page } = await openPage(browser, service.origin, account.session.cookie)
  if (options.all === undefined) await takeImages(page)
  else {
    const visitor = await openPage(browser, service.origin)
    await takeAll(page, signedInPages)
    await takeAll(visitor.page, signedOutPages)
  }
} finally {
  await browser.close()
  await service.stop()
}

async function takeImages(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const take = async (name: string, path: string, shows: string) => {
    await page.goto(`${service.origin}/p/${projectId}/${path}`)
    await page.locator(shows).first().waitFor()
    // The histogram and the charts are drawn a moment later.
    await page.waitForTimeout(2_000)
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
  await take('traces', 'traces', 'table tbody tr')
  await take('trace', await pathOfTrace(), 'text=assistant')
  await take('dashboard', 'dashboard?range=7d', 'main [role="img"] :is(svg, canvas)')
}

async function takeAll(page: Page, pages: readonly AppPage[]): Promise<void> {
  for (const one of pages) {
    await openAppPage(page, service.origin, one, params)
    const name = (one.route + (one.search ?? '')).replaceAll(/[^\w-]+/g, '-').slice(1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const width of [1440, 768, 390]) {
        await page.setViewportSize({ width, height: 900 })
        // Charts are drawn again a moment later.
        await page.waitForTimeout(300)
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) })
      }
    }
  }
}

/** A run that completed despite errors, at its last model call. */
async function pathOfTrace(): Promise<string> {
  const query = { service: 'support-desk', status: 'ERROR' } as const
  const failed = await call(listTraces, { params: { projectId }, query })
  const trace = failed.find(
    ({ llm_call_count, span_count }) => llm_call_count > 1 && span_count > 8,
  )
  if (trace === undefined) throw new Error('The sample data has no matching trace.')
  const { trace_id: traceId } = trace
  const { spans } = await call(readTrace, { params: { projectId, traceId }, query: {} })
  const last = spans.findLast(({ kind }) => kind === 'llm')
  return `traces/${traceId}?span=${last?.span_id}`
}
