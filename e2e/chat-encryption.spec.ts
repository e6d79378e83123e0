import { updateProject } from '@assay/contract/organizations.ts'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { compose, seededRandom } from '../server/test/credential-samples.ts'
import { expectAccessible } from './axe.ts'
import { chatInBrowser, ended, gate, messageField, send } from './chat-in-browser.ts'
import { enrolled, enterCode, openKeys, personFingerprint } from './chat-keys.ts'
import { callAs } from './running-service.ts'

/*
 * Encrypted history in the chat app. Each browser context is a device.
 */

const token = compose(seededRandom(31), 'ghp_{alphanumeric:36}')

describe.skipIf(inject('chromium') === null)('encrypted history', () => {
  const { chat, page } = chatInBrowser()
  let code = ''
  let conversation = ''
  let phone: Page

  const enroll = async (at: Page, label: string) => {
    await openKeys(at, chat.start)
    await enterCode(at, code.toLowerCase(), label)
    await enrolled(at)
  }

  test('is set up with a recovery code that is shown once and typed back', async () => {
    const params = { projectId: chat.setUp.project.id }
    const body = { encrypted_history: 'required' } as const
    await callAs(chat.service, chat.setUp)(updateProject, { params, body })
    await openKeys(page, chat.start)
    await page.getByRole('button', { name: 'Set up encryption' }).click()
    code = await page.getByRole('definition').innerText()
    expect(code).toMatch(/^([\dA-Z]{4}-){8}[\dA-Z]{4}$/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page
      .getByLabel('Recovery code')
      .fill(code.replace(/^./, (one) => (one === '7' ? '8' : '7')))
    await page.getByRole('button', { name: 'Finish set-up' }).click()
    await page.getByText('This is not the code that was shown.').waitFor()
    await page.getByLabel('Recovery code').fill(code)
    await page.getByLabel('Name of this browser').fill('Laptop')
    await page.getByRole('button', { name: 'Finish set-up' }).click()
    await enrolled(page)
    await page.getByText('Recovery key, active').waitFor()
  })

  test('stores a conversation that is read again after a reload', async () => {
    chat.reply({ pieces: ['The canary sings.'] })
    await page.goto(chat.start)
    await send(page, 'What does the canary do?')
    await page.getByText('The canary sings.').waitFor()
    await ended(page)
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/c\//)
    conversation = page.url()
    await page.reload()
    await page.getByText('The canary sings.').waitFor()
    await page.getByRole('link', { name: 'What does the canary do?' }).waitFor()
    chat.reply({ pieces: ['It told you.'] })
    await send(page, 'And then?')
    await page.getByText('It told you.').waitFor()
    await ended(page)
    expect(chat.replyCalls().at(-1)?.texts).toEqual([
      ...['What does the canary do?', 'The canary sings.', 'And then?'],
    ])
  })

  test('lists the attachments of a message after a reload, from what this browser opens', async () => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    const buffer = Buffer.from('Canaries sing at dawn.')
    await (await choosing).setFiles({ name: 'birds.txt', mimeType: 'text/plain', buffer })
    chat.reply({ pieces: ['At dawn.'] })
    await send(page, 'When?')
    await page.getByText('At dawn.').waitFor()
    await ended(page)
    await page.reload()
    const message = page.getByRole('article', { name: 'Your message' }).last()
    await message.getByRole('list', { name: 'Attachments' }).getByText('birds.txt').waitFor()
    chat.reply({ pieces: ['Yes, at dawn.'] })
    await send(page, 'Really?')
    await page.getByText('Yes, at dawn.').waitFor()
    await ended(page)
    expect(chat.replyCalls().at(-1)?.texts.join()).toContain('Canaries sing at dawn.')
  })

  test('keeps the attachments of a message that is edited', async () => {
    const message = page.getByRole('article', { name: 'Your message' }).nth(-2)
    await message.hover()
    await message.getByRole('button', { name: 'Edit message' }).click()
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await editor.fill('When exactly?')
    chat.reply({ pieces: ['At five.'] })
    await editor.press('Enter')
    await page.getByText('At five.').waitFor()
    await ended(page)
    const texts = chat.replyCalls().at(-1)?.texts ?? []
    expect(texts.at(-1)).toContain('Canaries sing at dawn.')
    expect(texts.at(-1)).toContain('When exactly?')
    await page.reload()
    await page.getByText('When exactly?').waitFor()
    const edited = page.getByRole('article', { name: 'Your message' }).last()
    await edited.getByRole('list', { name: 'Attachments' }).getByText('birds.txt').waitFor()
  })

  test('asks about what is found in a file, and sends the message without it', async () => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    const buffer = Buffer.from(`key: ${token}`)
    await (await choosing).setFiles({ name: 'keys.txt', mimeType: 'text/plain', buffer })
    await page.getByText('1 finding').waitFor()
    await send(page, 'Read this from its beginning')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Credential: GitHub token, in keys.txt').waitFor()
    chat.reply({ pieces: [`It was ${token}.`] })
    await dialog.getByRole('button', { name: 'Send with these parts replaced' }).click()
    // Until the reply begins, there is nothing to stop.
    await page.getByText('It was ').waitFor()
    await ended(page)
    expect(chat.replyCalls().at(-1)?.texts.at(-1)).toBe('Read this from its beginning')
  })

  test('asks about what an earlier message contains, and sends it anyway', async () => {
    await send(page, 'Thank you')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Credential: GitHub token, in an earlier message').waitFor()
    expect(await dialog.getByRole('button', { name: /replaced/ }).count()).toBe(0)
    await dialog.getByRole('checkbox').check()
    chat.reply({ pieces: ['You are welcome.'] })
    await dialog.getByRole('button', { name: 'Send anyway' }).click()
    await page.getByText('You are welcome.').waitFor()
    await ended(page)
  })

  test('is not readable in a browser without keys, until it is enrolled with the code', async () => {
    phone = (await chat.openAnother()).page
    await phone.goto(conversation)
    await phone.getByText('This message cannot be opened in this browser.').first().waitFor()
    expect(await phone.getByText('canary').count()).toBe(0)
    expect(await phone.getByRole('button', { name: 'Edit message' }).first().isDisabled()).toBe(
      true,
    )
    await phone.getByRole('note').getByRole('link', { name: 'Encryption' }).click()
    await enroll(phone, 'Phone')
    await phone.goto(conversation)
    await phone.getByText('The canary sings.').waitFor()
    expect(await phone.getByRole('note').count()).toBe(0)
    await phone.getByText('It told you.').waitFor()
    await openKeys(phone, chat.start)
    await openKeys(page, chat.start)
    expect(await personFingerprint(page)).toBe(await personFingerprint(phone))
  })

  test('a reply that a device reads while it is revoked ends, and its rest is nowhere', async () => {
    const rest = gate()
    chat.reply({ pieces: ['Half of it. ', { until: rest.until }, 'The rest of it.'] })
    await phone.goto(conversation)
    await send(phone, 'Tell me a secret.')
    await phone.getByText('Half of it.').waitFor()
    await page.getByRole('button', { name: 'Revoke Phone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Device, revoked').waitFor()
    await ended(phone)
    rest.open()
    for (const one of [phone, page]) {
      await one.goto(conversation)
      await one.getByText('Half of it.').waitFor()
      expect(await one.getByText('The rest of it.').count()).toBe(0)
    }
  })

  test('is renamed when new keys are due, and the revoked device does not read the title', async () => {
    await page.getByRole('button', { name: 'Options of What does the canary do?' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const input = page.getByRole('textbox', { name: 'Title' })
    await input.fill('About canaries')
    await input.press('Enter')
    await page.getByRole('link', { name: 'About canaries' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'About canaries' }).waitFor()
    await phone.reload()
    await phone.getByRole('link', { name: 'Encrypted conversation' }).waitFor()
    expect(await phone.getByText('About canaries').count()).toBe(0)
  })

  test('a revoked device does not read what comes after, not even while it is written, and shows that it was revoked', async () => {
    const rest = gate()
    chat.reply({ pieces: ['After the ', { until: rest.until }, 'revocation.'] })
    await page.goto(conversation)
    await page.getByText('It told you.').waitFor()
    await send(page, 'Are we alone?')
    await page.getByText('After the').waitFor()
    const refused = phone.waitForResponse((response) => response.url().includes('/chat/stream/'))
    const readsNothing = async () => {
      await phone.getByText('The canary sings.').waitFor()
      await phone.getByText('This message cannot be opened in this browser.').last().waitFor()
      expect(await phone.getByText('After the').count()).toBe(0)
    }
    await phone.goto(conversation)
    expect((await refused).status()).toBe(403)
    await readsNothing()
    // A browser with keys that lost the connection reads on.
    await page.reload()
    await page.getByText('After the').waitFor()
    rest.open()
    await page.getByText('After the revocation.').waitFor()
    await ended(page)
    await phone.goto(conversation)
    await readsNothing()
    await openKeys(phone, chat.start)
    await phone.getByText('This browser was revoked').waitFor()
  })

  test('a third browser is recovered with the code, and reads everything', async () => {
    const third = (await chat.openAnother()).page
    await enroll(third, 'Tablet')
    await third.goto(conversation)
    for (const text of ['The canary sings.', 'It told you.', 'After the revocation.']) {
      await third.getByText(text).waitFor()
    }
  })

  test('optional: a browser without keys says before the first message that it is stored unencrypted, also one that is revoked meanwhile', async () => {
    const params = { projectId: chat.setUp.project.id }
    const body = { encrypted_history: 'optional' } as const
    await callAs(chat.service, chat.setUp)(updateProject, { params, body })
    const notice = 'so new conversations in this browser are stored unencrypted'
    await phone.goto(chat.start)
    await phone.getByText(`This browser was revoked, ${notice}`).waitFor()
    await expectAccessible(phone)
    await phone.getByRole('link', { name: 'enroll this browser' }).click()
    await phone.getByRole('heading', { name: 'Enroll this browser' }).waitFor()
    const late = (await chat.openAnother()).page
    await late.goto(chat.start)
    await late.getByText(`This browser is not enrolled, ${notice}`).waitFor()
    await enroll(late, 'Desktop')
    await late.goto(chat.start)
    await late.getByRole('heading', { name: 'New conversation' }).waitFor()
    expect(await late.getByText(notice).count()).toBe(0)
    await openKeys(page, chat.start)
    await page.getByRole('button', { name: 'Revoke Desktop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Devices')
    const before = chat.replyCalls().length
    await messageField(late).fill('Is this encrypted?')
    await messageField(late).press('Enter')
    await late.getByRole('alert').getByText('Not sent: This browser was revoked').waitFor()
    await late.getByText(`This browser was revoked, ${notice}`).last().waitFor()
    expect(chat.replyCalls().length).toBe(before)
    chat.reply({ pieces: ['No.'] })
    await late.getByRole('button', { name: 'Retry' }).click()
    await late.getByText('No.', { exact: true }).waitFor()
    await ended(late)
  })
})
