import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { createPageData, type PageParams } from './app-page-data.ts'
import { type AppPage, signedInPages, signedOutPages } from './app-page-list.ts'
import { openAppPage } from './app-pages.ts'
import { expectAccessible } from './axe.ts'
import { openPage } from './browser.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * Every page of the tracing app, its menus and dialogs, light and dark, by the rules of axe.
 */

describe.skipIf(inject('chromium') === null)('axe passes', () => {
  const { service, setUp, browser, page } = serviceInBrowser()
  let params: PageParams
  let visitor: Page

  beforeAll(async () => {
    params = await createPageData(service, setUp)
    visitor = (await openPage(browser, service.origin)).page
  })

  const open = (route: string) => openAppPage(page, service.origin, { route }, params)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()

  test.each(byTitle(signedInPages))('at %s, also on a phone', async (_, one) => {
    for (const size of [wide, phone]) {
      await page.setViewportSize(size)
      await openAppPage(page, service.origin, one, params)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    await page.setViewportSize(wide)
  })

  test.each(byTitle(signedOutPages))('signed out, at %s', async (_, one) => {
    await openAppPage(visitor, service.origin, one, params)
    await expectAccessible(visitor)
  })

  test.each(
    [
      '/nothing',
      '/p/made-up/traces',
      '/p/$projectId/nothing',
      '/p/$projectId/traces/made-up',
    ].concat(['/p/$projectId/sessions/made-up', '/o/made-up/settings/general']),
  )('at %s, where there is nothing', async (route) => {
    await open(route)
    await expectAccessible(page)
    expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
  })

  // A menu is at the end of the page, outside of its landmarks.
  const menu = { skipped: ['region'] }

  test('in the menus of the trace list', async () => {
    await open('/p/$projectId/traces')
    for (const name of [
      /^Time range/,
      'Filter',
      /^Project .*: switch$/,
      /^Organization .*: switch$/,
      /Ana Example/,
    ]) {
      await button(name).click()
      await page.getByRole('menuitem').first().waitFor()
      await expectAccessible(page, menu)
      await page.keyboard.press('Escape')
    }
    await button(/^Time range/).click()
    await page.getByRole('menuitem', { name: 'Custom range…' }).click()
    await page.getByRole('dialog', { name: 'Custom range' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  test('in the sheets that keys open', async () => {
    await open('/p/$projectId/traces')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Next trace', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await expectAccessible(page)
  })

  test('in forms and confirmations, also on a phone', async () => {
    await open('/p/$projectId/keys')
    await button('Create key').click()
    await page.getByRole('dialog').getByRole('button').first().waitFor()
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await expectAccessible(page)
    await page.setViewportSize(wide)
    await open('/o/$orgId/settings/projects')
    await button('New project').click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await expectAccessible(page)
  })

  test('in the drawer of a phone', async () => {
    await page.setViewportSize(phone)
    await open('/p/$projectId/traces')
    await button('Open the menu').click()
    await page.getByRole('dialog').getByRole('link', { name: 'Traces', exact: true }).waitFor()
    await expectAccessible(page)
  })
})

const wide = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

function byTitle(pages: readonly AppPage[]): readonly (readonly [string, AppPage])[] {
  return pages.map((one) => [one.route + (one.search ?? ''), one])
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]'
  const [content = 0, visible = 0] = await page.evaluate<readonly number[]>(widths)
  expect(content).toBeLessThanOrEqual(visible)
}
