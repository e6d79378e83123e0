import { sampleView } from '../../server/src/domain/trace-view/trace-view.samples.ts'
import { pick, seededRandom } from '../../server/test/credential-samples.ts'
import type { LabeledCase } from './labeled-case.ts'

/*
 * Calls of defined tools, of tools with a slightly different name, and with a slightly different parameter.
 */

const tools = [
  ['find_order', ['order_id', 'customer']],
  ['get_weather', ['city', 'unit', 'date']],
  ['sendEmail', ['to', 'subject', 'body']],
  ['calendar.create_event', ['title', 'start', 'end']],
  ['search-docs', ['query', 'limit']],
] as const

const misspellings: readonly ((name: string) => string)[] = [
  (name) => `${name}s`,
  (name) => name.replace(/^[a-z]+/i, 'fetch'),
  (name) => `${name}_v2`,
  (name) => name.slice(0, -1),
  (name) =>
    name.includes('_') ? name.replaceAll('_', '') : `${name.slice(0, 3)}_${name.slice(3)}`,
]

const roundsPerKind = 40

export function toolCases(): LabeledCase[] {
  const random = seededRandom(2)
  const definitions = tools.map(([name, parameters], index) => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(parameters.map((one) => [one, { type: 'string' }])),
    }
    // In the forms of OpenAI and of Anthropic.
    return index % 2 === 0
      ? { type: 'function', function: { name, parameters: schema } }
      : { name, input_schema: schema }
  })
  return Array.from({ length: roundsPerKind }, () => {
    const [name, parameters] = pick(random, tools)
    const parameter = pick(random, parameters)
    const misspell = pick(random, misspellings)
    const names: readonly string[] = tools.map(([one]) => one)
    return [
      toCase(definitions, name, parameter, names, false),
      // As a client of MCP names a tool of a server.
      toCase(definitions, `mcp__shop__${name}`, parameter, names, false),
      toCase(definitions, misspell(name), parameter, names, true),
      toCase(definitions, name, misspell(parameter), names, true),
    ]
  }).flat()
}

function toCase(
  definitions: readonly unknown[],
  name: string,
  parameter: string,
  names: readonly string[],
  isFaulty: boolean,
): LabeledCase {
  const trace = sampleView([
    { kind: 'agent' },
    { kind: 'llm', input: { messages: [], tools: definitions } },
    { kind: 'tool', name, input: { [parameter]: 'x' } },
  ])
  return { text: `${name}(${parameter})`, trace, isFaulty, isFoundSimply: !names.includes(name) }
}
