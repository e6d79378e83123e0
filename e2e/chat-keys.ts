import type { Locator, Page, Request } from 'playwright-core'

/*
 * The encryption page of the chat app in a browser. Each browser context is a device.
 */

/** `start`: the page of the project. */
export async function openKeys(page: Page, start: string): Promise<void> {
  await page.goto(`${start}/encryption`)
  await page.getByRole('heading', { name: 'Encryption', exact: true }).waitFor()
}

/** A section of the page, by its heading. */
export const section = (page: Page, heading: string): Locator =>
  page.locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) })

/** The digits of the fingerprint of the person. */
export const personFingerprint = (page: Page): Promise<string> =>
  section(page, 'Fingerprint').getByRole('definition').innerText()

/** Reads the code that a section shows, and types it back; the form is then ready to be submitted. */
export async function typeBack(form: Locator, label?: string): Promise<string> {
  const code = await form.getByText(/^(\w{4}-){8}\w{4}$/).innerText()
  await form.getByRole('button', { name: 'I have saved it' }).click()
  await form.getByLabel('Recovery code').fill(code)
  if (label !== undefined) await form.getByLabel('Name of this browser').fill(label)
  return code
}

/** Opens the set-up and returns the code, which is typed back. */
export async function beginSetUp(page: Page, label: string): Promise<string> {
  const form = section(page, 'Set up encryption')
  await form.getByRole('button', { name: /^Set up/ }).click()
  return await typeBack(form, label)
}

export async function enterCode(page: Page, code: string, label: string): Promise<void> {
  const form = section(page, 'Enroll this browser')
  await form.getByLabel('Recovery code').fill(code)
  await form.getByLabel('Name of this browser').fill(label)
  await form.getByRole('button', { name: 'Enroll' }).click()
}

export async function enrolled(page: Page): Promise<void> {
  await page.getByText('This browser, active').waitFor()
}

/** What becomes of a request: it is sent, it is lost, or its response is, as are all requests after it. */
export type Fate = 'sent' | 'lost' | 'response lost'

/** Decides about each POST to the path; returns what lets them all through again. */
export async function intercept(
  page: Page,
  path: string,
  decide: (request: Request) => Fate | Promise<Fate>,
): Promise<() => Promise<void>> {
  const url = `**${path}*`
  let isOffline = false
  await page.route(url, async (route) => {
    const request = route.request()
    if (isOffline) return await route.abort()
    const fate = request.method() === 'POST' ? await decide(request) : 'sent'
    if (fate === 'sent') return await route.continue()
    isOffline = fate === 'response lost'
    // Only the browser resolves the name of the host.
    const { host, port } = new URL(request.url())
    const sent = { url: `http://127.0.0.1:${port}${path}`, headers: { ...request.headers(), host } }
    if (fate === 'response lost') await route.fetch(sent)
    await route.abort()
  })
  return () => page.unroute(url)
}

/** The type of the statement in the body of a request. */
export const statementType = (request: Request): unknown => request.postDataJSON().statement.type
