import type {
  Blueprint,
  BlueprintCheck,
  BlueprintPolicy,
  BlueprintTool,
} from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { z } from 'zod'
import { checkTask } from './check-tasks.ts'
import { expandRows } from './expand-rows.ts'
import { fictitious } from './fictitious.ts'
import { openQuotes } from './find-quote.ts'
import { type ReadParts, readParts } from './read-parts.ts'
import { type CheckedRecord, checkRecord, type RecordEntity } from './record.ts'
import {
  type ListPart,
  listParts,
  manifest,
  type WrittenPolicy,
  type WrittenTool,
  writtenAgent,
} from './written-blueprint.ts'

/*
 * A checked blueprint from the answer of a model. What was cut off or does not fit is left out and listed as missing.
 */

export interface BuildInput {
  readonly text: string
  /** Whether the provider reports that the answer reached its maximum length. */
  readonly wasCut: boolean
  readonly sourceText: string
  readonly domain: string
  readonly seed: number
}

export interface BuiltBlueprint {
  readonly blueprint: Blueprint
  /** Paths into the blueprint, in the order of its parts. */
  readonly missing: readonly string[]
  readonly checks: readonly BlueprintCheck[]
  readonly notes: readonly string[]
}

/** Undefined if the answer has no system prompt. */
export async function buildBlueprint(input: BuildInput): Promise<BuiltBlueprint | undefined> {
  const read = readParts(input.text, input.wasCut)
  const agent = readAgent(read)
  if (agent === undefined) return undefined
  const lists = readLists(read)
  const missing = new Set<string>()
  const miss = (isMissing: boolean, name: string) => {
    if (isMissing) missing.add(name)
  }
  const record = checkRecord(
    distinct(lists.entities.items, ({ name }) => name).map(withDistinctFields),
    lists.relations.items,
    fictitious(lists.rows.items),
  )
  const entities = await expandRows(record.entities, record.relations, input.seed)
  const tools = readTools(lists.tools.items, entities)
  const policies = readPolicies(lists.policies.items, tools, input.sourceText)
  const tasks = distinct(fictitious(lists.tasks.items), ({ id }) => id).map((task) =>
    checkTask(task, tools, entities),
  )
  const solvable = tasks.flatMap((task) => ('problem' in task ? [] : [task]))
  miss(agent.goals.length === 0, 'agent.goals')
  miss(!lists.tools.isWhole || tools.length < lists.tools.items.length, 'agent.tools')
  miss(!lists.policies.isWhole || policies.length < lists.policies.items.length, 'agent.policies')
  const lostEntities = record.entities.length < lists.entities.items.length
  miss(!lists.entities.isWhole || lostEntities, 'system_of_record.entities')
  for (const { name, rows } of entities) {
    miss(rows.length === 0, `system_of_record.entities.${name}.rows`)
  }
  miss(!lists.relations.isWhole || record.droppedRelations > 0, 'system_of_record.relations')
  miss(!lists.tasks.isWhole || solvable.length < lists.tasks.items.length, 'tasks')
  return {
    blueprint: {
      domain: (input.domain === 'auto' ? agent.domain : input.domain)
        .slice(0, limits.blueprintDomainLength.value)
        .toWellFormed(),
      agent: { ...agent.config, goals: agent.goals, tools, policies },
      system_of_record: {
        entities: entities.map(({ fields, ...entity }) => ({
          ...entity,
          fields: fields.map(({ name, type, unique }) =>
            unique ? { name, type, unique } : { name, type },
          ),
          rows: [...entity.rows],
        })),
        relations: [...record.relations],
      },
      tasks: solvable,
    },
    missing: [...missing].slice(0, limits.blueprintMissing.value),
    checks: listChecks(record, tools, policies, tasks),
    notes: listNotes(record, entities, lists.rows.isWhole),
  }
}

function readAgent({ parts }: ReadParts) {
  const part = parts.get('agent')
  const read = writtenAgent.safeParse(part?.value)
  if (part?.isWhole !== true || !read.success) return undefined
  const { domain, goals, system_prompt, tone, memory } = read.data
  if (system_prompt.trim() === '') return undefined
  // Of a longer prompt, the end may be what limits the agent.
  if (system_prompt.length > limits.systemPromptLength.value) return undefined
  const texts = goals.filter(
    (goal) => goal.trim() !== '' && goal.length <= limits.blueprintTextLength.value,
  )
  return {
    domain: domain.trim() === '' ? 'general' : domain.trim(),
    goals: texts.slice(0, limits.blueprintGoals.value),
    config: {
      system_prompt,
      tone: tone.slice(0, limits.agentToneLength.value).toWellFormed(),
      memory: memory.slice(0, limits.agentMemoryLength.value).toWellFormed(),
    },
  }
}

interface ReadList<Part extends ListPart> {
  readonly items: readonly z.output<(typeof listParts)[Part]>[]
  /** Every item that the manifest has is there and valid. */
  readonly isWhole: boolean
}

const itemsMax: Readonly<Record<ListPart, number>> = {
  tools: limits.agentTools.value,
  policies: limits.blueprintPolicies.value,
  entities: limits.blueprintEntities.value,
  relations: limits.blueprintRelations.value,
  rows: limits.blueprintEntities.value * limits.blueprintRows.value,
  tasks: limits.blueprintTasks.value,
}

function readLists(read: ReadParts): { readonly [Part in ListPart]: ReadList<Part> } {
  const counts = manifest.safeParse(read.parts.get('manifest')?.value)
  const list = <Part extends ListPart>(part: Part): ReadList<Part> => {
    const { value, isWhole } = read.parts.get(part) ?? { value: undefined, isWhole: false }
    const given = Array.isArray(value) ? value.slice(0, itemsMax[part]) : []
    const items = given.flatMap((one) => {
      const item = listParts[part].safeParse(one)
      return item.success ? [item.data as ReadList<Part>['items'][number]] : []
    })
    const announced = counts.success ? counts.data[part] : Number.POSITIVE_INFINITY
    // Without the end marker, the last part may lack items, whatever the manifest has.
    const isClosed = read.isEnded || (isWhole && part !== 'tasks')
    return {
      items,
      isWhole: isClosed && items.length === given.length && items.length >= announced,
    }
  }
  return {
    ...{ tools: list('tools'), policies: list('policies'), entities: list('entities') },
    ...{ relations: list('relations'), rows: list('rows'), tasks: list('tasks') },
  }
}

/** The first of those with the same key. */
function distinct<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...Map.groupBy(items, key).values()].map(([first]) => first!)
}

function withDistinctFields<E extends { readonly fields: readonly { readonly name: string }[] }>(
  entity: E,
): E {
  const fields = distinct(entity.fields, ({ name }) => name)
  return { ...entity, fields: fields.slice(0, limits.blueprintFields.value) }
}

/** Simulated, whatever the source or the model says. */
function readTools(
  written: readonly WrittenTool[],
  entities: readonly RecordEntity[],
): BlueprintTool[] {
  const names = new Set(entities.map(({ name }) => name))
  return distinct(written, ({ name }) => name).flatMap((tool): BlueprintTool[] => {
    const parameters = toSchema(tool)
    const content = JSON.stringify(parameters)
    if (content.length > limits.agentToolContentLength.value) return []
    return [
      {
        ...{ kind: 'tool', mode: 'simulated', name: tool.name, content, parameters },
        description: tool.description
          .slice(0, limits.agentToolDescriptionLength.value)
          .toWellFormed(),
        entity: tool.entity !== null && names.has(tool.entity) ? tool.entity : null,
        effect: tool.effect,
      },
    ]
  })
}

function toSchema({ parameters }: WrittenTool): Record<string, unknown> {
  const properties = parameters.map(({ name, type, description, values }) => [
    name,
    { type, description, ...(type === 'string' && values?.length ? { enum: values } : {}) },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as unknown,
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

function readPolicies(
  written: readonly WrittenPolicy[],
  tools: readonly BlueprintTool[],
  sourceText: string,
): BlueprintPolicy[] {
  const find = openQuotes(sourceText)
  const names = new Set(tools.map(({ name }) => name))
  return distinct(written, ({ id }) => id).map(({ id, text, quote, tools: used }) => {
    const place = quote === null ? undefined : find(quote)
    const found = place && sourceText.slice(place.start, place.end)
    const isShort = found !== undefined && found.length <= limits.blueprintTextLength.value
    return {
      ...{ id, text, tools: [...new Set(used)].filter((name) => names.has(name)) },
      source_quote: isShort ? found : null,
      source_start: isShort ? (place?.start ?? null) : null,
      source_end: isShort ? (place?.end ?? null) : null,
    }
  })
}

function listChecks(
  record: CheckedRecord,
  tools: readonly BlueprintTool[],
  policies: readonly BlueprintPolicy[],
  tasks: readonly ReturnType<typeof checkTask>[],
): BlueprintCheck[] {
  const check = (name: string, problems: readonly string[]): BlueprintCheck => ({
    ...{ name, passed: problems.length === 0 },
    detail: problems.join('; ').slice(0, limits.blueprintTextLength.value).toWellFormed(),
  })
  const unused = record.entities.filter(({ name }) => tools.every(({ entity }) => entity !== name))
  const unsupported = policies.filter(({ source_quote: quote }) => quote === null)
  const problems = tasks.flatMap((task) => ('problem' in task ? [task.problem] : []))
  return [
    check(
      'records',
      countOf(
        record.droppedRows,
        'row',
        'left out: its type, key or reference does not fit, or the entity has too many',
      ),
    ),
    check('relations', countOf(record.droppedRelations, 'relation', 'left out: no such field')),
    check(
      'quotes',
      unsupported.map(({ id }) => `${id} has no sentence in the source`),
    ),
    check(
      'tools',
      unused.map(({ name }) => `no tool reads or changes ${name}`),
    ),
    check('tasks', problems),
  ]
}

function countOf(count: number, noun: string, what: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'} ${what}`]
}

function listNotes(
  record: CheckedRecord,
  entities: readonly RecordEntity[],
  areRowsWhole: boolean,
): readonly string[] {
  const added = entities.reduce(
    (sum, { rows }, at) => sum + rows.length - (record.entities[at]?.rows.length ?? 0),
    0,
  )
  return [
    ...(areRowsWhole ? [] : ['Rows of the model are incomplete.']),
    ...(added === 0
      ? []
      : [
          `${added} ${added === 1 ? 'row was' : 'rows were'} added, in the form of the rows that the model wrote.`,
        ]),
  ]
}
