import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { lateBound } from '../server/test/late-bound.ts'
import { openPage, type WatchedPage } from './browser.ts'
import {
  type RunningService,
  type RunOptions,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

/** A service after setup, and a browser in which its first person is signed in. */
export interface ServiceInBrowser {
  readonly service: RunningService
  readonly setUp: SetUpService
  readonly browser: Browser
  readonly watched: WatchedPage
  readonly page: Page
}

/** Registers the hooks of the surrounding `describe`. */
export function serviceInBrowser(options: RunOptions = {}): ServiceInBrowser {
  let opened: ServiceInBrowser | undefined
  beforeAll(async () => {
    const service = await runService(options)
    const setUp = await setUpService(service)
    const browser = await sharedBrowser()
    const watched = await openPage(browser, service.origin, setUp.session.cookie)
    opened = { service, setUp, browser, watched, page: watched.page }
  })
  afterAll(async () => {
    await closePages()
    await opened?.service.stop()
  })
  return {
    service: lateBound(() => opened?.service),
    setUp: lateBound(() => opened?.setUp),
    browser: lateBound(() => opened?.browser),
    watched: lateBound(() => opened?.watched),
    page: lateBound(() => opened?.page),
  }
}
