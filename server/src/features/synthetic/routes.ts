import { limits } from '@assay/contract/limits.ts'
import { extractSource, synthesizeBlueprint } from '@assay/contract/synthetic.ts'
import { AlternativeResponse, type Bind } from '../../http/call.ts'
import { openMemberBudget } from '../../platform/member-budget.ts'
import { type ExtractPorts, extractSource as readSource } from './extract-source.ts'
import { type SynthesizePorts, synthesize } from './synthesize.ts'

export interface SyntheticPorts extends Omit<ExtractPorts, 'documents'>, SynthesizePorts {
  readonly bind: Bind
}

export function registerSynthetic({ bind, ...ports }: SyntheticPorts): void {
  const documents = openMemberBudget({
    total: limits.documents.value,
    ofOrganization: limits.documentsOfOrganization.value,
    ofUser: limits.documentsOfUser.value,
    refusal: 'Too many documents are being read. Try again shortly.',
  })

  bind(extractSource, async ({ body, readOptions: { requester }, signal }) => ({
    source: await readSource(body, requester, signal, { ...ports, documents }),
  }))

  bind(synthesizeBlueprint, async ({ caller, body, signal }) => {
    const synthesis = await synthesize(caller, body, signal, ports)
    return synthesis.partial ? new AlternativeResponse(synthesis) : synthesis
  })
}
