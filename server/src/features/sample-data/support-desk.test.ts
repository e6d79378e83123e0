import { expect, test } from 'vitest'
import { buildSampleTraces } from './build-sample-traces.ts'

test('the turns of a session are about one order', () => {
  const ofDesk = buildSampleTraces(Date.UTC(2026, 0, 8)).filter(
    ({ run }) => run.service === 'support-desk',
  )
  const sessions = Map.groupBy(ofDesk, ({ run }) => run.sessionId)
  expect([...sessions.values()].some(({ length }) => length > 2)).toBe(true)
  for (const traces of sessions.values()) expect(ordersIn(traces).size).toBe(1)
})

function ordersIn(traces: ReturnType<typeof buildSampleTraces>): ReadonlySet<string> {
  const values = traces.flatMap(({ spans }) =>
    spans.flatMap(({ attributes }) => [...attributes.values()].map(String)),
  )
  const orders = values.flatMap((text) => [...text.matchAll(/order\W+(\d{4})\b/g)])
  return new Set(orders.map(([, order]) => order ?? ''))
}
