import { readFileSync } from 'node:fs'
import { listCostRuns, readCostRun } from '@assay/contract/cost-runs.ts'
import { listEvaluatorCollections } from '@assay/contract/evaluators.ts'
import { createModelConfig, listModelConfigs } from '@assay/contract/model-configs.ts'
import { executeRun } from '@assay/contract/run-execution.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { toOtlp, traceIdOf } from '../server/test/recorded-runs.ts'
import { type ScriptedModel, startScriptedModel } from '../server/test/scripted-model.ts'
import { writesAll } from '../server/test/scripted-writer.ts'
import { returnsBlueprint, returnsPolicy } from '../server/test/written-blueprint.ts'
import { openPage } from './browser.ts'
import { signUpMember } from './invited-person.ts'
import { callAs } from './running-service.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * The cost calculator from an agent to the recommendation of a model, and from a document to an agent, with the state
 * that survives a reload, and what leaves the browser at sign-out. A scripted provider answers for the models.
 */

const prompt = 'You answer questions about orders. Look up the order before you answer.'

describe.skipIf(inject('chromium') === null)('the cost calculator', () => {
  const { service, setUp, browser, watched, page } = serviceInBrowser()
  let model: ScriptedModel

  beforeAll(async () => {
    model = await startScriptedModel()
    model.always({ answer: 'Your order is refunded.' })
  })

  afterAll(() => model.close())

  const asAna = () => callAs(service, setUp)
  const inProject = () => ({ projectId: setUp.project.id })
  const readRun = async () => {
    const [run] = await asAna()(listCostRuns, { params: inProject(), query: {} })
    return asAna()(readCostRun, { params: { ...inProject(), runId: run!.id } })
  }
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
    await page
      .getByText('Volumes are from the recorded runs, combined with typical values.')
      .waitFor()
    await page.getByRole('row', { name: /Model calls per run .* Your recorded runs/ }).waitFor()
    await page.getByLabel('User messages per run', { exact: true }).fill('2')
    await page.getByText('What each call adds and writes is as recorded.').waitFor()
  })

  test('generates scenarios, which are filtered, edited and rewritten', async () => {
    await page.getByRole('button', { name: 'Generate scenarios' }).click()
    await dialog().getByLabel('Scenarios').fill('1001')
    await dialog().getByRole('button', { name: 'Generate' }).click()
    await dialog().getByText('Must be at most 1,000').waitFor()
    await dialog().getByLabel('Scenarios').fill('6')
    await dialog().getByRole('button', { name: 'Generate' }).dblclick()
    await page.getByText('6 scenarios', { exact: true }).waitFor()
    await page.getByText('Written from templates').waitFor()
    expect((await asAna()(listCostRuns, { params: inProject(), query: {} })).length).toBe(1)
    await page.getByText('Refusal', { exact: true }).first().click()
    await page.getByText('1 scenario', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Edit / }).click()
    await dialog().getByLabel('Name').fill('Asks for a gift')
    await dialog().getByLabel('Messages of the user').fill('Hello.\n---\nI want a gift.')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Details of Asks for a gift' }).click()
    await page.getByText('I want a gift.').waitFor()
    await page.reload()
    await page.getByText('I want a gift.').waitFor()
    expect(parameters()).toMatchObject({ category: 'refusal' })
    await page.getByRole('button', { name: 'Rewrite Asks for a gift' }).click()
    await dialog().getByRole('button', { name: 'Rewrite' }).click()
    await dialog().waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByText('I want a gift.').count()).toBe(0)
    expect((await readRun()).scenarios.map(({ name }) => name)).not.toContain('Asks for a gift')
  })

  test('keeps a document without a model, and shows why sources are refused', async () => {
    const run = page.url()
    await page.getByRole('link', { name: 'Synthetic setup' }).click()
    await page.getByRole('button', { name: 'Read the source' }).click()
    await page.getByText('Required').waitFor()
    await page.getByText('Link', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Link' }).fill('http://127.0.0.1/policy')
    await page.getByRole('button', { name: 'Read the source' }).click()
    await page.getByText(/The URL cannot be read.*Host: 127\.0\.0\.1/).waitFor()
    await page.getByText('File', { exact: true }).click()
    const choose = (name: string, content: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })
    await choose('policy.xlsx', 'x')
    await page.getByText('Files of this type are not supported.').waitFor()
    await choose('policy.md', returnsPolicy)
    await page.getByText('Markdown', { exact: true }).waitFor()
    await page.reload()
    await page.getByLabel('Text of the source').getByText('Returns policy').waitFor()
    await page.getByRole('link', { name: 'Blueprint' }).first().click()
    await page.getByRole('link', { name: 'Add a model' }).waitFor()
    await page.getByRole('button', { name: 'Write the blueprint' }).click()
    await page.getByText('This service has no model of its own.').waitFor()
    await page.getByRole('link', { name: 'Source' }).click()
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByRole('textbox', { name: 'Text' }).waitFor()
    await page.goto(run)
  })

  test('asks for models where there are none, and does not run without one', async () => {
    await page.getByRole('button', { name: 'Run scenarios' }).click()
    await page.getByRole('link', { name: 'Add a model' }).waitFor()
    const create = (label: string, usd: number) =>
      asAna()(createModelConfig, {
        params: { orgId: setUp.organization.id },
        body: {
          ...{ label, provider: 'openai-compatible', model: label, api_key: 'k' },
          ...{ base_url: model.url, input_usd_per_mtok: usd, output_usd_per_mtok: usd },
        },
      })
    await create('Small', 1)
    await create('Large', 100)
    await page.reload()
    for (const label of ['Small', 'Large']) await page.getByLabel(label, { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Required').waitFor()
    expect(model.requests).toEqual([])
  })

  test('keeps the results of a canceled run, and resumes with what is missing', async () => {
    const collections = await asAna()(listEvaluatorCollections, {
      params: { orgId: setUp.organization.id },
    })
    const offline = collections.find(({ name }) => name === 'Core offline')!
    for (const label of ['Small', 'Large']) await page.getByLabel(label, { exact: true }).check()
    await page.getByLabel('Score with').selectOption(offline.id)
    await page.getByLabel('Conversations at once').fill('1')
    const answers = Array.from({ length: 4 }, () => ({ answer: 'Your order is refunded.' }))
    model.play(...answers, 'stall')
    await page.getByRole('button', { name: 'Run', exact: true }).dblclick()
    await model.received(5)
    const results = page.getByRole('table', { name: 'Results by scenario' })
    await results.getByText('Completed').first().waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    const kept = (await readRun()).results.map(({ trace_id }) => trace_id)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(12)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('heading', { name: 'Run, completed' }).waitFor()
    await expect.poll(() => results.getByRole('link', { name: 'Completed' }).count()).toBe(12)
    const run = await readRun()
    expect(run.results.map(({ trace_id }) => trace_id)).toEqual(expect.arrayContaining(kept))
    expect(run.max_cost_usd).toBe(1)
  })

  test('compares the actual cost with the estimate, and opens the trace of a result', async () => {
    const byModel = page.getByRole('table', { name: 'Results by model' })
    await byModel.getByRole('row', { name: /Large 6 of 6 scenarios .* to .* actual/ }).waitFor()
    const results = page.getByRole('table', { name: 'Results by scenario' })
    await results.getByRole('link', { name: 'Completed' }).first().click()
    await page.getByText('Your order is refunded.').first().waitFor()
    await page.goBack()
    await results.getByRole('link', { name: 'Completed' }).first().waitFor()
  })

  test('weighs a recommendation by settings that survive a reload', async () => {
    await page.getByRole('tab', { name: 'Recommendation' }).click()
    const verdict = page.getByRole('region', { name: 'Recommendation' })
    await page.getByText('Weights and limits (Quality 80, cost 15, latency 5)').click()
    await page.getByLabel('Cost at most (USD)').fill('cheap')
    await page.getByText('Must be a number').waitFor()
    await page.getByLabel('Cost at most (USD)').fill('0.000001')
    await verdict.getByText('No model is within the limits').waitFor()
    await page.getByRole('slider', { name: 'Weight of quality' }).press('Home')
    await expect.poll(parameters).toMatchObject({ max_cost: '0.000001', quality: '0' })
    await page.reload()
    await verdict.getByText('No model is within the limits').waitFor()
    await page.getByLabel('Cost at most (USD)').fill('')
    await verdict.getByText('Use Small').waitFor()
    await page.getByRole('button', { name: 'Reset all' }).click()
    await expect.poll(() => Object.keys(parameters())).not.toContain('quality')
  })

  test('asks before the agent of a run replaces an entered one', async () => {
    const again = page.getByRole('button', { name: 'Use this agent again' })
    const entered = 'assay-agent-draft'
    const stored = () =>
      page.evaluate(`Object.entries(localStorage).find(([key]) => key.startsWith('${entered}'))[1]`)
    const before = await stored()
    await again.click()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await dialog().waitFor({ state: 'hidden' })
    expect(await stored()).toBe(before)
    await again.click()
    await dialog().getByRole('button', { name: 'Replace agent' }).dblclick()
    await page.getByLabel('System prompt').waitFor()
    expect(await stored()).not.toBe(before)
    await page.goBack()
    await again.click()
    await page.getByLabel('System prompt').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await dialog().getByText('Clear the entered agent?').waitFor()
    await dialog().getByRole('button', { name: 'Clear' }).click()
    await dialog().waitFor({ state: 'hidden' })
    expect(await page.getByLabel('System prompt').inputValue()).toBe('')
    expect(await page.getByText('Required').count()).toBe(0)
    await page.goBack()
    await again.click()
    await page.getByLabel('System prompt').waitFor()
    await page.goBack()
  })

  test('shows a run to a Viewer, who can execute and change nothing', async () => {
    const ben = await openPage(
      browser,
      service.origin,
      await signUpMember(service, setUp, { email: 'ben@team.example', role: 'Viewer' }),
    )
    await ben.page.goto(page.url())
    await ben.page.getByRole('region', { name: 'Recommendation' }).waitFor()
    const changing = ben.page.getByRole('button', { name: /^(?:Run|Resume|Edit|Rewrite|Delete)/ })
    for (const [tab, text] of [
      ['Scenarios', 'can generate and run scenarios.'],
      ['Results', 'can run scenarios.'],
    ] as const) {
      await ben.page.getByRole('tab', { name: tab }).click()
      await ben.page.getByText(text).waitFor()
      expect(await changing.count()).toBe(0)
    }
    await ben.page.getByRole('link', { name: 'Completed' }).first().waitFor()
    await ben.page.getByRole('link', { name: 'Runs' }).click()
    await ben.page.getByRole('row', { name: /You refund orders/ }).waitFor()
    expect(await changing.count()).toBe(0)
    expect(ben.faults).toEqual([])
    await ben.context.close()
  })

  test('recommends a model with its reasons, and compares runs', async () => {
    await page.getByRole('tab', { name: 'Recommendation' }).click()
    const verdict = page.getByRole('region', { name: 'Recommendation' })
    await verdict.getByText('Compared by 6 scenarios that all models have run.').waitFor()
    await page.getByRole('figure', { name: 'Score and cost per scenario' }).waitFor()
    expect(await page.getByRole('list', { name: 'Ranking' }).innerText()).toContain('Small')
    await page.reload()
    await verdict.waitFor()
    const { id: runId } = await readRun()
    await page.getByRole('link', { name: 'Runs' }).last().click()
    await page.getByRole('row', { name: /You refund orders.*Completed/ }).waitFor()
    await page.goto(
      `${service.origin}/p/${setUp.project.id}/cost-calculator/compare?a=${runId}&b=${runId}`,
    )
    await page.getByRole('row', { name: /Small .* 0%/ }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /^Delete You refund/ }).click()
    await dialog().getByRole('button', { name: 'Delete run' }).click()
    await page.getByText('No runs', { exact: true }).waitFor()
    expect(await asAna()(listCostRuns, { params: inProject(), query: {} })).toEqual([])
  })

  test('shows what somebody else has started, cancels it, and resumes it', async () => {
    const [small] = await asAna()(listModelConfigs, { params: { orgId: setUp.organization.id } })
    model.play(writesAll)
    model.always('stall')
    const agent_config = { system_prompt: prompt }
    const body = { agent_config, scenario_count: 30, model_config_id: small!.id }
    const generated = asAna()(generateScenarios, { params: inProject(), body })
    await page.getByRole('link', { name: 'Runs' }).last().click()
    await expect.poll(async () => (await readRun()).scenarios.length).toBe(10)
    await page.reload()
    await page.getByRole('link', { name: prompt }).click()
    await page.getByText('Writing scenarios, 10 of 30 scenarios').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await generated).toMatchObject({ scenarios: { length: 10 } })
    await page.reload()
    await page.getByText('10 of 30 scenarios were written').waitFor()
    model.always(writesAll)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('30 scenarios', { exact: true }).waitFor()

    model.play({ answer: 'Your order is refunded.' })
    model.always('stall')
    const params = { ...inProject(), runId: (await readRun()).id }
    const executed = asAna()(executeRun, {
      ...{ params, body: { model_config_ids: [small!.id], concurrency: 1 } },
    })
    await expect.poll(async () => (await readRun()).results.length).toBe(1)
    await page.getByRole('tab', { name: 'Results' }).click()
    await page.reload()
    await page.getByText('Running scenarios, 1 of 30 conversations').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Run, stopped early' }).waitFor()
    await page.getByText('Stopped early: it was canceled.').waitFor()
    expect(await executed).toMatchObject({ status: 'partial', results: { length: 1 } })
    model.always({ answer: 'Your order is refunded.' })
  })

  test('turns a document into an agent for the cost calculator, which survives a reload', async () => {
    await page.getByRole('link', { name: 'Agent', exact: true }).click()
    await page.getByRole('link', { name: 'From a document' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill(returnsPolicy)
    await page.reload()
    await page.getByRole('button', { name: 'Read the source' }).dblclick()
    await page.getByRole('link', { name: 'Blueprint' }).first().click()
    const answer = JSON.stringify(returnsBlueprint)
    const before = model.requests.length
    model.play('stall', { answer: answer.slice(0, -900), stop: 'length' })
    await page.getByRole('button', { name: 'Write the blueprint' }).dblclick()
    await model.received(before + 1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await model.idle()
    await page.getByRole('button', { name: 'Write the blueprint' }).click()
    await page.getByText('Missing or incomplete: tasks.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    model.play({ answer: returnsBlueprint })
    await dialog().getByRole('button', { name: 'Write again' }).click()
    await page.getByRole('tab', { name: 'Tasks (4)' }).click()
    expect(model.requests.length - before).toBe(3)
    await page.getByRole('row', { name: /T1: Return a tent.*Passed/ }).waitFor()
    await page.getByRole('tab', { name: /Records/ }).click()
    await page.getByLabel('Table').selectOption('orders')
    await page.getByRole('row', { name: /O-1001.*TENT-1/ }).waitFor()
    await page.getByRole('tab', { name: 'Policies (3)' }).click()
    const quote = 'Refunds above 200 EUR need the approval of a supervisor.'
    await page.getByRole('button', { name: quote }).click()
    await page.reload()
    expect(await page.locator('mark').innerText()).toBe(quote)
    for (const [format, content] of [
      ['JSON', '"system_of_record"'],
      ['Markdown', '# Agent blueprint: online retail'],
    ] as const) {
      await page.getByRole('button', { name: 'Download' }).click()
      const arriving = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: format }).click()
      const file = await (await arriving).path()
      expect(readFileSync(file, 'utf8')).toContain(content)
    }
    await page.getByRole('button', { name: 'Send to the cost calculator' }).click()
    await dialog().getByRole('button', { name: 'Replace agent' }).click()
    await row('create_return').waitFor()
    await page.reload()
    expect(await page.getByLabel('System prompt').inputValue()).toContain('Acme Outdoor')
    await page.getByRole('button', { name: 'Estimate costs' }).click()
    await row('gpt-5.4-mini').waitFor()
  })

  test('removes the agent and the document from the browser at sign-out', async () => {
    const stored = () => page.evaluate('JSON.stringify(localStorage)')
    expect(await stored()).toContain('Returns policy of Acme Outdoor')
    await page.getByRole('button', { name: /Ana Example/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(await stored()).not.toContain('Acme Outdoor')
    // The browser logs refused requests.
    expect(watched.faults.filter((fault) => !/status of (422|503)/.test(fault))).toEqual([])
  })
})
