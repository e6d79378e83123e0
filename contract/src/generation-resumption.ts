import { inRun } from './cost-runs.ts'
import { endpoint } from './endpoint.ts'
import { generatedScenarios, scenarioEvent } from './scenarios.ts'

/*
 * Writing the scenarios that a run lacks, because its generation was canceled, cut off or killed.
 */

const mayRun = ['run_agents', 'manage_agents'] as const

export const resumeGeneration = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}/generate',
  tag: 'Cost calculator',
  summary: 'Write the scenarios that a run lacks',
  description:
    'Continues the generation of the run as it was requested: with its agent, number of scenarios and model. Existing scenarios keep their ids and texts, also edited ones. `scenarios` has those that were missing, and `cost_usd` is of this request. If every call of the model fails, the response is 502 and the run stays as it is. A run that is in progress is `CONFLICT`.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'expensive',
  params: inRun,
  success: { status: 200, data: generatedScenarios },
  errors: ['NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR 502', 'INTERNAL_ERROR 503'],
})

export const streamResumption = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}/generate/stream',
  tag: 'Cost calculator',
  summary: 'Write the scenarios that a run lacks as a stream',
  description:
    'As above, with each scenario as soon as it is written; `data` of `completed` is that of the response above. Disconnect to cancel.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'expensive',
  params: inRun,
  reply: 'json-lines',
  success: { status: 200, data: scenarioEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
