import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { launchBrowser } from './browser.ts'

/*
 * One browser for all spec files that a worker runs. It ends with the worker; each file closes its pages.
 */

let browser: Browser | undefined

const flags = [
  // A page of a test is open too briefly for optimized code to pay off.
  '--js-flags=--no-opt --no-maglev',
  // Further tabs of a context share its process, which has loaded and compiled the app.
  '--renderer-process-limit=1',
]

export async function sharedBrowser(): Promise<Browser> {
  if (browser?.isConnected() !== true) {
    browser = await launchBrowser(inject('chromium') ?? '', flags)
  }
  return browser
}

/** Call it before stopping the service, to which open pages have connections. */
export async function closePages(): Promise<void> {
  for (const context of browser?.contexts() ?? []) {
    for (const page of context.pages()) await page.close()
    await context.close()
  }
}
