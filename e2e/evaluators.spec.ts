import { call } from '@assay/contract/client.ts'
import { createEvaluationRule } from '@assay/contract/evaluation-rules.ts'
import { listEvaluationRuns } from '@assay/contract/evaluations.ts'
import { listEvaluatorCollections, listEvaluators } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { inviteMember } from '@assay/contract/members.ts'
import { createModelConfig, removeModelConfig } from '@assay/contract/model-configs.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../server/test/scripted-model.ts'
import { openPage, type WatchedPage } from './browser.ts'
import { callAs, person } from './running-service.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * Evaluators from the catalogue to results on a trace: filters, an evaluator with a prompt, a collection in order,
 * quotes that lead to their span, verdicts of people, and what a Viewer can do.
 */

const started = '2026-11-20T10:00:00Z'
const trace = {
  trace_id: 'refund-77',
  spans: [
    {
      ...{ span_id: 'agent', name: 'refund agent', kind: 'agent', started_at: started },
      model: 'small',
      input: { messages: [{ role: 'user', content: 'Refund order 77.' }] },
      output: { text: 'I could not reach the payment provider.' },
    },
    {
      ...{ span_id: 'refund', parent_span_id: 'agent', name: 'refund', kind: 'tool' },
      ...{ started_at: started, status: 'ERROR' as const },
      status_message: 'the payment provider is down',
    },
  ],
}

const [agent, refund] = trace.spans
const otherTrace = {
  trace_id: 'refund-78',
  spans: [
    { ...agent!, model: 'large', output: { text: 'Order 78 is refunded.' } },
    { ...refund!, status: 'OK' as const, status_message: null, output: 'done' },
  ],
}

describe.skipIf(inject('chromium') === null)('the evaluators of an organization', () => {
  const { service, setUp, browser, watched, page } = serviceInBrowser({
    env: { ASSAY_EVALUATION_DELAY_SECONDS: '1' },
  })
  let evaluatorPages: string
  let ben: WatchedPage
  let model: ScriptedModel

  beforeAll(async () => {
    model = await startScriptedModel()
    evaluatorPages = `${service.origin}/p/${setUp.project.id}/evaluators`
    const headers = { 'x-tracing-key': setUp.tracing_key }
    for (const body of [trace, otherTrace]) {
      await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    }
  })

  afterAll(() => model.close())

  const asAna = () => callAs(service, setUp)
  const inOrganization = () => ({ params: { orgId: setUp.organization.id } })
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  const dialog = () => page.getByRole('dialog')
  const parameters = () => Object.fromEntries(new URL(page.url()).searchParams)

  test('are found by category, need of a model and words, also after a reload', async () => {
    await page.goto(service.origin)
    await page.getByRole('link', { name: 'Evaluators' }).click()
    await page.getByRole('heading', { name: 'Evaluators' }).waitFor()
    await page.getByLabel('Category').selectOption('agent')
    await page.getByRole('switch', { name: 'Needs no model' }).check()
    await page.getByLabel('Search evaluators').fill('succeed')
    await row('Tool calls succeed').waitFor()
    await expect.poll(() => row('No loops').count()).toBe(0)
    expect(parameters()).toEqual({ category: 'agent', offline: '1', q: 'succeed' })
    await page.reload()
    await row('Tool calls succeed').waitFor()
    expect(await page.getByLabel('Category').inputValue()).toBe('agent')
    expect(await row('Answer present').count()).toBe(0)
  })

  test('that are built in show how they score, and cannot be changed', async () => {
    await row('Tool calls succeed').getByText('Built in').click()
    await page.getByText('a failed call counts half if the same tool succeeds later').waitFor()
    await page.getByText('agent.tool-success').waitFor()
    expect(await page.getByRole('button', { name: /^(?:Edit|Delete)/ }).count()).toBe(0)
    await page.getByLabel('Search evaluators').fill('nothing of this kind')
    await page.getByText('No evaluators match these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row('Answer present').waitFor()
  })

  test('are not created with a prompt that reads nothing; the error is at its field', async () => {
    await page.getByRole('button', { name: 'New evaluator' }).click()
    await dialog().getByLabel('Name').fill('Apologizes')
    const prompt = dialog().getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('The answer {{answer}} apologizes: ')
    await dialog().getByText('{{answer}} is not a placeholder.').waitFor()
    await dialog().getByRole('button', { name: 'Create evaluator' }).click()
    await dialog().getByText('Must contain at least one of {{trace}}').waitFor()
    expect(await prompt.getAttribute('aria-invalid')).toBe('true')
    const stored = await asAna()(listEvaluators, { ...inOrganization(), query: {} })
    expect(stored.filter((one) => !one.is_default)).toEqual([])
  })

  test('are created with placeholders that buttons insert, shown, and added to a collection', async () => {
    const prompt = dialog().getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('The answer apologizes: ')
    await dialog().getByRole('button', { name: 'Insert {{output}}' }).click()
    expect(await prompt.inputValue()).toBe('The answer apologizes: {{output}}')
    await dialog().getByLabel('Threshold').fill('0.5')
    await dialog().getByLabel('Tags').fill('tone, support')
    await dialog().getByRole('button', { name: 'Create evaluator' }).click()
    // The list shows the new one, opened.
    const add = page.getByRole('button', { name: 'Add to a collection' })
    await add.waitFor()
    expect(await page.getByLabel('Source').inputValue()).toBe('own')
    const top = async () => (await add.boundingBox())?.y
    await expect.poll(top).toBeLessThan(page.viewportSize()!.height)
    await add.click()
    await dialog().getByLabel('Name').fill('Tone')
    await dialog().getByRole('button', { name: 'Create collection' }).click()
    await dialog().waitFor({ state: 'hidden' })
    const stored = await asAna()(listEvaluatorCollections, inOrganization())
    expect(stored.at(-1)).toMatchObject({ name: 'Tone', evaluators: [{ name: 'Apologizes' }] })
    await page.getByRole('button', { name: 'Details of Apologizes' }).click()
    await row('Apologizes').getByText('A model').waitFor()
    await page.getByText('1 evaluator', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit Apologizes' }).click()
    expect(await dialog().getByLabel('Tags').inputValue()).toBe('tone, support')
    await dialog().getByLabel('Name').fill('Says sorry')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row('Says sorry').waitFor()
  })

  test('are tried on a trace without a model only if they need none', async () => {
    await page.getByRole('button', { name: 'Edit Says sorry' }).click()
    await dialog().getByText('A judge needs a model, and none is connected.').waitFor()
    const link = dialog().getByRole('link', { name: 'Add a model' })
    expect(await link.getAttribute('target')).toBe('_blank')
    await page.goto(`${evaluatorPages}/catalogue?q=succeed`)
    await page.getByRole('button', { name: 'Details of Tool calls succeed' }).click()
    await page.getByRole('combobox', { name: 'Trace' }).fill('refund agent')
    await page.getByRole('option', { name: trace.trace_id }).click()
    await page.getByText('Refund order 77.').first().waitFor()
    await page.getByRole('button', { name: 'Try' }).dblclick()
    const quote = page.getByRole('link', { name: 'the payment provider is down' })
    expect(await quote.getAttribute('href')).toContain(`${trace.trace_id}?span=refund`)
    expect(await quote.getAttribute('target')).toBe('_blank')
  })

  test('are tried before they are saved, with what the judge reads; nothing is stored', async () => {
    const config = { label: 'Trial judge', provider: 'openai-compatible', model: 'j' } as const
    const body = { ...config, base_url: model.url, api_key: 'k' }
    const { id: configId } = await asAna()(createModelConfig, { ...inOrganization(), body })
    await page.goto(`${evaluatorPages}/catalogue?source=own`)
    await page.getByRole('button', { name: 'Edit Says sorry' }).click()
    const prompt = dialog().getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('It does what {{input}} asks.')
    const tryIt = dialog().getByRole('button', { name: 'Try', exact: true })
    // As in the trial before, in this session.
    await expect
      .poll(() => dialog().getByRole('combobox', { name: 'Trace' }).inputValue())
      .toBe(trace.trace_id)
    const evidence = [{ span_id: 'agent', quote: 'Refund order 77.' }]
    const criteria = [{ id: 'overall', evidence, verdict: 'no' }]
    model.play({ answer: { criteria, issues: ['No refund.'], reasoning: 'It failed.' } })
    await tryIt.click()
    await dialog().getByText('It failed.').waitFor()
    await dialog().getByRole('link', { name: 'Refund order 77.' }).waitFor()
    await dialog().getByText('{{input}} 16 characters').click()
    await dialog().locator('details pre').getByText('Refund order 77.').waitFor()
    await prompt.fill('It does what is asked.')
    await dialog().getByText('The evaluator has changed since this result.').waitFor()
    await tryIt.click()
    await dialog().getByText('Prompt: Must contain at least one of {{trace}}').waitFor()
    await prompt.fill('{{output}} is polite.')
    model.play('stall')
    const arrived = model.received(model.requests.length + 1)
    await tryIt.click()
    await arrived
    await dialog().getByText('The judge is reading the trace').getByRole('button').click()
    await model.idle()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    const ofModel = { params: { orgId: setUp.organization.id, configId } }
    await asAna()(removeModelConfig, ofModel)
    const inTrace = { params: { projectId: setUp.project.id, traceId: trace.trace_id } }
    expect(await asAna()(listEvaluationRuns, inTrace)).toEqual([])
  })

  test('form a collection in the chosen order, by keyboard and by dragging', async () => {
    await page.getByRole('link', { name: 'Collections' }).click()
    await row('Core offline').getByText('Not needed').waitFor()
    const changing = row('Core offline').getByRole('button', { name: /^(?:Edit|Delete)/ })
    expect(await changing.count()).toBe(0)
    await page.getByRole('button', { name: 'New collection' }).click()
    await dialog().getByRole('button', { name: 'Create collection' }).click()
    await dialog().getByText('Required').first().waitFor()
    await dialog().getByLabel('Name').fill('Refunds')
    for (const name of ['Answer present', 'Says sorry', 'Tool calls succeed']) {
      await dialog().getByRole('combobox', { name: 'Evaluators' }).fill(name)
      await page.getByRole('option', { name }).click()
    }
    const up = dialog().getByRole('button', { name: 'Move Tool calls succeed up' })
    await up.press('Enter')
    await up.press('Enter')
    await up.press('Enter')
    await dialog().getByText('Tool calls succeed is now at position 1.').waitFor()
    const items = dialog().getByRole('listitem')
    await items.nth(2).dragTo(items.nth(1))
    await dialog().getByText('Says sorry is now at position 2.').waitFor()
    await dialog().getByRole('button', { name: 'Create collection' }).click()
    await row('Refunds').getByText('Needed by 1 evaluator').waitFor()
    const stored = await asAna()(listEvaluatorCollections, inOrganization())
    expect(stored.at(-1)?.evaluators.map(({ name }) => name)).toEqual([
      'Tool calls succeed',
      'Says sorry',
      'Answer present',
    ])
  })

  test('of a deleted evaluator leave the collection, which then needs no model', async () => {
    await page.getByRole('link', { name: 'Evaluators' }).last().click()
    await page.getByRole('button', { name: 'Delete Says sorry' }).click()
    await dialog().getByText('is also removed from collections').waitFor()
    await dialog().getByText('Tone then has no evaluators and can no longer be run').waitFor()
    await dialog().getByRole('button', { name: 'Delete evaluator' }).click()
    await expect.poll(() => row('Says sorry').count()).toBe(0)
    await page.getByRole('link', { name: 'Collections' }).click()
    await row('Refunds').getByText('Not needed').waitFor()
  })

  test('score a trace; a quote selects its span, and a reload keeps the view', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/traces/${trace.trace_id}`)
    await page.getByRole('tab', { name: 'Evaluations' }).click()
    await page.getByRole('combobox', { name: 'Collection' }).click()
    await page.getByRole('option', { name: 'Refunds' }).click()
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByText('1 of 2 passed, mean 0.50').waitFor()
    const quotes = page.getByRole('list', { name: 'Quotes from the trace' })
    await quotes.getByRole('button', { name: 'the payment provider is down' }).click()
    await expect.poll(parameters).toMatchObject({ view: 'evaluations', span: 'refund' })
    await page.reload()
    await page.getByText('1 of 2 passed, mean 0.50').waitFor()
    await page.getByRole('heading', { name: 'refund', exact: true }).waitFor()
  })

  test('are reviewed by people, whose disagreement is counted and listed', async () => {
    const review = page.getByRole('group', { name: 'Do you agree with Tool calls succeed?' })
    await review.getByRole('button', { name: 'Pass' }).dblclick()
    const people = page.getByRole('list', { name: 'Scores of people for Tool calls succeed' })
    await people.getByText('You', { exact: true }).waitFor()
    await people.getByRole('button', { name: 'Edit your score: Tool calls succeed' }).click()
    await dialog().getByLabel('Reason').fill('The failure was reported.')
    await dialog().getByRole('button', { name: 'Save score' }).click()
    await people.getByText('The failure was reported.').waitFor()
    await page.getByRole('button', { name: 'Score this trace' }).click()
    await dialog().getByRole('button', { name: 'Save score' }).click()
    await dialog().getByText('Required').waitFor()
    await dialog().getByLabel('Name').fill('Helpful')
    await dialog().getByText('Fail', { exact: true }).click()
    await dialog().getByRole('button', { name: 'Save score' }).click()
    await page.getByRole('button', { name: 'Remove your score: Helpful' }).click()
    await dialog().getByRole('button', { name: 'Remove score' }).click()
    await expect.poll(() => page.getByText('Helpful', { exact: true }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Scores', exact: true }).click()
    await page.getByRole('button', { name: 'Score this span' }).click()
    await dialog().getByLabel('Name').fill('Clear')
    await dialog().getByRole('button', { name: 'Save score' }).click()
    const ofTrace = page.getByRole('region', { name: 'Scores of people' })
    const ofSpan = page.getByRole('region', { name: 'Scores of this span' })
    await ofSpan.getByText('Clear', { exact: true }).waitFor()
    await ofTrace.getByRole('button', { name: 'refund', exact: true }).waitFor()
    await ofSpan.getByRole('button', { name: 'Remove your score: Clear' }).click()
    await dialog().getByRole('button', { name: 'Remove score' }).click()
    await ofTrace.getByText('No scores yet.').waitFor()
    await page.reload()
    await people.getByText('The failure was reported.').waitFor()
    expect(await people.getByRole('listitem').count()).toBe(1)
    const pass = review.getByRole('button', { name: 'Pass' })
    expect(await pass.getAttribute('aria-pressed')).toBe('true')

    await page.getByRole('link', { name: 'Scores' }).click()
    await page.getByRole('link', { name: 'Agreement' }).click()
    await row('Tool calls succeed').getByText('Too few traces').waitFor()
    await page.getByRole('link', { name: 'Tool calls succeed' }).click()
    await row('refund agent').getByText('The failure was reported.').waitFor()
    await row('refund agent').getByText('Failed', { exact: true }).waitFor()
    await row('refund agent').getByText('Refund order 77.').waitFor()
    await row('refund agent').getByText('I could not reach the payment provider.').waitFor()
    await page.getByText('Ties', { exact: true }).click()
    await page.getByText('No ties').waitFor()
    await page.reload()
    await page.getByText('No ties').waitFor()
    await page.getByText('With the evaluator').click()
    await page.getByRole('link', { name: 'refund agent' }).click()
    await people.getByText('The failure was reported.').waitFor()
  })

  test('are compared between two traces once both are evaluated', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/compare?a=refund-77&b=refund-78`)
    await page.getByRole('tab', { name: 'Scores' }).click()
    await page.getByText('No evaluator has scored both traces.').waitFor()
    await row('Tool calls succeed').getByText('Only A scored').waitFor()
    await page.getByRole('link', { name: 'Evaluations of B' }).click()
    await page.getByRole('combobox', { name: 'Collection' }).click()
    await page.getByRole('option', { name: 'Refunds' }).click()
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByText('2 of 2 passed, mean 1.00').waitFor()
    await page.goBack()
    await row('Tool calls succeed').getByText('+1.00').waitFor()
    await row('Answer present').getByText('same').waitFor()
    expect(await page.getByText('Only A scored').count()).toBe(0)
  })

  test('have their difference explained on request, after a failure on retry', async () => {
    const requests: string[] = []
    await page.route('**/evaluations/explain', async (route) => {
      requests.push(route.request().url())
      await (requests.length === 1 ? route.fulfill({ body: 'cut off' }) : route.continue())
    })
    await page.getByRole('button', { name: 'Details of Answer present' }).click()
    await page.getByRole('region', { name: 'Reason for B' }).waitFor()
    expect(await page.getByRole('button', { name: 'Explain the difference' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Details of Tool calls succeed' }).click()
    const reason = page.getByRole('region', { name: 'Reason for A' })
    await reason.getByText('the payment provider is down').waitFor()
    await page.getByRole('button', { name: 'Explain the difference' }).click()
    await page.getByRole('button', { name: 'Try again' }).dblclick()
    await page.getByText('large has 1 and small has 0 on Tool calls succeed').waitFor()
    await page.getByText('Written by rules: no platform model is configured').waitFor()
    await page.getByRole('button', { name: 'Details of Tool calls succeed' }).click()
    await page.getByRole('button', { name: 'Details of Tool calls succeed' }).click()
    await page.getByText('large has 1 and small has 0 on Tool calls succeed').waitFor()
    expect(requests).toHaveLength(2)
    await page.unroute('**/evaluations/explain')
  })

  test('are shown to a Viewer, who cannot change them', async () => {
    const email = 'ben@team.example'
    const api = asAna()
    await api(addPlatformAccess, { body: { pattern: email } })
    const body = { email, role: 'Viewer' } as const
    const { accept_url: url } = await api(inviteMember, { ...inOrganization(), body })
    ben = await openPage(browser, service.origin)
    await ben.page.goto(url ?? '')
    await ben.page.getByLabel('Your name').fill('Ben')
    await ben.page.getByLabel('Password', { exact: false }).first().fill('a long enough password')
    await ben.page.getByRole('button', { name: 'Create account and join' }).click()
    await ben.page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
    for (const [path, name] of [
      ['catalogue', 'Answer present'],
      ['collections', 'Refunds'],
    ]) {
      await ben.page.goto(`${evaluatorPages}/${path}`)
      await ben.page.getByText('Only Owners, Admins, and Editors can create').waitFor()
      await ben.page.getByRole('button', { name: `Details of ${name}` }).click()
      const changing = ben.page.getByRole('button', { name: /^(?:New|Edit|Delete|Copy)/ })
      expect(await changing.count()).toBe(0)
    }
    await ben.page.goto(page.url())
    await ben.page.getByRole('region', { name: 'Reason for B' }).waitFor()
    expect(await ben.page.getByRole('button', { name: 'Explain the difference' }).count()).toBe(0)
    await ben.page.getByRole('link', { name: 'Evaluations of A' }).click()
    await ben.page.getByText('1 of 2 passed, mean 0.50').waitFor()
    await ben.page.getByText('The failure was reported.').waitFor()
    const changing = ben.page.getByRole('button', { name: /^(?:Evaluate$|Pass|Fail|Score|Remove)/ })
    expect(await changing.count()).toBe(0)
  })

  const choose = async (field: string, option: string) => {
    await dialog().getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const openMenu = async (of: Page) => {
    await of.getByRole('button', { name: 'More', exact: true }).click()
    await of.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  }
  const start = () => dialog().getByRole('button', { name: 'Start evaluation' })

  test('are run on all traces that match the filters of the list, and lead to their scores', async () => {
    await page.goto(`${service.origin}/p/${setUp.project.id}/traces?status=ERROR`)
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Evaluate matching traces' }).click()
    await dialog().getByText('Status: Error').waitFor()
    await dialog().getByText('1 trace matches.').waitFor()
    await choose('Collection', 'Refunds')
    await dialog().getByLabel('Traces at most').fill('0')
    await start().click()
    await dialog().getByText('Must be at least 1').waitFor()
    await dialog().getByLabel('Traces at most').fill('10')
    await start().click()
    await row('Refunds').getByText('All 1 matching trace.').waitFor()
    await page.reload()
    await row('Refunds').getByText(person.name).waitFor()
    await row('Refunds').getByRole('link', { name: 'Scored traces' }).click()
    await row('refund agent').waitFor()
    expect(parameters()).toEqual({ mode: 'live', status: 'ERROR', has_score: 'true' })
    await page.getByRole('link', { name: 'Scores' }).click()
    await row('Tool calls succeed')
      .getByRole('link', { name: /failed$/ })
      .click()
    await page.getByText('Verdict: Failed').waitFor()
    await row('refund agent').waitFor()
    expect(parameters()).toEqual({ mode: 'all', score: 'Tool calls succeed', passed: 'false' })
    await page.goto(`${service.origin}/p/${setUp.project.id}/traces/refund-77?view=evaluations`)
    await page.getByText('Refunds on many traces').waitFor()
  })

  test('are compared with people, who score the traces of a filter by keyboard', async () => {
    const { keyboard } = page
    await page.goto(`${service.origin}/p/${setUp.project.id}/traces?name=refund+agent`)
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Review matching traces' }).click()
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Refunds of November')
    await dialog().getByRole('button', { name: 'Create queue' }).click()
    await dialog().getByText('Required').waitFor()
    await dialog().getByLabel('Name of the score').fill('Kind')
    await dialog().getByLabel('Instructions').fill('Was the answer kind?')
    await dialog().getByRole('button', { name: 'Create queue' }).click()
    await page.getByText('Trace 1 of 2, 0 reviewed').waitFor()
    await page.getByText('Was the answer kind?').waitFor()
    await page.getByText('Order 78 is refunded.').first().waitFor()
    const spans = page.getByRole('region', { name: 'Spans' })
    await spans.getByText('tool').first().click()
    await spans.getByRole('link', { name: 'Open span' }).waitFor()
    await spans.getByText('tool').first().click()
    // Enter belongs to the focused summary otherwise.
    await page.getByText('Was the answer kind?').click()
    await keyboard.press('Enter')
    await keyboard.press('2')
    await page.getByRole('button', { name: '2 of 5', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Fail', pressed: true }).waitFor()
    await keyboard.press('c')
    await keyboard.type('p: too short')
    await keyboard.press('Control+Enter')
    await page.getByText('Trace 2 of 2, 1 reviewed').waitFor()
    await page.getByText('I could not reach the payment provider.').waitFor()
    await keyboard.press('[')
    await page.getByText('You have reviewed this trace.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'p: too short' }).getByText('0.25').waitFor()
    await keyboard.press(']')
    await page.getByText('Trace 2 of 2, 1 reviewed').waitFor()
    await keyboard.press(']')
    await page.getByText('No other trace is left for you.').waitFor()
    await keyboard.press('c')
    await keyboard.press('Escape')
    await keyboard.press('f')
    await page.getByRole('button', { name: '1 of 5', pressed: true }).waitFor()
    await keyboard.press('p')
    await page.getByRole('button', { name: '5 of 5', pressed: true }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'All traces are reviewed' }).waitFor()
    // Another person could score them too.
    await page.getByRole('link', { name: 'Open the first trace' }).click()
    await page.getByText('Trace 1 of 2, 2 reviewed').waitFor()
    await keyboard.press(']')
    await page.getByText('Trace 2 of 2, 2 reviewed').waitFor()
    await keyboard.press(']')
    await page.getByRole('link', { name: 'All queues' }).click()
    await row('Refunds of November').getByText('2 of 2').waitFor()
    await page.getByRole('button', { name: 'Delete Refunds of November' }).click()
    await dialog().getByRole('button', { name: 'Delete queue' }).click()
    await page.getByText('No review queues').waitFor()
  })

  test('that call a model are watched by a Viewer, and canceled by others', async () => {
    const api = asAna()
    const target = { provider: 'openai-compatible', model: 'judge-1', base_url: model.url } as const
    const unpriced = { ...target, label: 'Unpriced', api_key: 'sk-key' }
    const priced = { ...unpriced, label: 'Priced', input_usd_per_mtok: 1, output_usd_per_mtok: 1 }
    for (const body of [unpriced, priced])
      await api(createModelConfig, { ...inOrganization(), body })
    model.always('stall')
    const called = model.received(model.requests.length + 1)
    await ben.page.goto(`${evaluatorPages}/runs`)
    await ben.page.getByText('Only Owners, Admins, and Editors can evaluate').waitFor()

    await page.goto(`${service.origin}/p/${setUp.project.id}/traces?status=ERROR`)
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Evaluate matching traces' }).click()
    await choose('Collection', 'RAG')
    await choose('Model of the judges', 'Unpriced')
    await start().click()
    await dialog().getByText('Must have a model with a known price').waitFor()
    await choose('Model of the judges', 'Priced')
    await dialog().getByLabel('Cost limit in USD').fill('0.5')
    await start().click()
    const progress = page.getByRole('region', { name: 'Evaluation' })
    await progress.getByText('Running RAG, 0%: 0 of 1 trace').waitFor()
    await called

    await ben.page.reload()
    await ben.page.getByText('Running RAG').waitFor()
    expect(await ben.page.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
    await progress.getByRole('button', { name: 'Cancel' }).click()
    await dialog().getByRole('button', { name: 'Cancel evaluation' }).click()
    for (const one of [page, ben.page]) {
      await one.getByRole('row', { name: /RAG/ }).getByText('Canceled').waitFor()
    }
    await model.idle()
    await ben.page.getByRole('link', { name: 'Traces', exact: true }).click()
    await openMenu(ben.page)
    expect(await ben.page.getByRole('menuitem', { name: /Evaluate/ }).count()).toBe(0)
  })

  test('are run on new traces by a rule, until it is disabled', async () => {
    await page.goto(`${evaluatorPages}/automatic`)
    await page.getByRole('button', { name: 'New rule' }).click()
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Refund rule')
    await choose('Collection', 'Refunds')
    await dialog().getByRole('button', { name: 'Create rule' }).click()
    const rule = row('Refund rule')
    await rule.getByText('Active').waitFor()
    const headers = { 'x-tracing-key': setUp.tracing_key }
    const ended_at = '2026-11-20T10:00:01Z'
    const spans = trace.spans.map((span) => ({ ...span, name: `late ${span.name}`, ended_at }))
    const body = { trace_id: 'refund-79', spans }
    await call(service.api, ingestTrace, { body, headers: {} }, { headers })
    await rule.getByText('1 today').waitFor()

    // The list does not answer after the change.
    await page.route('**/evaluation-rules', () => undefined)
    await page.getByRole('button', { name: 'Disable Refund rule' }).click()
    await rule.getByText('Disabled', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Enable Refund rule' }).waitFor()
    await page.unroute('**/evaluation-rules')
    await rule.getByRole('link', { name: 'Scored traces' }).click()
    await row('late refund agent').getByText('1 / 2').waitFor()
  })

  test('collections are deleted, and copied up to the limit', async () => {
    await page.goto(`${evaluatorPages}/collections`)
    await page.getByRole('button', { name: 'Copy Refunds' }).click()
    await dialog().getByRole('button', { name: 'Create collection' }).click()
    await row('Copy of Refunds').waitFor()
    const refunds = (await asAna()(listEvaluatorCollections, inOrganization())).find(
      ({ name }) => name === 'Refunds',
    )
    const rule = { name: 'Every refund', collection_id: refunds!.id }
    const params = { projectId: setUp.project.id }
    await asAna()(createEvaluationRule, { params, body: rule })
    await page.getByRole('button', { name: 'Delete Refunds' }).click()
    await dialog().getByText('in this project: Every refund').waitFor()
    await dialog().getByRole('button', { name: 'Delete collection' }).click()
    await page.getByText('9 collections').waitFor()
    await page.getByRole('button', { name: 'Copy Everything' }).click()
    await dialog().getByText('the first 50 of').waitFor()
    await dialog().getByText('50 evaluators of at most 50').waitFor()
    await dialog().getByRole('button', { name: 'Create collection' }).click()
    await row('Copy of Everything').getByText('50').waitFor()
    // The refusal of the model without a price.
    const unexpected = watched.faults.filter((fault) => !/status of 400/.test(fault))
    expect([...unexpected, ...ben.faults]).toEqual([])
  })
})
