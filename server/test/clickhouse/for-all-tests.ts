import type { TestProject } from 'vitest/node'
import { startClickHouse } from './engine.ts'

/*
 * The ClickHouse engine for the services of all tests of a run, if `npm run test:long` asks for it.
 */

/** Vitest runs it before the first test, and the returned function after the last. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.getProvidedContext().isScaled) return undefined
  const engine = await startClickHouse()
  project.provide('clickHouseUrl', engine.url)
  return () => engine.stop()
}
