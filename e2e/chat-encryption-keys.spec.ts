import { createOrganization, createProject, updateProject } from '@assay/contract/organizations.ts'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { chatInBrowser, ended, gate, send } from './chat-in-browser.ts'
import {
  beginSetUp,
  enrolled,
  enterCode,
  type Fate,
  intercept,
  openKeys,
  personFingerprint,
  section,
  statementType,
  typeBack,
} from './chat-keys.ts'
import { callAs } from './running-service.ts'

/*
 * How the keys of encrypted history change: whatever is interrupted can be continued, and nothing becomes unreadable
 * that should not.
 */

const statements = '/api/v1/e2e/keys'
const mailboxKeys = '/api/v1/chat/mailbox-keys'

describe.skipIf(inject('chromium') === null)('the keys of encrypted history', () => {
  const { chat, page } = chatInBrowser()
  let code = ''
  let conversation = ''
  let phone: Page

  const finish = (at: Page) => at.getByRole('button', { name: 'Finish set-up' }).click()
  const ask = async (at: Page, question: string, answer: string) => {
    chat.reply({ pieces: [answer] })
    await send(at, question)
    await at.getByText(answer).waitFor()
    await ended(at)
  }
  /** The conversation as another visit to it shows it. */
  const reads = async (at: Page, ...texts: readonly string[]) => {
    await at.goto(conversation)
    for (const text of texts) await at.getByText(text).waitFor()
  }
  const openAnother = async () => {
    const opened = (await chat.openAnother()).page
    await openKeys(opened, chat.start)
    return opened
  }

  test('set-up that ends after the recovery key is finished with the code, in any browser', async () => {
    const call = callAs(chat.service, chat.setUp)
    const organization = await call(createOrganization, { body: { name: 'Interrupted' } })
    const params = { orgId: organization.id }
    const project = await call(createProject, { params, body: { name: 'Project' } })
    const start = `${chat.origin}/${organization.slug}/${project.slug}`
    const tab = await chat.watched.context.newPage()
    await openKeys(tab, start)
    const typed = await beginSetUp(tab, 'Laptop')
    await intercept(tab, statements, (request) =>
      statementType(request) === 'enroll' ? 'lost' : 'sent',
    )
    await finish(tab)
    await section(tab, 'Enroll this browser').waitFor()
    await tab.close()
    const other = (await chat.openAnother()).page
    await openKeys(other, start)
    await enterCode(other, typed, 'Phone')
    await enrolled(other)
    await other.getByText('Recovery key, active').waitFor()
  })

  test('of two tabs that set up at once, the second learns that its code is not valid', async () => {
    await openKeys(page, chat.start)
    await page.getByText('Set-up does not encrypt anything in this project.').waitFor()
    expect(await page.getByRole('button', { name: 'Set up encryption' }).count()).toBe(0)
    const [tab, shown] = await Promise.all([1, 2].map(() => chat.watched.context.newPage()))
    if (tab === undefined || shown === undefined) throw new Error('no tabs')
    code = await beginSetUp(page, 'Laptop')
    await openKeys(tab, chat.start)
    const second = await beginSetUp(tab, 'Laptop')
    await openKeys(shown, chat.start)
    await shown.getByRole('button', { name: 'Set up anyway' }).click()
    await finish(page)
    await enrolled(page)
    await finish(tab)
    await shown.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    for (const late of [tab, shown]) {
      await late.getByText('The code that was shown here is not valid').waitFor()
      await enrolled(late)
      expect(await personFingerprint(late)).toBe(await personFingerprint(page))
      await late.close()
    }
    phone = await openAnother()
    await enterCode(phone, second, 'Phone')
    await phone.getByText('This recovery code does not belong to you').waitFor()
    await enterCode(phone, code, 'Phone')
    await enrolled(phone)
  })

  test('a statement that another browser overtakes is signed again', async () => {
    const params = { projectId: chat.setUp.project.id }
    const body = { encrypted_history: 'required' } as const
    await callAs(chat.service, chat.setUp)(updateProject, { params, body })
    const tablet = await openAnother()
    const desktop = await openAnother()
    const { until, open } = gate()
    const held = gate()
    let sent = 0
    await intercept(tablet, statements, async (): Promise<Fate> => {
      sent += 1
      held.open()
      await until
      return 'sent'
    })
    await enterCode(tablet, code, 'Tablet')
    await held.until
    await enterCode(desktop, code, 'Desktop')
    await enrolled(desktop)
    open()
    await enrolled(tablet)
    expect(sent).toBe(2)
    await openKeys(desktop, chat.start)
    expect(await personFingerprint(desktop)).toBe(await personFingerprint(tablet))
  })

  test('new keys whose response is lost are in use afterwards, and a copy of the earlier ones does not read on', async () => {
    await page.goto(chat.start)
    await ask(page, 'Who has the key?', 'The keeper has it.')
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/c\//)
    conversation = page.url()
    const tab = await chat.watched.context.newPage()
    await openKeys(tab, chat.start)
    await tab.evaluate(copyKeys('device', 'copy'))
    const before = await personFingerprint(tab)
    await intercept(tab, statements, () => 'response lost')
    await section(tab, 'Devices').getByRole('button', { name: 'New keys for this browser' }).click()
    await tab.getByRole('button', { name: 'Create new keys' }).click()
    await tab.getByRole('dialog').getByRole('alert').getByText(/./).waitFor()
    await tab.close()
    // Sealed for the new keys before this browser has learned that they were accepted.
    await reads(phone, 'The keeper has it.')
    await ask(phone, 'Is the lock new?', 'It is new.')
    await reads(page, 'The keeper has it.', 'It is new.')
    await openKeys(page, chat.start)
    await enrolled(page)
    expect(await personFingerprint(page)).not.toBe(before)
    await page.evaluate(copyKeys('device', 'current'))
    await page.evaluate(copyKeys('copy', 'device'))
    await reads(page, 'The keeper has it.')
    await page.getByText('This message cannot be opened in this browser.').first().waitFor()
    expect(await page.getByText('It is new.').count()).toBe(0)
    await page.evaluate(copyKeys('current', 'device'))
    await reads(page, 'The keeper has it.', 'It is new.')
  })

  test('new keys are completed after interruptions: nothing is lost, and the earlier ones then open nothing', async () => {
    await openKeys(page, chat.start)
    const devices = section(page, 'Devices')
    const unfinished = devices.getByText('The new keys of this browser are not complete')
    for (const fate of ['lost', 'response lost'] as const) {
      const pass = await intercept(page, mailboxKeys, () => fate)
      await devices.getByRole('button', { name: 'Complete it' }).click()
      await devices.getByRole('alert').getByText(/reach/).waitFor()
      await pass()
      await reads(page, 'The keeper has it.', 'It is new.')
      await openKeys(page, chat.start)
      await unfinished.waitFor()
    }
    await devices.getByRole('button', { name: 'Complete it' }).click()
    await unfinished.waitFor({ state: 'detached' })
    expect(await page.evaluate(countEarlierKeys)).toBe(0)
    await reads(page, 'The keeper has it.', 'It is new.')
    await page.evaluate(copyKeys('device', 'current'))
    await page.evaluate(copyKeys('copy', 'device'))
    await page.goto(conversation)
    await page.getByText('This message cannot be opened in this browser.').first().waitFor()
    expect(await page.getByText('The keeper has it.').count()).toBe(0)
    await page.evaluate(copyKeys('current', 'device'))
    await reads(page, 'The keeper has it.', 'It is new.')
  })

  test('a title is sealed for the epoch that another tab has begun meanwhile', async () => {
    await openKeys(page, chat.start)
    await section(page, 'Devices')
      .getByRole('button', { name: 'New keys for this browser' })
      .click()
    await page.getByRole('button', { name: 'Create new keys' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(countEarlierKeys)).toBe(0)
    const { until, open } = gate()
    const epochs: unknown[] = []
    await page.route('**/api/v1/chat/conversations/*', async (route, request) => {
      const { title, encryption } = request.method() === 'PATCH' ? request.postDataJSON() : {}
      if (title === undefined) return await route.continue()
      epochs.push(encryption?.epoch)
      if (epochs.length === 2) await until
      return await route.continue()
    })
    await page.goto(conversation)
    await page.getByRole('button', { name: /^Options of Who has the key/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const input = page.getByRole('textbox', { name: 'Title' })
    await input.fill('About keys')
    await input.press('Enter')
    await expect.poll(() => epochs.length).toBe(2)
    await reads(phone, 'It is new.')
    await ask(phone, 'Who begins the epoch?', 'The phone does.')
    open()
    await page.getByRole('link', { name: 'About keys' }).waitFor()
    // Refused without an epoch, then with one that has begun, then accepted.
    expect(epochs).toEqual([undefined, expect.any(Number), undefined])
    await page.unroute('**/api/v1/chat/conversations/*')
    await reads(phone, 'The phone does.')
    await phone.getByRole('link', { name: 'About keys' }).waitFor()
  })

  test('a new code whose completion is interrupted is completed later, and the earlier one is refused', async () => {
    await openKeys(page, chat.start)
    const form = section(page, 'Recovery code')
    await form.getByRole('button', { name: 'New recovery code' }).click()
    const next = await typeBack(form)
    const pass = await intercept(page, mailboxKeys, () => 'lost')
    await form.getByRole('button', { name: 'Replace recovery code' }).click()
    await form.getByRole('alert').getByText(/./).waitFor()
    await pass()
    await page.reload()
    await form.getByText('Your newest recovery code is not complete').waitFor()
    // Until then, the earlier one is valid.
    expect(await page.getByText('Recovery key, active').count()).toBe(2)
    await form.getByRole('button', { name: 'Complete it' }).click()
    await page.getByText('Recovery key, revoked').waitFor()
    await form.getByRole('button', { name: 'New recovery code' }).waitFor()
    const third = await openAnother()
    await enterCode(third, code, 'Third')
    await third.getByText('This recovery code was revoked.').waitFor()
    await enterCode(third, next, 'Third')
    await enrolled(third)
    await reads(third, 'The keeper has it.', 'It is new.')
    code = next
  })

  test('a browser that was not told that it is enrolled seals what it sends', async () => {
    const fourth = await openAnother()
    const pass = await intercept(fourth, statements, () => 'response lost')
    await enterCode(fourth, code, 'Fourth')
    await section(fourth, 'Enroll this browser').getByRole('alert').getByText(/./).waitFor()
    await fourth.goto(chat.start)
    await pass()
    await ask(fourth, 'Am I enrolled?', 'You are.')
    await page.goto(chat.start)
    await page.getByRole('link', { name: 'Am I enrolled?' }).click()
    await page.getByText('You are.').waitFor()
  })

  test('enrollment that ends before the conversations are opened is continued with the code', async () => {
    const fifth = await openAnother()
    const pass = await intercept(fifth, mailboxKeys, () => 'lost')
    await enterCode(fifth, code, 'Fifth')
    await enrolled(fifth)
    await fifth.goto(conversation)
    await fifth.getByText('This message cannot be opened in this browser.').first().waitFor()
    await pass()
    await openKeys(fifth, chat.start)
    // Conversations that only the earlier code opens keep it valid.
    const recovery = section(fifth, 'Recovery code')
    await recovery.getByRole('button', { name: 'New recovery code' }).click()
    const next = await typeBack(recovery)
    await recovery.getByRole('button', { name: 'Replace recovery code' }).click()
    await recovery.getByText('The earlier one still is, too').waitFor()
    expect(await fifth.getByText('Recovery key, active').count()).toBe(2)
    const form = section(fifth, 'Unreadable conversations')
    await form.getByLabel('Recovery code').fill(code)
    await form.getByRole('button', { name: 'Open conversations' }).click()
    await form.waitFor({ state: 'detached' })
    await recovery.getByRole('button', { name: 'Replace recovery code' }).click()
    await recovery.getByText('Your new recovery code is valid.').waitFor()
    expect(await fifth.getByText('Recovery key, active').count()).toBe(1)
    await reads(fifth, 'The keeper has it.', 'It is new.')
    code = next
  })

  test('a reset that ends before its code says so; older messages are unreadable, new ones are read, other browsers are told', async () => {
    await openKeys(page, chat.start)
    const form = section(page, 'Reset')
    await form
      .getByText('become unreadable in this browser and in all that you enroll later')
      .waitFor()
    await form.getByRole('button', { name: 'Reset my keys' }).click()
    await typeBack(form, 'Laptop')
    const pass = await intercept(page, statements, (request) =>
      statementType(request) === 'recovery' ? 'lost' : 'sent',
    )
    await form.getByRole('button', { name: 'Reset my keys' }).click()
    const recovery = section(page, 'Recovery code')
    await recovery.getByText('You have no recovery code.').waitFor()
    await pass()
    await page.reload()
    await recovery.getByRole('button', { name: 'Create a recovery code' }).click()
    const next = await typeBack(recovery)
    await recovery.getByRole('button', { name: 'Create recovery code' }).click()
    await page.getByText('Recovery key, active').waitFor()
    await page.goto(conversation)
    await page.getByText('This message cannot be opened in this browser.').first().waitFor()
    expect(await page.getByText('The keeper has it.').count()).toBe(0)
    await page.goto(chat.start)
    await ask(page, 'Is this a new page?', 'It is a blank page.')
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/c\//)
    conversation = page.url()
    await page.reload()
    await page.getByText('It is a blank page.').waitFor()
    await openKeys(phone, chat.start)
    await phone.getByText('Your keys were reset in another browser').waitFor()
    await phone.goto(conversation)
    await phone.getByText('This message cannot be opened in this browser.').first().waitFor()
    await openKeys(phone, chat.start)
    await enterCode(phone, next, 'Phone')
    await enrolled(phone)
    await reads(phone, 'It is a blank page.')
  })

  test('the fingerprint has a QR code that is dark on white in the dark theme', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await openKeys(page, chat.start)
    const image = page.getByRole('img', { name: 'QR code of the fingerprint' })
    await image.waitFor()
    const style = "getComputedStyle(document.querySelector('svg[aria-label^=QR]'))"
    expect(await page.evaluate(`${style}.backgroundColor`)).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate(`${style}.fill`)).toBe('rgb(0, 0, 0)')
  })
})

/** A program that counts the earlier keys of this browser. */
const countEarlierKeys = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('assay-encryption')
  opening.onerror = reject
  opening.onsuccess = () => {
    const store = opening.result.transaction('devices').objectStore('devices')
    const keys = store.getAllKeys()
    keys.onsuccess = () => {
      const inUse = keys.result.find((key) => !/ offered$|^copy$|^current$/.test(key))
      const found = store.get(inUse)
      found.onsuccess = () => (opening.result.close(), resolve(found.result.otherKems?.length ?? 0))
    }
  }
})`

/** A program that copies the keys of this browser in IndexedDB: `device` are those in use. */
const copyKeys = (from: string, to: string) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('assay-encryption')
  opening.onerror = reject
  opening.onsuccess = () => {
    const db = opening.result
    const transaction = db.transaction('devices', 'readwrite')
    const store = transaction.objectStore('devices')
    const keys = store.getAllKeys()
    keys.onsuccess = () => {
      const inUse = keys.result.find((key) => !/ offered$|^copy$|^current$/.test(key))
      const keyOf = (name) => (name === 'device' ? inUse : name)
      const found = store.get(keyOf('${from}'))
      found.onsuccess = () => store.put(found.result, keyOf('${to}'))
    }
    transaction.oncomplete = () => (db.close(), resolve())
  }
})`
