import type { ToolCall, ToolDefinition } from '../domain/trace-view/trace-view.ts'

/*
 * Which tool calls change something outside of the trace, judged by MCP's hints, else by the name of the tool.
 */

/** Verbs of one kind of action, so that a request to "wire money" covers a call of `transfer_funds`. */
const families = {
  send: 'send email mail message reply forward share post publish tweet notify sms submit upload respond answer write text',
  pay: 'pay transfer wire purchase buy order checkout charge refund withdraw trade sell donate subscribe reimburse payment spend',
  delete:
    'delete remove erase purge destroy wipe cancel revoke drop terminate unsubscribe deactivate cleanup clean clear uninstall',
  grant: 'grant invite authorize unlock permit share promote add access',
  release:
    'deploy merge push overwrite execute run release install rollback restart shutdown ship launch',
  book: 'book reserve schedule',
} as const
type EffectFamily = keyof typeof families

/** In a name, these are nouns: `run_id`, `list_orders`, `add_numbers`. */
const nounsInNames = new Set(
  'message text order answer access add write payment respond clean clear ship run mail share trade release'.split(
    ' ',
  ),
)
const readingVerbs = new Set(
  'get list find search fetch read query check show lookup describe count calculate compute preview draft validate view load summarize estimate compare analyze track status is has can retrieve select'.split(
    ' ',
  ),
)

const familyOfVerb = new Map<string, EffectFamily>()
for (const [family, verbs] of Object.entries(families)) {
  for (const verb of verbs.split(' ')) {
    if (!nounsInNames.has(verb)) familyOfVerb.set(verb, family as EffectFamily)
  }
}

/** Undefined: the call changes nothing, as far as its hints and name show. */
export function effectOf(
  call: ToolCall,
  definitions: ReadonlyMap<string, ToolDefinition>,
): EffectFamily | 'destructive' | undefined {
  const { annotations = {} } = definitions.get(call.name) ?? {}
  const byName = effectOfName(call.name)
  if (annotations['readOnlyHint'] === true) return undefined
  if (annotations['destructiveHint'] === true) return byName ?? 'destructive'
  return annotations['destructiveHint'] === false ? undefined : byName
}

/** The first verb in the name decides: `get_order` reads, `cancel_order` does not. */
export function effectOfName(name: string): EffectFamily | undefined {
  for (const word of wordsOfName(name)) {
    if (readingVerbs.has(word)) return undefined
    const family = familyOfVerb.get(word)
    if (family !== undefined) return family
  }
  return undefined
}

function wordsOfName(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

/** Definitions by name; of several with one name, the last. */
export function definitionsByName(
  definitions: readonly ToolDefinition[],
): ReadonlyMap<string, ToolDefinition> {
  return new Map(definitions.map((one) => [one.name, one]))
}

const familyPatterns = new Map(
  Object.entries(families).map(([family, verbs]) => [
    family as EffectFamily,
    new RegExp(String.raw`\b(?:${verbs.split(' ').map(inflected).join('|')})\b`, 'i'),
  ]),
)

/** cancel, cancels, canceled, cancelled, canceling, cancelling; paid is not covered. */
function inflected(verb: string): string {
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb
  const last = stem.at(-1) ?? ''
  return `${stem}${last}?(?:e|s|es|ed|ing|al|ation|ment)?`
}

/** The kinds of actions that the texts name, in English. */
export function requestedEffects(texts: readonly string[]): ReadonlySet<EffectFamily> {
  const named = [...familyPatterns].filter(([, pattern]) =>
    texts.some((text) => pattern.test(text)),
  )
  return new Set(named.map(([family]) => family))
}
