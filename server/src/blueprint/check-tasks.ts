import type { BlueprintRow, BlueprintTask, BlueprintTool } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import { toCell } from './cells.ts'
import type { RecordEntity } from './record.ts'
import type { parameterTypes, WrittenTask } from './written-blueprint.ts'

/*
 * Runs the expected calls of tasks against the record without executing anything: the tools exist, their arguments have
 * the declared types, and what they read or change is there.
 */

/** The task, or why it cannot be done. */
export function checkTask(
  { expected_calls: calls, known, unknown, ...task }: WrittenTask,
  tools: readonly BlueprintTool[],
  entities: readonly RecordEntity[],
): BlueprintTask | { readonly problem: string } {
  const checked: { tool: string; arguments: BlueprintRow }[] = []
  const created = new Set<string>()
  for (const call of calls.slice(0, limits.blueprintCalls.value)) {
    const tool = tools.find(({ name }) => name === call.tool)
    if (tool === undefined) return { problem: `it calls ${call.tool}, which is no tool` }
    const read = readArguments(call.arguments, tool)
    if ('problem' in read) return read
    // Another task may be about what does not exist.
    const mustExist = task.category === 'happy_path' || task.category === 'multi_turn'
    const isNew = tool.entity !== null && created.has(tool.entity)
    if (mustExist && !isNew) {
      const absent = findAbsent(read.values, tool, entities)
      if (absent !== undefined) return { problem: absent }
    }
    if (tool.effect === 'create' && tool.entity !== null) created.add(tool.entity)
    checked.push({ tool: tool.name, arguments: read.values })
  }
  const facts = limits.blueprintFacts.value
  return {
    ...task,
    ...{ known: known.slice(0, facts), unknown: unknown.slice(0, facts), expected_calls: checked },
  }
}

interface ObjectSchema {
  readonly properties: Readonly<
    Record<
      string,
      { readonly type: (typeof parameterTypes)[number]; readonly enum?: readonly string[] }
    >
  >
  readonly required: readonly string[]
}

function readArguments(
  given: WrittenTask['expected_calls'][number]['arguments'],
  { name: tool, parameters }: BlueprintTool,
): { readonly values: BlueprintRow } | { readonly problem: string } {
  const { properties, required } = parameters as unknown as ObjectSchema
  const values: [string, BlueprintRow[string]][] = []
  for (const { name, value } of given) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (declared === undefined) return { problem: `${tool} has no parameter ${name}` }
    const cell = toCell(value, declared.type)
    const isOther = declared.enum !== undefined && !declared.enum.includes(String(cell))
    if (cell === undefined || (isOther && cell !== null)) {
      return { problem: `${name} of ${tool} has a value of another type` }
    }
    values.push([name, cell])
  }
  const names = new Set(given.map(({ name }) => name))
  const missing = required.find((name) => !names.has(name))
  if (missing !== undefined) return { problem: `${tool} is called without ${missing}` }
  return { values: Object.fromEntries(values) }
}

/** An argument with the name of a unique field of the tool's entity selects a row. */
function findAbsent(
  values: BlueprintRow,
  { name: tool, entity: entityName, effect }: BlueprintTool,
  entities: readonly RecordEntity[],
): string | undefined {
  if (effect === 'create' || effect === 'none') return undefined
  const entity = entities.find(({ name }) => name === entityName)
  for (const { name } of entity?.fields.filter(({ unique }) => unique) ?? []) {
    const value = values[name]
    if (value === undefined || value === null) continue
    if (!entity?.rows.some((row) => String(row[name]) === String(value))) {
      return `${tool} finds no row with ${name} ${String(value)}`
    }
  }
  return undefined
}
