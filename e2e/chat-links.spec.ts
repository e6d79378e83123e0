import { exportTraces } from '@assay/contract/otlp.ts'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { openPage } from './browser.ts'
import { chatInBrowser, ended, send } from './chat-in-browser.ts'
import { signUpMember } from './invited-person.ts'

/*
 * The links between a conversation in the chat app and its traces in the tracing app.
 */

describe.skipIf(inject('chromium') === null)('a reply and its trace', () => {
  const { chat, page } = chatInBrowser()
  let conversation = ''
  let traceUrl = ''

  const factsOf = (at: Page) => at.getByTitle('Traces with the same session').first()
  const conversationLink = (at: Page) => at.getByRole('link', { name: 'Open in Assay Chat' })

  test('lead to each other for the owner of the conversation', async () => {
    await page.goto(chat.start)
    await send(page, 'May I return it?')
    await page.getByText('Yes.', { exact: true }).waitFor()
    await ended(page)
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/c\//)
    conversation = page.url()
    const isOpening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Trace', exact: true }).click()
    const trace = await isOpening
    await conversationLink(trace).waitFor()
    traceUrl = trace.url()
    expect(traceUrl).toContain(`${chat.tracing}/p/${chat.setUp.project.id}/traces/`)
    await conversationLink(trace).click()
    await trace.waitForURL(conversation)
    await trace.getByText('Yes.', { exact: true }).waitFor()
    await trace.close()
  })

  test('are not linked for other members, who cannot open the conversation', async () => {
    const ben = { email: 'ben@team.example', role: 'Admin' } as const
    const cookie = await signUpMember(chat.service, chat.setUp, ben)
    const other = (await openPage(chat.browser, chat.tracing, cookie)).page
    await other.goto(traceUrl)
    await factsOf(other).waitFor()
    expect(await conversationLink(other).count()).toBe(0)
  })

  test('are not linked if another sender has the same service', async () => {
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const span = {
      ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'another' },
      ...{ startTimeUnixNano: `${Date.now()}000000`, endTimeUnixNano: `${Date.now()}000000` },
      attributes: [text('session.id', 'their-session'), text('user.id', 'customer-7')],
    }
    const resource = { attributes: [text('service.name', 'chat')] }
    const response = await fetch(chat.service.api + exportTraces.path, {
      method: 'POST',
      body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }),
      headers: { 'content-type': 'application/json', 'x-tracing-key': chat.setUp.tracing_key },
    })
    expect(response.status).toBe(200)
    await page.goto(traceUrl)
    await conversationLink(page).waitFor()
    await page.goto(traceUrl.replace(/[^/]+$/, span.traceId))
    await factsOf(page).waitFor()
    await page.getByRole('link', { name: 'chat', exact: true }).first().waitFor()
    expect(await conversationLink(page).count()).toBe(0)
  })
})
