import { describe, expect, inject, test } from 'vitest'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * Sample data: loading it, its sessions and users, retention, and deleting it.
 */

describe.skipIf(inject('chromium') === null)('sample data', () => {
  const { service, watched, page } = serviceInBrowser()

  test('is loaded from an empty trace list into a separate, labeled project', async () => {
    await page.goto(service.origin)
    await page.getByText('No traces yet').waitFor()
    const empty = page.url()
    await page.getByRole('button', { name: 'Load sample data' }).click()
    await page.getByText('This project contains fictional sample data.').waitFor()
    expect(page.url()).not.toBe(empty)
    await page.getByText(/of [\d,]+ loaded/).waitFor()
  })

  test('has sessions that open as a conversation with links to the traces', async () => {
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByRole('table', { name: 'Sessions' }).getByRole('link').first().click()
    await page.getByText(/^\d+ traces?$/).waitFor()
    const turn = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('article') })
      .first()
    await turn.getByRole('article').first().waitFor()
    await turn.getByRole('link').first().click()
    await page.waitForURL(/\/traces\/[^/]+/)
  })

  test('has users with links to their traces', async () => {
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('table', { name: 'Users' }).getByRole('link').first().click()
    await page.waitForURL(/traces\?.*user_id=/)
    await page.getByText(/\d+ (?:found|loaded)/).waitFor()
  })

  test('follows a custom retention period after confirmation', async () => {
    await page.getByRole('link', { name: 'Storage', exact: true }).click()
    await page.getByText('Custom retention').click()
    await page.getByLabel('Days').fill('0')
    await page.getByText('Must be at least one day').waitFor()
    await page.getByLabel('Days').fill('30')
    const retention = page.locator('section', { hasText: 'Custom retention' })
    await retention.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText("can't be undone").waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save and delete' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    expect(await page.getByLabel('Days').inputValue()).toBe('30')
  })

  test('is deleted with its project', async () => {
    await page.getByRole('button', { name: 'Delete sample data' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete sample data' }).click()
    await page.getByText('No traces yet').waitFor()
    expect(await page.getByText('This project contains fictional sample data.').count()).toBe(0)
  })

  test('is loaded from the page to send traces as well', async () => {
    await page.getByRole('link', { name: 'Send traces' }).first().click()
    const send = page.url()
    await page.getByRole('button', { name: 'Load sample data' }).click()
    await page.getByText('This project contains fictional sample data.').waitFor()
    const sample = page.url()
    await page.goto(send)
    await page.getByRole('link', { name: 'Open sample data' }).click()
    await page.getByText('This project contains fictional sample data.').waitFor()
    expect(page.url()).toBe(sample)
  })

  test('causes no errors and no violation of the content security policy', () => {
    expect(watched.faults).toEqual([])
  })
})
