import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/*
 * A real browser for end-to-end tests. A console error, a warning about slow use of a canvas, or a violation of the
 * content security policy on any page fails the test.
 */

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Names of services and providers that are cross-site to each other.
  '--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.localhost 127.0.0.1',
]

export function launchBrowser(
  executablePath: string,
  moreFlags: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...flags, ...moreFlags] })
}

export interface WatchedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors on the page so far. */
  readonly faults: readonly string[]
}

export async function openPage(
  browser: Browser,
  origin: string,
  cookie?: string,
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // Otherwise each click waits until a dialog or menu stops moving.
    reducedMotion: 'reduce',
  })
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: origin }])
  }
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.addInitScript({ content: logViolations })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const isSlowCanvas = message.text().includes('willReadFrequently')
    if (message.type() === 'error' || isSlowCanvas) faults.push(message.text())
  })
  return { page, context, faults }
}

// Chromium logs a refused evaluation of code only if the page does not catch the error.
const logViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('violation of ' + event.effectiveDirective, event.blockedURI, event.sourceFile)
})`
