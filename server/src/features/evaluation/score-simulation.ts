import { limits } from '@assay/contract/limits.ts'
import type { OpenScoring, Scoring, SimulationToScore } from '../../simulation/scoring.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { type EvaluatePorts, evaluate } from './evaluate.ts'
import { findCollection } from './evaluation-target.ts'
import { type JudgeBudget, openJudgeBudget } from './judges/judge-budget.ts'
import { needsModel } from './judges/judge-model.ts'

/*
 * Scores traces of simulated conversations, whose judges share the limit of cost of their run.
 */

export function simulationScoring(
  ports: EvaluatePorts & {
    readonly accounts: Pick<Accounts, 'evaluators' | 'evaluatorCollections'>
  },
): OpenScoring {
  return async (organizationId, collectionId) => {
    const { evaluators } = await findCollection(organizationId, collectionId, ports.accounts)
    const score: Scoring['score'] = async ({ deadline, spending, ...simulation }) => {
      const usualMs = limits.evaluationSeconds.value * 1000
      const evaluationMs = Math.min(usualMs, deadline - Date.now())
      const judgeShare = {
        budget: withinRun(openJudgeBudget(ports.judgeBudgetUsd), spending),
        callsAtOnce: limits.modelCallsOfOrganization.value,
      }
      const run = await evaluate(
        { ...simulation, evaluators, judgeShare },
        { ...ports, evaluationMs },
      )
      if (run === undefined || run.scoredCount === 0) return null
      // The mean of the evaluators that were done by then is not that of the collection.
      const isCutOff = spending.isUsedUp() || simulation.signal.aborted || Date.now() >= deadline
      return run.errorCount > 0 && isCutOff ? null : run.averageScore
    }
    return { callsModel: needsModel(evaluators), score }
  }
}

function withinRun(own: JudgeBudget, spending: SimulationToScore['spending']): JudgeBudget {
  return {
    isUsedUp: () => own.isUsedUp() || spending.isUsedUp(),
    add(usd, tokens) {
      own.add(usd, tokens)
      if (usd === null) spending.addUnpriced(tokens)
    },
    usedUsd: own.usedUsd,
    get limitText() {
      return own.isUsedUp() ? own.limitText : 'limit of the run'
    },
  }
}
