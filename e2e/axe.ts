import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/*
 * Accessibility of an open page, by the rules of axe.
 */

export interface AxeOptions {
  /** Rules that do not apply here. */
  readonly skipped?: readonly string[]
}

/** Expects no violation in light and in dark. The page keeps its state, and ends in light. */
export async function expectAccessible(page: Page, { skipped = [] }: AxeOptions = {}) {
  const off = Object.fromEntries(skipped.map((id) => [id, { enabled: false }]))
  await colorScheme(page, 'dark')
  // Of all rules, only contrast depends on the colors.
  const dark = await violationsOf(page, { runOnly: ['color-contrast'] })
  await colorScheme(page, 'light')
  const light = await violationsOf(page, { rules: off })
  expect({ at: page.url(), light, dark }).toEqual({ at: page.url(), light: [], dark: [] })
}

async function colorScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
  await page.evaluate(transitionsEnd)
}

// What is folded away does not report the end of its transitions.
const transitionsEnd = `Promise.allSettled(
  document
    .getAnimations()
    .filter((one) => one instanceof CSSTransition && one.effect.target.checkVisibility())
    .map(({ finished }) => finished),
)`

/** What axe finds, as lines. */
async function violationsOf(page: Page, options: object): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source)
  const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
  const { violations } = await page.evaluate<AxeResults>(run)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
