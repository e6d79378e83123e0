/*
 * Traces of an agent that answers a customer of a shop.
 */

export const start = Date.UTC(2026, 10, 20, 10)
export const at = (ms: number) => new Date(start + ms).toISOString()

interface Step {
  readonly id: string
  readonly parent?: string
  readonly kind: string
  readonly from: number
  readonly to: number
  readonly more?: object
}

/** Two traces of one session: the second has a failed lookup, an orphan and another output. */
export function run(traceId: string, day: number, isLate: boolean) {
  const lookups = Array.from({ length: 30 }, (_, n): Step => {
    const isBroken = isLate && n === 20
    return {
      id: `look-${n}`,
      parent: 'agent',
      kind: 'tool',
      from: 1000 + n * 50,
      to: 1040 + n * 50,
      more: {
        name: 'look up',
        ...(isBroken ? { status: 'ERROR', status_message: 'the shop is closed' } : {}),
      },
    }
  })
  const steps: Step[] = [
    { id: 'agent', kind: 'agent', from: 0, to: isLate ? 6000 : 4000 },
    {
      id: 'ask',
      parent: 'agent',
      kind: 'llm',
      from: 10,
      to: 900,
      more: { model: 'm', tokens_in: 100, tokens_out: 20, cost_usd: 0.002 },
    },
    ...lookups,
    {
      id: 'answer',
      parent: 'agent',
      kind: 'llm',
      from: 3000,
      to: isLate ? 5900 : 3900,
      more: {
        model: 'm',
        tokens_in: 300,
        tokens_out: isLate ? 90 : 40,
        cost_usd: isLate ? 0.009 : 0.004,
        output: isLate ? 'Come back tomorrow.' : 'It is on its way.',
      },
    },
    ...(isLate
      ? [
          { id: 'check', parent: 'agent', kind: 'guardrail', from: 5900, to: 5950 },
          {
            id: 'lost',
            parent: 'gone',
            kind: 'tool',
            from: 2000,
            to: 2500,
            more: { status: 'ERROR', status_message: 'not requested' },
          },
        ]
      : []),
  ]
  return {
    trace_id: traceId,
    root_name: 'Answer a customer',
    session_id: 'customer-7',
    spans: steps.map(({ id, parent, kind, from, to, more }) => ({
      span_id: id,
      ...(parent === undefined ? {} : { parent_span_id: parent }),
      name: id,
      kind,
      started_at: at(day * 86_400_000 + from),
      ended_at: at(day * 86_400_000 + to),
      ...more,
    })),
  }
}
