import type { Convention, KeyField } from '../server/src/conventions/convention.ts'
import { identityKeys } from '../server/src/conventions/identity.ts'
import { precedence } from '../server/src/conventions/precedence.ts'
import { table } from './markdown-table.ts'

/*
 * The page of what is understood of spans, printed from the tables by which they are understood.
 */

const fields: Readonly<Record<KeyField, string>> = {
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
  failure: '`status`, `status_message`',
}

const identities = {
  sessionId: '`session_id`',
  userId: '`user_id`',
  environment: '`environment`',
  tags: '`tags` of the trace (span only)',
  service: '`service` (resource only)',
  sdk: '`sdk`, where the scope has no name (resource only)',
} as const

export function conventionsPage(): string {
  return [
    'Instrumentations tell what a span means in attributes of many vocabularies, and a span may speak several at once. Every field is taken from the first vocabulary in the order of this page that knows it, and within it from the first attribute that says something: empty text, empty lists and objects, and numbers that are none say nothing.',
    rules(),
    '## Whose a span is',
    'Read from the span, else from its resource.',
    table(
      ['Field', 'Attributes, the first that says something'],
      Object.entries(identities).map(([field, label]) => [
        label,
        listed(identityKeys[field as keyof typeof identities]),
      ]),
    ),
    ...precedence.map(conventionText),
  ].join('\n\n')
}

function rules(): string {
  return [
    '- Of a model call, messages come before values, because they keep the roles; of every other span its own arguments and results come first.',
    '- `tokens_in` includes what was read from and written to the cache, and `tokens_out` includes reasoning, however the sender counts. A total proves what it counts; otherwise its habit decides, and a part larger than the whole is never within it.',
    '- The names of one count are never added up, nor are the counts of two vocabularies.',
    '- A trace counts the innermost spans that carry tokens or dollars; agents and chains that repeat what is below them are not counted.',
    '- A span that no vocabulary recognizes has the kind `span`. All attributes, events, links, resource and scope are kept as they were sent.',
    '- `<i>` stands for an index up to 9999, `a › b` for a member of the JSON under `a`, `*` for any text.',
  ].join('\n')
}

function conventionText({ title, about, prefixes, spanNames, keys, kinds }: Convention): string {
  const rows = Object.entries(keys).map(([field, attributes]) => [
    fields[field as KeyField],
    listed(attributes),
  ])
  const asked = [
    `with attributes that begin with ${listed(prefixes, 'or')}`,
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
    `Asked for spans ${asked}.`,
    ...(rows.length === 0
      ? []
      : [table(['Field', 'Attributes, the first that says something'], rows)]),
    ...(kinds === undefined ? [] : [kindsText(kinds)]),
  ].join('\n\n')
}

function kindsText(kinds: NonNullable<Convention['kinds']>): string {
  const byKind = Map.groupBy(kinds, ([, kind]) => kind)
  const rows = [...byKind].map(([kind, words]) => [
    `\`${kind}\``,
    listed(words.map(([word]) => word)),
  ])
  return table(['Kind', 'Words'], rows)
}

function listed(words: readonly string[], last?: 'or'): string {
  const quoted = words.map((word) => `\`${word}\``)
  if (last === undefined || quoted.length < 2) return quoted.join(', ')
  return `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}
