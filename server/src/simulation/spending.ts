import type { GatewayModel } from '../model-gateway/gateway-model.ts'

/*
 * What simulations cost, in whole nanodollars, by bill: only the agent's is a cost of the agent in production.
 */

export type Bill = 'agent' | 'simulated_user' | 'simulated_tools' | 'judge'

export type Bills = Readonly<Record<Bill, number>>

export interface Spending {
  /** Of an answered or abandoned call. */
  add(bill: Bill, usd: number): void
  /** Of a model without a price. */
  addUnpriced(tokens: number): void
  /** In nanodollars. */
  readonly bills: Bills
  totalUsd(): number
  /** No call begins once it is. */
  isUsedUp(): boolean
}

const nanosPerDollar = 1e9
/** What a token of a model without a price is assumed to cost, so that a limit holds for it as well. */
const assumedUsdPerToken = 5e-6

export function openSpending(maxUsd: number | null): Spending {
  const bills = { agent: 0, simulated_user: 0, simulated_tools: 0, judge: 0 }
  let assumedUsd = 0
  const totalUsd = () =>
    Object.values(bills).reduce((sum, nanos) => sum + nanos, 0) / nanosPerDollar
  return {
    bills,
    totalUsd,
    add(bill, usd) {
      bills[bill] += toNanos(usd)
    },
    addUnpriced(tokens) {
      assumedUsd += tokens * assumedUsdPerToken
    },
    isUsedUp: () => maxUsd !== null && totalUsd() + assumedUsd >= maxUsd,
  }
}

export function toNanos(usd: number): number {
  return Math.round(usd * nanosPerDollar)
}

/**
 * The model, whose calls are added to a bill, abandoned ones as well, and are refused once the spending is used up: the
 * gateway asks right before it sends.
 */
export function withBill(model: GatewayModel, bill: Bill, spending: Spending): GatewayModel {
  const { meter } = model
  return {
    ...model,
    meter: {
      isUsedUp: async () => spending.isUsedUp() || ((await meter?.isUsedUp()) ?? false),
      async add(usd) {
        spending.add(bill, usd)
        await meter?.add(usd)
      },
    },
  }
}
