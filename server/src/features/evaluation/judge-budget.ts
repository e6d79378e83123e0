import { limits } from '@assay/contract/limits.ts'

/*
 * What the judges of one run may use. Calls that run at the same time can exceed it together by what they cost.
 */

export interface JudgeBudget {
  readonly isUsedUp: () => boolean
  /** `usd` is null if the price of the model is unknown: then tokens count. */
  add(usd: number | null, tokens: number): void
  /** For messages. */
  readonly limitText: string
}

const tokensMax = limits.unpricedJudgeTokens.value

export function openJudgeBudget(usdMax: number): JudgeBudget {
  let usd = 0
  let unpricedTokens = 0
  return {
    isUsedUp: () => usd >= usdMax || unpricedTokens >= tokensMax,
    add(cost, tokens) {
      if (cost === null) unpricedTokens += tokens
      else usd += cost
    },
    limitText: `USD ${usdMax}, or ${tokensMax.toLocaleString('en-US')} tokens of a model without a price`,
  }
}
