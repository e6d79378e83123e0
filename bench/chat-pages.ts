import type { Browser, CDPSession, Page } from 'playwright-core'
import { openPage } from '../e2e/browser.ts'
import { haveTurns, type RunningChat, runChat } from '../e2e/running-chat.ts'
import { type Row, row } from './page.ts'

/*
 * Measures the chat app in a browser: replies while they are written, and long conversations.
 */

const tokensPerSecond = 200
const messages = 500

interface Sample {
  readonly p50: number
  readonly p95: number
}

export async function measureChat(browser: Browser): Promise<Row[]> {
  const chat = await runChat()
  const { page, context, faults } = await openPage(browser, chat.origin, chat.setUp.session.cookie)
  const cdp = await context.newCDPSession(page)
  await page.goto(chat.start)
  await field(page).waitFor()
  // The app preloads the code of all pages when idle.
  await page.waitForTimeout(4000)
  const first = await measureFirstText(page, chat)
  const idle = await measureTyping(page)
  const streaming = await whileStreaming(page, chat, () => measureTyping(page))
  const code = await whileStreaming(page, chat, () => measureTyping(page), {
    ...{ tokens: codeTokens(), begin: 'code code code' },
  })
  const id = await page.evaluate(haveTurns(chat.setUp, messages / 2))
  const opened = await measureOpening(page, `${chat.start}/c/${String(id)}`)
  const long = await measureTyping(page)
  const longStreaming = await whileStreaming(page, chat, () => measureTyping(page))
  const heap = await heapMb(cdp)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  await context.close()
  await chat.service.stop()
  await chat.scripted.close()
  const typing = `typing in an empty conversation: ${text(idle)}`
  return [
    row("From the provider's first token to the painted text", 'p95 <= 100 ms', text(first)),
    row(
      `From a key to the painted letter while ${tokensPerSecond} tokens/s arrive`,
      'p95 <= 50 ms',
      text(streaming),
      typing,
    ),
    row('The same while as many of code arrive', 'p95 <= 50 ms', text(code), typing),
    row(
      `${messages} messages: from the address to the last message`,
      '<= 1 s',
      `${opened.toFixed(0)} ms`,
    ),
    row(
      `${messages} messages: from a key to the painted letter`,
      'p95 <= 50 ms',
      text(long),
      typing,
    ),
    row(
      `${messages} messages: the same while ${tokensPerSecond} tokens/s arrive`,
      '',
      text(longStreaming),
    ),
    row(`${messages} messages: JavaScript heap`, '', `${heap.toFixed(0)} MB`),
  ]
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const text = ({ p50, p95 }: Sample) => `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`

async function say(page: Page, message: string): Promise<void> {
  await field(page).fill(message)
  await field(page).press('Enter')
}

const firstTexts = 40

/** The clocks of both processes are the same. */
async function measureFirstText(page: Page, chat: RunningChat): Promise<Sample> {
  const times: number[] = []
  for (let attempt = 0; attempt < firstTexts; attempt += 1) {
    const held = Promise.withResolvers<void>()
    const word = `First${attempt}word`
    let sentMs = Number.NaN
    chat.reply({ pieces: firstToken() })
    await say(page, 'Go')
    const painted = page.evaluate<number>(timeOfPaint(word))
    await page.waitForTimeout(300)
    held.resolve()
    times.push((await painted) - sentMs)
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })

    // The provider may have the request later than expected: the time counts from when it sends.
    function* firstToken() {
      yield { until: held.promise }
      sentMs = performance.timeOrigin + performance.now()
      yield word
    }
  }
  return sample(times)
}

/** A program for the page: when a text is on the screen. */
const timeOfPaint = (word: string): string => `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  while (!document.body.textContent.includes('${word}')) await frame()
  await new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = resolve
    channel.port2.postMessage(0)
  })
  return performance.timeOrigin + performance.now()
})()`

async function whileStreaming<Result>(
  page: Page,
  chat: RunningChat,
  measure: () => Promise<Result>,
  { tokens, begin } = { tokens: endlessTokens(), begin: 'token token token' },
): Promise<Result> {
  chat.reply({ pieces: tokens, perSecond: tokensPerSecond })
  await say(page, 'Write on')
  await page.getByText(begin).first().waitFor()
  const result = await measure()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await chat.scripted.idle()
  return result
}

function* endlessTokens(): Generator<string> {
  for (let at = 1; ; at += 1) yield at % 60 === 0 ? '\n\n' : at % 17 === 0 ? ' **bold**' : ' token'
}

/** Of one block, which is highlighted. */
function* codeTokens(): Generator<string> {
  yield '```ts\n// code code code\n'
  for (let at = 1; ; at += 1) yield* ['const ', `name${at}`, ' = ', `'${at}'`, ' + ', 'call(1)\n']
}

/** The time from each of 100 keys to the end of the frame that shows its letter. */
async function measureTyping(page: Page): Promise<Sample> {
  await field(page).focus()
  const times = await page.evaluate<number[]>(`(async () => {
    const input = document.querySelector('textarea[aria-label=Message]')
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set
    const times = []
    for (let key = 0; key < 100; key += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      const startMs = performance.now()
      set.call(input, input.value + 'x')
      input.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      times.push(performance.now() - startMs)
    }
    return times
  })()`)
  await field(page).fill('')
  return sample(times)
}

async function measureOpening(page: Page, address: string): Promise<number> {
  const startMs = performance.now()
  await page.goto(address)
  await page.getByText(`Turn ${messages / 2 - 1}`, { exact: true }).waitFor()
  return performance.now() - startMs
}

async function heapMb(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 1024 / 1024
}

function sample(times: readonly number[]): Sample {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}
