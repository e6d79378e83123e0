import { cacheSenders } from '../server/src/conventions/cache-senders.ts'
import type { Convention, KeyField } from '../server/src/conventions/convention.ts'
import { identityKeys } from '../server/src/conventions/identity.ts'
import { precedence } from '../server/src/conventions/precedence.ts'
import { table } from './markdown-table.ts'

/*
 * The page of supported conventions, printed from the tables that map spans.
 */

const fields: Readonly<Record<KeyField, string>> = {
  name: '`name`',
  kind: '`kind`',
  model: '`model`',
  tokensIn: '`tokens_in`',
  tokensOut: '`tokens_out`',
  tokensTotal: 'their total, as proof of what they include',
  tokensCacheRead: '`tokens_cache_read`',
  tokensCacheWrite: '`tokens_cache_write`',
  tokensReasoning: '`tokens_reasoning`',
  costUsd: '`cost_usd`',
  costParts: '`cost_usd`, else the sum of',
  instructions: '`input`, system instructions',
  messagesIn: '`input`, as messages',
  messagesOut: '`output`, as messages',
  valueIn: '`input`, as a value',
  valueOut: '`output`, as a value',
  sessionId: '`session_id`',
  failure: '`status`, `status_message`',
}

const identities = {
  sessionId: '`session_id`',
  userId: '`user_id`',
  responseId: '`response_id` (span only)',
  environment: '`environment`',
  tags: '`tags` of the trace (span only)',
  traceName: 'name of the trace (span only), otherwise the name of its root span',
  service: '`service` (resource only)',
  sdk: '`sdk`, where the scope has no name (resource only)',
} as const

export function conventionsPage(): string {
  return [
    'Instrumentations describe a span with attributes of many conventions, and one span may use several. Each field is read from the first convention on this page that has it, and there from the first attribute with a value: empty strings, empty lists and objects, and invalid numbers count as missing.',
    rules(),
    '## Session, user and source',
    'Read from the span, otherwise from its resource. The tags of all attributes are joined.',
    table(
      ['Field', 'Attributes, first with a value'],
      Object.entries(identities).map(([field, label]) => [
        label,
        listed(identityKeys[field as keyof typeof identities]),
      ]),
    ),
    '## Cache counts',
    'Whether the input of these instrumentations includes cache reads and writes is known from recordings, so that no reported total decides it.',
    table(
      ['Instrumentation scope', 'Spans', 'Cache reads and writes'],
      cacheSenders.map(({ scope, spanNames, isCacheApart }) => [
        `\`${scope}\``,
        spanNames === undefined ? 'all' : `names that match \`${spanNames.source}\``,
        isCacheApart ? 'beside the input' : 'included in the input',
      ]),
    ),
    ...precedence.map(conventionText),
  ].join('\n\n')
}

function rules(): string {
  return [
    '- For a model call, messages take precedence over plain values, because they keep the roles; for other spans their arguments and results take precedence.',
    '- `tokens_in` includes cache reads and writes, and `tokens_out` includes reasoning, however the sender counts. A reported total shows what a count includes; without one, the convention of the sender decides. A part larger than the whole is never included in it.',
    '- Alternative names of one count are never added, nor are the counts of two conventions. Each count comes from the first convention that has it, and a part (cache, reasoning) from the convention of its whole where that has it.',
    '- Trace totals count the innermost spans with tokens or cost; agents and chains that repeat the sums of their children are not counted. A model call around others counts too if the same instrumentation reports them with other response ids, and it is not their sum.',
    '- A span without a known convention has the kind `span`. All attributes, events, links, resource and scope are stored as sent.',
    '- `<i>` is an index up to 9999, `a › b` a member of the JSON in `a`, `*` any text.',
  ].join('\n')
}

function conventionText({ title, about, prefixes, spanNames, keys, kinds }: Convention): string {
  const rows = Object.entries(keys).map(([field, attributes]) => [
    fields[field as KeyField],
    listed(attributes),
  ])
  const conditions = [
    ...(prefixes.length === 0 ? [] : [`with attributes that start with ${listed(prefixes, 'or')}`]),
    ...(spanNames === undefined
      ? []
      : [
          `named ${listed(
            spanNames.map((name) => `${name}…`),
            'or',
          )}`,
        ]),
  ].join(', or ')
  return [
    `## ${title}`,
    about,
    `Applies to spans ${conditions}.`,
    ...(rows.length === 0 ? [] : [table(['Field', 'Attributes, first with a value'], rows)]),
    ...(kinds === undefined ? [] : [kindsText(kinds)]),
  ].join('\n\n')
}

function kindsText(kinds: NonNullable<Convention['kinds']>): string {
  const byKind = Map.groupBy(kinds, ([, kind]) => kind)
  const rows = [...byKind].map(([kind, words]) => [
    `\`${kind}\``,
    listed(words.map(([word]) => word)),
  ])
  return table(['Kind', 'Values'], rows)
}

function listed(words: readonly string[], last?: 'or'): string {
  const quoted = words.map((word) => `\`${word}\``)
  if (last === undefined || quoted.length < 2) return quoted.join(', ')
  return `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}
