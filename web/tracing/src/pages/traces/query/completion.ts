import { kinds } from '@assay/ui/kinds.ts'
import { toBound } from '../../../parts/filter-bounds.ts'
import type { FilterName } from '../../../parts/filter-definitions.ts'
import { filterByKey, filterNames, filters } from '../../../parts/filter-definitions.ts'
import { quotedIfNeeded, type Token, tokenize } from './query-tokens.ts'

/*
 * The completions for the token at the caret: keys, and after a key its values.
 */

/** Known values, most likely first. */
export type KnownValues = Readonly<Partial<Record<FilterName, readonly string[]>>>

export interface Completion {
  readonly form: 'key' | 'value'
  /** Replaces the token. */
  readonly text: string
  readonly label: string
  readonly hint: string
  /** The range of the text that it replaces. */
  readonly start: number
  readonly end: number
}

const maxCompletions = 8

export function completionsAt(
  text: string,
  caret: number,
  known: KnownValues,
): readonly Completion[] {
  const token = tokenize(text).find(({ start, end }) => start < caret && caret <= end)
  if (token === undefined) return keysFor('', caret, caret)
  const { start, end, filter, isQuoted } = token
  if (filter !== undefined) return filterValues(token, text, caret, known)
  return isQuoted ? [] : keysFor(text.slice(start, caret), start, end)
}

/** Values for the part after the last comma. */
function filterValues(
  { start, end, filter }: Token,
  text: string,
  caret: number,
  known: KnownValues,
): readonly Completion[] {
  const name = filter && filterByKey(filter.key)
  if (name === undefined || filter === undefined || caret < filter.lastStart) return []
  if (filters[name].takes.form === 'choice' && filter.values.length > 1) return []
  const typed = tokenize(text.slice(start, caret))[0]?.filter?.values.at(-1) ?? ''
  const before = text.slice(start, filter.lastStart)
  return valuesFor(name, typed, known)
    .map(({ value, label, hint }) => ({
      form: 'value' as const,
      text: before + quotedIfNeeded(value),
      label,
      hint,
      start,
      end,
    }))
    .filter((one) => one.text !== text.slice(start, end))
}

/** The possible or known values of a filter, those that start with `typed` first. */
export function valuesFor(
  name: FilterName,
  typed: string,
  known: KnownValues,
): readonly { readonly value: string; readonly label: string; readonly hint: string }[] {
  const { takes } = filters[name]
  const typedText = typed.toLowerCase()
  const all =
    takes.form === 'choice'
      ? Object.entries(takes.choices).map(([value, label]) => ({
          value: value.toLowerCase(),
          label: value.toLowerCase(),
          hint: label.toLowerCase() === value.toLowerCase() ? '' : label,
        }))
      : knownFor(name, known).map((value) => ({ value, label: value, hint: '' }))
  const begin = all.filter(({ value }) => value.toLowerCase().startsWith(typedText))
  const hold = all.filter(({ value }) => value.toLowerCase().indexOf(typedText) > 0)
  return [...begin, ...hold].slice(0, maxCompletions)
}

function knownFor(name: FilterName, known: KnownValues): readonly string[] {
  const found = known[name] ?? []
  return name === 'kind' ? [...new Set([...Object.keys(kinds), ...found])] : found
}

function keysFor(typed: string, start: number, end: number): readonly Completion[] {
  const typedText = typed.toLowerCase()
  return filterNames
    .filter(
      (name) =>
        name !== 'q' &&
        (typedText !== '' || !filters[name].isTypedOnly) &&
        [toKeyText(name), filters[name].key, ...filters[name].otherKeys].some((key) =>
          key.startsWith(typedText),
        ),
    )
    .map((name) => ({ text: toKeyText(name), hint: filters[name].hint }))
    .filter(({ text }) => text !== typedText)
    .slice(0, typedText === '' ? filterNames.length : maxCompletions)
    .map(({ text, hint }) => ({ form: 'key', text, label: text, hint, start, end }))
}

/** The completion for Tab: the first one for a key or value that is typed in part. */
export function completionForTab(
  text: string,
  caret: number,
  offers: readonly Completion[],
): Completion | undefined {
  return /[^\s:=<>,"-]$/.test(text.slice(0, caret)) ? offers[0] : undefined
}

/** `status:`, `cost>` or `attr.`. */
function toKeyText(name: FilterName): string {
  if (name === 'attribute') return `${filters[name].key}.`
  const bound = toBound(name, 0)
  return bound === undefined ? `${filters[name].key}:` : `${bound.key}${bound.operator.charAt(0)}`
}

/** The text and caret after taking a completion; a value is followed by a space. */
export function completed(
  text: string,
  { form, text: inserted, start, end }: Completion,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(end)
  const space = form === 'value' && !rest.startsWith(' ') ? ' ' : ''
  const head = text.slice(0, start) + inserted + space
  return { text: head + rest, caret: head.length }
}
