import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { launchBrowser, openPage } from '../e2e/browser.ts'
import { runService, setUpService } from '../e2e/running-service.ts'
import { findChromium } from './chromium.mjs'
import { sampleRun } from './sample-run.ts'

/*
 * Takes the pictures of the documents anew: a service of its own, a sample run, a browser.
 */

const chromium = findChromium()
if (chromium === undefined) throw new Error('The pictures need Chromium.')

const folder = join(import.meta.dirname, '../docs/images')
mkdirSync(folder, { recursive: true })

const service = await runService()
const { project, tracing_key, session } = await setUpService(service)
const body = sampleRun('order-1042', new Date(Date.now() - 60_000))
await call(
  service.api,
  ingestTrace,
  { body, headers: {} },
  { headers: { 'x-tracing-key': tracing_key } },
)

const browser = await launchBrowser(chromium)
const { page } = await openPage(browser, service.origin, session.cookie)
await page.setViewportSize({ width: 1440, height: 800 })
await page.goto(`${service.origin}/p/${project.id}/traces/order-1042`)
await page.getByText('find the policy').first().waitFor()
await page.getByText('chat gpt-5-mini').last().click()
await page
  .getByText('You help customers')
  .or(page.getByText('held up at the carrier'))
  .first()
  .waitFor()
await page.screenshot({ path: join(folder, 'trace.png') })
await browser.close()
await service.stop()
