import { describe, expect, inject, test } from 'vitest'
import { toOtlp, traceIdOf } from '../server/test/recorded-runs.ts'
import { openPage } from './browser.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * The cost calculator from an agent to its estimate, with the state that survives a reload, and what leaves the browser
 * at sign-out.
 */

const prompt = 'You answer questions about orders. Look up the order before you answer.'

describe.skipIf(inject('chromium') === null)('the cost calculator', () => {
  const { service, setUp, browser, watched, page } = serviceInBrowser()
  const dialog = () => page.getByRole('dialog')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  const parameters = () => Object.fromEntries(new URL(page.url()).searchParams)
  const costOf = (model: string) => row(model).getByRole('cell').nth(1).innerText()

  test('validates an agent beside its fields, and keeps it across a reload', async () => {
    await page.goto(service.origin)
    await page.getByRole('link', { name: 'Cost calculator' }).click()
    await page.getByRole('button', { name: 'Estimate costs' }).click()
    await page.getByText('Required').waitFor()
    const system = page.getByLabel('System prompt')
    await system.fill('x'.repeat(20_001))
    await page.getByText('Must have at most 20,000 characters').waitFor()
    await page.getByRole('button', { name: 'Estimate costs' }).click()
    expect(page.url()).toMatch(/\/agent$/)
    await system.fill(prompt)
    await page.getByRole('button', { name: 'Add a tool' }).click()
    await dialog().getByLabel('Parameters').fill('{"type":')
    await dialog().getByText('Not valid JSON, so counted as text.').waitFor()
    await dialog().getByLabel('Parameters').fill('{"type":"object"}')
    await dialog().getByRole('button', { name: 'Add tool' }).click()
    await dialog().getByText('Required').waitFor()
    await dialog().getByLabel('Name').fill('look_up_order')
    await dialog().getByRole('button', { name: 'Add tool' }).dblclick()
    await dialog().waitFor({ state: 'hidden' })
    await page.reload()
    expect(await system.inputValue()).toBe(prompt)
    expect(await row('look_up_order').count()).toBe(1)
  })

  test('estimates ten models, and the settings in the URL survive a reload and going back', async () => {
    await page.getByRole('button', { name: 'Estimate costs' }).click()
    await row('gpt-5.4-mini').waitFor()
    expect(await page.getByRole('row', { name: /\$/ }).count()).toBe(10)
    const before = await costOf('gpt-5.4-mini')
    await page.getByRole('slider', { name: 'Model calls per run' }).press('End')
    await expect.poll(() => costOf('gpt-5.4-mini')).not.toBe(before)
    await page.getByRole('switch', { name: 'Prompt cache' }).click({ force: true })
    await page.getByLabel('Names of models').fill('gpt-4o, no-such-model')
    await row('no-such-model').getByText('The model is not in the price list.').waitFor()
    await page.getByLabel('Scenarios', { exact: true }).fill('1001')
    await page.getByText('Must be at most 1,000').waitFor()
    await page.getByLabel('Scenarios', { exact: true }).fill('100')
    await page.getByText('100 scenarios, 80% interval').waitFor()
    await expect
      .poll(parameters)
      .toEqual({ calls: '50', uncached: '1', models: 'gpt-4o, no-such-model', scenarios: '100' })
    await page.reload()
    await row('gpt-4o').waitFor()
    await page.getByRole('link', { name: 'Edit the agent' }).click()
    await page.getByLabel('System prompt').waitFor()
    await page.goBack()
    await row('gpt-4o').waitFor()
    expect(parameters()).toMatchObject({ calls: '50', scenarios: '100' })
    await page.getByLabel('Assumptions for').selectOption('gpt-4o')
    await page.getByText('What matters most').waitFor()
    await page.getByRole('row', { name: /Model calls per run 50 Your agent/ }).waitFor()
  })

  test('explains a link to an estimate whose agent is in another browser', async () => {
    const other = await openPage(browser, service.origin, setUp.session.cookie)
    await other.page.goto(page.url())
    await other.page.getByText('No agent yet').waitFor()
    await other.page.getByRole('link', { name: 'Enter an agent' }).click()
    await other.page.getByLabel('System prompt').waitFor()
    await other.context.close()
  })

  test('imports the agent of recorded runs, which calibrate its estimate', async () => {
    const runs = ['first', 'second'].map((name) => ({
      traceId: traceIdOf(name),
      calls: [40, 20].map((tokensOut) => ({
        ...{ model: 'gpt-4o', system: 'You refund orders.', tokensIn: 900, tokensOut },
        messages: [{ role: 'user' as const, text: `Refund the ${name} order.` }],
        answer: { role: 'assistant' as const, text: 'It is refunded.' },
      })),
    }))
    const sent = await fetch(`${service.api}/traces`, {
      method: 'POST',
      headers: { 'x-tracing-key': setUp.tracing_key, 'content-type': 'application/json' },
      body: JSON.stringify(toOtlp(runs)),
    })
    expect(sent.status).toBe(200)
    await page.getByRole('link', { name: 'Edit the agent' }).click()
    await page.getByRole('link', { name: 'Import from recorded runs' }).click()
    await page.getByRole('checkbox').nth(1).check()
    await page.getByRole('checkbox').nth(0).check()
    await page.reload()
    await page.getByText('2 runs selected').waitFor()
    await page.getByRole('link', { name: 'Read these runs' }).click()
    await page.getByText('You refund orders.').waitFor()
    await page.getByRole('heading', { name: 'Volumes of 2 runs' }).waitFor()
    await page.getByRole('button', { name: 'Replace the entered agent' }).click()
    await page.getByText('Imported from 2 recorded runs').waitFor()
    expect(await page.getByLabel('System prompt').inputValue()).toBe('You refund orders.')
    await page.getByRole('button', { name: 'Estimate costs' }).click()
    await page.getByText('Other volumes are those of the recorded runs.').waitFor()
    await page.getByRole('row', { name: /Model calls per run .* Your recorded runs/ }).waitFor()
    await page.getByLabel('User messages per run', { exact: true }).fill('2')
    await page.getByText('the volumes count as entered').waitFor()
  })

  test('removes the agent from the browser at sign-out', async () => {
    const stored = () => page.evaluate('JSON.stringify(localStorage)')
    expect(await stored()).toContain('You refund orders.')
    await page.getByRole('button', { name: /Ana Example/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(await stored()).not.toContain('You refund orders.')
    expect(watched.faults).toEqual([])
  })
})
