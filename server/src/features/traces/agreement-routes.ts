import { limits } from '@assay/contract/limits.ts'
import { listScoreDisagreements, readScoreAgreement } from '@assay/contract/score-agreement.ts'
import { agreementRate, cohensKappa } from '../../domain/agreement.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { EvaluatorAgreement } from '../../storage/telemetry/port/score-agreement.ts'
import { readScoreRange } from './score-range.ts'
import type { ScorePorts } from './score-routes.ts'
import { openScoreSerializer } from './serialize-score.ts'
import { toApiTrace } from './serialize-trace.ts'

/*
 * How far evaluators and people agree, and the traces on which they do not.
 */

const scanLimit = limits.comparedScores.value

export function registerAgreement({ bind, accounts, telemetry, clock }: ScorePorts): void {
  bind(readScoreAgreement, async ({ caller: { projectId }, query, readOptions }) => {
    const scan = { ...readScoreRange(query, clock), scanLimit }
    const { evaluators, coverageStart } = await telemetry.readAgreement(
      projectId,
      scan,
      readOptions,
    )
    return {
      evaluators: evaluators.map(toApiAgreement),
      complete_from: formatInstant(coverageStart),
    }
  })

  bind(listScoreDisagreements, async ({ caller: { projectId }, query, readOptions }) => {
    const { evaluator_id: evaluatorId, kind, limit, cursor } = query
    const scan = {
      ...{ ...readScoreRange(query, clock), scanLimit, evaluatorId, kind, limit },
      ...(cursor !== undefined && { after: cursor }),
    }
    const page = await telemetry.listDisagreements(projectId, scan, readOptions)
    const scores = page.disagreements.flatMap(({ evaluator, people }) => [evaluator, ...people])
    const toApi = await openScoreSerializer(scores, accounts)
    return {
      data: page.disagreements.map(({ trace, evaluator, people, peoplePassed, peopleFailed }) => ({
        ...{ trace: toApiTrace(trace), evaluator: toApi(evaluator), people: people.map(toApi) },
        ...{ people_passed: peoplePassed, people_failed: peopleFailed },
      })),
      meta: {
        ...{ pageSize: page.disagreements.length, cursor: page.next ?? null },
        is_complete: page.isComplete,
      },
    }
  })
}

function toApiAgreement({ evaluatorId, name, ties, ...counts }: EvaluatorAgreement) {
  const { bothPassed, bothFailed, falsePasses, falseFails } = counts
  return {
    ...{ evaluator_id: evaluatorId, name, ties },
    traces: bothPassed + bothFailed + falsePasses + falseFails,
    ...{ both_passed: bothPassed, both_failed: bothFailed },
    ...{ false_passes: falsePasses, false_fails: falseFails },
    ...{ agreement: agreementRate(counts), kappa: cohensKappa(counts) },
  }
}
