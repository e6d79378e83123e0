import { limits } from '@assay/contract/limits.ts'
import type { Cell } from './coverage.ts'
import type { Parameter } from './intents.ts'
import { inventValue, type ValueKind } from './parameter-values.ts'
import { openRandom, type Random } from './random.ts'
import type { ScenarioText } from './scenario-text.ts'

/*
 * Writes a scenario without a model: sentences of the persona, the intent and the complication, with invented values for
 * the parameters of the tool.
 */

/** The same for the same cell and seed. */
export function writeFromTemplate(cell: Cell, seed: string): ScenarioText {
  const random = openRandom(`${seed} ${cell.position} ${cell.category}`)
  const facts = inventFacts(cell, random)
  return {
    name: nameOf(cell),
    conversation_plan: {
      goal: cut(`${capitalize(cell.intent.action)}${atCost(cell)}.`, limits.scenarioGoalLength),
      known: facts.known,
      unknown: facts.unknown,
      satisfied_when: cell.complication?.satisfiedWhen ?? usualEnd(cell),
    },
    turns: writeTurns(cell, facts, random).map((content) => ({
      ...{ role: 'user', content: cut(content, limits.scenarioTurnLength) },
    })),
  }
}

function nameOf({ intent, persona, complication }: Cell): string {
  const about = [persona.short, ...(complication === null ? [] : [complication.label])].join(', ')
  const room = limits.scenarioNameLength.value - about.length - 3
  return `${capitalize(intent.action.slice(0, room))} (${about})`
}

function atCost({ complication }: Cell): string {
  return complication === null ? '' : `; the user ${complication.label}`
}

function usualEnd({ category }: Cell): string {
  return category === 'refusal' ? 'the agent has refused' : 'the agent has done what was asked for'
}

interface Facts {
  readonly known: string[]
  readonly unknown: string[]
  /** Of the first parameter, as the user corrects or adds it. */
  readonly value: string
}

/** Optional parameters are given half of the time. */
function inventFacts({ intent: { parameters }, complication }: Cell, random: Random): Facts {
  const kind = complication?.values ?? 'usual'
  const given = parameters.filter(({ isRequired }) => isRequired || random.below(2) === 0)
  const [first = anything, ...others] = given
  const usual = (parameter: Parameter) => factOf(parameter, 'usual', random)
  const value = usual(first)
  const known = others.map(usual)
  if (kind === 'missing') return { known, unknown: [`the ${first.name}`], value }
  const isNeeded = given.length > 0 || kind !== 'usual'
  return {
    known: [...(isNeeded ? [factOf(first, kind, random)] : []), ...known],
    unknown: [],
    value,
  }
}

const anything: Parameter = { name: 'reference number', schema: {}, isRequired: false }

function factOf(parameter: Parameter, kind: ValueKind, random: Random): string {
  const text = `${parameter.name}: ${inventValue(parameter, kind, random)}`
  return cut(text, limits.scenarioFactLength)
}

function writeTurns(cell: Cell, { known, value }: Facts, random: Random): string[] {
  const { complication, persona, intent, turns } = cell
  // Functions, because a value can have `$&`, which a replacement would expand.
  const fill = (text: string) =>
    text.replaceAll('{other}', () => cell.otherIntent.action).replaceAll('{value}', () => value)
  const first = [
    random.pick(persona.openers),
    random.pick(requests).replace('{action}', intent.action),
    ...known.map((fact) => `${capitalize(fact)}.`),
    random.pick(reasons),
    ...(complication === null ? [] : [fill(random.pick(complication.first))]),
    random.pick(persona.closers),
  ].join(' ')
  const later = (complication?.later ?? []).map((ones) => fill(random.pick(ones)))
  return [first, ...betweenTurns(turns - 1 - later.length, random), ...later]
}

/** The conversation until the complication. */
function betweenTurns(count: number, random: Random): string[] {
  const start = random.below(fillers.length)
  return Array.from({ length: count }, (_, at) => fillers[(start + at * 5) % fillers.length] ?? '')
}

const requests = [
  ...([
    'I would like to {action}.',
    'Can you help me to {action}?',
    'Please let me {action}.',
  ] as const),
  ...(['My request: {action}.', 'Could I {action} today?', 'Is it possible to {action}?'] as const),
  ...(['What I need is to {action}.', 'I was told that here I can {action}.'] as const),
  ...(['I am writing because I want to {action}.', 'How can I {action}?'] as const),
  ...(['We need to {action}.', 'Somebody has to {action}, and that is me.'] as const),
] as const

const reasons = [
  'It is for the birthday of a friend.',
  'My manager asked for it this morning.',
  'We are moving to another city next month.',
  'I am preparing a report for Monday.',
  'The old one broke on the weekend.',
  'Our club meets on Thursday and needs to know.',
  'I promised it to my children.',
  'The bank wants to see it.',
  'I am comparing several providers at the moment.',
  'There was a mix-up in the shop.',
  'My plans changed because of the weather.',
  'The accountant has a question about it.',
  'I only noticed it when I tidied up my mailbox.',
  'A guest arrives tomorrow evening.',
  'It did not work on my phone.',
  'I missed the reminder last week.',
  'We split the costs between four people.',
  'The doctor recommended it.',
  'I am between two appointments.',
  'The landlord is waiting for it.',
  'Our school project depends on it.',
  'I read about it in your newsletter.',
  'The courier rang while I was out.',
  'My subscription is about to end.',
] as const

const fillers = [
  'Okay, what do you need from me?',
  'Can you check that again, please?',
  'What is the status now?',
  'Did you save that?',
  'How long will it take?',
  'Is there anything that I should know before?',
  'I see. Please go on.',
  'Does that also work on the weekend?',
  'Who else can see this?',
  'Good. What comes next?',
  'Can I do that myself next time?',
] as const

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const cut = (text: string, limit: { readonly value: number }) => text.slice(0, limit.value)
