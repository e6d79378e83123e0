import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { Args, DataOf } from '@assay/contract/endpoint.ts'
import { draftScenarios, extractSource, synthesizeBlueprint } from '@assay/contract/synthetic.ts'

/*
 * The requests of the synthetic set-up. They take long: each ends in the service when its signal aborts.
 */

export type SourceBody = Args<typeof extractSource>['body']
export type SynthesisBody = Args<typeof synthesizeBlueprint>['body']
export type ScenariosBody = Args<typeof draftScenarios>['body']

const send =
  <E extends typeof extractSource | typeof synthesizeBlueprint | typeof draftScenarios>(
    declared: E,
  ) =>
  (projectId: string, body: Args<E>['body'], signal: AbortSignal): Promise<DataOf<E>> =>
    call(base, declared, { params: { projectId }, body } as Args<E>, { signal })

export const requestSource = send(extractSource)
export const requestSynthesis = send(synthesizeBlueprint)
export const requestScenarios = send(draftScenarios)
