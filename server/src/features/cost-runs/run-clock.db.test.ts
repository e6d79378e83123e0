import {
  cancelCostRun,
  listCostRuns,
  readCostRun,
  removeCostRun,
  updateScenario,
} from '@assay/contract/cost-runs.ts'
import { resumeGeneration } from '@assay/contract/generation-resumption.ts'
import { expect, test } from 'vitest'
import { clockAt } from '../../../test/clock-at.ts'
import { addStoredRun } from '../../../test/cost-run-rows.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newId } from '../../platform/ids.ts'

const service = runningService({ clock: clockAt(() => Date.now() + 3_600_000) })
const tenant = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)

test('a process whose clock is ahead does not take the lease of another one for expired', async () => {
  const { projectId } = tenant
  const { costRuns } = service.accounts
  const { runId, scenarioIds } = await addStoredRun(service.accounts, projectId, 1, {})
  const [now, until] = [0, 60_000].map((ms) => new Date(Date.now() + ms).toISOString())
  await costRuns.start(
    { projectId, runId, executionId: newId() },
    { now: now ?? '', until: until ?? '' },
  )
  const params = { projectId, runId }
  const before = await costRuns.find(projectId, runId)
  const edit = { params: { ...params, scenarioId: scenarioIds[0] ?? '' }, body: { name: 'New' } }
  const refused = [
    await service.call(updateScenario, edit, editor),
    await service.call(removeCostRun, { params }, editor),
    await service.call(resumeGeneration, { params }, editor),
  ]
  for (const { error } of refused) expect(error.code).toBe('CONFLICT')
  expect(await costRuns.find(projectId, runId)).toEqual(before)
  expect((await service.call(readCostRun, { params }, editor)).data.status).toBe('running')
  const listed = await service.call(listCostRuns, { params: { projectId } }, editor)
  expect(listed.data[0]?.status).toBe('running')
  const canceled = await service.call(cancelCostRun, { params }, editor)
  expect([canceled.status, canceled.data.status]).toEqual([200, 'running'])
})
