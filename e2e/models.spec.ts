import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../server/test/scripted-model.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * The models of an organization, from the empty list to a model that answers.
 */

describe.skipIf(inject('chromium') === null)('the models of an organization', () => {
  const { service, setUp, watched, page } = serviceInBrowser()
  let scripted: ScriptedModel

  beforeAll(async () => {
    scripted = await startScriptedModel()
  })
  afterAll(() => scripted.close())

  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  const dialog = () => page.getByRole('dialog')

  const act = (name: string, action: string) =>
    page.getByRole('button', { name: `${action} ${name}` }).click()

  test('are none at first, with an explanation of what they are for', async () => {
    await page.goto(`${service.origin}/o/${setUp.organization.id}/settings/models`)
    await page.getByText('Assay Chat and evaluators that judge').waitFor()
  })

  test('are added, after what is missing is shown at its field', async () => {
    await page.getByRole('button', { name: 'Add a model' }).click()
    await dialog().getByLabel('Provider').selectOption('openai-compatible')
    await dialog().getByRole('textbox', { name: 'Model', exact: true }).fill('qwen3:8b')
    await dialog().getByRole('button', { name: 'Add model' }).click()
    const url = dialog().getByLabel('Base URL')
    await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true')
    await url.fill(scripted.url)
    await dialog().getByLabel('API key').fill('sk-typed-into-the-page')
    await dialog().getByRole('button', { name: 'Add model' }).click()
    await row('qwen3:8b').getByText('Stored').waitFor()
    await page.getByText('1 model', { exact: true }).waitFor()
  })

  test('are tested with latency, tokens and cost', async () => {
    scripted.play({ answer: { answer: 'yes' }, usage: { input: 50, output: 5 } })
    await act('qwen3:8b', 'Test')
    await dialog().getByText('The model answered in the requested form.').waitFor()
    await dialog().getByText('No price is known for this model').waitFor()
    expect(scripted.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-typed-into-the-page')
    scripted.play({ status: 404, message: 'model "qwen3:8b" not found' })
    await dialog().getByRole('button', { name: 'Test again' }).click()
    await dialog()
      .getByText('The provider responded with 404: model "qwen3:8b" not found')
      .waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
  })

  test('keep their key when they are edited, unless their address changes', async () => {
    await act('qwen3:8b', 'Edit')
    await dialog().getByText('Leave empty to keep it.').waitFor()
    await dialog().getByLabel('Name').fill('Local judge')
    await dialog().getByText('Prices, if they differ').click()
    await dialog().getByLabel('Input', { exact: true }).fill('0')
    await dialog().getByLabel('Output', { exact: true }).fill('0')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row('Local judge').getByText('Stored').waitFor()

    await act('Local judge', 'Edit')
    expect(await dialog().getByLabel('Input', { exact: true }).inputValue()).toBe('0')
    await dialog().getByLabel('Base URL').fill(scripted.url.replace('127.0.0.1', 'localhost'))
    await dialog().getByText('The stored key belongs to the previous address.').waitFor()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row('Local judge').getByText('None').waitFor()
    scripted.play({ answer: { answer: 'yes' } })
    await act('Local judge', 'Test')
    await dialog().getByText('The model answered in the requested form.').waitFor()
    await dialog().getByText('$0', { exact: true }).waitFor()
    expect(scripted.requests.at(-1)?.headers['authorization']).toBeUndefined()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
  })

  test('are deleted', async () => {
    await act('Local judge', 'Delete')
    await dialog().getByRole('button', { name: 'Delete model' }).click()
    await page.getByText('No models').waitFor()
    // Chromium logs nothing else: refusals were shown before a request was sent.
    expect(watched.faults).toEqual([])
  })
})
