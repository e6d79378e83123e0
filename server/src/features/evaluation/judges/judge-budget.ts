import { limits } from '@assay/contract/limits.ts'

/*
 * What the judges of one run may use. Calls that run at the same time can exceed it together by what they cost.
 */

export interface JudgeBudget {
  readonly isUsedUp: () => boolean
  /** `usd` is null if the price of the model is unknown: then tokens count. */
  add(usd: number | null, tokens: number): void
  /** What was used so far, with a price assumed for tokens without one. */
  usedUsd(): number
  /** For messages. */
  readonly limitText: string
}

const defaultTokensMax: number = limits.unpricedJudgeTokens.value
const assumedUsdPerToken = 5e-6

export function openJudgeBudget(usdMax: number, tokensMax = defaultTokensMax): JudgeBudget {
  let usd = 0
  let unpricedTokens = 0
  return {
    isUsedUp: () => usd >= usdMax || unpricedTokens >= tokensMax,
    add(cost, tokens) {
      if (cost === null) unpricedTokens += tokens
      else usd += cost
    },
    usedUsd: () => usd + unpricedTokens * assumedUsdPerToken,
    limitText: `USD ${usdMax}, or ${tokensMax.toLocaleString('en-US')} tokens of a model without a price`,
  }
}

/** Of many evaluations together. */
export function openSharedJudgeBudget(usdMax: number): JudgeBudget {
  return openJudgeBudget(usdMax, Math.ceil(usdMax / assumedUsdPerToken))
}

/** Of one of the evaluations that share a budget, which may use no more than it may alone. */
export function openJudgeBudgetWithin(shared: JudgeBudget, usdMax: number): JudgeBudget {
  const own = openJudgeBudget(usdMax)
  return {
    isUsedUp: () => own.isUsedUp() || shared.isUsedUp(),
    add(usd, tokens) {
      own.add(usd, tokens)
      shared.add(usd, tokens)
    },
    usedUsd: own.usedUsd,
    get limitText() {
      return own.isUsedUp() ? own.limitText : shared.limitText
    },
  }
}
