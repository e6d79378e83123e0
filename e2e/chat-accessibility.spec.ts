import { updateProject } from '@assay/contract/organizations.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { expectAccessible } from './axe.ts'
import { openPage } from './browser.ts'
import { chatInBrowser, ended, messageField, send } from './chat-in-browser.ts'
import { enrolled, section, typeBack } from './chat-keys.ts'
import { callAs, person } from './running-service.ts'

/*
 * Every page of the chat app, light and dark, by the rules of axe.
 */

const markdown = `## Returns

Within **30 days**, see \`terms\` and [the site](https://shop.example).

\`\`\`js
const days = 30
\`\`\`

| Item | Days |
| - | - |
| Shoes | 30 |

- [x] read
- [ ] signed`

describe.skipIf(inject('chromium') === null)('axe finds nothing', () => {
  const { chat, page } = chatInBrowser()
  let visitor: Page

  beforeAll(async () => {
    visitor = (await openPage(chat.browser, chat.origin)).page
  })

  test('on the sign-in page', async () => {
    await visitor.goto(chat.start)
    await visitor.getByRole('button', { name: 'Continue' }).waitFor()
    await expectAccessible(visitor)
    await visitor.getByLabel('E-mail address').fill(person.email)
    await visitor.getByRole('button', { name: 'Continue' }).click()
    await visitor.getByRole('button', { name: 'Sign in' }).waitFor()
    await expectAccessible(visitor)
  })

  test('on a new conversation, and on one with messages', async () => {
    await page.goto(chat.start)
    await page.getByText('No conversations in this project yet.').waitFor()
    await messageField(page).waitFor()
    await expectAccessible(page)
    chat.reply({ pieces: [{ reasoning: 'The terms say it.' }, markdown] })
    await send(page, 'May I return it?')
    await page.getByRole('list', { name: 'About this reply' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit message' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    chat.reply({ status: 400 })
    await send(page, 'And then?')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await ended(page)
    await expectAccessible(page)
  })

  test('on what holds a message back', async () => {
    await messageField(page).fill('My ssn is 536-22-8726')
    await page.getByText('You will be asked before the message is sent.').waitFor()
    await expectAccessible(page)
    await messageField(page).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Send anyway' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await messageField(page).fill('')
  })

  test('on the menus, the drawer and the notices of the frame', async () => {
    const options = page.getByRole('button', { name: /^Options of/ })
    await options.click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    // A menu is at the end of the page, outside of its landmarks.
    await expectAccessible(page, { skipped: ['region'] })
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'New conversation' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
    await options.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await expectAccessible(page)
  })

  test('on the encryption page', async () => {
    const params = { projectId: chat.setUp.project.id }
    const body = { encrypted_history: 'optional' } as const
    await callAs(chat.service, chat.setUp)(updateProject, { params, body })
    await page.goto(`${chat.start}/encryption`)
    await page.getByRole('button', { name: 'Set up encryption' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set up encryption' }).click()
    const shown = page.getByRole('definition').filter({ hasText: /^[\dA-Z-]{44}$/ })
    const code = await shown.innerText()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByLabel('Recovery code').fill(code)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Finish set-up' }).click()
    await enrolled(page)
    const focused = () => page.evaluate('document.activeElement.textContent')
    await expect.poll(focused).toBe('Encryption')
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page)
    }
    const recovery = section(page, 'Recovery code')
    await recovery.getByRole('button', { name: 'New recovery code' }).click()
    await typeBack(recovery)
    await section(page, 'Reset').getByRole('button', { name: 'Reset my keys' }).click()
    await expectAccessible(page)
    await recovery.getByRole('button', { name: 'Replace recovery code' }).click()
    await recovery.getByText('Your new recovery code is valid.').waitFor()
    await expect.poll(focused).toBe('Recovery code')
    await section(page, 'Devices')
      .getByRole('button', { name: 'New keys for this browser' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create new keys' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test.each([
    ['/nobody/nothing', 'Project not found'],
    ['/nothing', 'Page not found'],
    ['/example/first-project/nothing/there', 'Page not found'],
    ['/session-transfer?state=made-up', 'Could not open Assay'],
    ['/session-transfer/redeem#code=made-up', 'Could not sign you in from Assay'],
  ])('at %s, where there is nothing', async (path, title) => {
    await page.goto(chat.origin + path)
    await page.getByText(title, { exact: true }).waitFor()
    await expectAccessible(page)
  })

  test('on the page of a conversation that does not exist', async () => {
    await page.goto(`${chat.start}/c/00000000-0000-4000-8000-000000000000`)
    await page.getByText('Conversation not found', { exact: true }).waitFor()
    await expectAccessible(page)
  })
})
