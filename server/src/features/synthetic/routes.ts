import { limits } from '@assay/contract/limits.ts'
import { draftScenarios, extractSource, synthesizeBlueprint } from '@assay/contract/synthetic.ts'
import { AlternativeResponse, type Bind } from '../../http/call.ts'
import { openMemberBudget } from '../../platform/member-budget.ts'
import { draftScenarios as draft } from './draft-scenarios.ts'
import { type ExtractPorts, extractSource as readSource } from './extract-source.ts'
import { findModel } from './find-model.ts'
import { type SynthesizePorts, synthesize } from './synthesize.ts'

export interface SyntheticPorts extends ExtractPorts, SynthesizePorts {
  readonly bind: Bind
}

export function registerSynthetic({ bind, ...ports }: SyntheticPorts): void {
  bind(extractSource, async ({ body, readOptions: { requester }, signal }) => ({
    source: await readSource(body, requester, signal, ports),
  }))

  const syntheses = openMemberBudget({
    total: limits.syntheses.value,
    ofOrganization: limits.synthesesOfOrganization.value,
    ofUser: limits.synthesesOfUser.value,
    refusal: 'Too many blueprints are being written. Try again when one has finished.',
  })

  bind(synthesizeBlueprint, async ({ caller, body, readOptions: { requester }, signal }) => {
    const { organizationId, projectId } = caller
    const task = { organizationId, projectId, requester }
    const release = syntheses.take(requester)
    const synthesis = await synthesize(task, body, signal, ports).finally(release)
    return synthesis.partial ? new AlternativeResponse(synthesis) : synthesis
  })

  bind(draftScenarios, async ({ caller, body, readOptions: { requester }, signal }) => {
    const { organizationId, projectId } = caller
    const { blueprint, count, model_config_id: configId } = body
    const model = await findModel(organizationId, configId, previewUnavailable, ports)
    const task = { organizationId, projectId, requester, model, blueprint, count, signal }
    return { scenarios: await draft(task, ports) }
  })
}

/** The sentence of the specification. */
const previewUnavailable = 'Scenario preview is not configured on this deployment.'
