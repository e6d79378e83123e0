import { listAuditLog } from '@assay/contract/audit-log.ts'
import { listModelConfigs, removeModelConfig } from '@assay/contract/model-configs.ts'
import { describe, expect, inject, test } from 'vitest'
import { compose, seededRandom } from '../server/test/credential-samples.ts'
import { chatInBrowser, ended, gate, messageField, send, sendable } from './chat-in-browser.ts'
import { callAs } from './running-service.ts'

/*
 * The message that a person writes in the chat app: what holds it back, its attachments, its draft, and its model.
 */

const token = compose(seededRandom(31), 'ghp_{alphanumeric:36}')

/** A program for the page, which pastes a file into the field, or drops one on the messages. */
const giveFile = (way: string): string => `{
  const data = new DataTransfer()
  data.items.add(new File(['Text of the ${way}'], '${way}.md', { type: 'text/markdown' }))
  const options = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data }
  const isDrop = '${way}' === 'drop'
  const event = isDrop ? new DragEvent('drop', options) : new ClipboardEvent('paste', options)
  const place = isDrop ? '[aria-label=Messages]' : 'textarea[aria-label=Message]'
  document.querySelector(place).dispatchEvent(event)
}`

/** A program for the page, which pastes a text into the field as a program does that has a picture of it, too. */
const paste = (text: string, hasPicture: boolean): string => `{
  const data = new DataTransfer()
  data.items.add(${JSON.stringify(text)}, 'text/plain')
  if (${hasPicture}) data.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
  const field = document.querySelector('textarea[aria-label=Message]')
  field.focus()
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data })
  // What a browser does with a paste of the person.
  if (field.dispatchEvent(event)) document.execCommand('insertText', false, ${JSON.stringify(text)})
}`

describe.skipIf(inject('chromium') === null)('a message', () => {
  const { chat, page } = chatInBrowser()

  const dialog = () => page.getByRole('dialog')
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')")
  const question = (text: string) =>
    page.getByRole('article', { name: 'Your message' }).getByText(text)
  const files = () => page.getByRole('listitem').filter({ has: page.getByRole('button') })

  test('is sent with Enter, has lines with Shift+Enter, and waits while characters are composed', async () => {
    await page.goto(chat.start)
    const field = messageField(page)
    await field.fill('One')
    await field.press('Shift+Enter')
    await field.pressSequentially('two')
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    expect(await field.inputValue()).toBe('One\ntwo')
    expect(chat.replyCalls()).toEqual([])
    await field.press('Enter')
    // Until the reply begins, there is nothing to stop.
    await expect.poll(() => chat.replyCalls().at(-1)?.texts).toEqual(['One\ntwo'])
    await ended(page)
  })

  test('with a credential is not sent, and shows what was found without the value', async () => {
    const calls = chat.scripted.requests.length
    await send(page, `Use ${token} please`)
    await dialog().getByText('Credential: GitHub token').waitFor()
    expect(await dialog().innerText()).not.toContain(token)
    expect(await dialog().getByRole('button', { name: 'Send anyway' }).isDisabled()).toBe(true)
    await dialog().getByRole('button', { name: 'Edit', exact: true }).click()
    await expect.poll(() => messageField(page).inputValue()).toBe(`Use ${token} please`)
    expect(chat.scripted.requests).toHaveLength(calls)
  })

  test('warns of a credential before it is sent', async () => {
    await page.getByText('You will be asked before the message is sent.').waitFor()
    await messageField(page).fill('Nothing secret')
    await page
      .getByText('You will be asked before the message is sent.')
      .waitFor({ state: 'detached' })
  })

  test('is sent with marks in place of what was found', async () => {
    await send(page, `Use ${token} please`)
    await dialog().getByRole('button', { name: 'Send with these parts replaced' }).click()
    await question('Use [GitHub token removed] please').waitFor()
    await ended(page)
    expect(chat.replyCalls().at(-1)?.texts.at(-1)).toBe('Use [GitHub token removed] please')
  })

  test('is checked again with its marks, and held back by what was not listed', async () => {
    const replace = dialog().getByRole('button', { name: 'Send with these parts replaced' })
    const calls = chat.replyCalls().length
    await send(page, `${token} `.repeat(101))
    await expect.poll(() => dialog().getByText('Credential: GitHub token').count()).toBe(100)
    await replace.click()
    await expect.poll(() => dialog().getByText('Credential: GitHub token').count()).toBe(1)
    expect(chat.replyCalls()).toHaveLength(calls)
    await replace.click()
    await ended(page)
    // The reply before it has ended, too.
    await expect
      .poll(() => chat.replyCalls().at(-1)?.texts.at(-1)?.trim())
      .toBe(Array(101).fill('[GitHub token removed]').join(' '))
  })

  test('is sent unchanged after a tick, which is recorded without the value', async () => {
    await send(page, `Use ${token} anyway`)
    await dialog()
      .getByRole('checkbox', { name: /Send it unchanged/ })
      .check()
    await dialog().getByRole('button', { name: 'Send anyway' }).click()
    await question(`Use ${token} anyway`).waitFor()
    await ended(page)
    expect(chat.replyCalls().at(-1)?.texts.at(-1)).toBe(`Use ${token} anyway`)
    const entries = await callAs(chat.service, chat.setUp)(listAuditLog, {
      params: { orgId: chat.setUp.organization.id },
      query: {},
    })
    expect(JSON.stringify(entries)).toContain('github_token')
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  test('has attachments by button, paste and drop, which the model gets', async () => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    const chooser = await choosing
    await chooser.setFiles({
      ...{ name: 'button.txt', mimeType: 'text/plain' },
      buffer: Buffer.from('Text of the button'),
    })
    for (const way of ['paste', 'drop']) await page.evaluate(giveFile(way))
    for (const name of ['button.txt', 'paste.md', 'drop.md']) {
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    }
    await page.getByRole('button', { name: 'Remove drop.md' }).click()
    await send(page, 'Read them')
    await ended(page)
    const sent = chat.replyCalls().at(-1)?.texts.at(-1) ?? ''
    expect(sent).toContain('Text of the button')
    expect(sent).toContain('Text of the paste')
    expect(sent).not.toContain('Text of the drop')
    await page.getByRole('article', { name: 'Your message' }).last().getByText('paste.md').waitFor()
  })

  test('has the text that a spreadsheet copies, and not its picture', async () => {
    await page.evaluate(paste('One\tTwo', true))
    await expect.poll(() => messageField(page).inputValue()).toBe('One\tTwo')
    expect(await page.getByRole('button', { name: 'Remove image.png' }).count()).toBe(0)
    await messageField(page).fill('')
  })

  test('has a pasted text as a file if it is too long, and cannot be sent while it is', async () => {
    await page.evaluate(paste('a'.repeat(100_001), false))
    await page.getByRole('button', { name: 'Remove pasted-text.txt' }).click()
    expect(await messageField(page).inputValue()).toBe('')
    await messageField(page).fill('a'.repeat(100_001))
    await page.getByText('too long: at most 100,000 characters can be sent').waitFor()
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await messageField(page).fill('')
  })

  test('gets no line from Enter while a reply is written, and has the focus after a stop', async () => {
    const never = gate()
    chat.reply({ pieces: ['Unfinished', never] })
    await page.goto(chat.start)
    await send(page, 'First')
    await page.getByText('Unfinished').waitFor()
    await messageField(page).fill('Next')
    await messageField(page).press('Enter')
    expect(await messageField(page).inputValue()).toBe('Next')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('note').getByText('You stopped this reply.').waitFor()
    expect(await focused()).toBe('Message')
    await messageField(page).fill('')
    never.open()
  })

  test('has files that are dropped elsewhere in the window, which never opens them', async () => {
    const drop = (place: string) => `{
      const data = new DataTransfer()
      data.items.add(new File(['Text'], 'dropped.md', { type: 'text/markdown' }))
      const options = { bubbles: true, cancelable: true, dataTransfer: data }
      const target = document.querySelector('${place}')
      for (const name of ['dragenter', 'dragover']) {
        target.dispatchEvent(new DragEvent(name, options))
      }
      !target.dispatchEvent(new DragEvent('drop', options))
    }`
    expect(await page.evaluate(drop('nav'))).toBe(true)
    await page.getByRole('button', { name: 'Remove dropped.md' }).click()
    await page.goto(`${chat.start}/encryption`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate(drop('h1'))).toBe(true)
    await page.goto(chat.start)
    await messageField(page).waitFor()
  })

  test('needs a text beside its files', async () => {
    await page.evaluate(giveFile('paste'))
    await page.getByRole('button', { name: 'Remove paste.md' }).waitFor()
    await page.getByPlaceholder('Message to send with the files').waitFor()
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Remove paste.md' }).click()
  })

  test('waits for attachments that cannot be read, and shows what is found in others', async () => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await choosing).setFiles([
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from(' ') },
      { name: 'keys.txt', mimeType: 'text/plain', buffer: Buffer.from(`key: ${token}`) },
    ])
    await page.getByText('1 finding').waitFor()
    await files().getByRole('alert').waitFor()
    await messageField(page).fill('Read this')
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await page.getByText('Some files could not be attached').waitFor()
    await page.getByRole('button', { name: 'Remove empty.txt' }).click()
    await sendable(page)
    await messageField(page).press('Enter')
    await dialog().getByText('Credential: GitHub token, in keys.txt').waitFor()
    await dialog().getByRole('button', { name: 'Send with these parts replaced' }).click()
    await question('Read this').waitFor()
    await ended(page)
    expect(chat.replyCalls().at(-1)?.texts.at(-1)).toBe('Read this')
  })

  test('keeps its draft for each conversation and over a reload', async () => {
    const address = page.url()
    await messageField(page).fill('A draft in the old conversation')
    await page.goto(chat.start)
    await messageField(page).waitFor()
    expect(await messageField(page).inputValue()).toBe('')
    await messageField(page).fill('Another draft')
    await page.reload()
    await expect.poll(() => messageField(page).inputValue()).toBe('Another draft')
    await messageField(page).fill('')
    await page.goto(address)
    await expect.poll(() => messageField(page).inputValue()).toBe('A draft in the old conversation')
    await messageField(page).fill('')
  })

  test('that could not be sent stays in the field with the reason, and is sent once', async () => {
    await page.route('**/chat/stream', (route) => route.abort())
    await messageField(page).fill('Through a broken line')
    await messageField(page).press('Enter')
    await page.getByText('Not sent: The service cannot be reached.').waitFor()
    expect(await messageField(page).inputValue()).toBe('Through a broken line')
    expect(await page.getByText('The reply has ended.').count()).toBe(0)
    await page.unroute('**/chat/stream')
    await page.getByRole('button', { name: 'Retry' }).click()
    await question('Through a broken line').waitFor()
    await ended(page)
    expect(await messageField(page).inputValue()).toBe('')
    expect(await question('Through a broken line').count()).toBe(1)
  })

  test('for a conversation that another window has deleted goes into a new one', async () => {
    await page.goto(chat.start)
    await send(page, 'A conversation to delete')
    await page.waitForURL('**/c/*')
    const id = page.url().split('/').at(-1)
    await messageField(page).fill('Late, but not lost')
    await page.evaluate(`fetch('/api/v1/chat/conversations/${id}', { method: 'DELETE' })`)
    // The page may already know: then the message is a draft that was not sent.
    await page.keyboard.press('Enter')
    await page.getByText('Conversation not found').waitFor()
    await page.getByRole('button', { name: 'Move your message to a new conversation' }).click()
    await expect.poll(() => messageField(page).inputValue()).toBe('Late, but not lost')
    await send(page, 'Late, but not lost')
    await question('Late, but not lost').waitFor()
    await ended(page)
  })

  test('is written, sent, stopped and answered again with the keyboard alone', async () => {
    const never = gate()
    chat.reply({ pieces: ['Keyboard', never] }, { pieces: ['Once more'] })
    await page.goto(chat.start)
    await expect.poll(focused).toBe('Message')
    await page.keyboard.type('No mouse')
    await page.keyboard.press('Enter')
    await page.getByText('Keyboard').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('note').getByText('You stopped this reply.').waitFor()
    await page.getByRole('button', { name: 'Regenerate reply' }).waitFor({ state: 'attached' })
    await expect
      .poll(async () => {
        await page.keyboard.press('Shift+Tab')
        return await focused()
      })
      .toBe('Regenerate reply')
    await page.keyboard.press('Enter')
    await page.getByText('Once more').waitFor()
    never.open()
  })

  test('fits on a phone, in light and dark', async () => {
    await page.setViewportSize({ width: 390, height: 780 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBe(390)
      const field = await messageField(page).boundingBox()
      expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThanOrEqual(390)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('has lines with Enter on a touch screen, where the button sends it', async () => {
    const devtools = await chat.watched.context.newCDPSession(chat.watched.page)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await page.goto(chat.start)
    await messageField(page).fill('One')
    await messageField(page).press('Enter')
    await page.keyboard.type('two')
    expect(await messageField(page).inputValue()).toBe('One\ntwo')
    expect(await page.getByText('adds a line').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Send' }).click()
    await question('One').waitFor()
    await ended(page)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  })

  test('needs a model: without one, the page leads to where it is added', async () => {
    const call = callAs(chat.service, chat.setUp)
    const params = { orgId: chat.setUp.organization.id }
    const [model] = await call(listModelConfigs, { params })
    await call(removeModelConfig, { params: { ...params, configId: model?.id ?? '' } })
    await page.goto(chat.start)
    await page.getByText('No model yet').waitFor()
    const link = page.getByRole('link', { name: 'Models of Example' })
    const target = new URL((await link.getAttribute('href')) ?? '')
    expect(target.origin).toBe(chat.tracing)
    expect(target.searchParams.get('next')).toBe(`/o/${params.orgId}/settings/models`)
  })

  test('violates no policy and logs no error', () => {
    const expected = /net::ERR_FAILED|status of (404|422)/
    expect(chat.watched.faults.filter((fault) => !expected.test(fault))).toEqual([])
    expect(chat.service.log()).toBe('')
  })
})
