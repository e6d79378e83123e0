import type { Page } from 'playwright-core'
import type { PageParams } from './app-page-data.ts'
import type { AppPage } from './app-page-list.ts'

/*
 * Opens the pages of the tracing app.
 */

/** The address of a page, without the origin. */
function pathOf({ route, search = '' }: AppPage, params: PageParams): string {
  return (route + search).replaceAll(/\$(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

/** Opens a page and waits until it shows its data. */
export async function openAppPage(
  page: Page,
  origin: string,
  appPage: AppPage,
  params: PageParams,
): Promise<void> {
  await page.goto(origin + pathOf(appPage, params))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  if (appPage.shows !== undefined) await page.locator(appPage.shows).first().waitFor()
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
}
