import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { compose, seededRandom } from '../server/test/credential-samples.ts'
import { chatInBrowser, ended, gate, messageField, send } from './chat-in-browser.ts'

/*
 * Branches of a conversation in the chat app: of edited messages, of two windows, and while a reply is written.
 */

const token = compose(seededRandom(53), 'ghp_{alphanumeric:36}')

describe.skipIf(inject('chromium') === null)('branches of a conversation', () => {
  const { chat, page } = chatInBrowser()

  const questions = (at: Page = page) => at.getByRole('article', { name: 'Your message' })
  const replies = (at: Page = page) => at.getByRole('article', { name: 'Reply' })
  const editor = () => page.getByRole('textbox', { name: 'Edit message' })
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')")
  /** The first lines of the messages. */
  const texts = async (at: Page) =>
    (await at.getByRole('article').allInnerTexts()).map((text) => text.split('\n')[0])

  /** A new conversation with one message. */
  async function begin(text: string, ...files: readonly string[]): Promise<void> {
    await page.goto(chat.start)
    await messageField(page).waitFor()
    if (files.length > 0) {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach files' }).click()
      const buffers = files.map((name) => ({
        ...{ name, mimeType: 'text/plain', buffer: Buffer.from(`Text of ${name}`) },
      }))
      await (await choosing).setFiles(buffers)
      for (const name of files) await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    }
    await send(page, text)
    await ended(page)
    await page.waitForURL(/\/c\/[\da-f-]{36}$/)
  }

  async function beginEdit(): Promise<void> {
    await questions().last().hover()
    await questions().last().getByRole('button', { name: 'Edit message' }).click()
  }

  test('are stepped through while a reply is written, which goes on meanwhile', async () => {
    await begin('Begin')
    const held = gate()
    chat.reply({ pieces: ['Second', held, ' version'] })
    await page.getByRole('button', { name: 'Regenerate reply' }).click()
    await page.getByText('Second').waitFor()
    await page.getByRole('button', { name: 'Previous version' }).click()
    await expect.poll(() => texts(page)).toEqual(['Begin', 'Yes.'])
    await expect.poll(focused).toBe('Next version')
    await send(page, 'Meanwhile')
    await ended(page)
    expect(await questions().count()).toBe(2)
    await replies().first().getByRole('button', { name: 'Next version' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    held.open()
    await page.getByText('Second version').waitFor()
    await ended(page)
    expect(await texts(page)).toEqual(['Begin', 'Second version'])
    await page.getByRole('button', { name: 'Previous version' }).press('Enter')
    await expect.poll(() => texts(page)).toEqual(['Begin', 'Yes.', 'Meanwhile', 'Yes.'])
  })

  test('have the attachments of the first version, without those that are removed', async () => {
    await begin('Read them', 'kept.txt', 'removed.txt')
    await beginEdit()
    await page.getByRole('button', { name: 'Remove removed.txt' }).click()
    await editor().fill('Read it again')
    await editor().press('Enter')
    await page.getByText('2 of 2').waitFor()
    await ended(page)
    const sent = chat.replyCalls().at(-1)?.texts.at(-1) ?? ''
    expect(sent).toContain('Text of kept.txt')
    expect(sent).not.toContain('Text of removed.txt')
    await page.reload()
    await questions().getByText('kept.txt').waitFor()
    expect(await questions().getByText('removed.txt').count()).toBe(0)
    await page.getByRole('button', { name: 'Previous version' }).click()
    await questions().getByText('removed.txt').waitFor()
  })

  test('return to their editor when they are held back, and keep the field for the next message', async () => {
    await begin('Harmless')
    await messageField(page).fill('Later')
    await beginEdit()
    await editor().fill(`Use ${token}`)
    await page.getByText('You will be asked before the message is sent.').waitFor()
    await editor().press('Enter')
    await page.getByRole('dialog').getByText('Credential: GitHub token').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click()
    await expect.poll(() => editor().inputValue()).toBe(`Use ${token}`)
    await expect.poll(focused).toBe('Edit message')
    expect(await messageField(page).inputValue()).toBe('Later')
    await editor().press('Escape')
    await expect.poll(focused).toBe('Edit message')
    expect(await texts(page)).toEqual(['Harmless', 'Yes.'])
    await messageField(page).fill('')
  })

  test('are not begun by a window that is behind: the person reads on, and chooses', async () => {
    await begin('One')
    const other = await chat.openAnother()
    await other.page.goto(page.url())
    await other.page.getByText('Yes.').waitFor()
    await send(other.page, 'From the other window')
    await ended(other.page)
    const behind = gate()
    const conversation = /\/chat\/conversations\/[\da-f-]{36}/
    await page.route(conversation, async (route) => {
      await behind.until
      await route.continue()
    })
    const refused = page.waitForResponse(/\/chat\/stream$/)
    await messageField(page).fill('From the window behind')
    await messageField(page).press('Enter')
    expect((await refused).status()).toBe(409)
    behind.open()
    await page.getByText('the conversation was continued in another window').waitFor()
    await questions().getByText('From the other window').waitFor()
    expect(await messageField(page).inputValue()).toBe('From the window behind')
    await page.getByRole('button', { name: 'Send after them' }).click()
    await questions().getByText('From the window behind').waitFor()
    await ended(page)
    const all = ['One', 'Yes.', 'From the other window', 'Yes.', 'From the window behind', 'Yes.']
    expect(await texts(page)).toEqual(all)
    expect(await messageField(page).inputValue()).toBe('')
    await page.unroute(conversation)

    await messageField(other.page).fill('Elsewhere')
    const stale = other.page.waitForResponse(/\/chat\/stream$/)
    await messageField(other.page).press('Enter')
    expect((await stale).status()).toBe(409)
    await other.page.getByRole('button', { name: 'Send as a separate branch' }).click()
    await other.page.getByText('2 of 2').waitFor()
    await ended(other.page)
    expect(await texts(other.page)).toEqual([...all.slice(0, 4), 'Elsewhere', 'Yes.'])
    await other.context.close()
  })

  test('of another window are shown when the window gets the focus', async () => {
    await begin('Alone')
    const other = await chat.openAnother()
    await other.page.goto(page.url())
    await other.page.getByText('Yes.').waitFor()
    await send(other.page, 'Not alone')
    await ended(other.page)
    expect(await texts(page)).toEqual(['Alone', 'Yes.'])
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await expect.poll(() => texts(page)).toEqual(['Alone', 'Yes.', 'Not alone', 'Yes.'])
    await other.context.close()
  })

  test('are gone with their conversation, also by way of the history of the browser', async () => {
    await begin('Delete me')
    const address = page.url()
    const row = page.getByRole('listitem').filter({ has: page.locator('[aria-current=page]') })
    await row.getByRole('button', { name: /^Options of/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted “').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Conversation not found' }).waitFor()
    expect(page.url()).toBe(address)
    expect(await messageField(page).count()).toBe(0)
    expect(await page.getByText('Delete me').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await questions().getByText('Delete me').waitFor()
    await messageField(page).waitFor()
  })

  test('violate no policy and log no error', () => {
    const expected = /status of 40[49]/
    expect(chat.watched.faults.filter((fault) => !expected.test(fault))).toEqual([])
    expect(chat.service.log()).toBe('')
  })
})
