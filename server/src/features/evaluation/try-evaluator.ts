import type { DataOf } from '@assay/contract/endpoint.ts'
import type { JudgeInput, TriedResult, tryEvaluator } from '@assay/contract/evaluations.ts'
import { defaultThreshold, type Evaluator } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import type { TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import { cutMiddle } from '../../evaluators/judge/fenced-data.ts'
import type { Block } from '../../evaluators/judge/judge.ts'
import type { Call } from '../../http/call.ts'
import type { Models } from '../../model-gateway/models.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { type EvaluatePorts, runEvaluation } from './evaluate.ts'
import { findEvaluator, toApiEvaluator } from './evaluators/evaluators.ts'
import { findJudgeModel } from './judges/judge-model.ts'
import { toRun } from './results.ts'

/*
 * Runs one evaluator, which need not be stored, exactly as an evaluation does, and returns what its judge read.
 */

export interface TryPorts extends EvaluatePorts {
  readonly models: Models
  readonly accounts: Pick<AccountStores, 'evaluators'>
}

type TryCall = Call<typeof tryEvaluator>

/** Undefined if the project has no such trace. */
export async function runTrial(
  { caller, params: { traceId }, body, readOptions }: TryCall,
  ports: TryPorts,
): Promise<DataOf<typeof tryEvaluator> | undefined> {
  const { organizationId, projectId, user } = caller
  const { requester, signal } = readOptions
  const evaluators = [await chooseEvaluator(organizationId, body, ports)]
  const configId = body.model_config_id ?? null
  const model = await findJudgeModel(organizationId, evaluators, configId, ports.models)
  const found = await runEvaluation(
    {
      ...{ organizationId, projectId, traceId, evaluators, model, requester, signal },
      authorId: user.id,
    },
    ports,
  )
  if (found === undefined) return undefined
  const { runId, verdicts, scores } = found
  const [result] = toRun(runId, scores).results
  const { id: _, evaluator_id: __, ...tried } = result!
  return { result: tried satisfies TriedResult, inputs: blocksOf(verdicts[0]!).map(toInput) }
}

async function chooseEvaluator(
  organizationId: string,
  { evaluator: wanted, prompt_template: template, threshold }: TryCall['body'],
  { accounts, clock }: TryPorts,
): Promise<Evaluator> {
  if (template !== undefined) {
    return toApiEvaluator({
      ...{ id: newId(), organization_id: organizationId, name: 'Unsaved evaluator' },
      ...{ category: 'custom', description: '', tags: '[]', prompt_template: template },
      ...{ threshold: threshold ?? defaultThreshold, created_at: clock.now().toISOString() },
    })
  }
  const found = wanted && (await findEvaluator(organizationId, wanted, accounts))
  if (!found) {
    throw new Failure('NOT_FOUND', 'Evaluator not found.', { details: { field: 'evaluator' } })
  }
  return threshold === undefined ? found : { ...found, threshold }
}

/** What a judge read. A built-in one without anything to judge prepares no blocks. */
function blocksOf({ verdict }: TraceVerdict): readonly Block[] {
  if ('task' in verdict) return verdict.task.blocks
  return 'blocks' in verdict ? verdict.blocks : []
}

function toInput({ name, segments }: Block): JudgeInput {
  const text = segments
    .map(({ title = '', text: content }) => `${title}\n${content}`.trim())
    .join('\n\n')
  return {
    ...{ name, is_empty: segments.length === 0, characters: text.length },
    preview: cutMiddle(text, limits.judgeInputPreview.value),
  }
}
