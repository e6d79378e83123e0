import { limits } from '@assay/contract/limits.ts'
import { extractSource } from '@assay/contract/synthetic.ts'
import type { Bind } from '../../http/call.ts'
import { openMemberBudget } from '../../platform/member-budget.ts'
import { type ExtractPorts, extractSource as readSource } from './extract-source.ts'

export interface SyntheticPorts extends Omit<ExtractPorts, 'documents'> {
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
}
