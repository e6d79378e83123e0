import { type Blueprint, blueprint as blueprintShape } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asLines,
  returnsBlueprint,
  returnsPolicy,
  type Written,
} from '../../test/written-blueprint.ts'
import { buildBlueprint } from './build-blueprint.ts'
import { findText } from './find-quote.ts'
import { readParts } from './read-parts.ts'
import { renderBlueprint } from './render-markdown.ts'

const build = (text: string, wasCut = false) =>
  buildBlueprint({ text, wasCut, sourceText: returnsPolicy, domain: 'auto', seed: 7 })
const buildChanged = async (changes: Partial<Written>) => {
  const built = await build(JSON.stringify({ ...returnsBlueprint, ...changes }))
  if (built === undefined) throw new Error('no blueprint')
  return built
}
const whole = JSON.stringify(returnsBlueprint)

/** Everything in the blueprint but what code adds. */
const entityOf = ({ system_of_record: { entities } }: Blueprint, name: string) =>
  entities.find((one) => one.name === name)!

describe('a whole answer', () => {
  test.each([
    ['one object', whole],
    ['indented', JSON.stringify(returnsBlueprint, null, 2)],
    ['lines', asLines(returnsBlueprint)],
    ['lines in a code block', `\`\`\`json\n${asLines(returnsBlueprint)}\n\`\`\``],
  ])('as %s gives the whole blueprint', async (_form, text) => {
    const built = await build(text)
    expect(built?.missing).toEqual([])
    expect(built).toEqual(await build(whole))
    expect(blueprintShape.parse(built?.blueprint)).toEqual(built?.blueprint)
    expect(built?.blueprint).toMatchObject({
      domain: 'online retail',
      agent: { system_prompt: returnsBlueprint.agent.system_prompt, tone: 'Friendly and brief.' },
      tasks: [{ id: 'T1' }, { id: 'T2' }, { id: 'T3' }, { id: 'T4' }],
    })
  })

  test('has tools with a JSON Schema, always simulated', async () => {
    const { agent } = (await buildChanged({})).blueprint
    expect(agent.tools[2]).toEqual({
      ...{ kind: 'tool', name: 'create_return', mode: 'simulated', effect: 'update' },
      ...{ description: 'Registers a return.', entity: 'orders' },
      content: JSON.stringify(agent.tools[2]?.parameters),
      parameters: {
        type: 'object',
        properties: {
          order_id: { type: 'string', description: 'The order_id.' },
          outcome: { type: 'string', description: 'The outcome.', enum: ['refund', 'exchange'] },
          amount: { type: 'number', description: 'The amount.' },
        },
        ...{ required: ['order_id', 'outcome'], additionalProperties: false },
      },
    })
  })

  test('has policies with their sentence in the source, or null', async () => {
    const { blueprint, checks } = await buildChanged({})
    const [first, second, third] = blueprint.agent.policies
    expect(returnsPolicy.slice(first!.source_start!, first!.source_end!)).toBe(first!.source_quote)
    expect(second?.source_quote).toBe('Refunds above 200 EUR need the approval of a supervisor.')
    expect(second?.tools).toEqual(['create_return'])
    expect([third?.source_quote, third?.source_start]).toEqual([null, null])
    expect(checks.find(({ name }) => name === 'quotes')).toEqual({
      ...{ name: 'quotes', passed: false, detail: 'P3 has no sentence in the source' },
    })
  })

  test('has rows of the model, and as many more of code', async () => {
    const { blueprint, notes } = await buildChanged({})
    const orders = entityOf(blueprint, 'orders')
    expect(orders.rows.slice(0, 3)).toEqual([
      expect.objectContaining({ order_id: 'O-1001', delivered_on: '2026-10-12', items: 1 }),
      expect.objectContaining({ order_id: 'O-1002' }),
      expect.objectContaining({ order_id: 'O-1003', delivered_on: null }),
    ])
    expect(orders.rows.map(({ order_id }) => order_id)).toEqual(
      Array.from({ length: 12 }, (_, n) => `O-${1001 + n}`),
    )
    expect(notes).toEqual(['29 rows were added, in the form of the rows that the model wrote.'])
    const emails = entityOf(blueprint, 'customers').rows.map(({ email }) => String(email))
    expect(emails.every((email) => email.endsWith('@example.com'))).toBe(true)
    // The task uses the address of the row.
    const [task] = blueprint.tasks
    expect(task?.expected_calls[0]?.arguments).toEqual({ email: emails[0] })
  })

  test('has the same rows for the same seed, and others for another', async () => {
    const rowsOf = async (seed: number) =>
      (await buildBlueprint({ text: whole, wasCut: false, sourceText: '', domain: 'x', seed }))!
        .blueprint.system_of_record
    expect(await rowsOf(1)).toEqual(await rowsOf(1))
    expect(await rowsOf(1)).not.toEqual(await rowsOf(2))
  })

  test('has the requested domain', async () => {
    const input = { text: whole, wasCut: false, sourceText: '', domain: 'camping', seed: 1 }
    expect((await buildBlueprint(input))?.blueprint.domain).toBe('camping')
  })
})

describe('rows', () => {
  test('have unique keys, their types and references that resolve, whatever the model wrote', async () => {
    const cell = fc.oneof(
      fc.constantFrom('C-001', 'C-002', 'C-003', 'O-1', '1', '2.5', 'true', '2026-02-30', null),
      fc.integer({ min: -5, max: 5 }),
      fc.boolean(),
    )
    const row = fc.record({
      entity: fc.constantFrom('customers', 'products', 'orders', 'others'),
      cells: fc.array(cell, { minLength: 2, maxLength: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.nat(), async (rows, seed) => {
        const text = JSON.stringify({ ...returnsBlueprint, rows })
        const built = await buildBlueprint({
          text,
          wasCut: false,
          sourceText: '',
          domain: 'x',
          seed,
        })
        const { entities, relations } = built!.blueprint.system_of_record
        for (const { fields, rows: kept } of entities) {
          for (const { name } of fields.filter(({ unique }) => unique)) {
            expect(new Set(kept.map((one) => one[name])).size).toBe(kept.length)
          }
          expect(kept.every((one) => Object.keys(one).length === fields.length)).toBe(true)
        }
        for (const { from_entity, from_field, to_entity, to_field } of relations) {
          const targets = entityOf(built!.blueprint, to_entity).rows.map((one) => one[to_field])
          const values = entityOf(built!.blueprint, from_entity).rows.map((one) => one[from_field])
          expect(values.filter((one) => one !== null && !targets.includes(one))).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  })

  test('beyond the most of an entity are left out', async () => {
    const most = limits.blueprintRows.value
    const customers = Array.from({ length: most + 1 }, (_, n) => ({
      ...{ entity: 'customers', cells: [`C-${n}`, 'Ada Berg', `a${n}@example.com`] },
    }))
    const others = returnsBlueprint.rows.filter(({ entity }) => entity === 'products')
    const { blueprint, checks } = await buildChanged({ rows: [...customers, ...others] })
    expect(entityOf(blueprint, 'customers').rows).toHaveLength(most)
    expect(blueprintShape.parse(blueprint)).toEqual(blueprint)
    expect(checks[0]?.detail).toBe(
      '1 row left out: its type, key or reference does not fit, or the entity has too many',
    )
  })

  test('of an entity that the model wrote none of are missing', async () => {
    const rows = returnsBlueprint.rows.filter(({ entity }) => entity !== 'orders')
    const { missing, blueprint } = await buildChanged({ rows })
    expect(entityOf(blueprint, 'orders').rows).toEqual([])
    expect(missing).toEqual(['system_of_record.entities.orders.rows', 'tasks'])
  })
})

describe('a part that does not fit', () => {
  const [task] = returnsBlueprint.tasks
  const withCall = (call: Written['tasks'][number]['expected_calls'][number]) => ({
    tasks: [{ ...task!, expected_calls: [call] }, ...returnsBlueprint.tasks.slice(1)],
  })
  const order = (value: string | number) => ({ name: 'order_id', value })

  test.each([
    ['a call of no tool', withCall({ tool: 'approve', arguments: [] }), 'no tool'],
    [
      'a call without a parameter',
      withCall({ tool: 'find_order', arguments: [] }),
      'without order_id',
    ],
    [
      'a call with another parameter',
      withCall({ tool: 'find_order', arguments: [order('O-1001'), { name: 'x', value: 1 }] }),
      'no parameter x',
    ],
    [
      'a row that is not there',
      withCall({ tool: 'find_order', arguments: [order('O-7')] }),
      'find_order finds no row with order_id O-7',
    ],
    [
      'another value of an enum',
      withCall({
        tool: 'create_return',
        arguments: [order('O-1001'), { name: 'outcome', value: 'voucher' }],
      }),
      'outcome of create_return',
    ],
  ])('is left out of the tasks: %s', async (_what, changes, problem) => {
    const { missing, checks, blueprint } = await buildChanged(changes)
    expect(missing).toEqual(['tasks'])
    expect(blueprint.tasks.map(({ id }) => id)).toEqual(['T2', 'T3', 'T4'])
    const check = checks.find(({ name }) => name === 'tasks')
    expect([check?.passed, check?.detail]).toEqual([false, expect.stringContaining(problem)])
  })

  test.each([
    [
      'a relation to no field',
      { relations: [{ ...returnsBlueprint.relations[0]!, to_field: 'x' }] },
    ],
    [
      'a relation between types',
      { relations: [{ ...returnsBlueprint.relations[0]!, from_field: 'items' }] },
    ],
  ])('is left out of the record: %s', async (_what, changes) => {
    const { missing, blueprint } = await buildChanged(changes)
    expect([missing, blueprint.system_of_record.relations]).toEqual([
      ['system_of_record.relations'],
      [],
    ])
  })

  test('is missing when there are fewer items than the manifest has', async () => {
    const manifest = { ...returnsBlueprint.manifest, policies: 4 }
    expect((await buildChanged({ manifest })).missing).toEqual(['agent.policies'])
  })

  test('is no reason to change the mode of a tool', async () => {
    const tools = returnsBlueprint.tools.map((tool) => ({ ...tool, mode: 'real' }))
    const { agent } = (await buildChanged({ tools })).blueprint
    expect(agent.tools.map(({ mode }) => mode)).toEqual(['simulated', 'simulated', 'simulated'])
  })

  test.each([
    ['nothing', ''],
    ['prose', 'Here is the blueprint you asked for.'],
    ['prose before the object', `Sure! ${whole}`],
    ['an object without an agent', '{"manifest":{},"end":"end"}'],
    ['an empty system prompt', whole.replace(/"system_prompt":"[^"]*"/, '"system_prompt":" "')],
    ['a list', `[${whole}]`],
  ])('is no blueprint: %s', async (_what, text) => {
    expect(await build(text)).toBeUndefined()
  })
})

describe('T23: an answer that was cut off', () => {
  /** Every place of the text, 2,000 at most. */
  const places = (length: number) =>
    Array.from({ length: 2000 }, (_, n) => Math.floor((n * length) / 2000))

  /** Whether everything in `part` is in `all` at the same place. */
  function isWithin(part: unknown, all: unknown): boolean {
    if (!Array.isArray(part)) return JSON.stringify(part) === JSON.stringify(all)
    return Array.isArray(all) && part.every((one, at) => isWithin(one, all[at]))
  }

  test.each([
    ['object', whole],
    ['indented object', JSON.stringify(returnsBlueprint, null, 1)],
    ['lines', asLines(returnsBlueprint)],
  ])('at 2,000 places of the %s has no changed value, and never its end', (_form, text) => {
    for (const place of places(text.length)) {
      const { parts, isEnded } = readParts(text.slice(0, place), false)
      expect([place, isEnded]).toEqual([place, false])
      for (const [name, { value }] of parts) {
        const isSame = isWithin(value, returnsBlueprint[name as keyof Written])
        expect([place, name, isSame]).toEqual([place, name, true])
      }
    }
  })

  test.each([
    ['object', whole],
    ['lines', asLines(returnsBlueprint)],
  ])('is never accepted as complete: %s', async (_form, text) => {
    let usable = 0
    for (const place of places(text.length).filter((_, n) => n % 10 === 0)) {
      const built = await build(text.slice(0, place))
      if (built === undefined) continue
      usable += 1
      expect([place, built.missing]).toEqual([place, expect.arrayContaining(['tasks'])])
      expect(blueprintShape.safeParse(built.blueprint).success).toBe(true)
    }
    expect(usable).toBeGreaterThan(100)
  })

  test('but looks whole loses the part that the cut was in', async () => {
    const { end: _, tasks, ...before } = returnsBlueprint
    const closed = JSON.stringify({ ...before, tasks: tasks.slice(0, 2) })
    expect((await build(closed, true))?.missing).toEqual(['tasks'])
    expect((await build(closed, true))?.blueprint.tasks).toEqual([])
    const { rows: __, ...beforeRows } = before
    expect((await build(JSON.stringify({ ...beforeRows, rows: [] }), true))?.missing).toEqual([
      ...['customers', 'products', 'orders'].map(
        (name) => `system_of_record.entities.${name}.rows`,
      ),
      'tasks',
    ])
  })

  test('is not ended by its end marker if the provider reports the cut', async () => {
    expect((await build(asLines(returnsBlueprint), true))?.missing).toEqual(['tasks'])
  })
})

test('of items with the same id, the first stays in its place', async () => {
  const [first, second] = returnsBlueprint.policies
  const policies = [first!, second!, { ...first!, text: 'Something else.' }]
  const { blueprint } = await buildChanged({ policies })
  expect(blueprint.agent.policies.map(({ id, text }) => [id, text])).toEqual(
    [first!, second!].map(({ id, text }) => [id, text]),
  )
})

describe('an answer that is made to be slow', () => {
  test('is read in linear time: a hundred thousand lines', () => {
    const line = '{"part":"rows","value":{"entity":"customers","cells":[]}}'
    const { parts } = readParts(Array.from({ length: 100_000 }, () => line).join('\n'), false)
    expect(parts.get('rows')?.value).toHaveLength(100_000)
  })

  test('is built in linear time: long quotes that nearly match', async () => {
    const half = 'a'.repeat(8000)
    const policies = Array.from({ length: 60 }, (_, n) => ({
      ...{ id: `P${n}`, text: 'A rule.', quote: `${half}b${half}`, tools: [] },
    }))
    const text = JSON.stringify({ ...returnsBlueprint, policies })
    const sourceText = 'a'.repeat(200_000)
    const built = await buildBlueprint({ text, wasCut: false, sourceText, domain: 'x', seed: 1 })
    expect(built?.blueprint.agent.policies).toHaveLength(60)
  })

  test('has its quotes where a plain search finds them', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(anyText, anyText, (text, sought) => {
        expect(findText(text, sought)).toBe(text.indexOf(sought))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the Markdown', () => {
  test('has every part, with the texts of the model as text only', async () => {
    const policies = [
      { ...returnsBlueprint.policies[0]!, text: 'See <img src=x> [here](http://x) | `a`' },
    ]
    const { blueprint } = await buildChanged({ policies })
    const markdown = renderBlueprint(blueprint)
    for (const title of [
      'System prompt',
      'Goals',
      'Tools',
      'Policies',
      'Records',
      'Relations',
      'Tasks',
    ]) {
      expect(markdown).toContain(`\n## ${title}\n`)
    }
    expect(markdown).toContain(String.raw`See \<img src=x\> \[here\](http://x) \| \`a\``)
    expect(markdown).toContain('| O-1001 | C-001 | TENT-1 | delivered | 2026-10-12 | 1 |')
    expect(markdown).not.toMatch(/(?<!\\)<img|undefined|null/)
  })
})
