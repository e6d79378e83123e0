import type { z } from 'zod'
import type { writtenBlueprint } from '../src/blueprint/written-blueprint.ts'

/*
 * A source and the blueprint that a model writes from it, for tests.
 */

export const returnsPolicy = `Returns policy of Acme Outdoor

Unopened items can be returned within 30 days of delivery. Opened items are exchanged, not refunded.
Refunds above 200 EUR need the approval of a supervisor. Gift cards are never refunded.
`

export type Written = z.output<typeof writtenBlueprint>

type Parameter = Written['tools'][number]['parameters'][number]

const text = (name: string, values: string[] | null = null): Parameter => ({
  ...{ name, type: 'string', description: `The ${name}.`, required: true, values },
})

export const returnsBlueprint: Written = {
  manifest: { tools: 3, policies: 3, entities: 3, relations: 2, rows: 7, tasks: 4 },
  agent: {
    domain: 'online retail',
    system_prompt: 'You help customers of Acme Outdoor with returns. Refuse to refund gift cards.',
    tone: 'Friendly and brief.',
    memory: '',
    goals: ['Solve returns without a person.', 'Follow the policy.'],
  },
  tools: [
    {
      ...{ name: 'find_order', description: 'Finds an order.', entity: 'orders', effect: 'read' },
      parameters: [text('order_id')],
    },
    {
      ...{ name: 'find_customer', description: 'Finds a customer.', entity: 'customers' },
      effect: 'read',
      parameters: [text('email')],
    },
    {
      ...{ name: 'create_return', description: 'Registers a return.', entity: 'orders' },
      effect: 'update',
      parameters: [
        text('order_id'),
        text('outcome', ['refund', 'exchange']),
        { ...text('amount'), type: 'number', required: false },
      ],
    },
  ],
  policies: [
    {
      ...{
        id: 'P1',
        text: 'Unopened items can be returned for 30 days.',
        tools: ['create_return'],
      },
      quote: 'Unopened items can be returned within 30 days of delivery.',
    },
    {
      ...{ id: 'P2', text: 'Large refunds need approval.', tools: ['create_return', 'approve'] },
      quote: 'Refunds above 200 EUR need the  approval of a supervisor.',
    },
    { id: 'P3', text: 'Shipping is free.', quote: 'Shipping is free for members.', tools: [] },
  ],
  entities: [
    {
      name: 'customers',
      fields: [
        { name: 'customer_id', type: 'string', unique: true, values: null },
        { name: 'full_name', type: 'string', unique: false, values: null },
        { name: 'email', type: 'string', unique: true, values: null },
      ],
    },
    {
      name: 'products',
      fields: [
        { name: 'sku', type: 'string', unique: true, values: null },
        { name: 'price', type: 'number', unique: false, values: null },
        { name: 'is_gift_card', type: 'boolean', unique: false, values: null },
      ],
    },
    {
      name: 'orders',
      fields: [
        { name: 'order_id', type: 'string', unique: true, values: null },
        { name: 'customer_id', type: 'string', unique: false, values: null },
        { name: 'sku', type: 'string', unique: false, values: null },
        { name: 'status', type: 'string', unique: false, values: ['open', 'delivered'] },
        { name: 'delivered_on', type: 'date', unique: false, values: null },
        { name: 'items', type: 'integer', unique: false, values: null },
      ],
    },
  ],
  relations: [
    {
      from_entity: 'orders',
      from_field: 'customer_id',
      to_entity: 'customers',
      to_field: 'customer_id',
    },
    { from_entity: 'orders', from_field: 'sku', to_entity: 'products', to_field: 'sku' },
  ],
  rows: [
    { entity: 'customers', cells: ['C-001', 'Ada Berg', 'ada.berg@acme-mail.com'] },
    { entity: 'customers', cells: ['C-002', 'Tom Lind', 'tom@example.com'] },
    { entity: 'products', cells: ['TENT-1', 129.95, false] },
    { entity: 'products', cells: ['GIFT-2', 50, true] },
    { entity: 'orders', cells: ['O-1001', 'C-001', 'TENT-1', 'delivered', '2026-10-12', 1] },
    { entity: 'orders', cells: ['O-1002', 'C-002', 'GIFT-2', 'delivered', '2026-10-20', 2] },
    { entity: 'orders', cells: ['O-1003', 'C-002', 'TENT-1', 'open', null, 1] },
  ],
  tasks: [
    {
      ...{ id: 'T1', title: 'Return a tent', category: 'happy_path' },
      ...{ brief: 'Ada wants to return her unopened tent.', known: ['Order O-1001'], unknown: [] },
      expected_calls: [
        { tool: 'find_customer', arguments: [{ name: 'email', value: 'ada.berg@acme-mail.com' }] },
        {
          tool: 'create_return',
          arguments: [
            { name: 'order_id', value: 'O-1001' },
            { name: 'outcome', value: 'refund' },
            { name: 'amount', value: 129.95 },
          ],
        },
      ],
      expected_outcome: 'The tent is refunded.',
    },
    {
      ...{ id: 'T2', title: 'Refund a gift card', category: 'refusal' },
      ...{ brief: 'Tom wants his money back.', known: ['Order O-1002'], unknown: ['The rules'] },
      expected_calls: [{ tool: 'find_order', arguments: [{ name: 'order_id', value: 'O-1002' }] }],
      expected_outcome: 'The agent refuses: gift cards are never refunded.',
    },
    {
      ...{ id: 'T3', title: 'An unknown order', category: 'edge_case' },
      ...{ brief: 'Somebody has a wrong number.', known: ['Order O-9999'], unknown: ['The name'] },
      expected_calls: [{ tool: 'find_order', arguments: [{ name: 'order_id', value: 'O-9999' }] }],
      expected_outcome: 'The agent asks for the number again.',
    },
    {
      ...{ id: 'T4', title: 'Two questions', category: 'multi_turn' },
      ...{ brief: 'Tom asks for O-1003, then for a refund.', known: ['Order O-1003'], unknown: [] },
      expected_calls: [{ tool: 'find_order', arguments: [{ name: 'order_id', value: 'O-1003' }] }],
      expected_outcome: 'The agent explains that it was not delivered.',
    },
  ],
  end: 'end',
}

/** The same as one JSON object a line. */
export function asLines({ end: _, manifest, agent, ...lists }: Written): string {
  const line = (part: string, value: unknown) => JSON.stringify({ part, value })
  const items = Object.entries(lists).flatMap(([part, list]) =>
    list.map((item) => line(part, item)),
  )
  const all = [line('manifest', manifest), line('agent', agent), ...items, '{"part":"end"}']
  return all.join('\n')
}
