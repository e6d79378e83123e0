import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from './browser.ts'
import { chatInBrowser, ended, gate } from './chat-in-browser.ts'
import { person } from './running-service.ts'

/*
 * The chat app by keyboard alone: each step starts where the one before has left the focus, which is never lost.
 */

const focusedName = `(() => {
  const { activeElement: at } = document
  if (at === document.body) return ''
  return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent
})()`

/** Collects what the live regions of replies announce. */
const listen = `globalThis.announced = []
new MutationObserver(() => {
  const text = document.querySelector('.visually-hidden[role=status]')?.textContent ?? ''
  if (text !== '' && text !== announced.at(-1)) announced.push(text)
}).observe(document.body, { subtree: true, childList: true, characterData: true })`

describe.skipIf(inject('chromium') === null)('the keyboard alone', () => {
  const { chat } = chatInBrowser()
  let page: Page

  beforeAll(async () => {
    page = (await openPage(chat.browser, chat.origin)).page
  })

  const focused = () => page.evaluate<string>(focusedName)
  const isAt = async (name: string) => await expect.poll(focused).toContain(name)

  async function goTo(name: string, key = 'Tab'): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press(key)
      if ((await focused()).includes(name)) return
    }
    throw new Error(`${name} is not reached with ${key}`)
  }

  test('signs in', async () => {
    await page.goto(chat.start)
    await isAt('E-mail address')
    await page.keyboard.type(person.email)
    await page.keyboard.press('Enter')
    await isAt('Password')
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await isAt('Message')
  })

  test('sends a message and stops its reply, which is announced once', async () => {
    await page.evaluate(listen)
    const held = gate()
    chat.reply({ pieces: ['One', held, ' two'] })
    await page.keyboard.type('Hello')
    await page.keyboard.press('Enter')
    await page.getByText('One', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await ended(page)
    held.open()
    await isAt('Message')
    await page.getByRole('note').getByText('You stopped this reply.').waitFor()
    expect(await page.evaluate('announced')).toEqual([
      'The model is writing a reply.',
      'You stopped this reply.',
    ])
  })

  test('writes another reply, and steps between both', async () => {
    chat.reply({ pieces: ['Three'] })
    await goTo('Regenerate reply', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Three', { exact: true }).waitFor()
    await ended(page)
    await goTo('Previous version', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('One', { exact: true }).waitFor()
    await isAt('Next version')
    await page.keyboard.press('Enter')
    await page.getByText('Three', { exact: true }).waitFor()
    await isAt('Previous version')
  })

  test('renames a conversation, deletes it, and undoes that', async () => {
    await page.keyboard.press('Control+k')
    await goTo('A scripted title')
    await page.keyboard.press('F2')
    await isAt('Title')
    await page.keyboard.type('Returns')
    await page.keyboard.press('Enter')
    await isAt('Returns')
    await goTo('Options of Returns')
    await page.keyboard.press('Enter')
    await isAt('Rename')
    await page.keyboard.press('ArrowDown')
    await isAt('Delete')
    await page.keyboard.press('Enter')
    await isAt('Undo')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Returns', exact: true }).waitFor()
    await isAt('Message')
  })

  test('undoes or dismisses the deletion of one that is not open', async () => {
    await goTo('New conversation', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(chat.start)
    for (const choice of ['Undo', 'Dismiss']) {
      await page.keyboard.press('Control+k')
      await goTo('Options of Returns')
      await page.keyboard.press('Enter')
      await isAt('Rename')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await isAt('Undo')
      if (choice === 'Dismiss') await goTo('Dismiss')
      await page.keyboard.press('Enter')
      await isAt('New conversation')
      if (choice === 'Undo') {
        await page.getByRole('link', { name: 'Returns', exact: true }).waitFor()
      }
    }
  })

  test('opens and closes the drawer of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await isAt('Message')
    await goTo('Open the menu', 'Shift+Tab')
    await page.keyboard.press('Enter')
    await isAt('Close the menu')
    await page.keyboard.press('Escape')
    await isAt('Open the menu')
  })
})
