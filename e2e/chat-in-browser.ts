import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { lateBound } from '../server/test/late-bound.ts'
import { openPage, type WatchedPage } from './browser.ts'
import { type RunningChat, runChat } from './running-chat.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

/*
 * The chat app in a browser in which a person is signed in.
 */

export interface ChatInBrowser extends RunningChat {
  readonly browser: Browser
  readonly watched: WatchedPage
  readonly page: Page
  /** Another page, in a browser context of its own. */
  readonly openAnother: () => Promise<WatchedPage>
}

/** Registers the hooks of the surrounding `describe`. */
export function chatInBrowser(): { readonly chat: ChatInBrowser; readonly page: Page } {
  let opened: ChatInBrowser | undefined
  beforeAll(async () => {
    const running = await runChat()
    const browser = await sharedBrowser()
    const openAnother = () => openPage(browser, running.origin, running.setUp.session.cookie)
    const watched = await openAnother()
    opened = { ...running, browser, watched, page: watched.page, openAnother }
  })
  afterAll(async () => {
    await closePages()
    await opened?.service.stop()
    await opened?.scripted.close()
  })
  const chat = lateBound(() => opened)
  return { chat, page: lateBound(() => opened?.page) }
}

export const messageField = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Message', exact: true })

/** Resolves when a message can be sent: Enter does nothing while a reply is written or a file is uploaded. */
export async function sendable(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Send', exact: true })
  await expect.poll(() => button.isEnabled()).toBe(true)
}

/** Writes a message and sends it with the keyboard. */
export async function send(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text)
  await sendable(page)
  await messageField(page).press('Enter')
  await expect.poll(() => messageField(page).inputValue()).toBe('')
}

/** Resolves when no reply is written any more. */
export async function ended(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
}

/** A promise that the test resolves. */
export function gate(): { readonly until: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { until: promise, open: resolve }
}
