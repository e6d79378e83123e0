import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSampleProject } from '@assay/contract/organizations.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { launchBrowser, openPage } from '../e2e/browser.ts'
import { callAs, runService, setUpService } from '../e2e/running-service.ts'
import { findChromium } from './chromium.mjs'

/*
 * Retakes the images of the documents: a service with its sample data, and a browser. The pages must be
 * built, as `npm start` does.
 */

const chromium = findChromium()
if (chromium === undefined)
  throw new Error('Chromium was not found. Install it or set ASSAY_TEST_CHROMIUM.')

const folder = join(import.meta.dirname, '../docs/images')
mkdirSync(folder, { recursive: true })

const service = await runService()
const account = await setUpService(service)
const call = callAs(service, account)
const orgId = account.organization.id
const { id: projectId } = await call(createSampleProject, { params: { orgId } })
const browser = await launchBrowser(chromium)
try {
  const { page } = await openPage(browser, service.origin, account.session.cookie)
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
} finally {
  await browser.close()
  await service.stop()
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
