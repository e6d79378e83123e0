import type { WellKnownKind } from '../domain/kinds.ts'
import { firstJson, jsonOrText } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes } from './decoded-span.ts'

/*
 * CrewAI under OpenLLMetry. Crew, task and agent all report `invoke_agent`; their keys distinguish them. The
 * total usage of a crew is in Python notation and repeats its calls, so it is not read.
 */

const keys = {
  kind: ['crewai.agent.id', 'crewai.task.id', 'crewai.crew.id'],
  valueIn: ['crewai.task.description', 'crewai.crew.inputs', 'crewai.crew.tasks'],
  valueOut: ['crewai.crew.result'],
} as const satisfies KeyTable

const kindsById: readonly (readonly [string, WellKnownKind])[] = [
  [keys.kind[0], 'agent'],
  [keys.kind[1], 'chain'],
  [keys.kind[2], 'chain'],
]

export const crewAi: Convention = {
  title: 'CrewAI',
  about:
    'OpenLLMetry’s instrumentation of CrewAI. The id that is present shows whether a span is an agent, a task or a crew; the last two are chains.',
  prefixes: ['crewai.'],
  keys,
  kind: ({ attributes }) => kindsById.find(([key]) => attributes.has(key))?.[1],
  valueIn: ({ attributes }) =>
    readText(attributes, keys.valueIn[0]) ?? firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => readText(attributes, keys.valueOut[0]),
}

/** Text of users and agents: JSON only where it looks like JSON. */
function readText(attributes: Attributes, key: string) {
  const value = attributes.get(key)
  return value === undefined || value === null || value === '' ? undefined : jsonOrText(value)
}
