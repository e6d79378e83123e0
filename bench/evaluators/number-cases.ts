import { pick, type Random, seededRandom } from '../../server/test/credential-samples.ts'
import { answeredTrace, integer, type LabeledCase } from './labeled-case.ts'

/*
 * Orders with random values, answers that report them in different forms, and the same answers with one value changed.
 */

interface Order {
  readonly id: number
  readonly price: number
  readonly weight: number
  readonly shipped: Date
  readonly share: number
  readonly views: number
}

const forms: readonly ((order: Order, other: Order, change: number) => string)[] = [
  ({ price }, _, change) => `The order costs ${(price * change).toFixed(2)} euros.`,
  ({ price }, _, change) => `The order costs about ${Math.round(price * change)} euros.`,
  ({ price }, other, change) =>
    `Both orders cost ${((price + other.price) * change).toFixed(2)} euros together.`,
  ({ price }, other, change) =>
    `The difference is ${(Math.abs(price - other.price) * change).toFixed(2)} euros.`,
  ({ weight }, _, change) => `It weighs ${((weight / 1000) * change).toFixed(2)} kg.`,
  ({ share }, _, change) => `That is ${(share * 100 * change).toFixed(1)}% of the stock.`,
  ({ views }, _, change) =>
    `The page had ${Math.round(views * change).toLocaleString('en-US')} views.`,
  ({ views }, _, change) => `The page had ${((views / 1e6) * change).toFixed(2)} million views.`,
  ({ shipped }, _, change) => `It was shipped on ${formatted(shipped, change)}.`,
  ({ price, weight }, _, change) =>
    `It costs ${price.toFixed(2)} euros and weighs ${Math.round(weight * change)} grams.`,
]

function formatted(date: Date, change: number): string {
  const shifted = new Date(date.getTime() + (change === 1 ? 0 : 9 * 86_400_000))
  return shifted.toLocaleDateString('en-US', {
    ...{ year: 'numeric', month: 'long', day: 'numeric' },
    timeZone: 'UTC',
  })
}

const roundsPerForm = 30

export function numberCases(): LabeledCase[] {
  const random = seededRandom(1)
  return forms.flatMap((form) =>
    Array.from({ length: roundsPerForm }, () => {
      const [first, second] = [inventOrder(random), inventOrder(random)]
      const change = 1 + pick(random, [-1, 1]) * (0.1 + random() * 0.4)
      return [
        toCase(form(first, second, 1), [first, second], false),
        toCase(form(first, second, change), [first, second], true),
      ]
    }).flat(),
  )
}

function inventOrder(random: Random): Order {
  return {
    id: integer(random, 10_000, 99_999),
    price: integer(random, 1000, 99_999) / 100,
    weight: integer(random, 200, 9999),
    shipped: new Date(Date.UTC(2026, integer(random, 0, 11), integer(random, 1, 28))),
    share: integer(random, 10, 999) / 1000,
    views: integer(random, 1_000_000, 9_999_999),
  }
}

function toCase(answer: string, orders: readonly Order[], isFaulty: boolean): LabeledCase {
  const results = orders.map((order) => ({ ...order, shipped: order.shipped.toISOString() }))
  const written = JSON.stringify(results)
  const numbers = answer.match(/\d+(?:[.,]\d+)*/g) ?? []
  return {
    ...{ text: answer, isFaulty },
    isFoundSimply: numbers.some((number) => !written.includes(number)),
    trace: answeredTrace('What about the orders?', [results], answer),
  }
}
