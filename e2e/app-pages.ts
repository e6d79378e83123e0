import { createSampleProject } from '@assay/contract/organizations.ts'
import { createReviewQueue } from '@assay/contract/review-queues.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import { listTraces } from '@assay/contract/traces.ts'
import type { Page } from 'playwright-core'
import type { AppPage } from './app-page-list.ts'
import { callAs, type RunningService, type SetUpService } from './running-service.ts'

/*
 * Opens the pages of the tracing app, with data to show.
 */

/** The values of the parameters in the addresses of pages. */
export type PageParams = Readonly<Record<string, string>>

/** Creates the data that the pages show. */
export async function createPageData(
  service: RunningService,
  setUp: SetUpService,
): Promise<PageParams> {
  const call = callAs(service, setUp)
  const orgId = setUp.organization.id
  const { id: projectId } = await call(createSampleProject, { params: { orgId } })
  const params = { projectId }
  const failed = { service: 'support-desk', status: 'ERROR', limit: 2 } as const
  const [trace, other] = await call(listTraces, { params, query: failed })
  const agent_config = { system_prompt: 'You answer questions about orders.' }
  const body = { agent_config, scenario_count: 3 }
  const scenarios = await call(generateScenarios, { params, body })
  const queue = await call(createReviewQueue, {
    params,
    body: {
      ...{ name: 'Support', score_name: 'Helpful', instructions: 'Reviewer instructions' },
      filters: { service: failed.service },
    },
  })
  return {
    orgId,
    projectId,
    traceId: trace?.trace_id ?? '',
    otherTraceId: other?.trace_id ?? '',
    sessionId: trace?.session_id ?? '',
    evaluatorId: 'made-up',
    queueId: queue.id,
    runId: 'run_id' in scenarios ? scenarios.run_id : '',
  }
}

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
