import { isFields } from '@assay/contract/message-parts.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ToolDefinition } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { effectOfName } from '../side-effects.ts'
import { notApplicable, scored } from '../verdicts.ts'

const definitionsMax = 500
const schemaLengthMax = 100_000
const descriptionLengthMin = 20

export const toolDefinitions: DeterministicEvaluator = {
  key: 'mcp.tool-definitions',
  name: 'Tool definitions well formed',
  description:
    'How well the tools of a trace are defined, as the mean over the tools. Each is checked for a legal and unique name, a description of at least 20 characters that no other tool has, a valid JSON Schema whose parameters are all described and whose required ones exist, and, if it comes from an MCP server and its name is that of an action, for annotations. Schemas are checked if the trace records any. Checks the first 500 tools, and schemas up to 100 kB. Does not apply to a trace without tool definitions.',
  threshold: 0.7,
  use: 'warn',
  reads: ['tool definitions'],
  evaluate(trace) {
    const definitions = oneByName(trace.toolDefinitions).slice(0, definitionsMax)
    if (definitions.length === 0) return notApplicable('The trace has no tool definitions.')
    const isChecked = isCheckedFor(trace.toolDefinitions)
    const results = definitions.map((one) => {
      const checks = checksOf(one, isChecked)
      const failed = checks.flatMap((check) => (check.isGood ? [] : [check.issue]))
      return { one, failed, score: 1 - failed.length / checks.length }
    })
    const faulty = results.filter(({ failed }) => failed.length > 0)
    faulty.sort((a, b) => a.score - b.score)
    const issues = faulty.map(({ one, failed }) => `"${one.name}" ${failed.join(', and ')}.`)
    const mean = results.reduce((sum, { score }) => sum + score, 0) / results.length
    const reasoning =
      issues[0] === undefined
        ? `All ${results.length} tools are well defined.`
        : `${faulty.length} of ${results.length} tools have faults. ${issues[0]}`
    const spans = new Map(trace.spans.map((span) => [span.spanId, span]))
    const evidence = faulty.flatMap(({ one }) => {
      const span = spans.get(one.spanId)
      return span === undefined ? [] : [{ spanId: span.spanId, quote: span.name }]
    })
    return scored(mean, reasoning, { issues, evidence })
  },
}

/** A tool is listed by its MCP server and again for the model: then the former counts. */
function oneByName(definitions: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>()
  for (const one of definitions) {
    if (byName.get(one.name)?.isMcp !== true) byName.set(one.name, one)
  }
  return [...byName.values()]
}

interface Comparison {
  readonly hasSchemas: boolean
  /** Names that one list has twice. */
  readonly repeatedNames: ReadonlySet<string>
  /** Descriptions that several tools have. */
  readonly repeatedDescriptions: ReadonlySet<string>
}

function isCheckedFor(definitions: readonly ToolDefinition[]): Comparison {
  const listed = new Set<string>()
  const repeatedNames = new Set<string>()
  const nameOf = new Map<string, string>()
  const repeatedDescriptions = new Set<string>()
  for (const { spanId, name, description } of definitions) {
    const key = `${spanId} ${name}`
    if (listed.has(key)) repeatedNames.add(name)
    listed.add(key)
    if ((nameOf.get(description) ?? name) !== name) repeatedDescriptions.add(description)
    nameOf.set(description, name)
  }
  const hasSchemas = definitions.some(({ parameters }) => parameters !== undefined)
  return { hasSchemas, repeatedNames, repeatedDescriptions }
}

interface Check {
  readonly isGood: boolean
  /** Completes the name of the tool. */
  readonly issue: string
}

function checksOf(definition: ToolDefinition, compared: Comparison): readonly Check[] {
  const { name, description, isMcp, annotations } = definition
  const checks: Check[] = [
    { isGood: /^[\w.-]{1,128}$/.test(name), issue: 'has an illegal name' },
    { isGood: !compared.repeatedNames.has(name), issue: 'is defined twice in one list' },
    {
      isGood: description.trim().length >= descriptionLengthMin,
      issue: `has a description of fewer than ${descriptionLengthMin} characters`,
    },
    {
      isGood: description === '' || !compared.repeatedDescriptions.has(description),
      issue: 'has the description of another tool',
    },
  ]
  if (compared.hasSchemas) checks.push(...schemaChecks(definition))
  if (isMcp && effectOfName(name) !== undefined) {
    const isGood = Object.keys(annotations).some((key) => key.endsWith('Hint'))
    checks.push({ isGood, issue: 'is an action without annotations' })
  }
  return checks
}

function schemaChecks({ parameters }: ToolDefinition): readonly Check[] {
  if (parameters === undefined) return [{ isGood: false, issue: 'has no schema' }]
  const properties = isFields(parameters['properties']) ? parameters['properties'] : {}
  const names = Object.keys(properties)
  const undescribed = names.find((name) => !isDescribed(properties[name]))
  const required = Array.isArray(parameters['required']) ? parameters['required'] : []
  const missing: unknown = required.find((name) => !Object.hasOwn(properties, String(name)))
  return [
    { isGood: isValidSchema(parameters), issue: 'has no valid JSON Schema' },
    { isGood: undescribed === undefined, issue: `does not describe "${undescribed}"` },
    {
      isGood: missing === undefined,
      issue: `requires "${String(missing)}", which it does not define`,
    },
  ]
}

function isDescribed(property: unknown): boolean {
  if (!isFields(property)) return false
  const { description, title } = property
  return [description, title, property['$ref']].some((one) => typeof one === 'string' && one !== '')
}

let ajv: Ajv2020 | undefined

/** By the meta-schema, without compiling it. */
function isValidSchema(schema: object): boolean {
  ajv ??= new Ajv2020({ strict: false, logger: false, validateFormats: false })
  const { $schema: _dialect, ...own } = schema as Record<string, unknown>
  try {
    if (JSON.stringify(own).length > schemaLengthMax) return true
    return ajv.validateSchema(own) === true
  } catch (error) {
    // Nested so deep that the stack is exhausted.
    if (error instanceof RangeError) return false
    throw error
  }
}
