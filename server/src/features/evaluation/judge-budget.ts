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

/** A share of what many evaluations may use together, and not more than one may. */
export function openSharedJudgeBudget(remainingUsd: number, usdMax: number): JudgeBudget {
  const tokens = Math.ceil(remainingUsd / assumedUsdPerToken)
  return openJudgeBudget(Math.min(remainingUsd, usdMax), Math.min(tokens, defaultTokensMax))
}
