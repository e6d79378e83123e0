import { expect, test } from 'vitest'
import { deferTexts } from './deferred-texts.ts'

const longText = `${'word "quoted" \u0001\n'.repeat(20_000)}😀`.repeat(2)

test.each<readonly [what: string, text: string]>([
  ['nothing', ''],
  ['what JSON escapes', 'a "b" \\ \n \u0001 \u2028 \ud800'],
  ['what replacements interpret', '$& $1 $$'],
  ['pairs of surrogates wherever it is cut', 'x😀'.repeat(100_000)],
  ['a megabyte', longText],
])('a request has the texts that the client did not get: %s', async (_what, text) => {
  const prompt = {
    system: text,
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: 'Yes.' },
    ] as const,
  }
  const { fill, ...marked } = deferTexts(prompt)
  const sent = JSON.stringify({ model: 'a', ...marked, joined: `${marked.system}\n\nend` })
  expect(sent.length).toBeLessThan(500)
  const filled = Buffer.concat(await fill(sent)).toString()
  expect(JSON.parse(filled)).toEqual({ model: 'a', ...prompt, joined: `${text}\n\nend` })
})

test('a text cannot have the mark of another', async () => {
  const { system: mark } = deferTexts({ system: 'a', messages: [] })
  const other = deferTexts({ system: mark, messages: [] })
  const filled = Buffer.concat(await other.fill(JSON.stringify(other.system))).toString()
  expect(JSON.parse(filled)).toBe(mark)
})

test('other work has its turn while a long text is serialized, in pieces of limited size', async () => {
  const { fill, system } = deferTexts({ system: longText, messages: [] })
  let turns = 0
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const pieces = await fill(JSON.stringify(system))
  clearImmediate(counting)
  expect(turns).toBeGreaterThan(5)
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(1024 * 1024)
})
